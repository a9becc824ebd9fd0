"""No state of the disk, its permissions or a number's size is a bug: every verb does its work or says a sentence."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

NOBODY = 65534
DIGITS = "9" * 5000
VERBS = (
    ["config", "set", "recall.notes", "3"],
    ["doctor"],
    ["search", "pnpm"],
    ["show", "tools/pnpm"],
    ["recall", "pnpm"],
    ["given", "claude/s1"],
    ["forget", "tools/yarn"],
    ["dream", "--engine", "rules"],
    ["review", "list"],
    ["why", "tools/pnpm:1"],
    ["status"],
    ["log", "claude/s1"],
    ["sync"],
    ["link", "claude"],
    ["pause"],
    ["uninstall"],
    ["init"],
    ["hook", "claude", "Stop"],
)
NUMBERS = (
    ["why", f"tools/pnpm:{DIGITS}"],
    ["impact", f"tools/pnpm:{DIGITS}"],
    ["log", f"claude/s1#{DIGITS}"],
    ["search", "a", "--limit", DIGITS],
    ["config", "set", "recall.notes", DIGITS],
    ["config", "set", "dream.max_cost", DIGITS],
    ["dream", "--since", f"{DIGITS}d"],
    ["show", DIGITS],
    ["link", "claude", "--project", DIGITS],
    ["sync"],
    ["doctor"],
    ["dream", "--engine", "rules"],
    ["status"],
)


@dataclass(frozen=True)
class State:
    """What is wrong: `spoil` gets the home directory of memwiki; the rest is for the process."""

    name: str
    spoil: Callable[[Path], object]
    user: int = 0
    most: int = 0
    variables: tuple[tuple[str, str], ...] = ()
    verbs: tuple[list[str], ...] = VERBS


def instead(name: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Something else in the place of a file or directory of the home."""

    def spoil(top: Path) -> None:
        path = top / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        make(path)

    return spoil


def a_file(path: Path) -> None:
    path.write_text("x")


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def read_only(top: Path) -> None:
    for path in [top, *top.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o7555)


def numbers(top: Path) -> None:
    note = f"---\nimportance: {DIGITS}\ntags: [{DIGITS}]\n---\n{DIGITS}. first\n"
    (top / "vault" / "tools" / "number.md").write_text(note)
    for name in ("one", "two"):
        value = DIGITS if name == "one" else f"1e{DIGITS}"
        text = f'memwiki1 claude UserPromptSubmit \n{{"session_id":"s2","prompt":"hi","n":{value}}}'
        (top / "spool" / name).write_text(text)
    (top.parent / ".claude" / "settings.json").write_text(f'{{"x": {DIGITS}}}')
    (top / "backup" / "claude-1.json").write_text(f'{{"x": {DIGITS}}}')


STATES = (
    State("read-only", read_only, user=NOBODY),
    State("vault unreadable", lambda top: (top / "vault").chmod(0), user=NOBODY),
    State("journal unreadable", lambda top: (top / "journal").chmod(0), user=NOBODY),
    State("backup unreadable", lambda top: (top / "backup").chmod(0), user=NOBODY),
    State("home unreadable", lambda top: top.chmod(0), user=NOBODY),
    State("disk full", lambda top: None, most=1),
    State("home is a file", instead(".", a_file)),
    State("home is a loop", instead(".", a_loop)),
    State("name too long", lambda top: None, variables=(("MEMWIKI_HOME", "/tmp/" + "x" * 300),)),
    State("vault is a file", instead("vault", a_file)),
    State("index is a directory", instead("index.db", Path.mkdir)),
    State("lock is a FIFO", instead("lock/sync", os.mkfifo)),
    State("settings are a loop", instead("config.toml", a_loop)),
    State("numbers in settings", lambda top: (top / "config.toml").write_text(f"[recall]\nnotes = {DIGITS}\n")),
    State("odd columns", lambda top: None, variables=(("COLUMNS", DIGITS),), verbs=(["search", "pnpm"], ["list"])),
    State("numbers", numbers, verbs=NUMBERS),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A HOME with a vault, a link and a session."""
    home = tmp_path_factory.mktemp("template")
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n"
    )
    env = environment(home)

    def run(*args: str, input: str = "") -> None:
        command = [sys.executable, "-m", "memwiki", *args]
        subprocess.run(command, env=env, input=input, capture_output=True, text=True, check=True)

    run("init")
    for name in ("pnpm", "yarn"):
        note = home / ".memwiki" / "vault" / "tools" / f"{name}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(f"Use {name}.\n")
    run("link", "claude")
    run("hook", "claude", "UserPromptSubmit", input='{"session_id": "s1", "prompt": "use pnpm"}')
    run("sync")
    return home


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "MEMWIKI_HOME": str(home / ".memwiki"), "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("state", STATES, ids=[state.name for state in STATES])
def test_no_state_is_a_bug(template: Path, tmp_path: Path, state: State) -> None:
    if state.user and os.getuid() != 0:
        pytest.skip("only root can become another user")
    top = tmp_path / "h"
    shutil.copytree(template, top, symlinks=True)
    for record in (top / ".memwiki" / "backup").glob("*.json"):  # else `uninstall` finds the template's settings
        record.write_text(record.read_text().replace(str(template), str(top)))
    state.spoil(top / ".memwiki")
    if state.user:
        for folder in tmp_path.parents:
            if folder.stat().st_uid == os.getuid() and folder.name.startswith("pytest"):
                folder.chmod(folder.stat().st_mode | 0o111)
        subprocess.run(["chown", "-R", "-h", str(state.user), str(top)], check=True)
        tmp_path.chmod(0o755)
    task = json.dumps({"commands": state.verbs, "user": state.user, "bytes": state.most})
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("states.py"))],
        input=task,
        env={**environment(top), **dict(state.variables)},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(state.verbs), done.stderr
    for verb, (code, said) in zip(state.verbs, answers, strict=True):
        assert code in (0, 1, 2), (verb[:3], said[-2000:])
        assert "Traceback" not in said, verb[:3]
        assert code == 0 or said.strip(), verb[:3]
