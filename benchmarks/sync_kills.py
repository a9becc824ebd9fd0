"""Hooks go on while syncs are killed, again and again: every event is in the journal and the index, once and in order.

    python benchmarks/sync_kills.py [KILLS] [HOOKS] [SEED]

Sessions are played through the installed hook, several at once; meanwhile background and foreground syncs are started
and killed with -9 at random moments, and notes of the vault change under them. Then one sync runs to its end. Prints a
JSON object and exits with 1 when an event is missing, doubled or out of order, in the journal or in the index, when
anything is left in the spool, or when the index is not what a new one would be.
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
from collections import Counter
from itertools import pairwise
from pathlib import Path

import memwiki
from memwiki.config import Home

AT_ONCE = 4
EVENTS = ("PostToolUse", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


def play(home: Home, session: str, count: int, dice: random.Random, done: threading.Event) -> None:
    """One session's hooks, one after the other, at the pace of a quick agent."""
    for number in range(count):
        event = dice.choice(EVENTS)
        text = f"number {number} " + "word " * int(20 * 500 ** (dice.random() ** 3))
        raw = {"session_id": session, "number": number, "prompt": text, "last_assistant_message": f"closing {number}"}
        command = [str(home.bin / "hook"), "claude", event]
        subprocess.run(command, input=json.dumps(raw).encode(), capture_output=True, check=True)
        done.wait(dice.random() * 0.1)


def harass(home: Home, vault: Path, kills: int, dice: random.Random, stopped: threading.Event) -> int:
    """Start syncs and kill them; how many died by it."""
    died = 0
    while died < kills:
        note = vault / "tools" / f"n{dice.randrange(20)}.md"
        note.write_text(f"# Note\n\n- said {dice.random()} in [[n{dice.randrange(20)}]]\n", "utf-8")
        words = dice.choice((["--background"], [], ["--full"]))
        child = subprocess.Popen(
            [sys.executable, "-m", "memwiki", "sync", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(dice.random() * 0.8)
        child.send_signal(signal.SIGKILL)
        died += child.wait() == -signal.SIGKILL
    stopped.set()
    return died


def answers(m: memwiki.Memory) -> object:
    """What the index says of events and notes."""
    rows = m.index.rows
    return [
        rows("SELECT path, hash FROM notes ORDER BY path"),
        sorted(map(str, rows("SELECT * FROM sessions"))),
        rows("SELECT count(*) FROM events"),
        [hit.path for hit in m.search("said", limit=50)],
        sorted(hit.id for hit in m.search_events("closing", limit=1000)),
    ]


def main(kills: int = 50, hooks: int = 600, seed: int = 1) -> int:
    """Run it; the exit code is 1 when anything is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, MEMWIKI_HOME=f"{folder}/.memwiki", GIT_CONFIG_NOSYSTEM="1")
        Path(folder, ".gitconfig").write_text("[user]\nname = Ada Example\nemail = ada@example.com\n", "utf-8")
        memwiki.setup()
        home, vault = Home(Path(folder, ".memwiki")), Path(folder, ".memwiki", "vault")
        each, stopped = hooks // AT_ONCE, threading.Event()
        threads = [
            threading.Thread(target=play, args=(home, f"s{n}", each, random.Random(seed * 1000 + n), stopped))
            for n in range(AT_ONCE)
        ]
        for thread in threads:
            thread.start()
        died = harass(home, vault, kills, random.Random(seed), stopped)
        for thread in threads:
            thread.join()
        with memwiki.open() as m:
            m.sync()
            found = Counter[str]()
            for n in range(AT_ONCE):
                numbers = [event.payload["number"] for event in m.events(f"claude/s{n}")]
                found["events"] += len(numbers)
                found["missing"] += len(set(range(each)) - set(numbers))
                found["doubled"] += len(numbers) - len(set(numbers))
                found["swapped"] += sum(one > two for one, two in pairwise(numbers))
            indexed = m.index.rows("SELECT count(*) FROM events")[0][0]
            found["not indexed"] = abs(found["events"] - indexed)
            found["left in the spool"] = len(list(home.spool.iterdir()))
            before = answers(m)
            m.sync(full=True)
            found["answers that a new index gives otherwise"] = int(before != answers(m))
        print(json.dumps({"kills": died, **found}))
        return int(any(count for name, count in found.items() if name != "events"))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
