"""What doctor says about the files of the home and of the vault, and that nothing hangs on them."""

import json
import os
import random
import socket
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from subprocess import run as execute

import pytest

from memwiki.app import Memory
from memwiki.recall.explain import search

Run = Callable[..., CompletedProcess[str]]
PATIENCE = 60.0  # seconds, wide: a hang never ends


def findings(memory: Memory, *areas: str) -> list[tuple[str, str, str]]:
    """(message, remedy, level) of the findings in these areas."""
    return [(one.message, one.remedy, one.level) for one in memory.doctor() if one.area in areas]


@pytest.fixture
def filled(memory: Memory, prompt: Callable[..., None]) -> Memory:
    """A synced memory with a note and an event."""
    (memory.config.vault / "tools/lantern.md").write_text("# Lantern\nThe lantern burns paraffin.\n")
    prompt("light the lantern")
    memory.sync()
    memory.close()
    return memory


def test_nothing_is_said_of_files_that_are_in_order(filled: Memory) -> None:
    assert findings(filled, "index", "home", "vault") == []


def test_doctor_names_damage_to_the_index_and_leaves_it(filled: Memory) -> None:
    index = filled.home.index
    data = bytearray(index.read_bytes())
    data[-2000] ^= 1
    state = index.stat()
    index.write_bytes(data)
    os.utime(index, ns=(state.st_atime_ns, state.st_mtime_ns))  # looks as before
    wanted = (f"{index} is damaged: its checksum differs.", "Run `memwiki sync`, which rebuilds it.", "error")
    assert findings(filled, "index") == [wanted]


SNAPSHOTS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "missing": ("is missing", lambda path: path.unlink()),
    "cut": ("cannot be read (", lambda path: os.truncate(path, path.stat().st_size - 10)),
    "empty": ("cannot be read (", lambda path: path.write_bytes(b"")),
    "garbage": ("cannot be read (", lambda path: path.write_bytes(random.Random(1).randbytes(4000))),
    "older": ("cannot be read (", lambda path: path.write_bytes(b"memwiki0" + path.read_bytes()[8:])),
    "touched": ("is not as the last sync wrote it", lambda path: path.write_bytes(path.read_bytes())),
    "closed": ("cannot be read", lambda path: path.chmod(0)),
    "a pipe": ("cannot be read (", lambda path: (path.unlink(), os.mkfifo(path))),
}


@pytest.mark.parametrize("state", SNAPSHOTS)
def test_doctor_names_a_broken_snapshot_and_a_sync_replaces_it(filled: Memory, run: Run, state: str) -> None:
    words, change = SNAPSHOTS[state]
    change(filled.home.snapshot)
    ((message, remedy, level),) = findings(filled, "index")
    assert message.startswith(f"{filled.home.snapshot} {words}")
    assert (remedy, level) == ("Run `memwiki sync`, which writes it again.", "error")
    filled.sync()
    assert findings(filled, "index") == []
    assert [hit.path for hit in search(filled.home, "lantern")] == ["tools/lantern.md"]
    assert filled.home.snapshot.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "place",
    [
        "socket",
        "config.toml",
        "index.db",
        "index.seal",
        "recall.delta",
        "lock/sync",
        "spool/77",
        "spool/.77",
        "journal/claude/s9.jsonl",
        "journal/.given.json",
        "delivered/claude+s9",
        "log/sync.log",
        "log/hook.log",
        "queue/x",
        "vault/tools/lantern.md",
        "vault/tools/pipe.md",
        "vault/.memwiki/projects.toml",
        "vault/.gitignore",
        "vault/.gitattributes",
    ],
)
def test_no_verb_and_no_hook_waits_for_what_is_not_a_file(
    filled: Memory, run: Run, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled.home.path / place
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    if place != "socket":
        os.mkfifo(path)
    else:
        monkeypatch.chdir(path.parent)  # the name of a socket has its limit
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    named = run("doctor", check=False, timeout=PATIENCE)
    assert str(path) in named.stdout + named.stderr
    for verb in (["sync"], ["search", "lantern"], ["status"]):
        done = run(*verb, check=False, timeout=PATIENCE)
        assert done.returncode in (0, 1) and "Traceback" not in done.stderr, (verb, done.stderr)
    payload = json.dumps({"session_id": "s1", "cwd": "/", "prompt": "the lantern"})
    command = [filled.home.bin / "hook", "claude", "UserPromptSubmit"]
    hook = execute(command, input=payload, capture_output=True, text=True, timeout=PATIENCE)
    assert (hook.returncode, hook.stderr) == (0, "")


def test_closed_files_and_folders_are_named(filled: Memory) -> None:
    closed = [filled.home.journal / "claude", filled.home.path / "spool/9"]
    closed[1].write_text("x")
    note = filled.config.vault / "tools/lantern.md"
    for path in (*closed, note):
        path.chmod(0)
    try:
        found = {message: remedy for message, remedy, _ in findings(filled, "home", "vault")}
    finally:
        for path in (*closed, note):
            path.chmod(0o700)
    assert f"{closed[0]}, {closed[1]}: memwiki may not read it." in found
    assert found[f"{note}: memwiki may not read it."] == "Run `chmod u+rwX` on it, or `chown` it to yourself."


def test_settings_that_others_can_read_are_named(filled: Memory, run: Run) -> None:
    config = filled.home.config
    config.chmod(0o644)
    assert findings(filled, "home") == [(f"{config} can be read by others.", f"Run `chmod 600 '{config}'`.", "warning")]
    filled.set("neo4j.password", "x" * 9)
    ((message, _, level),) = findings(filled, "home")
    assert (message, level) == (f"{config}, which holds a secret, can be read by others.", "error")


def test_notes_that_a_sparse_checkout_leaves_out_are_given(filled: Memory, run: Run) -> None:
    vault = filled.config.vault
    (vault / "profile/me.md").write_text("Ada drinks tea.\n")

    def git(*args: str) -> None:
        execute(["git", "-C", vault, *args], check=True, capture_output=True)

    git("add", "--all")
    git("commit", "-m", "notes")
    git("sparse-checkout", "set", "project")
    assert not (vault / "tools").exists()
    filled.sync()

    def hook(event: str, **more: str) -> str:
        payload = json.dumps({"session_id": "s1", "cwd": "/", "hook_event_name": event, **more})
        done = execute([filled.home.bin / "hook", "claude", event], input=payload, capture_output=True, text=True)
        return done.stdout

    assert "drinks tea" in hook("SessionStart", source="startup")
    assert "paraffin" in hook("UserPromptSubmit", prompt="what burns in the lantern?")
    assert "burns paraffin" in run("show", "tools/lantern").stdout
    assert "tools/lantern.md" in run("list").stdout
    words = "A sparse checkout leaves out profile/README.md, profile/me.md, tools/README.md, tools/lantern.md"
    assert [message.partition(":")[0] for message, _, _ in findings(filled, "vault")] == [words]
    git("sparse-checkout", "disable")
    (vault / "tools/lantern.md").write_text("# Lantern\nThe lantern burns kerosene.\n")
    assert "kerosene" in hook("UserPromptSubmit", prompt="and what burns in the lantern now?")
