"""Every benchmark, one after the other, a line each: `make bench`. The exit code is 1 when one of them failed.

On two idle cores it takes about ten minutes. What needs something that is not there is named and left out.
"""

import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
YARDSTICK = HERE.parents[1] / "shared" / "eval" / "evaluate.py"
ALL = (
    "hooks",
    "prompt_hook",
    "sync",
    "notes",
    "drain",
    "spool_stress",
    "sync_kills",
    "kill_points",
    "recall_quality",
    "graph_load",
)  # dream_stream answers a yardstick and measures nothing by itself


def lacking(name: str) -> str:
    """What a benchmark needs that is not on this machine, or ""."""
    if name == "recall_quality" and not YARDSTICK.exists():
        return "its yardstick beside this checkout"
    if name == "graph_load" and not (shutil.which("java") and shutil.which("mvn")):
        return "Java and Maven"
    return ""


def main() -> int:
    """Run them and print what they say."""
    failed = 0
    for name in ALL:
        if needs := lacking(name):
            print(f"{name}: left out, it needs {needs}", flush=True)
            continue
        started = time.monotonic()
        done = subprocess.run([sys.executable, str(HERE / f"{name}.py")], stdout=-1, stderr=-1, text=True)
        said = done.stdout.strip() if done.returncode == 0 or done.stdout.strip() else done.stderr.strip()
        line = said.rpartition("\n")[2] if name in ("recall_quality", "kill_points") else " ".join(said.split())
        failed |= done.returncode != 0
        print(f"{name}{' FAILED' * bool(done.returncode)}: {line} ({time.monotonic() - started:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
