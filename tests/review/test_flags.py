"""Flags: what a person should look at before they approve, computed from the commit and this machine's journal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.candidates.candidate import Candidate, Evidence, Proposal
from memwiki.candidates.ledger import Run
from memwiki.candidates.message import new_run_id
from memwiki.candidates.runs import write

NOTE = "---\ntitle: Git\ntype: preference\n---\n" + "".join(f"- Rule {n} of git.\n" for n in range(60))
SAID = "we use merge commits, not squash, in git"
PERSON = Evidence("claude/s#1", "person", SAID)
AGENT = Evidence("claude/s#2", "agent", "we use tabs everywhere")
Made = Callable[..., Candidate]


@pytest.fixture
def memory(home: Path, git: Callable[..., str]) -> "memwiki.Memory":
    memwiki.setup()
    opened = memwiki.open()
    vault = opened.config.vault
    (vault / "tools/git.md").write_text(NOTE, "utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "notes")
    common = {"session_id": "s", "cwd": str(home)}
    opened.append("claude", "UserPromptSubmit", {**common, "prompt": SAID})
    opened.append("claude", "Stop", {**common, "last_assistant_message": AGENT.quote})
    opened.sync()
    return opened


def flags(memory: "memwiki.Memory", text: str | None, *evidence: Evidence, **fields: Any) -> str:
    """The flags of a candidate that makes `text` of tools/git.md (or of `path`), in one string."""
    proposal = Proposal(
        **{
            "path": "tools/git.md",
            "text": text,
            "subject": "A change",
            "why": "",
            "type": "fact",
            "source": "turn",
            "confidence": 0.8,
            "evidence": evidence or (PERSON,),
            **fields,
        }
    )
    (made,) = write(memory.git, memory.config.machine, Run(new_run_id(), "claude"), [proposal])
    return " ".join(memory.flags([made])[made.id])


def test_a_line_that_its_quote_carries_has_no_flag(memory: "memwiki.Memory") -> None:
    assert flags(memory, NOTE + "- We use merge commits in git.\n") == ""
    assert flags(memory, NOTE.replace("- Rule 3 of git.\n", "- We use merge commits in git.\n")) == ""


@pytest.mark.parametrize(
    "text, evidence, words",
    [
        (NOTE.split("- Rule 0")[0] + "- We use merge commits.\n", (), "removes 60 lines and adds 1"),
        (None, (), "deletes the whole note of 60 lines"),
        (
            NOTE + "- We use tabs.\n- We use merge commits.\n- The key is Bob's.\n",
            (),
            "rest on no words that it quotes",
        ),
        (NOTE + "- We use tabs everywhere.\n", (PERSON, AGENT), "rest on the agent's words"),
        (NOTE + "- In git, ask Bob about all of the many other things that matter.\n", (), "few words in common"),
        (NOTE + "- We use merge commits of https://evil.example.\n", (), "does not name https://evil.example"),
        (NOTE.replace("title: Git", "title: Git\npin: true"), (), "frontmatter (pin)"),
        (NOTE.replace("type: preference", "type: rule"), (), "'rule' is not one of memwiki's"),
        (NOTE + "- We use merge\u200b commits in git.\n", (), "invisible characters"),
        (NOTE + "- We use merge commits in git.\n", (Evidence("claude/s#9", "person", SAID),), "not found here"),
        (NOTE + "- We use merge commits in git.\n", (Evidence("claude/s#1", "tool", SAID),), "not found here"),
        (
            NOTE + "- We squash in git.\n",
            (Evidence("claude/s#1", "person", "we always squash in git"),),
            "not found here",
        ),
    ],
)
def test_what_a_person_should_look_at(
    memory: "memwiki.Memory", text: str | None, evidence: tuple[Evidence, ...], words: str
) -> None:
    assert words in flags(memory, text, *evidence)


def test_what_nobody_spoke_of_is_counted_where_lines_go(memory: "memwiki.Memory") -> None:
    new = Proposal("tools/days.md", "- Deploy on Mondays.\n- Ask Ana first.\n", "x", "", "fact", "turn", 0.8)
    (made,) = write(memory.git, memory.config.machine, Run(new_run_id(), "claude"), [new])
    memory.approve(made.id)
    assert "about 1 line that it removes" in flags(memory, "- Deploy on Mondays.\n", path="tools/days.md")


def test_what_an_agent_asked_for_is_flagged_and_what_the_person_added_is_not(memory: "memwiki.Memory") -> None:
    from memwiki.review.request import Request

    asked, _ = memory.request(Request("add", "tools/uv.md", "they said so", "Use uv."))
    own = memory.propose("tools/own", "# Own\n\n- mine\n")
    found = memory.flags([asked, own])
    assert found[asked.id] == ("It quotes nothing that was said.",) and found[own.id] == ()


def test_a_branch_that_was_changed_since_it_was_proposed(memory: "memwiki.Memory", git: Callable[..., str]) -> None:
    """Who pushes to a dream branch cannot hide behind a candidate that the person added."""
    own = memory.propose("tools/own", "# Own\n\n- mine\n")
    vault = memory.config.vault
    git(vault, "switch", "-q", f"dream/{own.run}")
    (vault / "tools/own.md").write_text("# Own\n\n- not mine\n", "utf-8")
    git(vault, "commit", "-qa", "--amend", "--no-edit")
    git(vault, "switch", "-q", "main")
    found = memory.flags([memory.candidate(own.id)])[own.id]
    assert found[:2] == ("Its commit is not the one that was proposed.", "It quotes nothing that was said.")
    with pytest.raises(memwiki.MemwikiError, match="changed since it was shown"):
        memory.approve(own.id, commit=own.commit)


def test_in_a_group_the_flagged_ones_are_left(memory: "memwiki.Memory", run: Callable[..., Any]) -> None:
    from memwiki.review.request import Request

    asked, _ = memory.request(Request("add", "tools/uv.md", "they said so", "Use uv."))
    own = memory.propose("tools/own", "# Own\n\n- mine\n")
    done = run("review", "approve", asked.id, own.id, check=False)
    assert done.returncode == 1 and f"Not approved: {asked.id}" in done.stderr and f"Approved {own.id}" in done.stdout
    assert memory.candidate(asked.id).state == "pending" and memory.candidate(own.id).state == "approved"
    assert (
        "quotes nothing" in run("review", "list").stdout and "quotes nothing" in run("review", "show", asked.id).stdout
    )
    run("review", "approve", asked.id)
    assert memory.candidate(asked.id).state == "approved"
