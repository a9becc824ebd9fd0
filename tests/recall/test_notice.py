"""The line that an agent shows to its user: how many notes a start gave, and what waits for review."""

import json

import pytest
from recall_place import note

from memwiki.config import change

NOTES = {"profile/me.md": note("I am Ada."), "tools/proxy.md": note("The staging proxy listens on port 8443.")}


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "qwen"])
def test_a_start_says_how_many_notes_it_gave(place, host: str) -> None:
    here = place(NOTES, 6000)
    assert "I am Ada." in here.hook("SessionStart", host, source="startup")
    assert here.notice == "memwiki: 2 notes given"


@pytest.mark.parametrize("host", ["cursor", "copilot", "opencode", "cline"])
def test_a_host_that_shows_no_line_gets_none(place, host: str) -> None:
    here = place(NOTES, 6000)
    event = {"cursor": "sessionStart", "cline": "TaskStart"}.get(host, "SessionStart")
    assert b"memwiki: 2 notes" not in here.raw(host, event, b'{"session_id": "s"}').stdout


def test_proposals_that_wait_are_counted_until_they_are_decided(place) -> None:
    here = place({})
    for number in (1, 2):
        here.git("checkout", "-q", "-b", f"dream/run{number}", "main")
        here.write(f"tools/new{number}.md", note("Text."))
        here.git("add", "-A")
        here.git("commit", "-qm", "Propose a note")
        here.git("checkout", "-q", "main")
    here.sync()
    assert here.hook("SessionStart", source="startup") == ""
    assert here.notice == "memwiki: 2 proposals to review: memwiki review"
    here.git("merge", "-q", "dream/run1")
    here.git("pack-refs", "--all")
    here.sync()
    here.hook("SessionStart", source="startup", session_id="s2")
    assert here.notice == "memwiki: 1 proposal to review: memwiki review"


def test_prompts_are_named_only_when_you_ask_for_it(place) -> None:
    here = place(NOTES)
    here.ask("Which port does the staging proxy use?")
    assert here.notice == ""
    change(here.home, "recall.notice", "all")
    here.sync()
    here.ask("Which port does the staging proxy use?", session="s2")
    assert here.notice == "memwiki: tools/proxy.md"
    here.ask("Which port does the staging proxy use?", session="s2")
    assert here.notice == ""


def test_nothing_is_said_when_it_is_off(place) -> None:
    here = place(NOTES, 6000)
    change(here.home, "recall.notice", "off")
    here.sync()
    assert "I am Ada." in here.hook("SessionStart", source="startup")
    assert here.notice == ""


def test_the_answer_is_one_object_with_both(place) -> None:
    here = place(NOTES, 6000)
    done = here.raw("claude", "SessionStart", b'{"session_id": "s", "source": "startup"}')
    answer = json.loads(done.stdout)
    assert set(answer) == {"systemMessage", "hookSpecificOutput"}
