"""Many notes at once: the same rows in the same order, and no worker outlives its sync."""

import os
import signal
import subprocess
import sys
import time

import pytest

from memwiki.index import crew
from memwiki.index.row import row_of


@pytest.mark.parametrize("processors", [1, 2, 4])
def test_rows_come_in_order_whoever_made_them(monkeypatch: pytest.MonkeyPatch, processors: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)), raising=False)
    batches = [[(f"n{i}-{k}.md", f"# Note {i} {k}\n[[x]]".encode()) if k else None for k in range(3)] for i in range(9)]
    assert list(crew.in_turn(batches)) == [[row_of(*one) if one else None for one in batch] for batch in batches]
    assert list(crew.in_turn([])) == []


def test_workers_end_with_the_sync_that_started_them() -> None:
    script = (
        "from memwiki.index import crew\n"
        "crew.os.sched_getaffinity = lambda _: {1, 2}\n"
        "def batches():\n"
        "    for n in range(5):\n"
        "        yield [(f'{n}.md', b'text')]\n"
        "made = crew.Crew._start\n"
        "def start(self):\n"
        "    worker = made(self); crew.os.write(1, b'%d\\n' % worker.pid); return worker\n"
        "crew.Crew._start = start\n"
        "rows = crew.in_turn(batches())\n"
        "for _ in range(4): next(rows)\n"
        "print('ready', flush=True)\n"
        "import time; time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(line) for line in iter(lambda: parent.stdout.readline().strip(), "ready")]  # type: ignore[union-attr]
    assert pids
    parent.kill()
    parent.wait()
    end = time.monotonic() + 20
    while any(_alive(pid) for pid in pids):
        assert time.monotonic() < end, "a worker is still there"
        time.sleep(0.05)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIG_DFL)
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
