"""Several settings folders of one agent: each that `link` wrote to is found again, in any environment."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.hosts.link import findings, link, survey, unlink, unlink_places
from memwiki.hosts.records import records

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(home: Path) -> Home:
    made = Home(home / ".memwiki")
    made.make()
    return made


@pytest.fixture
def folders(place: Home, home: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The settings files of agents linked with their own variables, which are unset again."""
    linked = []
    for name, variable, folder in (
        ("claude", "CLAUDE_CONFIG_DIR", ".claude-work"),
        ("claude", "CLAUDE_CONFIG_DIR", ".claude-home"),
        ("codex", "CODEX_HOME", "codex-b"),
        ("copilot", "COPILOT_HOME", "copilot-b"),
        ("cline", "CLINE_DIR", "cline-b"),
        ("opencode", "XDG_CONFIG_HOME", "xdg"),
        ("devin", "XDG_CONFIG_HOME", "xdg"),
    ):
        monkeypatch.setenv(variable, str(home / folder))
        linked.append(link(place, name).path)
        monkeypatch.delenv(variable)
    return linked


def left(home: Path) -> list[Path]:
    """Files outside of memwiki's home that name it."""
    files = [file for file in home.rglob("*") if file.is_file() and home / ".memwiki" not in file.parents]
    return [file for file in files if b"memwiki" in file.read_bytes()]


def test_case_68_every_settings_folder_is_unlinked(place: Home, home: Path, folders: list[Path]) -> None:
    found = {(one.host, one.path) for one in survey(place) if one.state in ("linked", "untrusted")}
    assert {path for _, path in found} == set(folders)
    said = "\n".join(one.message for one in findings(place, load(place)))
    assert "No agent is linked" not in said
    for name in ("claude", "codex", "copilot", "cline", "opencode", "devin"):
        assert all(one.changed for one in unlink_places(place, name))
    assert left(home) == []
    assert list(records(place)) == []


def test_case_68_uninstall_ends_capture(run: Run, home: Path) -> None:
    run("init")
    for folder in (".claude-work", ".claude-home"):
        run("link", "claude", "--mcp", env={"CLAUDE_CONFIG_DIR": str(home / folder)})
    file = home / ".claude-work" / "settings.json"
    command = json.loads(file.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert subprocess.run(["sh", "-c", command], input=b"{}").returncode == 0
    assert list((home / ".memwiki" / "spool").iterdir())
    lines = run("doctor", check=False).stdout.splitlines()
    assert {line.split(";")[0] for line in lines if line.startswith("claude: linked")} == {
        "claude: linked in ~/.claude-work/settings.json",
        "claude: linked in ~/.claude-home/settings.json",
    }
    done = json.loads(run("uninstall", "--json").stdout)
    assert sorted(done["unlinked"]) == [
        str(home / f) for f in (".claude-home/settings.json", ".claude-work/settings.json")
    ]
    assert left(home) == []


def test_an_upgrade_reaches_every_settings_folder(run: Run, home: Path) -> None:
    run("init")
    run("link", "claude", env={"CLAUDE_CONFIG_DIR": str(home / "work")})
    file = home / "work" / "settings.json"
    now = file.read_text()
    file.write_text(now.replace("timeout", "old-timeout"))
    assert "linked, not in full" in run("link").stdout
    run("link", "--upgrade")
    assert file.read_text() == now
    assert not (home / ".claude").exists()


def test_a_folder_that_vanished_is_named_and_holds_nothing_up(place: Home, home: Path, folders: list[Path]) -> None:
    (home / ".claude-work").rename(home / "moved")
    found = [one for one in findings(place, load(place)) if "is missing" in one.message]
    assert [one.message for one in found] == [f"{home}/.claude-work, in which claude was linked, is missing."]
    assert [one.level for one in found] == ["note"]
    unlink(place, "claude")
    assert [one.host for one in records(place)].count("claude") == 0
    assert not any("claude-work" in one.message for one in findings(place, load(place)))


def test_a_damaged_record_is_named_and_holds_nothing_up(place: Home, home: Path, folders: list[Path]) -> None:
    damaged = next(file for file in sorted(place.backup.glob("claude-*.json")))
    for text in (
        b"",
        b"[]",
        b'{"host": 1}',
        b"\xff",
        b"[" * 50_000,
        b'{"host":"x","path":"","project":"","folders":[]}',
    ):
        damaged.write_bytes(text)
        said = [one.message for one in findings(place, load(place))]
        assert f"{damaged} is damaged, so the claude settings file that it names is unknown." in said
    for name in ("codex", "opencode", "claude"):
        assert [one.changed for one in unlink_places(place, name)] == [True]


def test_a_broken_settings_file_does_not_hold_the_others_up(run: Run, home: Path) -> None:
    run("init")
    for folder in (".claude-a", ".claude-b", ".claude-c"):
        run("link", "claude", env={"CLAUDE_CONFIG_DIR": str(home / folder)})
    broken = home / ".claude-b" / "settings.json"
    broken.write_text("{" + broken.read_text())
    done = run("unlink", "claude", check=False)
    assert done.returncode == 1
    assert f"{broken}, line 1" in done.stderr
    assert left(home) == [broken]
    done = run("unlink", "claude", "--json", check=False)
    assert done.returncode == 1
    assert [one["path"] for one in json.loads(done.stdout)["unlinked"] if one["skipped"]] == [str(broken)]


def test_another_home_keeps_its_own_folders(place: Home, home: Path, folders: list[Path]) -> None:
    other = Home(home / "other")
    other.make()
    assert {one.state for one in survey(other)} == {"not linked"}
    assert not unlink(other, "claude").changed
    assert len(left(home)) >= len(folders)


def test_a_plugin_is_removed_again(run: Run, home: Path, tmp_path: Path) -> None:
    run("init")
    for name in ("claude", "gemini"):
        run("link", name, "--plugin", str(tmp_path / name))
    kept = tmp_path / "claude" / "hooks" / "hooks.json"
    kept.write_text(kept.read_text().replace('{\n  "hooks"', '{\n  "mine": 1,\n  "hooks"', 1))
    run("unlink", "all")
    assert json.loads(kept.read_text()) == {"mine": 1}
    assert [file for file in tmp_path.joinpath("claude").rglob("*") if file.is_file()] == [kept]
    assert not (tmp_path / "gemini").exists()


def test_a_folder_reached_by_a_symlink_is_one_place(place: Home, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "real").mkdir()
    (home / "real" / "settings.json").write_text('{"model":  "opus"}\n')
    (home / ".claude").symlink_to(home / "real")
    link(place, "claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "real"))
    assert [one.path for one in survey(place) if one.host == "claude"] == [home / "real" / "settings.json"]
    unlink(place, "claude")
    assert (home / "real" / "settings.json").read_text() == '{"model":  "opus"}\n'
    assert list(records(place)) == []
