"""The verbs link, unlink, uninstall and hook, as a person runs them."""

import json
import os
import pty
import subprocess
import sys
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
        "seen": "",
    }
    lines = started("link").stdout.splitlines()
    assert lines[0].split() == ["agent", "state", "last", "event", "settings", "file"]
    codex = next(line for line in lines if line.startswith("codex"))
    assert "  found, not linked  " in codex
    assert codex.endswith("  ~/.codex/hooks.json")
    assert next(line for line in lines if line.startswith("kiro")).split()[1:3] == ["not", "found"]


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


def test_a_project_of_an_agent_that_is_linked_for_all(started: Run, home: Path, tmp_path: Path) -> None:
    started("link", "claude")
    said = f"claude is linked for all projects already, in {home}/.claude/settings.json, so nothing was done for "
    for options in ([], ["--dry-run"]):
        lines = started("link", "claude", "--project", str(tmp_path), *options).stdout.splitlines()
        assert lines == [f"{said}{tmp_path}: linked twice, its hooks would run twice there."]
    done = json.loads(started("link", "claude", "--project", str(tmp_path), "--json").stdout)["linked"]
    assert [(one["changed"], one["skipped"]) for one in done] == [(False, True)]


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


def test_doctor_says_where_each_agent_is_linked_and_when_it_last_spoke(
    started: Run, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "shop").mkdir()
    started("link", "claude", "gemini")
    started("link", "kiro", "--project", str(tmp_path / "shop"))
    started("hook", "claude", "Stop", input='{"session_id": "last"}')
    started("sync")
    lines = started("doctor").stdout.splitlines()
    seen = json.loads(started("link", "--json").stdout)["hosts"][0]["seen"][:16].replace("T", " ")
    assert lines == [
        f"claude: linked in ~/.claude/settings.json; last event {seen} UTC",
        "gemini: linked in ~/.gemini/settings.json; no event yet",
        f"kiro: linked in {tmp_path}/shop; no event yet",
        "Nothing is wrong.",
    ]
    found = json.loads(started("doctor", "--json").stdout)
    assert [(one["host"], one["state"]) for one in found["hosts"]] == [
        ("claude", "linked"),
        ("gemini", "linked"),
        ("kiro", "not linked"),
    ]
    assert found["findings"] == []
    assert {one["events"] for one in json.loads(started("log", "--json").stdout)["sessions"]} == {1}


def test_doctor_on_a_narrow_terminal(started: Run, home: Path) -> None:
    """Lines are broken between words; a path is never broken, so that it can be copied."""
    started("link", "codex")
    command = [sys.executable, "-m", "memwiki", "doctor"]
    main, side = pty.openpty()
    with subprocess.Popen(command, stdout=side, env={**os.environ, "COLUMNS": "80"}) as process:
        os.close(side)
        said = b""
        while part := read(main):
            said += part
    assert process.returncode == 1
    lines = said.decode().splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith("  ") for line in lines)
    assert "codex: linked in ~/.codex/hooks.json; no event yet" in lines


