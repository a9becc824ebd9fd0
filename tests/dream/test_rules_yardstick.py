"""The offline engine over the shared yardstick, through its protocol; both halves, split by family, hold alone."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
YARDSTICK = REPOSITORY.parent / "shared" / "dream-eval"

pytestmark = pytest.mark.skipif(not YARDSTICK.is_dir(), reason="the yardstick lies beside the checkout")


def figures(cases: Path) -> dict[str, float]:
    """The yardstick's own figures for a file of sessions."""
    stream = f"{sys.executable} {REPOSITORY / 'benchmarks' / 'dream_stream.py'}"
    done = subprocess.run(
        [sys.executable, str(YARDSTICK / "evaluate.py"), "--cases", str(cases), "--stream", stream, "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("half", ["whole", "first", "second"])
def test_silence_first(half: str, tmp_path: Path) -> None:
    lines = (YARDSTICK / "cases.jsonl").read_text("utf-8").splitlines()
    if half != "whole":
        parity = {"first": 0, "second": 1}[half]
        lines = [line for line in lines if hashed(json.loads(line)["family"]) % 2 == parity]
    cases = tmp_path / "cases.jsonl"
    cases.write_text("\n".join(lines), "utf-8")
    found = figures(cases)
    assert found["empty"] >= 0.92 and found["precision"] >= 0.75 and found["recall"] >= 0.45
    for fault in ("uncited", "miscited", "malformed", "bad_path", "bad_type", "too_long"):
        assert not found.get(fault), fault


def hashed(family: str) -> int:
    return int(hashlib.sha256(family.encode()).hexdigest(), 16)
