"""Every recipe of the audit page and of "With plain git" is read from the page and run on a vault that was reviewed."""

import re
from pathlib import Path

import pytest
from vaults import MACHINE, Vault, note, proposal

from memwiki.candidates.candidate import Candidate
from memwiki.candidates.ledger import Run
from memwiki.candidates.runs import write
from memwiki.candidates.states import find
from memwiki.review.decide import approve, reject
from memwiki.review.revert import revert

DOCS = Path(__file__).parents[2] / "docs"
# Heading -> what the answer must hold. Every recipe of the page has a line here.
ANSWERS = {
    "Every run, the newest first": ["Dream r: 5 proposed", "Dream empty: 0 proposed"],
    "Which events have been read": ["claude/s@1..40", "claude/s@41..44"],
    "What a run used and cost": ['"run": "empty"', '"engine": "rules"', '"spans"', '"usage"'],
    "All that a run proposed, whatever became of it": [f"Note {number}: a dream line" for number in range(5)],
    "What waits for a decision": ["ID4  Note 4: a dream line"],
    "What memory owes to dreams": ["Note 0: a dream line", "Note 1: a dream line", "Note 3: a dream line"],
    "What a person changed before approving it": ["Note 1: a dream line (Ada Example <ada@example.com>)"],
    "What was refused, by whom and why": ["Ada Example\nReject: Note 2: a dream line", "not a lasting fact"],
    "What was undone": ['Ada Example: Revert "Note 3: a dream line"'],
    "The words that a candidate rests on": ['claude/s#1 person "said \\"0\\""'],
    "What came from one session": ["Note 0: a dream line", "Note 1: a dream line"],
    "What was approved with little confidence": ["0.60 ", "Note 0: a dream line"],
    "How many of each type": ["3 fact"],
    "When some words came and went": ["Note 5: pnpm"],
    "Which commits were signed, and by whom": ["N ", "memwiki dream / Ada Example: Note 0: a dream line"],
}


def recipes(page: str) -> dict[str, str]:
    """Heading -> the `sh` block below it."""
    text = (DOCS / page).read_text("utf-8")
    return dict(re.findall(r"^## ([^\n]+)\n(?:(?!## |```)[^\n]*\n)*```sh\n(.*?)```$", text, re.MULTILINE | re.DOTALL))


@pytest.fixture
def reviewed(tmp_path: Path) -> tuple[Vault, tuple[Candidate, ...]]:
    """A run of five: approved, edited, rejected, reverted, pending; and one that had nothing to propose."""
    vault = Vault(tmp_path / "vault")
    five = [proposal(0, confidence=0.6), *(proposal(number) for number in range(1, 5))]
    run = Run("r", "rules", spans={"claude/s": (1, 40)}, usage={"calls": 1, "cost": 0.01})
    made = write(vault.git, MACHINE, run, five)
    write(vault.git, MACHINE, Run("empty", "rules", spans={"claude/s": (41, 44)}), [])
    approve(vault.git, find(vault.git, made[0].id))
    approve(vault.git, find(vault.git, made[1].id), note(1, l3="- my words"))
    reject(vault.git, [find(vault.git, made[2].id)], "not a lasting fact")
    approve(vault.git, find(vault.git, made[3].id))
    revert(vault.git, find(vault.git, made[3].id))
    vault.sh("echo '- pnpm' >> tools/n5.md; git commit -qam 'Note 5: pnpm'")
    return vault, made


def test_every_recipe_answers_its_question(reviewed: tuple[Vault, tuple[Candidate, ...]]) -> None:
    vault, made = reviewed
    found = recipes("audit.md")
    assert set(found) == set(ANSWERS)
    for title, script in found.items():
        script = re.sub(r"\bID\b", made[0].id, script.replace("SESSION", "claude/s"))
        out = vault.sh(script.replace("Memwiki-Run: RUN", "Memwiki-Run: r"))
        for words in ANSWERS[title]:
            assert words.replace("ID4", made[4].id) in out, f"{title}\n{out}"
        if title == "What waits for a decision":
            assert len(out.splitlines()) == 1


def test_the_plain_git_page_shows_commands_that_work(reviewed: tuple[Vault, tuple[Candidate, ...]]) -> None:
    vault, _ = reviewed
    shown = re.findall(r"^```sh\n(.*?)```$", (DOCS / "reviewing.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    assert "+- n4 dream says x" in vault.sh(shown[0].replace("RUN", "r"))
    vault.sh("git init -q --bare ../hub.git; git remote add origin ../hub.git")
    vault.sh(shown[1])
    assert MACHINE in vault.sh("git ls-remote origin")
