"""The queue: which sessions' transcripts go in, what it keeps, and which files are never read."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.journal.transcripts.queue import MOST, waiting
from memwiki.journal.transcripts.source import Gone, read
from tests.transcripts.conftest import KEY, SESSION, at, prompt

Claude = Callable[..., Path]
Hook = Callable[..., None]


def _names(memory: memwiki.Memory) -> list[str]:
    return [one.transcript for one in waiting(memory.home)]


def test_an_ended_session_is_queued_once_and_privately(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    path = claude([prompt("hello", 0)])
    ended(path, 10)
    ended(path, 20)
    (one,) = waiting(memory.home)
    assert (one.session, one.transcript, one.at) == (KEY, str(path), at(20))
    (file,) = (memory.home.path / "queue").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_nothing_is_queued_unless_asked_for(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    memory.set("capture.transcripts", None)
    ended(claude([prompt("hello", 0)]))
    assert waiting(memory.home) == [] and not (memory.home.path / "queue").exists()


def test_it_can_be_asked_for_in_one_host_only(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    memory.set("capture.transcripts", None)
    memory.set("capture.transcripts", True, host="codex")
    path = claude([prompt("hello", 0)])
    ended(path)
    assert _names(memory) == []
    ended(path, host="codex")
    assert _names(memory) == [str(path)]


def test_a_session_that_goes_on_is_not_queued(
    memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook
) -> None:
    memory.set("capture.transcripts", None)
    ended(claude([prompt("hello", 0)]), 10)
    memory.set("capture.transcripts", True)
    hooked("SessionStart", {"source": "resume"}, 20)
    memory.sync()
    assert waiting(memory.home) == []


def test_the_newest_fifty_stay(memory: memwiki.Memory, project: Path) -> None:
    for n in range(MOST + 5):
        payload = {"session_id": f"s{n:03}", "cwd": str(project), "transcript_path": f"/nowhere/{n:03}.jsonl"}
        memory.append("claude", "SessionEnd", payload)
        (file,) = memory.home.spool.iterdir()
        os.utime(file, (1_700_000_000 + n, 1_700_000_000 + n))
        memory.sync()
    assert _names(memory) == [f"/nowhere/{n:03}.jsonl" for n in reversed(range(5, MOST + 5))]


def test_a_damaged_or_foreign_file_in_the_queue_is_passed_over(
    memory: memwiki.Memory, claude: Claude, ended: Hook
) -> None:
    path = claude([prompt("hello", 0)])
    ended(path)
    folder = memory.home.path / "queue"
    (folder / "torn.json").write_text('{"session": "claude/x", "trans')
    (folder / "moved.json").write_text(next(folder.glob("[0-9a-f]*.json")).read_text())
    assert _names(memory) == [str(path)]


@pytest.mark.parametrize("kind", ["symlink", "hardlink", "fifo", "folder", "gone", "relative", "nul"])
def test_only_plain_files_are_read(
    kind: str, memory: memwiki.Memory, claude: Claude, ended: Hook, tmp_path: Path
) -> None:
    real, named = claude([prompt("hello", 0)]), tmp_path / "named.jsonl"
    if kind == "symlink":
        named.symlink_to(real)
    elif kind == "hardlink":
        named.hardlink_to(real)
    elif kind == "fifo":
        os.mkfifo(named)
    elif kind == "folder":
        named.mkdir()
    ended({"relative": "named.jsonl", "nul": f"{named}\0named.jsonl"}.get(kind, str(named)))
    (done,) = memory.import_queue().transcripts
    assert done.new == 0 and "named.jsonl" in done.why
    assert waiting(memory.home) == []


@pytest.mark.parametrize("name", ["copilot", "qwen"])
def test_a_link_to_itself_is_no_transcript(name: str, tmp_path: Path) -> None:
    loop = tmp_path / "events.jsonl"
    loop.symlink_to(loop)
    with pytest.raises(Gone):
        read(str(loop), name, SESSION, 1_000)


def test_one_over_the_limit_waits_until_that_is_raised(
    memory: memwiki.Memory, claude: Claude, ended: Hook, hooked: Hook, project: Path
) -> None:
    path = claude([prompt("hello", 0)])
    ended(path)
    memory.set("capture.transcript_bytes", "100")
    (done,) = memory.import_queue().transcripts
    assert f"{path.stat().st_size} bytes" in done.why and "capture.transcript_bytes" in done.why
    assert _names(memory) == [str(path)]
    older = project.parent / "older.jsonl"
    older.write_text(json.dumps({**prompt("hi", 0), "sessionId": "older", "cwd": str(project)})[:99] + "\n")
    payload = {"session_id": "older", "cwd": str(project), "transcript_path": str(older)}
    hooked("SessionEnd", payload, 5)
    memory.sync()
    assert [one.transcript for one in memory.import_queue(limit=1).transcripts] == [str(path), str(older)]
    memory.set("capture.transcript_bytes", None)
    assert memory.import_queue().new == 1 and waiting(memory.home) == []


def test_a_host_without_a_reader_says_so(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    ended(claude([prompt("hello", 0)]), host="kiro")
    (done,) = memory.import_queue().transcripts
    assert "Transcripts of kiro are not read" in done.why


def test_windsurf_names_it_after_each_turn(memory: memwiki.Memory, tmp_path: Path, project: Path) -> None:
    steps = [
        {"type": "user_input", "status": "done", "user_input": {"user_response": "add a page"}},
        {"type": "code_action", "status": "done", "code_action": {"path": f"{project}/a.py", "new_content": "x"}},
        {"type": "planner_response", "status": "done", "planner_response": {"response": "Added."}},
    ]
    path = tmp_path / "t1.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in steps))
    named = {"trajectory_id": "t1", "tool_info": {"transcript_path": str(path)}}
    memory.append("windsurf", "post_cascade_response_with_transcript", named)
    memory.sync()
    assert memory.import_queue().new == 3
    assert [event.event for event in memory.events("windsurf/t1")][1:] == ["UserPromptSubmit", "PostToolUse", "Stop"]
