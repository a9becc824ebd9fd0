"""The drain: each payload once, in order, whatever is killed, full or damaged."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.config import Config, Home
from memwiki.errors import MemwikiError
from memwiki.journal.counts import counts, note
from memwiki.journal.drain import drain
from memwiki.journal.event import Event
from memwiki.journal.inbox import look
from memwiki.journal.intake import Intake
from memwiki.journal.sessions import Journal
from memwiki.recall.deliver import Ledger

CASES = Path(__file__).parent.parent / "cases"
SESSION = "5a0c0000-0000-4000-8000-0000000000aa"
KEY = f"claude/{SESSION}"
Put = Callable[..., Path]


def prompts(store: Home) -> list[str]:
    """The prompts of the session, in order; its numbers are 1, 2, 3, ..."""
    events = list(Journal(store.journal).events(KEY))
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    assert Journal(store.journal).damage(KEY) == []
    return [str(event.payload.get("prompt", event.event)) for event in events]


def journal_file(store: Home) -> Path:
    return store.journal / f"{KEY}.jsonl"


def test_events_are_stored_in_the_order_of_their_files(store: Home, config: Config, put: Put) -> None:
    late = put({"prompt": "c"}, at=3000.0)
    first = put({"prompt": "a"}, at=1000.0)
    put({"prompt": "b"}, at=2000.0)
    done = drain(store, config)
    assert (done.events, done.sessions) == (3, (KEY,))
    assert prompts(store) == ["a", "b", "c"]
    assert list(store.spool.iterdir()) == []
    events = list(Journal(store.journal).events(KEY))
    assert [event.spool for event in events][::2] == [f"{int(1e12)}-{first.name}", f"{int(3e12)}-{late.name}"]
    assert events[0].at == "1970-01-01T00:16:40.000Z"
    assert drain(store, config).events == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in store.journal.rglob("*"))


def test_equal_times_sort_by_number(store: Home, config: Config, put: Put) -> None:
    for name in ("1000", "999", "10x", "9"):
        put({"prompt": name}, at=1000.0, name=name)
    drain(store, config)
    assert prompts(store) == ["9", "10x", "999", "1000"]


def test_a_clock_that_was_set_back_keeps_the_order_of_arrival(store: Home, config: Config, put: Put) -> None:
    """What is later than now was written before the clock was set back; also where a kill comes in between."""
    now = time.time()
    for number, moment in enumerate((now + 3600, now + 3601, now - 20, now - 10)):
        put({"prompt": str(number)}, at=moment)
    kept = [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in store.spool.iterdir()]
    drain(store, config)
    assert prompts(store) == ["0", "1", "2", "3"]
    for file, data, moment_ns in kept:  # as if it had been killed before the files were unlinked
        file.write_bytes(data)
        os.utime(file, ns=(moment_ns, moment_ns))
    put({"prompt": "4"}, at=now - 5)
    drain(store, config)
    assert prompts(store) == ["0", "1", "2", "3", "4"]


@pytest.mark.skipif(os.getuid() != 0, reason="makes files of another user")
@pytest.mark.parametrize("taken", ["spool", "journal", "delivered", "log"])
def test_case_64_one_file_of_another_user_stops_nothing_else(store: Home, config: Config, put: Put, taken: str) -> None:
    put({"session_id": "mine", "prompt": "a"})
    put({"session_id": "foreign", "prompt": "b"})
    for item in look(store.spool).items:
        Intake(store, config).taken(item)  # imports what the other user's process may not be able to
    drain(store, config)
    Ledger(str(store.path), "claude", "foreign").add("SessionStart", "", [("profile/me.md", "1" * 64)], [])
    note(store, "written")
    spooled = put({"session_id": "foreign", "prompt": "c"})
    put({"session_id": "mine", "prompt": "d"})
    for path in (store.path, *store.path.rglob("*")):
        os.chown(path, 65534, 65534)
    paths = {
        "spool": spooled,
        "journal": store.journal / "claude/foreign.jsonl",
        "delivered": store.delivered / "claude+foreign",
        "log": store.log / "drain.log",
    }
    os.chown(paths[taken], 0, 0)
    paths[taken].chmod(0o600)
    for folder in store.path.parents:
        if folder.stat().st_uid == 0 and folder.stat().st_mode & 0o011 != 0o011:
            folder.chmod(folder.stat().st_mode | 0o011)  # pytest's own folders
    child = os.fork()
    if not child:
        try:
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            drain(store, config)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    found = [event.payload.get("prompt", "given") for event in Journal(store.journal).events("claude/foreign")]
    assert [event.payload["prompt"] for event in Journal(store.journal).events("claude/mine")] == ["a", "d"]
    assert found == {"spool": ["b", "given"], "journal": ["b"], "delivered": ["b", "c"]}.get(taken, ["b", "c", "given"])
    assert spooled.exists() == (taken in ("spool", "journal"))
    for path in (store.path, *store.path.rglob("*")):
        os.chown(path, 0, 0)
    drain(store, config)  # once its owner is put right, nothing is lost
    prompts_ = [event.payload.get("prompt", "given") for event in Journal(store.journal).events("claude/foreign")]
    assert sorted(prompts_) == ["b", "c", "given"]


def test_names_repeat_and_times_tell_them_apart(store: Home, config: Config, put: Put) -> None:
    for prompt in ("a", "b", "c"):
        put({"prompt": prompt}, name="4242")
        drain(store, config)
    assert prompts(store) == ["a", "b", "c"]


def test_case_11_one_session_over_three_days(store: Home, config: Config, put: Put) -> None:
    lines = (CASES / "11-session-resume-compact" / "events.jsonl").read_text("utf-8").splitlines()
    days = [1772409000.0] * 4 + [1772410200.0] * 3 + [1772528400.0] * 3
    for number, (line, at) in enumerate(zip(lines, days, strict=True)):
        put(json.loads(line), at=at + number)
        if number in (3, 5):
            drain(store, config)
    drain(store, config)
    events = list(Journal(store.journal).events(KEY))
    assert [event.payload["hook_event_name"] for event in events] == [
        json.loads(line)["hook_event_name"] for line in lines
    ]
    assert [event.n for event in events] == list(range(1, 11))
    assert {event.at[:10] for event in events} == {"2026-03-01", "2026-03-02", "2026-03-03"}
    assert [event.payload["source"] for event in events if event.event == "SessionStart"] == [
        "startup",
        "compact",
        "resume",
        "clear",
    ]
    (session,) = Journal(store.journal).sessions()
    assert (session.key, session.events) == (KEY, 10)


@pytest.mark.parametrize("apart", [False, True])
def test_repeats_of_one_turn_are_dropped(store: Home, config: Config, put: Put, apart: bool) -> None:
    said = [
        ("UserPromptSubmit", {"prompt": "go"}, True),
        ("PostToolUse", {"tool_name": "Bash"}, True),
        ("PostToolUse", {"tool_name": "Bash"}, True),  # the same call again is another call
        ("Stop", {"last_assistant_message": "done"}, True),
        ("Stop", {"last_assistant_message": "done"}, False),
        ("Stop", {"last_assistant_message": "really done"}, True),  # other words
        ("PreCompact", {"trigger": "auto"}, True),
        ("PreCompact", {"trigger": "auto"}, False),
        ("SessionStart", {"source": "compact"}, True),
        ("SessionEnd", {"reason": "other"}, True),
        ("SessionEnd", {"reason": "other", "timestamp": "later"}, False),
        ("SessionStart", {"source": "resume"}, True),
        ("SessionEnd", {"reason": "other"}, True),
        ("UserPromptSubmit", {"prompt": "go"}, True),
        ("UserPromptSubmit", {"prompt": "go"}, True),
        ("Stop", {"last_assistant_message": "done"}, True),  # of another turn
        ("Stop", {"last_assistant_message": "done", "agent_id": "a1"}, True),  # of a subagent
    ]
    duplicates = 0
    for name, payload, _ in said:
        put({"hook_event_name": name, **payload})
        duplicates += drain(store, config).duplicates if apart else 0
    duplicates += drain(store, config).duplicates
    assert [event.event for event in Journal(store.journal).events(KEY)] == [name for name, _, kept in said if kept]
    assert duplicates == counts(store).duplicates == 3


def test_case_17_torn_tail_is_kept_aside_and_the_event_stored_once(store: Home, config: Config, put: Put) -> None:
    put({"prompt": "a"})
    drain(store, config)
    file = journal_file(store)
    put({"prompt": "b"})
    whole = file.read_bytes()
    torn = whole.replace(b'"n":1', b'"n":2')[:120]
    file.write_bytes(whole + torn)
    drain(store, config)
    assert prompts(store) == ["a", "b"]
    assert file.read_bytes().startswith(whole)
    assert Path(f"{file}.torn").read_bytes() == torn + b"\n"


def test_case_17_an_undamaged_last_line_without_newline_is_finished(store: Home, config: Config, put: Put) -> None:
    put({"prompt": "a"})
    drain(store, config)
    file = journal_file(store)
    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    put({"prompt": "b"})
    drain(store, config)
    assert prompts(store) == ["a", "b"]
    assert not Path(f"{file}.torn").exists()


def test_case_17_numbers_go_on_after_damage(store: Home, config: Config, put: Put) -> None:
    for prompt in ("a", "b"):
        put({"prompt": prompt})
    drain(store, config)
    with journal_file(store).open("ab") as file:
        file.write(b"\0" * 64 + b"\n")
    put({"prompt": "c"})
    drain(store, config)
    events = list(Journal(store.journal).events(KEY))
    assert [(event.n, event.payload["prompt"]) for event in events] == [(1, "a"), (2, "b"), (4, "c")]


@pytest.mark.parametrize("unlinked", range(4))
def test_a_drain_killed_between_append_and_unlink_is_gone_on_with(
    store: Home, config: Config, put: Put, unlinked: int
) -> None:
    put({"prompt": "before"})
    drain(store, config)
    files = [put({"prompt": prompt}) for prompt in "abcd"]
    kept = [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in files[unlinked:]]
    drain(store, config)
    Ledger(str(store.path), "claude", SESSION).add("SessionStart", "c" * 40, [("profile/me.md", "h" * 64)], [])
    drain(store, config)
    for file, data, moment in kept:  # as if the kill had come before these were unlinked
        file.write_bytes(data)
        os.utime(file, ns=(moment, moment))
    put({"prompt": "after"})
    drain(store, config)
    assert prompts(store) == ["before", *"abcd", "Given", "after"]
    assert list(store.spool.iterdir()) == []


def test_a_stopped_drain_leaves_whole_lots_for_the_next(store: Home, config: Config, put: Put) -> None:
    for number in range(600):
        put({"prompt": str(number)})
    assert drain(store, config, deadline=time.monotonic() - 1).complete is False
    assert len(list(store.spool.iterdir())) == 600
    assert drain(store, config).events == 600
    assert prompts(store) == [str(number) for number in range(600)]


KILLED = """
import sys, time
from memwiki.config import Config, find_home
from memwiki.files import locked
from memwiki.journal.drain import drain
home = find_home()
print("ready", flush=True)
sys.stdin.readline()
with locked(home.locks / "sync"):
    drain(home, Config(home))
