"""Claude Code's plugin and Gemini's extension in the real clients: the same events and notes as by settings."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.hosts.plugin import plugin
from memwiki.hosts.switches import plugged
from tests.clients.drive import Claude, settled
from tests.clients.model import model
from tests.clients.others import Gemini

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

Binary = Callable[[str], Path]


@pytest.mark.parametrize("name", ["claude", "gemini"])
def test_plugin(name: str, binary: Binary, home: Path, project: Path, memory: memwiki.Memory, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    plugin(memory.home, name, folder)
    with model([]) as server:
        if name == "claude":
            command = tmp_path / "claude"
            command.write_text(f'#!/bin/sh\nexec {binary(name)} --plugin-dir {folder} "$@"\n')
            command.chmod(0o755)
            Claude(command, home, project, server).say("hello there")
        else:
            client = Gemini(binary(name), home, project, server)
            client.configure()
            env = {"HOME": str(home), "PATH": os.environ["PATH"], "GEMINI_API_KEY": "fake-key"}
            linking = [str(client.binary), "extensions", "link", str(folder), "--consent"]
            subprocess.run(linking, cwd=project, env=env, input=b"y\n", check=True, timeout=60)
            assert list(plugged()) == ["gemini"]
            client.say("hello there")
        requests = [json.dumps(body) for body in server.requests]
    assert any(text.count("Answer in British English.") == 1 for text in requests)
    settled(memory.home.spool)
    memory.sync()
    session = next(one.key for one in memory.sessions() if one.key.startswith(name))
    assert {one.event for one in memory.events(session)} >= {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"}
