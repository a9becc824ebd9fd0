"""Whole sessions of the real Claude Code and Codex: tools, compaction, resume; every event, and what was injected."""

import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import memwiki
from tests.clients.drive import Claude, Codex, settled
from tests.clients.faults import FAULTS, broken, busy
from tests.clients.model import Model, model

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]

ASK = "what is the staging database called?"
Binary = Callable[[str], Path]
Linked = Callable[[str], memwiki.Memory]
Witness = Callable[[str], list[dict[str, Any]]]


def claude_session(client: Claude) -> str:
    """A prompt with tools (one fails), a resume, a compaction, another resume; the session's id."""
    session = str(client.say(ASK)["session_id"])
    client.say("[[plain]] thank you, and goodbye", session)
    client.say("/compact keep the facts", session)
    client.say(f"[[plain]] once more: {ASK}", session)
    return session


def codex_session(client: Codex) -> str:
    """The same for Codex: trusted as a person would, compacted, resumed in a new process."""
    client.configure()
    with client.serve() as server:
        server.trust(client.project)
        thread = server.start(client.project)
        assert server.say(thread, ASK) == "completed"
        server.compact(thread)
        assert server.say(thread, f"[[plain]] once more: {ASK}") == "completed"
    with client.serve() as server:
        server.call("thread/resume", threadId=thread)
        assert server.say(thread, "[[plain]] thank you, and goodbye") == "completed"
    return thread


def script_for(name: str, project: Path) -> list[Any]:
    """Two tool calls: one that works, one that fails."""
    if name == "codex":
        return ["echo hello > notes.md && cat notes.md", "exit 3"]
    notes, missing = str(project / "notes.md"), str(project / "missing.md")
    if name == "gemini":
        failing = ("run_shell_command", {"command": "exit 3", "description": "Fail"})
        return [
            ("write_file", {"file_path": notes, "content": "hello\n"}),
            failing,
            ("read_file", {"file_path": missing}),
        ]
    if name == "qwen":
        failing = ("run_shell_command", {"command": "exit 3", "is_background": False})
        return [("write_file", {"file_path": notes, "content": "hello\n"}), failing]
    if name == "opencode":
        return [("write", {"filePath": notes, "content": "hello\n"}), ("read", {"filePath": missing})]
    if name == "copilot":
        return [("create", {"path": notes, "file_text": "hello\n"}), ("view", {"path": missing})]
    if name == "cline":
        return [("editor", {"path": notes, "new_text": "hello\n"}), ("read_files", {"files": [{"path": missing}]})]
    write = ("Write", {"file_path": str(project / "notes.md"), "content": "hello\n"})
    return [write, ("Bash", {"command": "exit 3", "description": "Fail"})]


def played(name: str, binary: Binary, home: Path, project: Path) -> tuple[str, Model]:
    """A whole session of the named client; its id and the model it spoke to."""
    with model(script_for(name, project)) as server:
        if name == "claude":
            session = claude_session(Claude(binary(name), home, project, server))
        else:
            session = codex_session(Codex(binary(name), home, project, server))
    assert (project / "notes.md").read_text() == "hello\n"  # the tools ran
    return session, server


def identity(event: str, payload: dict[str, Any]) -> tuple[str, ...]:
    """What makes an event this one and no other."""
    fields = ("source", "trigger", "prompt", "tool_use_id", "agent_id", "turn_id", "prompt_id", "reason")
    return (event, *(str(payload.get(field)) for field in fields))


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_every_event_once_in_order_and_the_note_in_the_models_request(
    name: str, binary: Binary, home: Path, project: Path, linked: Linked, witness: Witness
) -> None:
    witness(name)
    memory = linked(name)
    session, server = played(name, binary, home, project)
    settled(memory.home.spool)
    memory.sync()
    assert [file.name for file in memory.home.spool.iterdir()] == []
    events = [one for one in memory.events(f"{name}/{session}") if one.event != "Given"]
    mine = [identity(one.event, dict(one.payload)) for one in events]
    theirs = [identity(one["hook_event_name"], one) for one in witness(name)]
    assert sorted(mine) == sorted(theirs)  # each as often as the client fired it
    # Events of one agent follow each other; those of a compaction's own agents may overlap.
    main = [one for one, event in zip(mine, events, strict=True) if not event.agent]
    assert main == [identity(one["hook_event_name"], one) for one in witness(name) if not one.get("agent_id")]
    sources = [one.payload["source"] for one in events if one.event == "SessionStart"]
    assert [one for one in sources if one != "resume"] == ["startup", "compact"]
    assert sources[-1] == "resume"
    assert {one.event for one in events} >= {"PreToolUse", "PostToolUse", "Stop", "PreCompact", "SessionEnd"}
    # The model saw the note about what was asked, the profile from the start on, and was told what it is.
    asked = next(json.dumps(body) for body in server.requests if ASK in json.dumps(body) and body.get("tools"))
    assert "<memwiki" in asked
    assert "called heron" in asked
    assert "British English" in asked
    # Each note once in a request at most, and there again after the compaction.
    texts = [json.dumps(body) for body in server.requests]
    assert all(text.count("called heron and listens") <= 1 for text in texts)
    assert all(text.count("Answer in British English.") <= 1 for text in texts)
    again = [text for text in texts if "once more" in text]
    assert again
    assert all("called heron and listens" in text and "Answer in British English." in text for text in again)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_broken_memwiki_blocks_nothing(
    name: str, fault: str, binary: Binary, home: Path, project: Path, linked: Linked
) -> None:
    memory = linked(name)
    broken(memory, fault)
    started = time.monotonic()
    with busy(memory) if fault == "32 at once" else nullcontext():
        session, server = played(name, binary, home, project)
    assert session
    # Every prompt reached the model, with both tool results.
    requests = json.dumps(server.requests)
    assert ASK in requests
    assert "goodbye" in requests
    if fault == "stall":  # ours is cut off at its own timeout: no call waited for the whole stall
        assert time.monotonic() - started < 240
    if fault in ("recall.bin garbage", "32 at once"):
        settled(memory.home.spool)
        memory.sync()
        assert memory.journal.count(f"{name}/{session}") > 10
    if fault == "32 at once":
        assert memory.journal.count("claude/crowd") % 32 == 0
