"""Events that are too large, too slow, too deep or fatal are set aside; their neighbours never wait for them."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.capture.spool import LARGEST, header
from memwiki.config import Config, Home
from memwiki.journal import aside, drain, lots
from memwiki.journal.aside import REASONS, Aside
from memwiki.journal.counts import counts
from memwiki.journal.event import Event
from memwiki.journal.sessions import Journal

SESSION = "5a0c0000-0000-4000-8000-0000000000aa"
KEY = f"claude/{SESSION}"
Put = Callable[..., Path]


def events(store: Home, key: str = KEY) -> list[Event]:
    """The session's events."""
    return list(Journal(store.journal).events(key))


def prompt(number: int) -> bytes:
    """An ordinary payload."""
    return json.dumps({"session_id": SESSION, "cwd": "/", "prompt": f"prompt {number}"}).encode()


def slow(strings: int = 15) -> bytes:
    """A second of work for whatever looks for secrets: over a megabyte in strings that are too short to be cut."""
    line = 'password = "' + "hunter2x" * 4 + '"\n'
    return json.dumps({"session_id": SESSION, "tool_response": [line * 2000] * strings}).encode()


def huge(file: Path) -> None:
    """Grow a spool file beyond what is parsed, without writing it."""
    with file.open("r+b") as out:
        out.truncate(LARGEST + 1)


