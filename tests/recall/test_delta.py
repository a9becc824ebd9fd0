"""What counts as given: only what was printed, once a context, by content; and what resets it."""

import json
import os
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from recall_place import PAYLOADS, Place, note

from memwiki.hosts.programs import interpreter
from memwiki.recall import deliver
from memwiki.recall.deliver import Ledger, parsed

PORT = "The staging proxy number {} listens on port 84{}, behind the kestrel gateway."
ASK = "Which port does the staging proxy use?"
LOADED = "<memwiki>\nalready loaded: {}\n</memwiki>"


@pytest.fixture
def here(place) -> Place:
    """Three notes that one prompt finds, and a profile."""
    notes = {f"tools/{name}.md": note(PORT.format(n, n), f"Proxy {name}") for n, name in enumerate("cab")}
    return place({**notes, "profile/me.md": note("I am Ada.", "Me")})


def record(here: Place, name: str = "claude+s1") -> list[tuple[str, str]]:
    """(event, path) of each line of a record."""
    file = here.home.delivered / name
    return [parsed(line)[1::3] for line in file.read_text().splitlines()] if file.exists() else []


def bodies(said: str) -> set[str]:
    """Paths of the notes given in full."""
    return {line[3:].partition(" ")[0] for line in said.splitlines() if line.startswith("## ")}


def test_others_are_named_in_one_sorted_line_and_the_same_set_gives_the_same_bytes(here: Place) -> None:
    assert bodies(here.ask(ASK)) == {"tools/a.md", "tools/b.md", "tools/c.md"}
    line = LOADED.format("tools/a.md, tools/b.md, tools/c.md")
    assert here.ask(ASK) == line
    assert here.ask("kestrel gateway of the staging proxy: the port?") == line
    here.write("tools/b.md", note(PORT.format(9, 9), "Proxy b"))
    said = here.ask(ASK)
    assert bodies(said) == {"tools/b.md"}
    assert said.endswith("\nalready loaded: tools/a.md, tools/c.md\n</memwiki>")
    assert here.ask(ASK) == line


def test_nothing_relevant_gives_nothing(here: Place) -> None:
    here.ask(ASK)
    assert here.ask("thanks, go on") == ""
    assert here.ask("write a haiku about autumn leaves falling") == ""


def test_a_note_that_is_as_it_was_again_is_not_given_again(here: Place) -> None:
    first = (here.vault / "tools/a.md").read_text()
    here.ask(ASK)
    here.write("tools/a.md", note(PORT.format(9, 9), "Proxy a"))
    assert bodies(here.ask(ASK)) == {"tools/a.md"}
    here.write("tools/a.md", first)
    assert bodies(here.ask(ASK)) == set()


def test_a_card_is_no_delivery(here: Place) -> None:
    small = {"MEMWIKI_RECALL_MAX_BYTES": "380"}
    said = here.ask(ASK, env=small)
    assert len(said.encode()) <= 380
    given = bodies(said)
    assert 0 < len(given) < 3 and "\n- tools/" in said
    assert {path for event, path in record(here) if path} == given
    assert bodies(here.ask(ASK)) == {"tools/a.md", "tools/b.md", "tools/c.md"} - given


@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_a_start_resets(here: Place, source: str) -> None:
    here.hook("SessionStart", source="startup")
    here.ask(ASK)
    assert "I am Ada." in here.hook("SessionStart", source=source)
    assert len(bodies(here.ask(ASK))) == 3


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_resuming_does_not_repeat(here: Place, source: str) -> None:
    here.hook("SessionStart", source="startup")
    here.ask(ASK)
    assert here.hook("SessionStart", source=source) == ""
    assert bodies(here.ask(ASK)) == set()


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_compaction_alone_loses_the_context(here: Place, name: str) -> None:
    """Also where no start follows: then the next prompt gets what a start gets."""
    here.hook("SessionStart", name, source="startup")
    here.hook("UserPromptSubmit", name, prompt=ASK)
    sent = json.loads((PAYLOADS / name / "PreCompact.json").read_text())
    assert here.hook("PreCompact", name, **{**sent, "session_id": "s1"}) == ""
    said = here.hook("UserPromptSubmit", name, prompt=ASK)
    assert "I am Ada." in said and bodies(said) >= {"tools/a.md", "tools/b.md", "tools/c.md"}
    assert bodies(here.hook("UserPromptSubmit", name, prompt=ASK)) == set()


def test_what_came_between_a_loss_and_the_next_prompt_is_there(here: Place) -> None:
    """A compaction in the middle of a turn, then a path: the note that this brings is not given again at the prompt."""
    here.write("tools/d.md", note(PORT.format(7, 7), "Proxy d", applies_to="['*.conf']"))
    here.sync()
    here.hook("SessionStart", source="startup")
    here.ask(ASK)
    here.hook("PreCompact", trigger="auto")
    assert bodies(here.hook("PostToolUse", tool_name="Read", tool_input={"file_path": "proxy.conf"})) == {"tools/d.md"}
    said = here.ask("Which port does the staging proxy number 7 use?")
    assert "I am Ada." in said and "tools/d.md" not in bodies(said)
    assert "\nalready loaded: tools/d.md\n" in said
    assert bodies(here.hook("PostToolUse", tool_name="Read", tool_input={"file_path": "proxy.conf"})) == set()


