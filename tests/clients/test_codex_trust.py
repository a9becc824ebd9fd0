"""The real Codex on its trust in memwiki's hooks, and what memwiki computes of it: both say the same."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.hosts.registration import settings_file
from memwiki.hosts.survey import own_entries
from memwiki.hosts.trust import asked, untrusted
from tests.clients.drive import Codex
from tests.clients.model import model

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]


@pytest.mark.parametrize("name", ["codex"])
def test_doctor_asks_and_computes_the_same(
    name: str,
    binary: Callable[[str], Path],
    home: Path,
    project: Path,
    linked: Callable[[str], memwiki.Memory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", f"{binary(name).parent}:{os.environ['PATH']}")
    monkeypatch.chdir(project)
    memory, file = linked(name), settings_file(name)
    mine = own_entries(memory.home, name, file)
    with model([]) as server:
        client = Codex(binary(name), home, project, server)
        client.configure()
        config = file.parent / "config.toml"
        before = config.read_bytes()

        def said() -> list[str]:
            """Doctor's words on Codex; the events that it skips by its own word are those that are computed."""
            told = asked([project])
            skips = [key.rsplit(":", 3)[1] for key, one in told.items() if one["trustStatus"] != "trusted"]
            assert sorted(event.title().replace("_", "") for event in skips) == sorted(untrusted(file, mine))
            return [one.message for one in memory.doctor() if "Codex" in one.message]

        assert ["installed, not trusted, and skips them" in one for one in said()] == [True]
        assert config.read_bytes() == before  # asking writes no trust
        with client.serve() as running:
            running.trust(project)
        assert said() == []
        file.write_text(file.read_text().replace('"timeout": 5', '"timeout": 4', 1))
        mine = own_entries(memory.home, name, file)
        assert any("changed since you trusted them (SessionStart)" in one for one in said())
    assert not (file.parent / "sessions").exists()
    assert list(memory.home.spool.iterdir()) == []
    assert memory.sessions() == []
