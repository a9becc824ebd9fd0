"""When notes are given: each cell of the table of modes; and the proof lines."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from recall_place import PAYLOADS, Place, note

import memwiki
from memwiki.cli import cli
from memwiki.config import change
from memwiki.recall.explain import proofs
from tests.conftest import REPOSITORY

ASK = "Which port does the staging proxy use?"
NAMES = ("startup", "auto", "always", "manual", "off")
# The documented table: what each situation gives in each mode.
ROWS = re.findall(
    r"^\| (an? [a-z ]+|it[a-z ]+) \|(( \w+ \|){5})$", (REPOSITORY / "docs/recall.md").read_text(), re.MULTILINE
)
TABLE = {what: tuple(cells.replace("|", " ").split()) for what, cells, _ in ROWS}
CELLS = [(what, mode, cell) for what, cells in TABLE.items() for mode, cell in zip(NAMES, cells, strict=True)]


SCOPES = ("all", "host", "project")
PROJECT = "github.com/acme/shop"


@pytest.fixture
def shop(home: Path, git, monkeypatch: pytest.MonkeyPatch) -> str:
    """A project, in which the agent and the person work."""
    folder = home / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", f"https://{PROJECT}")
    monkeypatch.chdir(folder)
    return str(folder)


@pytest.fixture
def here(place) -> Place:
    """One note for prompts, one for starts."""
    return place(
        {
            "tools/proxy.md": note("The staging proxy listens on port 8443.", "Staging proxy", applies_to="['*.conf']"),
            "profile/me.md": note("I am Ada.", "Me"),
        }
    )


def found(*args: str) -> str:
    """What `memwiki search` and `memwiki show` print, as our skill calls them; both find or both refuse."""
    done = [
        CliRunner().invoke(cli, [*command, *args]) for command in (["search", "staging port"], ["show", "tools/proxy"])
    ]
    assert all(one.exit_code == 0 for one in done), done
    assert len({"port 8443" in one.output for one in done}) == len({"switched off" in one.output for one in done}) == 1
    return done[0].output


def mode_is(here: Place, mode: str, scope: str) -> None:
    """Set the mode for all, the host or the project; what that takes precedence over says the opposite."""
    other = "auto" if mode in ("manual", "off") else "off"
    change(here.home, "recall.mode", mode if scope == "all" else other)
    change(here.home, "recall.mode", {"all": None, "host": mode, "project": other}[scope], host="claude")
    change(here.home, "recall.mode", mode if scope == "project" else None, project=PROJECT)
    here.sync()


def does(here: Place, what: str, shop: str) -> str:
    """The situation played; what the agent or the person is told."""
    if what == "a person searches":
        return found()
    if what == "an agent searches":
        return found("--host", "claude")
    if what == "a prompt":
        return here.ask(ASK, cwd=shop)
    if what == "a subagent starts":
        call = json.loads((PAYLOADS / "claude/PreToolUse.Agent.json").read_text())
        call |= {"session_id": "s1", "cwd": shop, "tool_input": {"prompt": ASK, "subagent_type": "general-purpose"}}
        here.raw("claude", "PreToolUse", json.dumps(call).encode())
        sent = json.loads((PAYLOADS / "claude/SubagentStart.json").read_text())
        return here.hook("SubagentStart", **{**sent, "session_id": "s1", "cwd": shop})
    if what == "a path is touched":
        return here.hook("PostToolUse", tool_name="Read", tool_input={"file_path": "proxy.conf"}, cwd=shop)
    source = {"a session starts": "startup", "it is resumed": "resume", "its context is lost": "compact"}[what]
    return here.hook("SessionStart", source=source, cwd=shop)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(("what", "mode", "cell"), CELLS)
def test_the_table_of_modes(here: Place, shop: str, what: str, mode: str, cell: str, scope: str) -> None:
    if what != "a session starts":  # it goes on in the mode, having been given everything in another
        here.hook("SessionStart", source="startup", cwd=shop)
        here.ask(ASK, cwd=shop)
    mode_is(here, mode, scope)
    fact = "I am Ada." if "a session starts" in what or "it" in what.split()[0] else "port 8443"
    said = does(here, what, shop)
    anew = cell == "all" or (what == "a subagent starts" and cell == "new")  # a set of its own
    assert (fact in said) == anew
    if cell == "nothing":
        assert said == ("" if "search" not in what else said) and "## " not in said
        assert ("switched off" in said) == ("search" in what)
    if cell == "new" and not anew:
        assert "##" not in said
        here.write("profile/me.md", note("I am Ada Lovelace.", "Me"))
        changed = "The staging proxy listens on port 9443."
        here.write("tools/proxy.md", note(changed, "Staging proxy", applies_to="['*.conf']"))
        said = does(here, what, shop)
        assert ("Lovelace" if what == "it is resumed" else "port 9443") in said


def test_the_documented_table_is_whole() -> None:
    assert len(TABLE) == 8 and {cell for cells in TABLE.values() for cell in cells} == {"all", "new", "nothing"}
    assert f"| moment | {' | '.join(NAMES)} |" in (REPOSITORY / "docs/recall.md").read_text()


def test_a_mode_of_one_host_and_one_project_is_not_anothers(here: Place, shop: str) -> None:
    change(here.home, "recall.mode", "startup", host="codex")
    change(here.home, "recall.mode", "off", project=PROJECT)
    here.sync()
    assert "8443" in here.ask(ASK)
    assert here.hook("UserPromptSubmit", "codex", prompt=ASK) == ""
    assert "Ada." in here.hook("SessionStart", "codex", source="startup")
    assert here.hook("SessionStart", "codex", source="startup", cwd=shop) == ""
    assert here.ask(ASK, cwd=shop, session="s2") == ""


@pytest.mark.parametrize("mode", ["manual", "off"])
@pytest.mark.parametrize("proof", ["off", "compact"])
def test_a_start_that_a_mode_withheld_comes_with_the_first_prompt_in_another(
    here: Place, mode: str, proof: str
) -> None:
    now = {"MEMWIKI_RECALL_MODE": mode, "MEMWIKI_RECALL_PROOF": proof}
    for said in (
        here.hook("SessionStart", source="startup", env=now),
        here.ask(ASK, env=now),
        here.hook("SessionStart", source="resume", env=now),
        here.hook("SubagentStart", agent_id="a1", agent_type="x", env=now),
        here.ask(ASK, env=now),
    ):
        assert "##" not in said and "memwiki show" not in said
    said = here.ask("thanks, go on")
    assert "I am Ada." in said and "memwiki show" in said  # the guide, too
    assert here.ask("thanks, go on") == ""
    assert "port 8443" in here.ask(ASK)


@pytest.mark.parametrize("mode", ["manual", "off"])
def test_a_session_that_was_given_its_start_gets_it_once_whatever_the_mode_was_between(here: Place, mode: str) -> None:
    here.hook("SessionStart", source="startup")
    here.ask(ASK)
    here.hook("SessionStart", source="resume", env={"MEMWIKI_RECALL_MODE": mode})
    assert here.ask(ASK) == "<memwiki>\nalready loaded: tools/proxy.md\n</memwiki>"
    here.hook("PreCompact", trigger="auto", env={"MEMWIKI_RECALL_MODE": mode})
    here.hook("SessionStart", source="compact", env={"MEMWIKI_RECALL_MODE": mode})
    said = here.ask(ASK)
    assert "I am Ada." in said and "port 8443" in said


def test_a_paused_project_keeps_no_record(here: Place, shop: str) -> None:
    change(here.home, "capture.paused", True, project=PROJECT)
    here.sync()
    assert here.hook("SessionStart", source="startup", cwd=shop) + here.ask(ASK, cwd=shop) == ""
    assert list(here.home.delivered.iterdir()) == []


def test_a_mode_by_variable_and_one_that_is_none(here: Place) -> None:
    assert here.ask(ASK, env={"MEMWIKI_RECALL_MODE": "manual"}) == ""
    assert here.ask(ASK, env={"MEMWIKI_RECALL_MODE": "sometimes"}) == ""
    assert "sometimes" in here.log()
    assert "8443" in here.ask(ASK)


def test_an_agent_is_told_that_the_memory_is_paused(here: Place) -> None:
    with memwiki.open() as memory:
        memory.pause()
    assert "paused here" in found("--host", "codex")
    assert "tools/proxy.md" in found()
    done = CliRunner().invoke(cli, ["search", "proxy", "--host", "codex", "--json"])
    assert json.loads(done.output)["results"] == [] and "paused" in json.loads(done.output)["refusal"]


def test_recall_says_what_the_mode_does(here: Place) -> None:
    change(here.home, "recall.mode", "startup")
    here.sync()
    with memwiki.open() as memory:
        said = memory.recall(ASK)
    assert said.text == "" and said.why == "Nothing is given at a prompt: recall.mode is startup."
    assert [(one.path, one.inject, one.why) for one in said.notes] == [
        ("tools/proxy.md", False, "recall.mode is startup")
    ]


def test_events_are_captured_in_every_mode(here: Place) -> None:
    for mode in NAMES:
        here.ask(ASK, env={"MEMWIKI_RECALL_MODE": mode}, session=mode)
    assert len(list(here.home.spool.iterdir())) == len(NAMES)


LINE = re.compile(r"memwiki: (\d+) of (\d+) notes, (\d+) already loaded · ([0-9a-f]{8})")


def proof(said: str) -> tuple[int, int, int, str]:
    """The figures of the one proof line, which is the last."""
    lines = [match for line in said.splitlines() if (match := LINE.fullmatch(line))]
    assert len(lines) == 1 and said.splitlines()[-2] == lines[0][0]
    given, most, loaded, signature = lines[0].groups()
    return int(given), int(most), int(loaded), signature


def signed(here: Place, *paths: str) -> str:
    """The signature, worked out by its definition: sorted `path hash`."""
    keys = [f"{path} {hashlib.sha256((here.vault / path).read_bytes()).hexdigest()}" for path in sorted(paths)]
    return hashlib.sha256("\n".join(keys).encode()).hexdigest()[:8]


def test_no_proof_line_unless_asked_for(here: Place) -> None:
    said = here.hook("SessionStart", source="startup") + here.ask(ASK) + here.ask(ASK)
    assert not LINE.search(said)
    assert "proof" not in (here.home.delivered / "claude+s1").read_text()


def test_a_proof_line_stands_at_every_turn_also_where_nothing_is_new_or_found(here: Place) -> None:
    change(here.home, "recall.proof", "compact")
    here.sync()
    start = here.hook("SessionStart", source="startup")
    turns = [start, here.ask(ASK), here.ask(ASK), here.ask("thanks, go on"), here.hook("SessionStart", source="resume")]
    both, proxy, me = signed(here), signed(here, "tools/proxy.md"), signed(here, "profile/me.md")
    assert [proof(said) for said in turns] == [
        (1, 2, 0, me),
        (1, 2, 0, proxy),
        (0, 2, 1, proxy),
        (0, 2, 0, both),
        (0, 2, 1, me),
    ]
    assert "memwiki: 0 of 2 notes" in here.hook("SubagentStart", agent_id="a1", agent_type="x")
    kept = [one.line for one in proofs(here.home, "claude/s1") if not one.agent]
    assert [one.agent for one in proofs(here.home, "claude/s1") if one.agent] == ["a1"]
    assert kept == [match[0] for said in turns if (match := LINE.search(said))]
    assert CliRunner().invoke(cli, ["sync"]).exit_code == 0
    shown = CliRunner().invoke(cli, ["given", "claude/s1"]).output
    assert [match[0] for match in LINE.finditer(shown)][:-1] == kept and "profile/me.md" in shown


@pytest.mark.parametrize("mode", NAMES)
def test_a_proof_line_stands_in_every_mode_but_off(here: Place, mode: str) -> None:
    env = {"MEMWIKI_RECALL_PROOF": "compact", "MEMWIKI_RECALL_MODE": mode}
    for said in (here.hook("SessionStart", source="startup", env=env), here.ask(ASK, env=env)):
        if mode == "off":
            assert said == ""
        else:
            proof(said)


def test_a_proof_line_counts_bodies_and_cards_apart(place) -> None:
    here = place({f"tools/p{n}.md": note(f"The staging proxy {n} has port 80{n}. " + "x " * 90) for n in range(3)})
    env = {"MEMWIKI_RECALL_PROOF": "compact", "MEMWIKI_RECALL_MAX_BYTES": "700"}
    said = here.ask(ASK, env=env)
    given = proof(said)[0]
    assert given == said.count("## ") < 3 and len(said.encode()) <= 700
