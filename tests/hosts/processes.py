"""Whether processes that a test has had started are still there."""

import subprocess
import time
from collections.abc import Iterable


def left(pids: Iterable[int]) -> list[int]:
    """Those that still run after a while; one that has ended and waits for its parent does not."""
    running, deadline = list(pids), time.monotonic() + 20
    while running and time.monotonic() < deadline:
        running = [pid for pid in running if _state(pid) not in ("", "Z")]
        time.sleep(0.05 if running else 0)
    return running


def _state(pid: int) -> str:
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return done.stdout.strip()[:1]
