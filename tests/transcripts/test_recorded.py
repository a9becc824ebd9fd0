"""A real session of each client (Windsurf's: as published), recorded: its transcript beside what hooks told of it."""

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.dream.turns import conversations, due
from memwiki.journal.event import Event
from memwiki.journal.transcripts.queue import waiting
from tests.transcripts.conftest import told

RECORDED = Path(__file__).parent / "recorded"
ASK, BYE = "what is the staging database called?", "[[plain]] thank you, and goodbye"
CLINE = "1796046678898_yp6zi"
COPILOT = "9f632bd7-eb24-4c43-8cb8-5285fe39b8d5"
QWEN = "68759b87-cb0c-491a-b23a-cbfb53883bb6"
PLACES = {  # host -> session, and where in the home its transcript is
    "cline": (CLINE, f".cline/data/sessions/{CLINE}/{CLINE}.messages.json"),
    "copilot": (COPILOT, f".copilot/session-state/{COPILOT}/events.jsonl"),
    "qwen": (QWEN, f".qwen/projects/-home-dev-shop/chats/{QWEN}.jsonl"),
}
TOOLS = {
    "cline": ["PostToolUse /shop/notes.md", 'PostToolUse {"files": [{"path": "/shop/missing.md"}]}'],
    "copilot": ["PostToolUse /shop/notes.md", "PostToolUseFailure /shop/missing.md"],
    "qwen": ["PostToolUse /shop/notes.md", "PostToolUseFailure exit 3"],
}
SECOND = [f"UserPromptSubmit {BYE}", "Stop All done."]
WHOLE = {  # what a session comes to by its transcript alone
    host: [f"UserPromptSubmit {ASK}", *tools, "Stop All done.", *(SECOND if host != "cline" else [])]
    for host, tools in TOOLS.items()
}
ADDED = {  # what hooks leave out
    "cline": [f"UserPromptSubmit {ASK}"],
    "copilot": ["Stop All done.", "Stop All done."],
    "qwen": [],
}
HOSTS = tuple(PLACES)


@pytest.fixture
def placed(home: Path, project: Path) -> Callable[[str], Path]:
    """`placed(host)`: the recorded transcript, where the client writes it in this home."""

    def done(host: str) -> Path:
        (source,) = (path for path in RECORDED.glob(f"{host}.*") if "hooks" not in path.name)
        path = home / PLACES[host][1]
        path.parent.mkdir(parents=True)
        path.write_text(_here(source.read_text("utf-8"), home, project), "utf-8")
        return path

    return done


@pytest.fixture
def replayed(memory: memwiki.Memory, home: Path, project: Path) -> Callable[..., None]:
    """`replayed(host)`: what hooks spooled in that session, at its times; `only` the events with these names."""

    def done(host: str, only: tuple[str, ...] = ()) -> None:
        for line in (RECORDED / f"{host}.hooks.jsonl").read_text("utf-8").splitlines():
            call = json.loads(_here(line, home, project))
            if only and call["native"] not in only:
                continue
            before = set(memory.home.spool.iterdir())
            memory.append(host, call["native"], call["payload"])
            (fresh,) = set(memory.home.spool.iterdir()) - before
            moment = round(datetime.fromisoformat(call["at"]).timestamp() * 1e9)
            os.utime(fresh, ns=(moment, moment))
        memory.sync()

    return done


def _here(text: str, home: Path, project: Path) -> str:
    """The text with the recorded paths replaced by those of this test."""
    return text.replace("/home/dev/shop", str(project)).replace("/home/dev", str(home))


def _short(events: list[Event], project: Path) -> list[str]:
    """What was said and done, without what comes before it is done, and with short paths."""
    kinds = ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop")
    lines = told([event for event in events if event.event in kinds and not _empty(event)])
    return [line.replace(str(project), "/shop") for line in lines]


def _empty(event: Event) -> bool:
    """An end of a turn without words (Copilot's), a prompt at a tool round (Qwen's)."""
    return told([event])[0] in ("Stop", "UserPromptSubmit")


def _events(memory: memwiki.Memory, host: str) -> list[Event]:
    return list(memory.events(f"{host}/{PLACES[host][0]}"))


@pytest.mark.parametrize("host", HOSTS)
def test_what_hooks_left_out_is_added_and_nothing_twice(
    host: str, memory: memwiki.Memory, project: Path, placed: Callable[[str], Path], replayed: Callable[..., None]
) -> None:
    path = placed(host)
    replayed(host)
    assert [one.transcript for one in waiting(memory.home)] == [str(path)]
    logged = _events(memory, host)
    (done,) = memory.import_queue().transcripts
    assert (done.why, done.damage) == ("", ())
    events = _events(memory, host)
    assert events[: len(logged)] == logged  # what hooks told stays as it is
    added = [event for event in events if event.imported]
    assert _short(added, project) == ADDED[host] and len(added) == done.new
    assert _short(sorted(events, key=lambda event: event.at), project) == WHOLE[host]
    replayed(host, ("TaskComplete", "Stop", "agentStop", "sessionEnd"))  # it ends again
    memory.import_queue()
    assert [event for event in _events(memory, host) if event.imported] == added


