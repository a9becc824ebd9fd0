"""The verbs link, unlink, uninstall and hook, as a person runs them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def started(run: Run) -> Run:
    """A home with a vault."""
    run("init")
    return run


def test_link_shows_what_is_here(started: Run, home: Path) -> None:
    (home / ".codex").mkdir()
    found = {one["host"]: one for one in json.loads(started("link", "--json").stdout)["hosts"]}
    assert found["codex"] == {
        "host": "codex",
        "installed": True,
        "path": str(home / ".codex" / "hooks.json"),
        "state": "not linked",
        "projects": [],
    }
    lines = started("link").stdout.splitlines()
    assert lines[0].split() == ["agent", "here", "state", "projects", "settings", "file"]
    assert next(line for line in lines if line.startswith("codex")).split()[1] == "found"


def test_link_dry_run_then_link_then_unlink(started: Run, home: Path) -> None:
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{\n\t"model": "opus"\n}\n')
    shown = started("link", "claude", "--dry-run").stdout
    assert shown.startswith(f"--- {file}\n+++ {file}\n")
    assert '+\t"hooks": {\n' in shown
    assert file.read_text() == '{\n\t"model": "opus"\n}\n'
    assert "now has memwiki's hooks" in started("link", "claude").stdout
    assert "already had memwiki's hooks" in started("link", "claude").stdout
    assert "nothing to change" in started("link", "claude", "--dry-run").stdout
    assert "no longer has memwiki's hooks" in started("unlink", "claude").stdout
    assert file.read_text() == '{\n\t"model": "opus"\n}\n'
    assert "is not linked" in started("unlink", "claude").stdout


def test_link_codex_says_what_the_person_has_to_do(started: Run) -> None:
    said = started("link", "codex").stdout
    assert "trust" in said
    assert "/hooks" in said
    assert "not trusted" in started("link").stdout


def test_a_broken_file_is_one_sentence_and_what_to_do(started: Run, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "hooks.json").write_text('{\n"hooks": {,}\n}')
    done = started("link", "codex", check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"memwiki: {home}/.codex/hooks.json, line 2: no value.",
        "Mend the file and run the command again.",
    ]
    assert started("link", "emacs", check=False).returncode == 2


def test_uninstall_unlinks_everything_and_says_what_remains(started: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    started("link", "claude", "codex")
    started("link", "cursor", "--project", str(tmp_path / "shop"))
    started("hook", "claude", "Stop", input='{"session_id": "last"}')
    done = json.loads(started("uninstall", "--json").stdout)
    assert sorted(done["unlinked"]) == sorted(
        [
            str(home / ".claude" / "settings.json"),
            str(home / ".codex" / "hooks.json"),
            str(tmp_path / "shop" / ".cursor" / "hooks.json"),
        ]
    )
    assert not any(Path(path).exists() for path in done["unlinked"])
    assert done["remains"] == {"vault": str(home / ".memwiki" / "vault"), "home": str(home / ".memwiki")}
    assert list((home / ".memwiki" / "spool").iterdir()) == []
    assert (home / ".memwiki" / "journal" / "claude" / "last.jsonl").exists()
    assert "Your notes stay in" in started("uninstall").stdout


def test_hook_does_what_the_script_does(started: Run, home: Path) -> None:
    done = started("hook", "codex", "PreToolUse", input='{"session_id": "s", "cwd": "/x"}')
    assert (done.stdout, done.stderr) == ("", "")
    assert started("hook", "codex", "SubagentStop", input="{}").stdout == "{}\n"
    files = list((home / ".memwiki" / "spool").iterdir())
    assert sorted(file.read_text().splitlines()[0] for file in files) == [
        "memwiki1 codex PreToolUse ",
        "memwiki1 codex SubagentStop ",
    ]


def test_hook_without_a_home_says_what_to_do(run: Run) -> None:
    done = run("hook", "claude", "Stop", input="{}", check=False)
    assert done.returncode == 1
    assert "memwiki init" in done.stderr
