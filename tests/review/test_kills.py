"""Kill -9 in the middle: nothing half done stays, nothing is lost, and the next run is not in the way of it."""

import random
from pathlib import Path

import pytest
from kills import OPERATIONS, Scene

POINTS = 5  # a sample; benchmarks/kill_points.py takes a hundred


@pytest.mark.parametrize("what", OPERATIONS)
def test_killed_and_done_again(tmp_path: Path, what: str) -> None:
    scene = Scene(tmp_path / "vault")
    events = scene.play(what)
    assert events > 20
    choose = random.Random(what)
    for when in sorted(choose.sample(range(1, events + 1), POINTS)):
        scene.reset()
        assert scene.play(what, when) == 0, f"not killed at {when} of {events}"
        assert scene.faults(what) == [], f"killed at {when} of {events}"
