"""`make demo`: the whole story, offline, twice, also where HOME is no folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("home", ["as it is", "/dev/null"])
def test_the_demo_tells_the_whole_story(home: str, tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)} | ({"HOME": home} if home == "/dev/null" else {})
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "demo" / "demo.py")], env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    story = done.stdout
    assert "\x1b" not in story
    steps = re.findall(r"^--- (\d)\. ", story, re.MULTILINE)
    assert steps == ["1", "2", "3", "4", "5", "6"]
    injected = story[story.index("--- 5.") : story.index("--- 6.")]
    assert "cents" in injected
    assert "only where they are shown" in injected, "what was edited in review is what is injected"
    assert "no summary" in injected, "a profile note is given at session start"
    assert "`npm test` fails" not in injected, "what was rejected is not injected"
    assert "not for anyone" not in story.replace("<private>not for anyone</private>", "")
    traced = story[story.index("--- 6.") :]
    assert "keep amounts as integer cents" in traced.lower()
    top = Path(re.search(r"A throw-away home: (\S+)", story)[1])  # type: ignore[index]
    log = subprocess.run(
        ["git", "-C", str(top / ".memwiki" / "vault"), "log", "main"], capture_output=True, text=True, check=True
    ).stdout
    for trailer in ("Memwiki-Candidate:", "Memwiki-Run:", "Memwiki-Evidence:", "Memwiki-Edited:", "Memwiki-Rejected:"):
        assert trailer in log
