"""What the real clients write of a session, taken in beside what their hooks told of it: everything once, in order."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.journal.event import Event
from memwiki.journal.view import command, said
from tests.clients.drive import settled
from tests.clients.model import CLOSING, model
from tests.clients.test_clients import ASK, played, script_for
from tests.clients.test_other_clients import BYE, client

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

Binary = Callable[[str], Path]
Linked = Callable[[str], memwiki.Memory]
Run = Callable[..., Any]
LEFT_OUT = {  # host -> what its hooks do not tell
    "cline": [("prompt", ASK), ("prompt", BYE)],
    "copilot": [("words", CLOSING), ("words", CLOSING)],
    "gemini": [],
    "qwen": [],
}


def told(events: Iterable[Event]) -> list[tuple[str, str]]:
    """Prompts, tools that were run, and closing words; a prompt or an end without words is nothing."""
    found = []
    for event in events:
        view = said(event)
        if event.event == "UserPromptSubmit" and view.prompt:
            found.append(("prompt", view.prompt.rpartition("</hook_context>\n\n")[2]))  # Gemini echoes what it was told
        elif event.event in ("PostToolUse", "PostToolUseFailure"):
            found.append(("tool", view.command))
        elif event.event == "Stop" and view.words:
            found.append(("words", view.words))
    return found


def journal(memory: memwiki.Memory, name: str) -> list[Event]:
    """All that is known of the client's sessions, the oldest session first."""
    keys = [one.key for one in sorted(memory.sessions(), key=lambda one: one.first_at) if one.key.startswith(name)]
    return [event for key in keys for event in memory.events(key)]


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name}-transcript") for name in LEFT_OUT])
def test_a_transcript_adds_what_hooks_left_out_once(
    name: str, binary: Binary, home: Path, project: Path, memory: memwiki.Memory, linked: Linked, run: Run
) -> None:
    memory.set("capture.transcripts", True)
    script = script_for(name, project)
    with model(script) as server:
        driven = client(name, binary, home, project, server)
        linked(name)
        driven.say(BYE, driven.say(ASK))
    settled(memory.home.spool)
    memory.sync()
    before = journal(memory, name)
    dry = json.loads(run("import", "--queue", "--dry-run", "--json").stdout)
    assert journal(memory, name) == before
    done = json.loads(run("import", "--queue", "--json").stdout)
    assert [(one["why"], one["damage"]) for one in done["transcripts"]] == [("", [])] * len(dry["transcripts"])
    assert done["new"] == dry["new"] == len(LEFT_OUT[name]) and done["waiting"] == 0
    after = journal(memory, name)
    assert [event for event in after if not event.imported] == before
    assert sorted(told(event for event in after if event.imported)) == sorted(LEFT_OUT[name])
    tools = [("tool", command(given)) for _, given in script]
    whole = [("prompt", ASK), *tools, ("words", CLOSING), ("prompt", BYE), ("words", CLOSING)]
    assert told(sorted(after, key=lambda event: event.at)) == whole


@pytest.mark.parametrize("name", [pytest.param(name, id=f"{name}-transcript") for name in ("claude", "codex")])
def test_a_transcript_adds_nothing_where_hooks_told_everything(
    name: str, binary: Binary, home: Path, project: Path, memory: memwiki.Memory, linked: Linked, run: Run
) -> None:
    memory.set("capture.transcripts", True)
    linked(name)
    played(name, binary, home, project)
    settled(memory.home.spool)
    memory.sync()
    done = json.loads(run("import", "--queue", "--json").stdout)
    assert done["transcripts"] and all(one["why"] == "" and one["known"] > 4 for one in done["transcripts"])
    assert done["new"] == 0