def test_twenty_poisoned_events_among_a_thousand(
    store: Home, config: Config, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lots, "SECONDS", 0.3)
    monkeypatch.setattr(lots, "SECONDS_A_MIB", 0.0)
    reasons = ["slow", "large", "deep", "deep"] * 5
    texts = {"slow": slow(), "large": prompt(0)}
    deep = [b'{"session_id": "%s", "x": ' % SESSION.encode() + b"[" * 200_000]
    deep.append(deep[0][:60] + b"[" * 700 + b"1" + b"]" * 700 + b"}")
    for number in range(1000):
        if number % 50 != 49:
            put(prompt(number))
            continue
        reason = reasons[number // 50]
        file = put(texts[reason] if reason in texts else deep[number // 50 % 2])
        if reason == "large":
            moment = file.stat().st_mtime_ns
            huge(file)
            os.utime(file, ns=(moment, moment))
    started = time.monotonic()
    done = drain.drain(store, config)
    assert time.monotonic() - started < 60
    assert (done.events, done.aside, counts(store).aside) == (1000, 20, 20)
    found = [event.payload.get("prompt", event.payload.get("set_aside")) for event in events(store)]
    assert found == [REASONS[reasons[n // 50]] if n % 50 == 49 else f"prompt {n}" for n in range(1000)]
    assert all(event.bytes for event in events(store) if "set_aside" in event.payload)
    payloads = Aside.of(store).payloads()
    assert [payload.reason for payload in payloads] == reasons
    assert [path.name for path in store.spool.iterdir()] == [".aside"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in store.spool.rglob("*"))
    assert len((store.log / "drain.log").read_text("utf-8").splitlines()) >= 20
    again = drain.drain(store, config)
    assert (again.events, again.aside) == (0, 0)
    assert Aside.of(store).payloads() == payloads


def children() -> list[int]:
    """Processes that this one has started."""
    return [int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()]


@pytest.fixture
def attacked() -> Iterator[Callable[[signal.Signals, int], None]]:
    """`attacked(signal, times)`: children of this process get the signal as soon as they are at work."""
    threads: list[threading.Thread] = []
    over = threading.Event()

    def attack(kind: signal.Signals, times: int) -> None:
        hit: set[int] = set()
        while len(hit) < times and not over.wait(0.01):
            for pid in set(children()) - hit:
                over.wait(0.2)
                os.kill(pid, kind)
                hit.add(pid)

    def start(kind: signal.Signals, times: int) -> None:
        threads.append(threading.Thread(target=attack, args=(kind, times)))
        threads[-1].start()

    yield start
    over.set()
    for thread in threads:
        thread.join()


proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the child through /proc")


@proc
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP])
def test_an_event_that_ends_two_passes_is_set_aside(
    store: Home,
    config: Config,
    put: Put,
    monkeypatch: pytest.MonkeyPatch,
    attacked: Callable[[signal.Signals, int], None],
    kind: signal.Signals,
) -> None:
    monkeypatch.setattr(drain, "HANGS", 1.0)
    for payload in (prompt(0), slow(), prompt(1)):
        put(payload)
    attacked(kind, 2)
    done = drain.drain(store, config)
    assert (done.events, done.aside) == (3, 1)
    assert [event.payload.get("prompt", REASONS["fatal"]) for event in events(store)] == [
        *("prompt 0", REASONS["fatal"], "prompt 1")
    ]
    assert [payload.reason for payload in Aside.of(store).payloads()] == ["fatal"]


@proc
def test_an_event_that_ended_one_pass_is_taken_up_by_the_next(
    store: Home, config: Config, put: Put, attacked: Callable[[signal.Signals, int], None]
) -> None:
    for payload in (prompt(0), slow(), prompt(1)):
        put(payload)
    attacked(signal.SIGKILL, 1)
    done = drain.drain(store, config)
    assert (done.events, done.aside) == (3, 0)
    assert "tool_response" in events(store)[1].payload
    assert list(store.spool.iterdir()) == []


WHOLE = """
from memwiki.config import Config, find_home
from memwiki.files import locked
from memwiki.journal.drain import drain
home = find_home()
with locked(home.locks / "sync"):
    drain(home, Config(home))
"""


def test_an_event_that_takes_the_whole_process_with_it_is_known_to_the_next(
    store: Home, config: Config, put: Put
) -> None:
    """As where the system kills all of a group that is out of memory."""
    put(prompt(0))
    put(slow())
    for _ in range(2):
        group = subprocess.Popen([sys.executable, "-c", WHOLE], start_new_session=True)
        deadline = time.monotonic() + 30
        before = Aside.of(store).marks()
        while Aside.of(store).marks() == before and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(group.pid, signal.SIGKILL)
        group.wait()
    assert list(Aside.of(store).marks().values()) == ["2"]
    assert drain.drain(store, config).aside == 1
    assert [payload.reason for payload in Aside.of(store).payloads()] == ["fatal"]


def test_a_child_ends_with_its_parent(store: Home, put: Put) -> None:
    put(slow())
    parent = subprocess.Popen([sys.executable, "-c", WHOLE])
    deadline = time.monotonic() + 30
    while not Aside.of(store).marks() and time.monotonic() < deadline:
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    taken = subprocess.run([sys.executable, "-c", WHOLE], capture_output=True, timeout=60)
    assert taken.returncode == 0, taken.stderr  # nobody holds the lock
    assert len(events(store)) == 1


MEASURED = """
import os, resource, sys
from memwiki.config import Config, find_home
from memwiki.journal.drain import drain
home = find_home()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
drain(home, Config(home))
print(before, *(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


def memory() -> int:
    """MiB by which the peak of a drain, in a process of its own, is over what that process had at its start."""
    out = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True).stdout
    before, *peaks = (int(number) for number in out.split())
    return (max(peaks) - before) // 1024


def test_memory_is_bounded_by_one_event(store: Home, put: Put) -> None:
    put(b'{"session_id": "s", "a": [' + b'{"a":1},' * 600_000 + b"{}]}")
    put({"session_id": "s", "prompt": "next"})
    assert memory() <= aside.MEMORY >> 20
    assert [event.payload.get("prompt") for event in events(store, "claude/s")] == [None, "next"]


def test_memory_is_bounded_whatever_waits(store: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gigabyte in payloads of 50 MB, a prompt of 300 MB and 30,000 small files."""
    for number in range(20):
        file = store.spool / f"{number}"
        file.write_bytes(header("claude", "PostToolUse", "") + prompt(number))
        with file.open("r+b") as out:
            out.truncate(50_000_000 if number else 300_000_000)
    for number in range(30_000):
        (store.spool / f"1{number:05}").write_bytes(b"memwiki1 claude Stop \n \n")
    assert memory() < 100
    assert [path.name for path in store.spool.iterdir()] == [".aside"]
    assert counts(store).empty == 30_000
    assert len(events(store)) == 20


def test_what_is_set_aside_is_bounded(store: Home, config: Config, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "FILES", 3)
    for number in range(5):
        huge(put(prompt(number)))
    drain.drain(store, config)
    assert len(Aside.of(store).payloads()) == 3
    monkeypatch.setattr(aside, "BYTES", 2 * LARGEST)
    drain.drain(store, config)
    assert len(Aside.of(store).payloads()) == 1
    monkeypatch.setattr(aside, "DAYS", 0)
    drain.drain(store, config)
    assert list(store.spool.iterdir()) == []
    assert "too old, or too many" in (store.log / "drain.log").read_text("utf-8")
