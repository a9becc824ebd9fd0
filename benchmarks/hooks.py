"""What log hooks and Stop cost their host: whole processes, against `sh -c true` of the same run.

    python benchmarks/hooks.py [CALLS]

The hook is called as hosts call it, by the registered command; also on a disk where no byte can be written. Stop starts
a real background sync. Prints one JSON object: multiples of `sh -c true`, by the median, by the fastest and by
processor time, on a machine with other work best run with `nice -n -19`; and the baseline's own median in ms.
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


def measured(commands: dict[str, list[str]], calls: int) -> dict[str, dict[str, float]]:
    """Median, fastest and processor seconds of each command, called in turn, so that a busy moment hits all of them."""
    clock: dict[str, list[float]] = {name: [] for name in commands}
    processor = dict.fromkeys(commands, 0.0)
    for _ in range(calls):
        for name, command in commands.items():
            before, started = _processor(), time.perf_counter()
            subprocess.run(command, input=PAYLOAD, stdout=subprocess.DEVNULL, restore_signals=False, check=True)
            clock[name].append(time.perf_counter() - started)
            processor[name] += _processor() - before
    return {
        name: {"p50": statistics.median(found), "best": min(found), "processor": processor[name]}
        for name, found in clock.items()
    }


def _processor() -> float:
    """Processor seconds of all children that have ended; a background sync is nobody's child."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def multiples(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """`one` as multiples of `other`."""
    return {key: round(one[key] / other[key], 2) for key in one}


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
            full = measured(commands, calls)
        shown: dict[str, object] = {"baseline_ms": round(result["baseline"]["p50"] * 1000, 2)}
        for name in ("log", "stop"):
            shown[name] = multiples(result[name], result["baseline"])
            shown[f"{name}, full disk"] = multiples(full[name], full["baseline"])
        time.sleep(2)  # the last syncs, before their home goes
    print(json.dumps(shown, indent=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
