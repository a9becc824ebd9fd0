"""The clients from npm, a home with one note in its vault, and a witness beside memwiki's hooks."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.hosts.link import link, settings_file
from memwiki.hosts.registration import registration
from memwiki.init import init
from tests.conftest import REPOSITORY

CLIENTS = REPOSITORY / ".cache" / "clients"
VERSIONS = {"claude": "@anthropic-ai/claude-code@2.1.332", "codex": "@openai/codex@0.171.0"}
NOTE = "---\ntitle: Staging database\ndescription: The staging database is called heron\ntype: fact\n---\n"
NOTE += "- The staging database is called heron and listens on port 6543.\n"
RULE = "---\ntitle: Language\ndescription: Answers are in British English\ntype: preference\n---\n"
RULE += "- Answer in British English.\n"


@pytest.fixture(scope="session")
def binary() -> Callable[[str], Path]:
    """`binary(host)`: the client's executable, installed on first use."""

    def installed(name: str) -> Path:
        if shutil.which("npm") is None:
            pytest.skip("the clients come from npm, which is not here")
        found = CLIENTS / name / "node_modules" / ".bin" / name
        if not found.exists():
            command = ["npm", "install", "--prefix", str(CLIENTS / name), "--no-audit", "--no-fund", VERSIONS[name]]
            (CLIENTS / "home").mkdir(parents=True, exist_ok=True)
            subprocess.run(command, check=True, env={**os.environ, "HOME": str(CLIENTS / "home")}, timeout=170)
        return found

    return installed


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small repository to work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "README.md").write_text("# shop\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "start"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    """A home with two approved notes: one for prompts about the staging database, one for each session's start."""
    started = init()
    for path, text in (("tools/staging.md", NOTE), ("profile/language.md", RULE)):
        file = started.vault / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    for command in (["add", "."], ["commit", "-q", "-m", "notes"]):
        subprocess.run(["git", "-C", str(started.vault), *command], check=True)
    opened = memwiki.open()
    opened.sync()
    return opened


@pytest.fixture
def witness(home: Path, tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    """`witness(host)` registers somebody else's hook on each event of ours; call it again for what that hook saw."""
    folder = tmp_path / "witness"
    folder.mkdir()
    script = tmp_path / "see"
    script.write_text(f'#!/bin/sh\ncat > "{folder}/.$$" && mv "{folder}/.$$" "{folder}/$(date +%s%N)-$1"\n')
    script.chmod(0o755)

    def seen(name: str) -> list[dict[str, Any]]:
        file = settings_file(name)
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            hooks = {}
            for event in registration(name)["hooks"]:
                hooks[event] = [{"hooks": [{"type": "command", "command": f"{script} {event}"}]}]
            file.write_text(json.dumps({"hooks": hooks}))
        found = sorted(folder.glob("[0-9]*"), key=lambda one: int(one.name.partition("-")[0]))
        return [json.loads(one.read_bytes()) for one in found]

    return seen


@pytest.fixture
def linked(memory: memwiki.Memory) -> Callable[[str], memwiki.Memory]:
    """`linked(host)`: the memory, with that host linked by the product's own command."""

    def done(name: str) -> memwiki.Memory:
        assert link(memory.home, name).changed
        return memory

    return done
