"""What doctor says of hosts' own settings: hooks switched off, folders not trusted, memories of their own."""

import json
import os
import time
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.hosts import NAMES, switches
from memwiki.hosts.link import findings, link, survey
from memwiki.hosts.registration import settings_file
from memwiki.hosts.rules import rules_file


@pytest.fixture
def place(home: Path) -> Home:
    made = Home(home / ".memwiki")
    made.make()
    return made


GEMINIS = '[ -x "$HOME/.memwiki/bin/hook" ] && "$HOME/.memwiki/bin/hook" gemini BeforeAgent; exit 0'


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
        ("gemini", {"hooksConfig": {"disabled": [GEMINIS, "say"]}}, "has memwiki's hooks disabled (BeforeAgent)"),
    ],
)
def test_hooks_that_are_switched_off(place: Home, name: str, values: dict[str, object], words: str) -> None:
    link(place, name)
    assert said(place) == ""
    put(settings_file(name), **values)
    assert words in said(place)


@pytest.mark.parametrize(
    ("name", "file", "values"),
    [
        ("claude", ".claude/settings.json", {"disableAllHooks": True}),
        ("claude", ".claude/settings.local.json", {"disableAllHooks": True}),
        ("qwen", ".qwen/settings.json", {"disableAllHooks": True}),
        ("gemini", ".gemini/settings.json", {"hooksConfig": {"enabled": False}}),
        ("gemini", ".gemini/settings.json", {"hooksConfig": {"disabled": [GEMINIS]}}),
    ],
)
def test_hooks_that_the_project_in_which_one_stands_switches_off(
    place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str, values: dict[str, object]
) -> None:
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path / "shop")
    link(place, name)
    assert said(place) == ""
    put(tmp_path / "shop" / file, **values)
    assert str(tmp_path / "shop" / file) in said(place)


@pytest.mark.parametrize("file", ["managed-settings.json", "managed-settings.d/20-hooks.json"])
def test_an_administrators_rule(place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    monkeypatch.setattr(switches, "MANAGED", tmp_path)
    link(place, "claude")
    assert said(place) == ""
    put(tmp_path / file, allowManagedHooksOnly=True)
    assert "only hooks of your administrator" in said(place)


def test_a_project_that_claude_does_not_trust(
    place: Home, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "code" / "shop"
    project.mkdir(parents=True)
    link(place, "claude", project)
    assert said(place) == ""
    put(home / ".claude.json", projects={str(project): {"hasTrustDialogAccepted": False}})
    assert "Claude Code does not trust" in said(place)
    trusted = {str(project): {"hasTrustDialogAccepted": False}, str(project.parent): {"hasTrustDialogAccepted": True}}
    put(home / ".claude.json", projects=trusted)
    assert said(place) == ""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))  # its file is there then
    put(tmp_path / "claude" / ".claude.json", projects={str(project): {"hasTrustDialogAccepted": False}})
    assert "Claude Code does not trust" in said(place)


def test_a_project_that_gemini_does_not_trust(place: Home, home: Path, tmp_path: Path) -> None:
    """Measured in 0.61: folder trust is on unless switched off; without it hooks of a project do not run."""
    project = tmp_path / "code" / "shop"
    project.mkdir(parents=True)
    link(place, "gemini", project)
    assert f"Gemini does not trust {project} yet" in said(place)
    rules, settings = home / ".gemini" / "trustedFolders.json", settings_file("gemini")
    for folder, rule, well in (
        (project, "TRUST_FOLDER", True),
        (project.parent, "TRUST_FOLDER", True),
        (project.parent / "other", "TRUST_PARENT", True),
        (project.parent / "other", "TRUST_FOLDER", False),
        (project, "DO_NOT_TRUST", False),
    ):
        rules.unlink(missing_ok=True)
        put(rules, **{str(folder): rule})
        assert (said(place) == "") == well
    put(settings, security={"folderTrust": {"enabled": False}})
    assert said(place) == ""


