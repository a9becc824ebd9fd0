"""Kill -9 over propose, approve, reject and revert at many points; prints what was left wrong.

    python benchmarks/kill_points.py [POINTS] [SEED]

Half of the kills are at an event of the process (a child started, a file opened, renamed, removed), half at a random
moment, every second of these with its git children, which may leave git's own lock files (removed here, as `doctor`
tells the person to, except those of memwiki's own refs, which memwiki clears itself).
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kills import OPERATIONS, Scene


def main(points: int = 100, seed: int = 1) -> int:
    """Run it; the exit code is 1 when anything was wrong."""
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, GIT_CONFIG_NOSYSTEM="1")
        Path(folder, ".gitconfig").write_text("[user]\nname = Ada Example\nemail = ada@example.com\n", "utf-8")
        wrong = 0
        done = dict.fromkeys(OPERATIONS, 0)
        scene = Scene(Path(folder, "vault"))
        sizes = {}
        for what in OPERATIONS:
            scene.reset()
            begin = time.monotonic()
            sizes[what] = (scene.play(what), time.monotonic() - begin)
        for number in range(points):
            what = OPERATIONS[number % len(OPERATIONS)]
            events, seconds = sizes[what]
            scene.reset()
            children = number % 4 == 3
            if number % 2 == 0:
                where = f"event {(when := choose.randint(1, events))} of {events}"
                scene.play(what, when)
            else:
                where = f"{(after := choose.uniform(0.001, seconds)):.3f} s{' with its children' if children else ''}"
                scene.play(what, after=after, children=children)
            faults = scene.faults(what, locks_may_stay=children)
            done[what] += 1
            if faults:
                wrong += 1
                print(f"{what} killed at {where}: {faults}")
        print(f"{points} kills ({', '.join(f'{n} {what}' for what, n in done.items())}): {wrong} left something wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
