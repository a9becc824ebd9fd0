"""How well notes are found: the retrieval yardstick beside this checkout, through the installed command.

    python benchmarks/recall_quality.py [SET...]

Every tree of notes gets a throw-away home: `init` adopts it, `sync` indexes it, `memwiki recall --stream` answers.
Prints the yardstick's table with the tool's own gate, and the means over the sets.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
YARDSTICK = HERE.parents[2] / "shared" / "eval" / "evaluate.py"
SETS = ("locomo-facts", "locomo-summaries", "locomo-sessions", "commands", "pyfaq", "howto-multilingual")
COLUMNS = {"R@5": 2, "inj": 7, "prec": 8, "far": 9, "talk": 11}  # of the table's figures


def serve(root: str) -> int:
    """Index the notes in `root` and answer query lines on stdin until it ends."""
    home = Path(f"{root.rstrip('/')}-home")
    home.mkdir(mode=0o700)
    env = {**os.environ, "HOME": str(home), "MEMWIKI_HOME": str(home / "memwiki")}
    memwiki = [sys.executable, "-m", "memwiki"]
    try:
        for arguments in (["init", root], ["sync"]):
            subprocess.run([*memwiki, *arguments], env=env, check=True, stdout=sys.stderr)
        return subprocess.run([*memwiki, "recall", "--stream"], env=env).returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


def main(sets: list[str]) -> int:
    """Run the yardstick on `sets` and print its lines as they come."""
    command = [sys.executable, str(YARDSTICK), "--own-gate", "--sets", *sets]
    command += ["--stream", f"{sys.executable} {HERE} serve {{root}}"]
    sums = dict.fromkeys(COLUMNS, 0.0)
    worst = {"far": 0.0, "talk": 0.0}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as yardstick:
        for line in yardstick.stdout or ():
            print(line, end="", flush=True)
            figures = line.split()[2:]
            if line.startswith("stream"):
                for name, column in COLUMNS.items():
                    sums[name] += float(figures[column]) / len(sets)
                worst = {name: max(value, float(figures[COLUMNS[name]])) for name, value in worst.items()}
    print("mean " + "  ".join(f"{name} {sums[name]:.3f}" for name in ("R@5", "inj", "prec")), end="  ")
    print("worst " + "  ".join(f"{name} {value:.3f}" for name, value in worst.items()))
    return yardstick.returncode


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(serve(sys.argv[2]) if sys.argv[1:2] == ["serve"] else main(sys.argv[1:] or list(SETS)))