def test_geminis_compression_resets_only_when_a_person_asked_for_it(here: Place) -> None:
    here.hook("SessionStart", "gemini", source="startup")
    here.hook("BeforeAgent", "gemini", prompt=ASK)
    for trigger, given in (("auto", 0), ("manual", 4)):
        here.hook("PreCompress", "gemini", trigger=trigger)
        assert len(bodies(here.hook("BeforeAgent", "gemini", prompt=ASK))) == given


def test_geminis_lost_start_is_given_at_the_first_prompt(here: Place) -> None:
    assert here.hook("SessionStart", "gemini", source="clear") == ""
    said = here.hook("BeforeAgent", "gemini", prompt="thanks, go on")
    assert "I am Ada." in said
    assert here.hook("BeforeAgent", "gemini", prompt="thanks, go on") == ""


def test_a_host_without_answers_at_the_start_gets_it_at_the_first_prompt(here: Place) -> None:
    def ask(prompt: str) -> str:
        sent = json.dumps({"sessionId": "c", "cwd": "/", "prompt": prompt}).encode()
        return here.raw("copilot", "userPromptSubmitted", sent).stdout.decode()

    assert "I am Ada." in ask("thanks, go on")
    assert ask("thanks, go on") == ""
    assert "tools/a.md" in ask(ASK)


def test_a_host_that_brings_back_prompts_only_gets_its_start_again(here: Place) -> None:
    """Qwen's history has what prompts were given, not what its start was."""
    here.hook("SessionStart", "qwen", source="startup")
    here.hook("UserPromptSubmit", "qwen", prompt=ASK)
    assert "I am Ada." in here.hook("SessionStart", "qwen", source="resume")
    assert bodies(here.hook("UserPromptSubmit", "qwen", prompt=ASK)) == set()


def test_a_start_after_a_loss_pays_what_was_owed_once(here: Place) -> None:
    here.hook("SessionStart", source="startup")
    here.hook("PreCompact", trigger="auto")
    assert "I am Ada." in here.hook("SessionStart", source="resume")
    assert here.ask("thanks, go on") == ""


def test_only_what_was_printed_counts(here: Place) -> None:
    """A host that is gone before it could read: the next prompt gets the note."""
    sent = json.dumps({"session_id": "s1", "cwd": "/", "prompt": ASK}).encode()
    command = [interpreter(), "-I", "-S", str(here.home.bin / "launch"), "claude", "UserPromptSubmit"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, input=sent, stdout=writer, stderr=subprocess.PIPE, timeout=20)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert record(here) == []
    assert "BrokenPipeError" in here.log()
    assert len(bodies(here.ask(ASK))) == 3


def test_32_hooks_at_once_give_a_note_once(here: Place) -> None:
    with ThreadPoolExecutor(32) as pool:
        said = list(pool.map(lambda _: here.ask(ASK), range(32)))
    assert Counter(path for text in said for path in bodies(text)) == {f"tools/{name}.md": 1 for name in "abc"}
    rest = {text for text in said if not bodies(text)} - {""}  # "": it did not get its turn within the deadline
    assert rest == {LOADED.format("tools/a.md, tools/b.md, tools/c.md")}
    assert Counter(path for event, path in record(here) if path) == {f"tools/{name}.md": 1 for name in "abc"}


def test_a_record_that_was_cut_short_goes_on(here: Place) -> None:
    here.ask(ASK)
    file = here.home.delivered / "claude+s1"
    file.write_bytes(file.read_bytes()[:-30])
    lost = bodies(here.ask(ASK))
    assert len(lost) == 1
    assert bodies(here.ask(ASK)) == set()


def test_children_have_a_limit_of_their_own(here: Place) -> None:
    names = [f"claude+s{n}" for n in range(150)] + [f"claude+p+a{n}" for n in range(150)]
    for n, name in enumerate(names):
        file = here.home.delivered / name
        file.write_text("")
        os.utime(file, ns=(10**18 * 2, 10**18 * 2 + n))
    deliver.purge(str(here.home.path))
    kept = {file.name for file in here.home.delivered.iterdir()}
    assert kept == {*names[:150], *names[-100:]}


def test_one_childs_record_is_not_anothers(here: Place) -> None:
    for agent in ("", "a1", "a2"):
        Ledger(str(here.home.path), "claude", "s1", agent).add("X", "", [(f"{agent or 'main'}.md", "h")], [])
    for agent in ("", "a1", "a2"):
        assert Ledger(str(here.home.path), "claude", "s1", agent).given == {(f"{agent or 'main'}.md", "h")}


def test_a_save_with_other_line_ends_alone_gives_nothing_again(here: Place) -> None:
    assert bodies(here.ask(ASK)) == {"tools/a.md", "tools/b.md", "tools/c.md"}
    for name in "ab":
        file = here.vault / f"tools/{name}.md"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    here.write("tools/c.md", note(PORT.format(7, 77), "Proxy c"))
    assert bodies(here.ask(ASK)) == {"tools/c.md"}