def read(terminal: int) -> bytes:
    """What the other side has written; nothing once it is closed."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_link_all_says_of_each_agent_what_became_of_it(started: Run, home: Path) -> None:
    for folder in (".claude", ".gemini", ".codeium/windsurf", ".qwen"):
        (home / folder).mkdir(parents=True)
    (home / ".qwen" / "settings.json").write_text("{ broken")
    started("link", "claude")
    lines = {line.split()[0]: line for line in started("link", "all").stdout.splitlines()[1:]}
    assert "already there" in lines["claude"]
    assert "linked" in lines["gemini"]
    assert "No injection: Windsurf reads a rules file instead. Untested: from documentation." in lines["windsurf"]
    assert "skipped" in lines["kiro"]
    assert "Not found on this machine." in lines["kiro"]
    assert "line 1" in lines["qwen"]
    done = json.loads(started("link", "all", "--json").stdout)["linked"]
    assert {one["host"]: one["changed"] for one in done if not one["skipped"]} == {
        "claude": False,
        "gemini": False,
        "windsurf": False,
    }
    (home / ".qwen" / "settings.json").unlink()
    gone = started("unlink", "all").stdout
    assert "unlinked" in next(line for line in gone.splitlines() if line.startswith("windsurf"))
    left = sorted(
        str(file.relative_to(home)) for file in home.rglob("*") if file.is_file() and ".memwiki" not in str(file)
    )
    assert left == [".gitconfig"]


def test_what_a_new_version_would_change(started: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    started("link", "claude")
    started("link", "codex", "--project", str(tmp_path / "shop"))
    files = [home / ".claude" / "settings.json", tmp_path / "shop" / ".codex" / "hooks.json"]
    now = [file.read_text() for file in files]
    for file in files:
        file.write_text(file.read_text().replace('"timeout": 5', '"timeout": 4'))
    shown = started("link", "--upgrade", "--dry-run").stdout
    assert all(f"+++ {file}" in shown for file in files)
    assert '+            "timeout": 5' in shown
    assert files[0].read_text() != now[0]
    started("link", "--upgrade")
    assert [file.read_text() for file in files] == now
    assert not (home / ".gemini").exists()


def test_the_mcp_server_is_registered_only_when_asked(started: Run, home: Path) -> None:
    (home / ".claude.json").write_text('{"numStartups": 3}\n')
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text('model = "x"  # mine\n')
    started("link", "claude", "gemini", "codex")
    assert (home / ".claude.json").read_text() == '{"numStartups": 3}\n'
    for _ in range(2):
        started("link", "claude", "gemini", "codex", "opencode", "--mcp")
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["memwiki"]
    assert server["args"] == ["-m", "memwiki", "mcp", "--host", "claude"]  # settings of its own are heard
    gemini = json.loads((home / ".gemini" / "settings.json").read_text())
    assert set(gemini) == {"hooks", "mcpServers"}
    opencode = json.loads((home / ".config" / "opencode" / "opencode.json").read_text())
    assert opencode["mcp"]["memwiki"]["command"][1:] == ["-m", "memwiki", "mcp", "--host", "opencode"]
    assert "[mcp_servers.memwiki]" in (home / ".codex" / "config.toml").read_text()
    started("link", "claude")  # without asking again it stays
    assert "memwiki" in (home / ".claude.json").read_text()
    started("unlink", "all")
    assert (home / ".claude.json").read_text() == '{"numStartups": 3}\n'
    assert (home / ".codex" / "config.toml").read_text() == 'model = "x"  # mine\n'
    assert not (home / ".gemini").exists()
    assert not (home / ".config").exists()


@pytest.mark.parametrize(
    "text",
    [
        '# mine\n[mcp_servers.memwiki]\ncommand = "uvx"\nargs = ["other-memwiki"]\n',
        '[mcp_servers.memwiki]\nurl = "https://example.org/mcp"\n',
    ],
)
def test_a_server_of_another_of_that_name_stays(started: Run, home: Path, text: str) -> None:
    config = home / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text(text)
    (home / ".claude.json").write_text('{"mcpServers": {"memwiki": {"command": "x", "args": null}}}')
    for verb in (("link", "codex", "claude", "--mcp"), ("unlink", "codex", "claude")):
        started(*verb)
        assert config.read_text() == text
        assert (home / ".claude.json").read_text() == '{"mcpServers": {"memwiki": {"command": "x", "args": null}}}'
    config.write_text('model = "x"\nmcp_servers = 3\n')
    done = started("link", "codex", "--mcp", check=False)
    assert (done.returncode, "line 2: `mcp_servers` is no table" in done.stderr) == (1, True)


def test_a_plugin_has_the_same_hooks_and_a_command(started: Run, home: Path, tmp_path: Path) -> None:
    from memwiki.hosts.registration import registration

    for name, others in (
        ("claude", {".claude-plugin/plugin.json", "commands/memory.md", "skills/memory/SKILL.md"}),
        ("gemini", {"gemini-extension.json", "commands/memory.toml"}),
    ):
        folder = tmp_path / name
        assert str(folder) in started("link", name, "--plugin", str(folder)).stdout
        files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
        assert files == {"hooks/hooks.json", *others}
        assert json.loads((folder / "hooks/hooks.json").read_text()) == registration(name)
        assert not (home / f".{name}").exists()
        assert "already had" in started("link", name, "--plugin", str(folder)).stdout
    started("link", "claude")
    assert "run twice" in started("link", "claude", "--plugin", str(tmp_path / "other"), check=False).stderr
    assert "no plugin for codex" in started("link", "codex", "--plugin", str(tmp_path / "x"), check=False).stderr


def test_a_refused_link_does_what_hooks_asked_of_a_sync_meanwhile(started: Run, home: Path) -> None:
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{ broken")
    again = home / ".memwiki" / "lock" / "again"
    again.touch()
    assert started("link", "claude", check=False).returncode == 1
    assert not again.exists(), "while it is there, no hook starts a sync"


def test_all_in_a_project_means_that_project_only(started: Run, home: Path, tmp_path: Path) -> None:
    for name in (".claude", ".codex", ".gemini"):
        (home / name).mkdir()
    shop, other = tmp_path / "shop", tmp_path / "other"
    for folder in (shop, other):
        folder.mkdir()
        started("link", "all", "--project", str(folder))
        assert sorted(file.name for file in folder.iterdir()) == [".claude", ".codex", ".gemini"]
    assert [list((home / name).iterdir()) for name in (".claude", ".codex", ".gemini")] == [[], [], []]
    started("link", "cursor")
    started("unlink", "all", "--project", str(shop))
    assert list(shop.iterdir()) == []
    assert len(list(other.iterdir())) == 3
    assert (home / ".cursor" / "hooks.json").exists()
    assert json.loads(started("link", "--upgrade", "--project", str(other), "--json").stdout)["linked"] != []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["claude", "gemini", "--plugin", "there"], "--plugin takes one agent"),
        (["all", "--plugin", "there"], "--plugin takes one agent"),
        (["claude", "--plugin", "there", "--upgrade"], "--plugin does not go together with --upgrade"),
        (["claude", "--plugin", "there", "--project", "."], "--plugin does not go together with --project"),
        (["--plugin", "there"], "--plugin takes one agent"),
        (["--project", "."], "Name the agents to link, or `all`."),
        (["--dry-run"], "Name the agents to link, or `all`."),
        (["--mcp"], "Name the agents to link, or `all`."),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(started: Run, home: Path, args: list[str], words: str) -> None:
    done = started("link", *args, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    as_json = started("link", *args, "--json", check=False)
    assert as_json.returncode == 2
    assert words in json.loads(as_json.stdout)["error"]
    assert sorted(json.loads(as_json.stdout)) == ["error", "remedy"]
    assert not (home / "there").exists()


def test_hook_refuses_an_agent_that_it_does_not_know(started: Run, home: Path) -> None:
    done = started("hook", "foo", "Bar", input="{}", check=False)
    assert done.returncode == 2
    assert "'foo' is not one of 'claude'" in done.stderr
    assert list((home / ".memwiki" / "spool").iterdir()) == []
    assert started("hook", "cascade", "pre_user_prompt", input="{}").stdout == ""
    (file,) = (home / ".memwiki" / "spool").iterdir()
    assert file.read_text().startswith("memwiki1 windsurf pre_user_prompt ")


def test_search_takes_words_as_an_agent_gives_them(started: Run, home: Path) -> None:
    (home / ".memwiki" / "vault" / "tools").mkdir(exist_ok=True)
    (home / ".memwiki" / "vault" / "tools" / "pnpm.md").write_text("The package manager is pnpm.\n")
    started("sync")
    whole = started("search", "package manager", "--json").stdout
    assert json.loads(whole)["results"]
    assert started("search", "--host", "claude", "package", "manager", "--json").stdout == whole
    assert started("search", check=False).returncode == 2