def test_what_came_last_is_told_in_its_place(
    memory: memwiki.Memory, project: Path, placed: Callable[[str], Path], replayed: Callable[..., None]
) -> None:
    placed("cline")
    replayed("cline")
    (session,) = memory.sessions()
    memory.import_queue()
    assert [(one.first_at, one.last_at) for one in memory.sessions()] == [(session.first_at, session.last_at)]
    (past,) = memory.recap(str(project)).sessions
    assert (past.asked, past.closing) == (ASK, "All done.")
    turns = due(memory.journal, {}, now=4e9).turns  # long after
    (talk,) = conversations(turns, lambda project: "")
    assert talk.excerpts[0].text == ASK and talk.excerpts[-1].text == "All done."


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_whose_end_alone_was_hooked_is_taken_in_whole(
    host: str, memory: memwiki.Memory, project: Path, placed: Callable[[str], Path], replayed: Callable[..., None]
) -> None:
    placed(host)
    replayed(host, ("TaskComplete", "Stop", "agentStop", "sessionEnd"))
    memory.import_queue()
    events = _events(memory, host)
    assert _short(sorted(events, key=lambda event: event.at), project) == WHOLE[host]
    assert {event.project for event in events} == {"github.com/acme/shop"}


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_injected_and_the_clients_own_text_stay_out(
    host: str, memory: memwiki.Memory, placed: Callable[[str], Path], replayed: Callable[..., None]
) -> None:
    path = placed(host)
    replayed(host, ("TaskComplete", "Stop", "agentStop", "sessionEnd"))
    memory.import_queue()
    text = json.dumps([dict(event.payload) for event in _events(memory, host)])
    assert "heron" not in text and "user_input" not in text and "(cut)" not in text
    assert ("heron" in path.read_text("utf-8")) == (host != "cline")  # Cline's CLI takes nothing at prompts
    assert memory.candidates() == [] and memory.notes() == []


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("size", [0.3, 0.7, 0.99])
def test_a_transcript_cut_anywhere_gives_what_was_written(
    host: str, size: float, memory: memwiki.Memory, placed: Callable[[str], Path], replayed: Callable[..., None]
) -> None:
    path = placed(host)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * size)])
    replayed(host, ("TaskComplete", "Stop", "agentStop", "sessionEnd"))
    (part,) = memory.import_queue().transcripts
    cut = bool(part.damage)
    path.write_bytes(data.replace(b"staging database called", b"staging \xff\xfe called"))  # whole, not all UTF-8
    replayed(host, ("TaskComplete", "Stop", "agentStop", "sessionEnd"))
    memory.import_queue()
    stops = [event for event in _events(memory, host) if event.event == "Stop" and not _empty(event)]
    assert cut and part.new >= (size > 0.3)
    assert len(stops) == (1 if host == "cline" else 2)


@pytest.mark.parametrize(
    ("variable", "folder"),
    [("CLINE_SESSION_DATA_DIR", "{}"), ("CLINE_DATA_DIR", "{}/sessions"), ("CLINE_DIR", "{}/data/sessions")],
)
def test_clines_own_folders_are_followed(
    variable: str,
    folder: str,
    memory: memwiki.Memory,
    tmp_path: Path,
    replayed: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    replayed("cline")
    (one,) = waiting(memory.home)
    assert one.transcript == f"{folder.format(tmp_path / 'moved')}/{CLINE}/{CLINE}.messages.json"


@pytest.mark.parametrize("session", ["../../etc/x", "a/b", ""])
def test_a_session_that_is_no_name_has_no_transcript(session: str, memory: memwiki.Memory, project: Path) -> None:
    payload: dict[str, Any] = {"sessionContext": {"rootSessionId": session}, "taskId": "t1", "turn": {}}
    memory.append("cline", "TaskComplete", {**payload, "workspaceRoots": [str(project)]})
    memory.sync()
    assert waiting(memory.home) == []


def test_the_folder_of_clines_session_is_no_link(
    memory: memwiki.Memory, placed: Callable[[str], Path], replayed: Callable[..., None], tmp_path: Path
) -> None:
    folder = placed("cline").parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    replayed("cline")
    (done,) = memory.import_queue().transcripts
    assert "link" in done.why and waiting(memory.home) == []


def test_windsurf_as_published_beside_its_documented_hooks(
    memory: memwiki.Memory, home: Path, tmp_path: Path, project: Path
) -> None:
    path = tmp_path / "t1.jsonl"
    path.write_text(_here((RECORDED / "windsurf.jsonl").read_text("utf-8"), home, project), "utf-8")
    turn = "### Planner Response\n\nI'll look at the index first.\n\n### View File\n\nREADME.md\n\n"
    turn += "x" * 1000 + "\n\n### Planner Response\n\nThe page is there; `make docs` has no rule yet."
    hooks = [
        ("pre_user_prompt", {"user_prompt": "add a page for the staging database"}),
        ("post_read_code", {"file_path": f"{project}/README.md"}),
        ("post_write_code", {"file_path": f"{project}/docs/staging page.md", "edits": []}),
        ("post_run_command", {"command_line": "make docs", "cwd": str(project)}),
        ("post_cascade_response", {"response": turn}),
    ]
    ended = ("post_cascade_response_with_transcript", {"transcript_path": str(path)})
    for native, info in hooks:
        memory.append("windsurf", native, {"trajectory_id": "t1", "tool_info": info})
    for file in memory.home.spool.iterdir():  # an hour before the transcript, which has no times
        os.utime(file, (file.stat().st_mtime - 3600,) * 2)
    memory.append("windsurf", ended[0], {"trajectory_id": "t1", "tool_info": ended[1]})
    memory.sync()
    (done,) = memory.import_queue().transcripts
    assert (done.new, done.known) == (2, 5)
    added = [event for event in memory.events("windsurf/t1") if event.imported]
    assert told(added) == ["UserPromptSubmit thank you", "Stop You are welcome."]
    assert done.left_out == {"grep_search": 1, "not done": 1}
