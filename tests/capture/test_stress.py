"""Many hooks at once, killed at random: the short form of benchmarks/spool_stress.py."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

SPEC = importlib.util.spec_from_file_location("spool_stress", REPOSITORY / "benchmarks" / "spool_stress.py")
assert SPEC is not None
assert SPEC.loader is not None
spool_stress = importlib.util.module_from_spec(SPEC)
sys.modules["spool_stress"] = spool_stress
SPEC.loader.exec_module(spool_stress)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds the hook's processes through /proc")
def test_hooks_at_once_and_killed(tmp_path: Path) -> None:
    found = spool_stress.stress(tmp_path / "stress", hooks=320, at_once=32, seed=7)
    assert found["finished"] + found["killed"] == 320
    assert found["killed"] > 20
    wrong = {name: found[name] for name in ("lost", "doubled", "torn", "swapped", "disturbed")}
    assert wrong == dict.fromkeys(wrong, 0)
