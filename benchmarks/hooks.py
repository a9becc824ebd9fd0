"""What log hooks and Stop cost their host: whole processes, against `sh -c true` of the same run.

    python benchmarks/hooks.py [CALLS]

The hook is called as hosts call it, by the registered command; also on a disk where no byte can be written. Stop starts
a real background sync. Prints one JSON object: medians as multiples of `sh -c true` (and the baseline's own in ms).
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memwiki.config import Home
from memwiki.hosts.registration import wanted
from memwiki.init import init

PAYLOAD = json.dumps(
    {
        "session_id": "5a0c0000-0000-4000-8000-000000000001",
        "cwd": "/home/dev/shop",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "ok\n" * 200, "stderr": ""},
    }
).encode()


def measured(commands: dict[str, list[str]], calls: int) -> dict[str, float]:
    """The median seconds of each command, called in turn, so that a busy moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(calls):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(command, input=PAYLOAD, stdout=subprocess.DEVNULL, restore_signals=False, check=True)
            times[name].append(time.perf_counter() - started)
    return {name: statistics.median(found) for name, found in times.items()}


@contextmanager
def full_disk() -> Iterator[None]:
    """Every write of every child fails, as on a full disk; names can still be made."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # Python ignores SIGXFSZ, and children inherit that
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def main(calls: int) -> None:
    """Measure in a throw-away home."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"}
        home = Home(Path(folder) / ".memwiki")
        init(home=home.path)
        commands = {"baseline": ["sh", "-c", "true"]}
        for name, event in (("log", "PostToolUse"), ("stop", "Stop")):
            commands[name] = ["sh", "-c", wanted("claude", home)[event]["command"]]
        result = measured(commands, calls)
        with full_disk():
            full = measured({name: commands[name] for name in ("baseline", "log", "stop")}, calls)
        base = result.pop("baseline")
        shown = {"baseline_ms": base * 1000} | {f"{name}_x": value / base for name, value in result.items()}
        shown |= {f"{name}_full_disk_x": value / full["baseline"] for name, value in full.items() if name != "baseline"}
        time.sleep(2)  # the last syncs, before their home goes
    print(json.dumps({name: round(value, 2) for name, value in shown.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
