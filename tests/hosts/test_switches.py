"""What doctor says of hosts' own settings: hooks switched off, folders not trusted, memories of their own."""

import json
import os
import time
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.hosts import switches
from memwiki.hosts.link import findings, link
from memwiki.hosts.registration import settings_file


@pytest.fixture
def place(home: Path) -> Home:
    made = Home(home / ".memwiki")
    made.make()
    return made


def said(place: Home) -> str:
    return "\n".join(one.message for one in findings(place, load(place)))


def put(file: Path, **values: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    there = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**there, **values}))


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("claude", {"disableAllHooks": True}, "all of Claude Code's hooks off"),
        ("qwen", {"disableAllHooks": True}, "all of Qwen Code's hooks off"),
        ("gemini", {"hooksConfig": {"enabled": False}}, "all of Gemini's hooks off"),
        ("gemini", {"hooksConfig": {"disabled": ['[ -x "$HOME/.memwiki/bin/hook" ]']}}, "has memwiki's hooks disabled"),
    ],
)
def test_hooks_that_are_switched_off(place: Home, name: str, values: dict[str, object], words: str) -> None:
    link(place, name)
    assert said(place) == ""
    put(settings_file(name), **values)
    assert words in said(place)


def test_an_administrators_rule(place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "MANAGED", tmp_path)
    link(place, "claude")
    assert said(place) == ""
    put(tmp_path / "managed-settings.json", allowManagedHooksOnly=True)
    assert "only hooks of your administrator" in said(place)


def test_a_project_that_its_host_does_not_trust(place: Home, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    for name in ("claude", "gemini"):
        link(place, name, project)
    assert said(place) == ""
    put(home / ".claude.json", projects={str(project): {"hasTrustDialogAccepted": False}})
    assert "Claude Code does not trust" in said(place)
    put(home / ".claude.json", projects={str(project): {"hasTrustDialogAccepted": True}})
    put(settings_file("gemini"), security={"folderTrust": {"enabled": True}})
    assert "Gemini does not trust" in said(place)
    put(home / ".gemini" / "trustedFolders.json", **{str(project): "TRUST_FOLDER"})
    assert said(place) == ""


def test_a_memory_of_the_hosts_own_and_an_old_file(place: Home, home: Path) -> None:
    link(place, "gemini")
    link(place, "cursor")
    (home / ".gemini" / "GEMINI.md").write_text("# Mine\n")
    assert said(place) == ""
    (home / ".gemini" / "GEMINI.md").write_text("# Mine\n## Gemini Added Memories\n- x\n")
    put(home / ".cursor" / "settings.json", hooks={"stop": []})
    assert "Gemini keeps a memory of its own" in said(place)
    assert "form of an older Cursor" in said(place)


def test_a_host_that_never_told_of_anything(place: Home) -> None:
    link(place, "kiro")
    assert said(place) == ""
    for file in place.backup.glob("kiro-*.json"):
        os.utime(file, (time.time() - 100_000,) * 2)
    assert "no event of it has ever come in" in said(place)
    (place.journal / "kiro").mkdir()
    (place.journal / "kiro" / "s.jsonl").write_text("{}\n")
    assert said(place) == ""


def test_other_tools_hooks_on_the_same_events(place: Home) -> None:
    link(place, "claude")
    value = json.loads(settings_file("claude").read_text())
    value["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say done"}]})
    value["hooks"]["Foreign"] = [{"hooks": [{"type": "command", "command": "elsewhere"}]}]
    settings_file("claude").write_text(json.dumps(value))
    assert said(place) == "claude also runs 1 hook of other tools on the same events, the first: say done."
