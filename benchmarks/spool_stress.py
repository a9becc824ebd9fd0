"""Thousands of hooks at once, from 1 KB to 5 MB, with their processes killed at random: what finished is there, once.

    python benchmarks/spool_stress.py [HOOKS] [AT ONCE] [SEED]

Each worker plays sessions of its own through the installed hook, call after call. A part of the calls is killed: the
script, its `cat`, or the launcher, after a random time. Prints one JSON object and exits with 1 when anything that
finished is missing, torn, doubled or out of order, or when anything killed left half a file that looks whole.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from memwiki.capture.spool import place, split
from memwiki.config import Home
from memwiki.hosts.programs import install
from memwiki.text import sha256

EVENTS = ("PostToolUse", "UserPromptSubmit", "PostToolUse", "SessionStart", "PreToolUse")
KILLED = 0.2  # of the calls


@dataclass
class Calls:
    """What the workers did: payloads by what became of their hook."""

    finished: dict[str, tuple[str, int]] = field(default_factory=dict)  # SHA-256 -> (session, number)
    killed: dict[str, tuple[str, int]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)  # exit codes and output that a host would have seen
    lock: threading.Lock = field(default_factory=threading.Lock)


def size(dice: random.Random) -> int:
    """1 KB to 5 MB, mostly small."""
    return int(1000 * 5000 ** (dice.random() ** 3))


def strike(group: int, dice: random.Random, struck: list[int]) -> None:
    """Kill one process of the hook: the script itself, or what it has started."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdecimal() and os.getpgid(int(folder.name)) == group:
                found.append(int(folder.name))
        except ProcessLookupError:
            continue
    if found:
        struck.append(dice.choice(found))
        try:
            os.kill(struck[0], signal.SIGKILL)
        except ProcessLookupError:
            return


def worker(home: Home, session: str, count: int, calls: Calls, dice: random.Random) -> None:
    """One session's hooks, one after the other."""
    for number in range(count):
        filler = dice.randbytes(64).hex() * (size(dice) // 128 + 1)
        raw = json.dumps({"session_id": session, "number": number, "prompt": filler}).encode()
        kill = dice.random() < KILLED
        command = [str(home.bin / "hook"), "claude", dice.choice(EVENTS)]
        process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, start_new_session=True)
        struck: list[int] = []
        timer = threading.Timer(dice.random() ** 2 * 0.06, strike, (process.pid, dice, struck))
        if kill:
            timer.start()
        try:
            out, errors = process.communicate(raw)
        except BrokenPipeError:  # it was killed before it had read all
            out, errors = b"", b""
        timer.cancel()
        if kill:
            timer.join()
        with calls.lock:
            (calls.killed if struck else calls.finished)[sha256(raw)] = session, number
            if not struck and (process.returncode or out or errors):
                calls.failed.append(f"{process.returncode} {out[:80]!r} {errors[:80]!r}")


def judged(home: Home, calls: Calls) -> dict[str, int]:
    """Counts; all of `lost`, `doubled`, `torn`, `swapped` and `disturbed` must be 0."""
    seen: dict[str, int] = {}
    last: dict[str, int] = {}
    left = {"reserved": 0, "unfinished": 0, "torn": 0, "doubled": 0, "swapped": 0}
    known = calls.finished | calls.killed
    files = [(place(file.name, file.stat().st_mtime_ns), file) for file in home.spool.iterdir()]
    for _, file in sorted(files):
        data = file.read_bytes()
        if file.name.startswith("."):
            left["unfinished"] += 1
            continue
        if not data:
            left["reserved"] += 1
            continue
        host, _, _, raw = split(data)
        key = sha256(raw)
        if key not in known or host != "claude":
            left["torn"] += 1
            continue
        seen[key] = seen.get(key, 0) + 1
        session, number = known[key]
        left["doubled"] += seen[key] > 1
        if key in calls.finished:
            left["swapped"] += number < last.get(session, -1)
            last[session] = max(number, last.get(session, -1))
    lost = len([key for key in calls.finished if key not in seen])
    kept = len([key for key in calls.killed if key in seen])
    return {
        "finished": len(calls.finished),
        "killed": len(calls.killed),
        "killed_but_kept": kept,
        "lost": lost,
        "disturbed": len(calls.failed),
        **left,
    }


def stress(folder: Path, hooks: int, at_once: int, seed: int) -> dict[str, int]:
    """Run the whole, in a home below `folder`."""
    home = Home(folder / "home")
    home.make()
    install(home)
    script = home.bin / "hook"
    script.write_text(script.read_text().replace(f"memwiki={sys.executable} ", "memwiki= "))  # no sync takes them away
    calls = Calls()
    threads = [
        threading.Thread(target=worker, args=(home, f"s{n}", hooks // at_once, calls, random.Random(seed * 1000 + n)))
        for n in range(at_once)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(0.5)  # what a killed script's `cat` still does
    return judged(home, calls)


def main(hooks: int = 3000, at_once: int = 32, seed: int = 1) -> None:
    """Print the counts and judge them."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        found = stress(Path(folder), hooks, at_once, seed)
    print(json.dumps(found | {"seconds": round(time.monotonic() - started)}))
    sys.exit(any(found[name] for name in ("lost", "doubled", "torn", "swapped", "disturbed")))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
