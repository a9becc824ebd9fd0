"""What a transcript adds to a session that hooks have logged: what is missing, once, cleaned like all events."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from tests.transcripts.conftest import KEY, SESSION, at, prompt, told, tool, words

TURN = [
    prompt("run the tests", 0),
    *tool("t1", "pytest -q", "2 passed", 10),
    *tool("t2", "pytest -x", "boom", 20, failed=True),
    words("They pass.", 30),
]
WHOLE = ["UserPromptSubmit run the tests", "PostToolUse pytest -q", "PostToolUseFailure pytest -x", "Stop They pass."]
Claude = Callable[..., Path]
Hook = Callable[..., None]


def _events(memory: memwiki.Memory, key: str = KEY) -> list[str]:
    return told(list(memory.events(key)))


def test_a_session_without_hooks_is_taken_in_whole(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    ended(claude(TURN))
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known, done.why) == (4, 0, "")
    assert _events(memory) == WHOLE
    events = [event for event in memory.events(KEY) if event.imported]
    assert len(events) == 4 and not next(iter(memory.events(KEY))).imported
    assert [event.at for event in events] == [at(0), at(11), at(21), at(30)]
    assert {(event.project, event.branch) for event in events} == {("github.com/acme/shop", "feature/pay")}
    assert "2 passed" in json.dumps(events[1].payload) and events[2].payload["error"] == "boom"


def test_what_hooks_logged_is_not_doubled(memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook) -> None:
    hooked("UserPromptSubmit", {"prompt": "run  the tests"}, 0.2)
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, "tool_use_id": "t1", "tool_response": {}}
    hooked("PostToolUse", given, 11.1)
    ended(claude(TURN))
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known) == (2, 2)
    assert sorted(_events(memory)) == sorted([*WHOLE[1:], "UserPromptSubmit run  the tests"])


def test_twice_adds_nothing(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    path = claude(TURN)
    ended(path)
    memory.import_queue()
    before = memory.journal.path(KEY).read_bytes()
    assert memory.import_queue().transcripts == ()
    ended(path, 3700)
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known) == (0, 4)
    assert memory.journal.path(KEY).read_bytes().startswith(before)


def test_of_the_same_words_said_thrice_only_the_missing_one_is_added(
    memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook
) -> None:
    hooked("UserPromptSubmit", {"prompt": "go on"}, 0.3)
    hooked("UserPromptSubmit", {"prompt": "go on"}, 200.3)
    ended(claude([prompt("go on", 0), words("a", 5), prompt("go on", 100), words("b", 105), prompt("go on", 200)]))
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known) == (3, 2)
    added = [event for event in memory.events(KEY) if event.imported and event.event == "UserPromptSubmit"]
    assert [event.at for event in added] == [at(100)]


@pytest.mark.parametrize("gap", [0.4, 9.0])
def test_accounts_that_differ_are_known_by_their_time(
    gap: float, memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook
) -> None:
    hooked("UserPromptSubmit", {"prompt": "look at @shop.py"}, min(gap, 4.0))
    hooked("Stop", {"last_assistant_message": "First.\nSecond."}, 30 + gap)
    ended(claude([prompt("look at @shop.py, with what was pasted", 0), words("Second.", 30)]))
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known) == (0, 2)


def test_the_call_whose_id_is_another_is_known_by_its_command(
    memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook
) -> None:
    given = {"tool_name": "Shell", "tool_input": {"command": "pytest -q"}, "tool_use_id": "other", "tool_response": ""}
    hooked("PostToolUse", given, 11)
    ended(claude(tool("t1", "pytest -q", "2 passed", 10)))
    assert memory.import_queue().transcripts[0].new == 0


def test_what_is_still_in_the_spool_is_taken_in_first(
    memory: memwiki.Memory, claude: Claude, hooked: Hook, ended: Hook
) -> None:
    ended(claude(TURN))
    hooked("UserPromptSubmit", {"prompt": "run the tests"}, 0.2)
    assert memory.import_queue().transcripts[0].known == 1


def test_secret_and_private_text_is_cut_and_long_text_capped(
    memory: memwiki.Memory, claude: Claude, ended: Hook
) -> None:
    secret = "AK" + "IA" + "Q3EGRIN7PLXW5TZC"
    ended(claude([prompt(f"use {secret} <private>boat</private> now", 0), *tool("t1", "cat x", "y" * 300_000, 1)]))
    memory.import_queue()
    data = memory.journal.path(KEY).read_bytes()
    assert secret.encode() not in data and b"boat" not in data and b"redacted" in data
    assert len(data) < 80_000
    assert secret not in json.dumps([hit.text for hit in memory.search_events("use now")])


def test_imported_events_are_found_and_make_no_memory(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    ended(claude(TURN))
    memory.import_queue()
    assert [hit.event for hit in memory.search_events("pytest")]
    assert memory.candidates() == [] and memory.notes() == []


def test_a_dream_reads_them_as_turns(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    ended(claude([prompt("From now on always use pnpm in this project, never npm.", 0), words("Noted.", 5)]))
    memory.import_queue()
    report = memory.dream(engine="rules")
    (candidate,) = report.candidates
    event = next(event for event in memory.events(KEY) if event.event == "UserPromptSubmit")
    assert [one.event for one in candidate.evidence] == [event.id]


def test_what_hooks_asked_of_a_sync_meanwhile_is_done(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    """Left there, the file would keep the end of each turn from starting a sync."""
    ended(claude(TURN))
    (memory.home.locks / "again").touch()
    memory.import_queue(dry_run=True)
    assert not (memory.home.locks / "again").exists()


def test_a_deleted_session_stays_deleted(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    ended(claude(TURN))
    memory.delete_session(KEY)
    (done,) = memory.import_queue().transcripts
    assert done.why == "its session was deleted" and not memory.journal.path(KEY).exists()


def test_a_paused_project_stays_out(memory: memwiki.Memory, claude: Claude, ended: Hook, project: Path) -> None:
    ended(claude(TURN))
    memory.pause(str(project))
    assert memory.import_queue().new == 0


def test_what_came_after_the_end_waits_for_the_next(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    path = claude([*TURN, prompt("and again", 7200)])
    ended(path)
    assert memory.import_queue().new == 4
    ended(path, 7300)
    assert memory.import_queue().new == 1


@pytest.mark.parametrize("odd", ["0001-01-01T00:00:00+14:00", "1960-01-01T00:00:00Z", "yesterday", ""])
def test_what_has_no_time_that_can_be_gets_the_sessions(
    odd: str, memory: memwiki.Memory, claude: Claude, ended: Hook
) -> None:
    ended(claude([{**prompt("hello", 0), "timestamp": odd}]), 3600)
    assert memory.import_queue().new == 1
    assert [event.at for event in memory.events(KEY) if event.imported] == [at(3600)]


def test_a_limit_takes_the_latest_and_a_dry_run_nothing(memory: memwiki.Memory, tmp_path: Path, project: Path) -> None:
    for n in range(3):
        path = tmp_path / f"s{n}.jsonl"
        record = {**prompt(f"prompt {n}", n), "sessionId": f"s{n}", "cwd": str(project)}
        path.write_text(json.dumps(record) + "\n")
        base = {"session_id": f"s{n}", "cwd": str(project), "transcript_path": str(path), "reason": "other"}
        memory.append("claude", "SessionEnd", base)
        memory.sync()
    dry = memory.import_queue(dry_run=True)
    assert [one.new for one in dry.transcripts] == [1, 1, 1] and dry.waiting == 3
    assert [event.event for event in memory.events("claude/s0")] == ["SessionEnd"]
    some = memory.import_queue(limit=2)
    assert [one.session for one in some.transcripts] == ["claude/s2", "claude/s1"] and some.waiting == 1


def _digest(path: Path) -> tuple[str, int]:
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns


def test_the_source_stays_as_it_is(memory: memwiki.Memory, claude: Claude, ended: Hook) -> None:
    path = claude(TURN)
    before = _digest(path)
    ended(path)
    memory.import_queue()
    assert _digest(path) == before


def test_command(memory: memwiki.Memory, claude: Claude, ended: Hook, run: Callable[..., Any], tmp_path: Path) -> None:
    path = claude(TURN)
    path.write_bytes(path.read_bytes() + b'{"type":"brand-new"}\n{"type":"us')
    ended(path)
    dry = run("import", "--queue", "--dry-run")
    assert (
        "\n  4 events would be new, 0 known\n  1 record without an event: 1 brand-new\n  1 damaged place\n"
        in dry.stdout
    )
    assert "1 transcript waits in the queue." in dry.stdout
    assert f"{path} line 8: a last line that was never finished" in dry.stderr
    found = json.loads(run("import", "--queue", "--limit", "1", "--json").stdout)
    assert (found["new"], found["waiting"], found["transcripts"][0]["session"]) == (4, 0, f"claude/{SESSION}")
    assert "No transcript waits." in run("import", "--queue").stdout
    assert run("import", check=False).returncode == 2


def test_a_file_that_is_no_transcript_floods_no_terminal(
    memory: memwiki.Memory, claude: Claude, ended: Hook, run: Callable[..., Any]
) -> None:
    path = claude(TURN)
    path.write_text("no transcript\n" * 500)
    ended(path)
    said = run("import", "--queue").stderr.splitlines()
    assert len(said) == 21 and said[-1] == f"memwiki: {path}: 480 damaged places more"
