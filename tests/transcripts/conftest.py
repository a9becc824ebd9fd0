"""A memory, a project, and sessions that have a transcript and that hooks have logged in part."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.init import init
from memwiki.journal.event import Event

START = datetime(2026, 2, 1, 10, 0, tzinfo=UTC)
SESSION = "5a0c0000-0000-4000-8000-0000000000aa"
KEY = f"claude/{SESSION}"


def at(seconds: float) -> str:
    """A moment of the test's session."""
    return (START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    """A home in which transcripts are queued."""
    init()
    opened = memwiki.open()
    opened.set("capture.transcripts", True)
    return opened


@pytest.fixture
def project(tmp_path: Path, git: Callable[..., str]) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


@pytest.fixture
def claude(tmp_path: Path, project: Path) -> Callable[[Sequence[dict[str, Any]]], Path]:
    """`claude(records)`: a transcript of SESSION with these records, each given what all have."""

    def written(records: Sequence[dict[str, Any]]) -> Path:
        path = tmp_path / f"{SESSION}.jsonl"
        common = {"sessionId": SESSION, "cwd": str(project), "gitBranch": "feature/pay", "isSidechain": False}
        path.write_text("".join(json.dumps({**common, **one}, ensure_ascii=False) + "\n" for one in records), "utf-8")
        return path

    return written


def prompt(text: str, seconds: float) -> dict[str, Any]:
    """A record of what the person typed."""
    return {"type": "user", "timestamp": at(seconds), "message": {"role": "user", "content": text}}


def words(text: str, seconds: float) -> dict[str, Any]:
    """A record of what the agent said at a turn's end."""
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "timestamp": at(seconds), "message": {"content": content, "stop_reason": "end_turn"}}


def tool(id: str, command: str, answer: str, seconds: float, *, failed: bool = False) -> list[dict[str, Any]]:
    """The two records of a command that was run."""
    call = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}
    result = {"type": "tool_result", "tool_use_id": id, "content": answer, "is_error": failed}
    return [
        {"type": "assistant", "timestamp": at(seconds), "message": {"content": [call], "stop_reason": "tool_use"}},
        {"type": "user", "timestamp": at(seconds + 1), "message": {"role": "user", "content": [result]}},
    ]


@pytest.fixture
def hooked(memory: memwiki.Memory, project: Path) -> Callable[..., None]:
    """`hooked(native, payload, seconds)`: a hook's call at that moment of the session, in the spool."""
    import os

    def spooled(native: str, payload: dict[str, Any], seconds: float, host: str = "claude") -> None:
        before = set(memory.home.spool.iterdir())
        memory.append(host, native, {"session_id": SESSION, "cwd": str(project), **payload})
        (fresh,) = set(memory.home.spool.iterdir()) - before
        moment = int((START + timedelta(seconds=seconds)).timestamp() * 1e9)
        os.utime(fresh, ns=(moment, moment))

    return spooled


@pytest.fixture
def ended(hooked: Callable[..., None], memory: memwiki.Memory) -> Callable[..., None]:
    """`ended(transcript, seconds)`: the session's end, naming its transcript, synced."""

    def done(transcript: Path | str, seconds: float = 3600, host: str = "claude") -> None:
        hooked("SessionStart", {"source": "resume"}, seconds - 1, host)  # else a second end would be a repeat
        hooked("SessionEnd", {"transcript_path": str(transcript), "reason": "other"}, seconds, host)
        memory.sync()

    return done


def told(events: Sequence[Event]) -> list[str]:
    """Prompts, tools and closing words in short: the event's name, and what was said."""
    from memwiki.journal.view import said

    shown = []
    for event in events:
        if event.event in ("SessionStart", "SessionEnd"):
            continue
        view = said(event)
        shown.append(f"{event.event} {view.prompt or view.command or view.words}".strip())
    return shown