def test_a_folder_that_gemini_was_told_not_to_trust(
    place: Home, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the user's own hooks do not run either (measured)."""
    link(place, "gemini")
    monkeypatch.chdir(tmp_path)
    assert said(place) == ""
    put(home / ".gemini" / "trustedFolders.json", **{str(tmp_path): "DO_NOT_TRUST"})
    assert f"Gemini does not trust {tmp_path}," in said(place)


@pytest.mark.parametrize(
    ("name", "file", "off"),
    [
        ("claude", ".claude/projects/-code-shop/memory/MEMORY.md", '{"autoMemoryEnabled": false'),
        ("codex", ".codex/memories/MEMORY.md", "[memories]\nuse_memories = false\n"),
    ],
)
def test_a_memory_that_is_switched_off_there(place: Home, home: Path, name: str, file: str, off: str) -> None:
    link(place, name)
    (home / file).parent.mkdir(parents=True)
    (home / file).write_text("- x\n")
    assert "keeps a memory of its own, too" in said(place)
    if name == "codex":
        (home / ".codex" / "config.toml").write_text(off)
    else:
        settings_file(name).write_text(off + ", " + settings_file(name).read_text()[1:])
    assert "keeps a memory of its own" not in said(place)


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


@pytest.mark.parametrize("name", ["cursor", "cline", "windsurf", "claude"])
def test_a_project_with_several_files_is_one_place(place: Home, tmp_path: Path, name: str) -> None:
    """Hooks, a rules file, executables, a list of servers: each has a record, and one of them holds the hooks."""
    (tmp_path / "shop").mkdir()
    link(place, name, tmp_path / "shop", mcp=name == "claude")
    assert said(place) == ""
    assert next(one for one in survey(place) if one.host == name).projects == (str(tmp_path / "shop"),)


def test_a_block_that_was_taken_out_or_torn(place: Home) -> None:
    link(place, "windsurf")
    file = rules_file("windsurf")
    assert file is not None
    assert said(place) == ""
    whole = file.read_text()
    file.write_text("- Mine.\n")
    assert f"{file} no longer has memwiki's block" in said(place)
    file.write_text("- Mine.\n" + whole.replace("<!-- /memwiki -->", ""))
    assert f"{file}, line 2: a memwiki block without its last line" in said(place)


def test_hooks_that_are_registered_twice(place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand, in files of the project in which one stands."""
    (tmp_path / ".claude").mkdir()
    monkeypatch.chdir(tmp_path)
    link(place, "claude")
    assert said(place) == ""
    for name in ("settings.json", "settings.local.json"):
        (tmp_path / ".claude" / name).write_text(settings_file("claude").read_text())
        assert f"{tmp_path / '.claude' / name} registers memwiki, too, so its hooks run twice" in said(place)
        (tmp_path / ".claude" / name).unlink()
    value = json.loads(settings_file("claude").read_text())
    value["hooks"]["Stop"] *= 2
    settings_file("claude").write_text(json.dumps(value))
    assert "registers memwiki twice for an event" in said(place)


def test_a_file_beside_projects_is_named_once_and_only_there(
    place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("shop", "site"):
        (tmp_path / name / ".claude").mkdir(parents=True)
        link(place, "claude", tmp_path / name)
    whole = (tmp_path / "shop" / ".claude" / "settings.local.json").read_text()
    for name in ("shop", "lone"):
        (tmp_path / name / ".claude").mkdir(parents=True, exist_ok=True)
        (tmp_path / name / ".claude" / "settings.json").write_text(whole)
    for name, times in (("shop", 1), ("site", 0), ("lone", 0)):
        monkeypatch.chdir(tmp_path / name)
        assert said(place).count("registers memwiki, too") == times


def test_settings_of_other_shapes_and_files_that_cannot_be_read(place: Home, home: Path) -> None:
    link(place, "gemini")
    put(settings_file("gemini"), hooksConfig={"disabled": True})
    (home / ".gemini" / "GEMINI.md").mkdir()
    (home / ".gemini" / "trustedFolders.json").write_text("[" * 100_000)
    assert said(place) == ""


@pytest.mark.parametrize(
    ("name", "file", "values"),
    [
        ("claude", ".claude/plugins/installed_plugins.json", {"version": 2, "plugins": {"memwiki@mine": []}}),
        ("gemini", ".gemini/extensions/memwiki/.gemini-extension-install.json", {"source": "/x", "type": "link"}),
    ],
)
def test_a_plugin_beside_the_settings(place: Home, home: Path, name: str, file: str, values: dict[str, object]) -> None:
    assert "No agent is linked" in said(place)
    put(home / file, **values)
    assert said(place) == ""  # by the plugin it is
    link(place, name)
    assert f"{name} has memwiki as a plugin, too ({home / file}), so its hooks run twice." in said(place)


def test_standing_at_home_is_no_project(place: Home, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    for name in NAMES:
        link(place, name)
    assert "registers memwiki" not in said(place)