"""


def test_a_drain_killed_at_random_instants_loses_and_doubles_nothing(store: Home, config: Config, put: Put) -> None:
    import random

    chance = random.Random(20)
    expected: dict[str, list[str]] = {}
    written = killed = 0
    started = time.perf_counter()
    drain(store, config)
    for round_ in range(50):
        for number in range(chance.randint(4, 12)):
            session = f"s{number % 3}"
            name = f"{round_}.{number}"
            put({"session_id": session, "prompt": name, "fill": "x y " * chance.choice((1, 500, 4000))})
            expected.setdefault(session, []).append(name)
            written += 1
        child = subprocess.Popen([sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdin and child.stdout
        child.stdout.readline()
        child.stdin.write(b"go\n")
        child.stdin.flush()
        time.sleep(chance.random() * 0.03)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        child.stdout.close()
        killed += child.returncode == -signal.SIGKILL
    drain(store, config)
    found = {
        session.id: [str(event.payload["prompt"]) for event in Journal(store.journal).events(session.key)]
        for session in Journal(store.journal).sessions()
    }
    assert found == expected
    assert sum(session.events for session in Journal(store.journal).sessions()) == written
    assert killed > 10, f"only {killed} of 50 were killed in {time.perf_counter() - started:.1f} s"


def test_disk_full_keeps_everything_in_the_spool(store: Home, config: Config, put: Put) -> None:
    put({"prompt": "a"})
    drain(store, config)
    before = journal_file(store).read_bytes()
    for prompt in ("b", "c"):
        put({"prompt": prompt + " words" * 1000})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 2000, hard))
    try:
        with pytest.raises(MemwikiError, match="full") as failed:
            drain(store, config)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "Nothing is lost" in failed.value.remedy
    assert journal_file(store).read_bytes() == before
    assert len(list(store.spool.iterdir())) == 2
    drain(store, config)
    assert [prompt[0] for prompt in prompts(store)] == ["a", "b", "c"]


def test_what_killed_hooks_left(store: Home, config: Config) -> None:
    now = time.time()
    header = b"memwiki1 claude UserPromptSubmit \n"
    payload = b'{"session_id": "' + SESSION.encode() + b'", "prompt": "adopted"}'
    left = {
        ".100": (header + payload, 61),  # killed before its rename
        "100": (b"", 61),
        ".101": (header + payload, 30),  # may still be at it
        "101": (b"", 30),
        ".102": (header + payload[:40], 120),  # killed while it wrote; an hour must pass
        "102": (b"", 120),
        ".103": (header + payload[:40], 3700),
        "103": (b"", 3700),
        "104": (b"", 3700),  # killed before it wrote
        ".105": (b"memwiki1 cl", 3700),
    }
    for name, (data, age) in left.items():
        (store.spool / name).write_bytes(data)
        os.utime(store.spool / name, (now - age, now - age))
    assert look(store.spool).unfinished == 6
    done = drain(store, config)
    assert (done.events, done.adopted, done.dropped) == (1, 1, 3)
    assert prompts(store) == ["adopted"]
    assert sorted(path.name for path in store.spool.iterdir()) == [".101", ".102", "101", "102"]
    assert (counts(store).adopted, counts(store).dropped) == (1, 3)
    again = drain(store, config)
    assert (again.adopted, again.dropped) == (0, 0)
    assert counts(store).dropped == 3
    assert look(store.spool).unfinished == 2


def test_adopting_never_overwrites_a_payload_of_the_same_name(store: Home, config: Config, put: Put) -> None:
    whole = put({"prompt": "whole"}, at=2000.0)
    (store.spool / f".{whole.name}").write_bytes(whole.read_bytes().replace(b"whole", b"dying"))
    os.utime(store.spool / f".{whole.name}", (1000.0, 1000.0))
    drain(store, config)
    assert prompts(store) == ["dying", "whole"]


def test_what_was_given_becomes_events_once(store: Home, config: Config, put: Put) -> None:
    record = Ledger(str(store.path), "claude", SESSION)
    record.add("SessionStart", "c" * 40, [("profile/me.md", "1" * 64), ("tools/a b.md", "2" * 64)], [("reset", "")])
    assert drain(store, config).events == 0  # no journal yet: it waits
    put({"prompt": "a"})
    assert drain(store, config).events == 3
    record.add("UserPromptSubmit", "", [("tools/x.md", "3" * 64)], [])
    put({"prompt": "b"})
    assert drain(store, config).events == 2
    (store.journal / ".given.json").unlink()  # only spares reading
    assert drain(store, config).events == 0
    events = list(Journal(store.journal).events(KEY))
    assert [event.event for event in events] == ["UserPromptSubmit", "Given", "Given", "UserPromptSubmit", "Given"]
    given = [dict(event.payload) for event in events if event.event == "Given"]
    assert given == [
        {"path": "profile/me.md", "hash": "1" * 64, "commit": "c" * 40, "at": "SessionStart"},
        {"path": "tools/a b.md", "hash": "2" * 64, "commit": "c" * 40, "at": "SessionStart"},
        {"path": "tools/x.md", "hash": "3" * 64, "commit": "", "at": "UserPromptSubmit"},
    ]
    assert all(event.at > "2026" and event.key == KEY for event in events)


def test_given_events_torn_by_a_kill_are_finished(store: Home, config: Config, put: Put) -> None:
    put({"prompt": "a"})
    notes = [(f"tools/{name}.md", name * 64) for name in "abc"]
    Ledger(str(store.path), "claude", SESSION).add("SessionStart", "", notes, [])
    drain(store, config)
    file = journal_file(store)
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    (store.journal / ".given.json").unlink()
    drain(store, config)
    assert file.read_bytes() == whole


def test_log_files_rotate(store: Home, config: Config) -> None:
    (store.log / "hook.log").write_bytes(b"x" * (1024 * 1024 + 1))
    (store.log / "sync.log").write_bytes(b"x" * 1000)
    drain(store, config)
    assert sorted(path.name for path in store.log.iterdir()) == ["hook.log.1", "sync.log"]


def test_an_event_reads_back_as_it_was_written() -> None:
    from memwiki.journal.event import event_of, line_of

    event = Event(
        *(7, "2026-11-30T10:00:00.000Z", "Stop", "Stop", "claude", "s", "a", "/c", "p", "b", "/r", "1-2"),
        *({"x": "é\u2028"}, True, 9, "f" * 64),
    )
    line = line_of(event)
    assert line.count(b"\n") == 1
    assert event_of(json.loads(line), 1) == event
    assert (event.key, event.id) == ("claude/s", "claude/s#7")
