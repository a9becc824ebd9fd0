"""The page that says how to add an agent, walked with the agent that it invents."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of memwiki in which each step of the page has been done."""
    copy = tmp_path / "checkout"
    for folder in ("memwiki", "hooks", "vault-template"):
        shutil.copytree(REPOSITORY / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    page = (REPOSITORY / "docs" / "hosts" / "adding.md").read_text("utf-8")
    table, place = (textwrap.dedent(one) for one in re.findall(r"^ +```python\n(.*?)^ +```$", page, re.M | re.S))
    entries = re.search(r"^ +```json\n(.*?)^ +```$", page, re.M | re.S)
    assert entries
    (copy / "memwiki" / "hosts" / "acme.py").write_text(table)
    (copy / "hooks" / "acme.json").write_text(textwrap.dedent(entries[1]))
    for file, old, new in (
        ("__init__.py", '"devin")\nALIASES', '"devin", "acme")\nALIASES'),
        ("places.py", "PLACES = {\n", f"PLACES = {{\n    {place.strip()}\n"),
    ):
        text = (copy / "memwiki" / "hosts" / file).read_text()
        assert old in text
        (copy / "memwiki" / "hosts" / file).write_text(text.replace(old, new, 1))
    return copy


def test_the_page_adds_an_agent(checkout: Path, home: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from memwiki.__main__ import main; main()"

    def run(*args: str, input: str = "") -> str:
        command = [sys.executable, "-c", code, str(checkout), *args]
        done = subprocess.run(command, cwd=home, input=input, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("init")
    (home / ".memwiki" / "vault" / "profile" / "language.md").write_text("- Answer in British English.\n")
    run("sync")
    assert "Untested: from documentation." in run("link", "acme")
    entries = json.loads((home / ".acme" / "hooks.json").read_text())["hooks"]
    script = home / ".memwiki" / "bin" / "hook"
    # The background sync would be that of the installed memwiki, which has never heard of this agent.
    script.write_text(re.sub(r"^memwiki=\S+", "memwiki=", script.read_text(), flags=re.MULTILINE))
    answers = {}
    for event, payload in (
        ("begin", {"sid": "s1", "cwd": str(home)}),
        ("ask", {"sid": "s1", "cwd": str(home), "message": {"text": "what now?"}}),
        ("done", {"sid": "s1", "cwd": str(home), "words": "All done."}),
    ):
        done = subprocess.run(
            ["sh", "-c", entries[event][0]["command"]],
            input=json.dumps(payload).encode(),
            capture_output=True,
            env={**os.environ, "HOME": str(home)},
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        answers[event] = done.stdout
    assert "British English" in json.loads(answers["begin"])["context"]
    assert answers["done"] == b""
    run("sync")
    log = json.loads(run("log", "acme/s1", "--json"))
    said = json.dumps(log)
    assert "what now?" in said
    assert "All done." in said
    run("unlink", "acme")
    assert not (home / ".acme").exists()
