"""`memwiki review`: what the person sees and what each key does."""

import json
import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Git = Callable[..., str]
EDITOR = "sed -i.orig -e '/^- /s/$/ (checked)/'"


@pytest.fixture
def ids(home: Path) -> list[str]:
    """Three pending candidates, oldest first: a new note of two lines, a change, a deletion."""
    memwiki.setup()
    with memwiki.open() as m:
        vault = m.config.vault
        (vault / "tools" / "git.md").write_text("# Git\n\n- squash before merging\n- sign commits\n", "utf-8")
        (vault / "tools" / "old.md").write_text("# Old\n\n- nobody needs this\n", "utf-8")
        subprocess.run(["git", "-C", str(vault), "add", "."], check=True)
        subprocess.run(["git", "-C", str(vault), "commit", "-qm", "What I know"], check=True)
        new = m.propose("tools/pnpm", "# pnpm\n\n- use pnpm\n- lock files are committed\n", "said twice")
        change = m.propose("tools/git", "# Git\n\n- rebase before merging\n- sign commits\n", "a new habit")
        return [new.id, change.id]


def walk(keys: str, **env: str) -> tuple[str, int]:
    """`memwiki review` on a terminal, with `keys` typed one by one; what the screen showed and the exit code."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memwiki", "review"], stdin=slave, stdout=slave, stderr=slave,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **env}, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    waiting = list(keys)
    try:
        while True:
            shown += os.read(master, 65536)
            if waiting and shown.rstrip().endswith(b"[?] help"):
                while termios.tcgetattr(master)[3] & termios.ICANON:  # until it listens: what comes before is flushed
                    time.sleep(0.01)
                os.write(master, waiting.pop(0).encode())
                shown += b" "
    except OSError:
        pass
    os.close(master)
    return shown.decode("utf-8", "replace"), process.wait(30)


def states(run: Run) -> dict[str, str]:
    found = json.loads(run("review", "list", "--state", "all", "--json").stdout)["candidates"]
    return {one["id"]: one["state"] for one in found}


def test_keys_approve_and_skip(ids: list[str], run: Run, home: Path) -> None:
    new_first = next(iter(states(run))) == ids[0]  # both were proposed within one second
    shown, code = walk("as" if new_first else "sa")
    assert code == 0
    assert "said twice" in shown and "1 of 2" in shown and "2 of 2" in shown
    assert "1 still pending" in shown
    assert states(run) == {ids[0]: "approved", ids[1]: "pending"}
    assert "use pnpm" in (home / ".memwiki" / "vault" / "tools" / "pnpm.md").read_text("utf-8")


def test_words_that_differ_are_marked_in_a_pipe_too(ids: list[str], run: Run) -> None:
    text = run("review", "show", ids[1]).stdout
    assert "[-squash-] {+rebase+} before merging" in text
    assert "\x1b" not in text


def test_single_lines_are_taken_and_the_others_refused(ids: list[str], run: Run, home: Path) -> None:
    run("review", "approve", ids[0], "--lines", "1,2")
    text = (home / ".memwiki" / "vault" / "tools" / "pnpm.md").read_text("utf-8")
    assert "use pnpm" in text and "lock files" not in text
    assert states(run)[ids[0]] == "edited"


def test_editing_lands_the_edited_text(ids: list[str], run: Run, home: Path, git: Git) -> None:
    run("review", "edit", ids[1], env={"EDITOR": EDITOR, "VISUAL": EDITOR})
    vault = home / ".memwiki" / "vault"
    assert "- rebase before merging (checked)" in (vault / "tools" / "git.md").read_text("utf-8")
    assert "Memwiki-Edited: Ada Example" in git(vault, "log", "-1", "--format=%B")


def test_an_edit_that_is_refused_keeps_the_typed_text(ids: list[str], run: Run, home: Path) -> None:
    breaking = "sed -i.orig -e '1i ---\\na: [\\n---'"
    failed = run("review", "edit", ids[1], env={"EDITOR": breaking, "VISUAL": breaking}, check=False)
    assert failed.returncode == 1
    kept = home / ".memwiki" / "log" / "refused-edit.md"
    assert str(kept) in failed.stderr
    assert "rebase before merging" in kept.read_text("utf-8")
    assert states(run)[ids[1]] == "pending"


def test_closing_the_editor_without_saving_approves_nothing(ids: list[str], run: Run) -> None:
    assert "nothing was approved" in run("review", "edit", ids[1], env={"EDITOR": "true", "VISUAL": "true"}).stdout
    assert states(run)[ids[1]] == "pending"


def test_rejecting_needs_a_reason_and_leaves_main_without_the_text(
    ids: list[str], run: Run, home: Path, git: Git
) -> None:
    assert run("review", "reject", ids[0], check=False).returncode == 2
    run("review", "reject", ids[0], "--why", "we use npm")
    vault = home / ".memwiki" / "vault"
    assert not (vault / "tools" / "pnpm.md").exists()
    assert "we use npm" in git(vault, "log", "-1", "--format=%B")
    assert "we use npm" in run("review", "show", ids[0]).stdout
    assert states(run)[ids[0]] == "rejected"


def test_without_an_identity_the_walk_stops_before_it_starts(ids: list[str], run: Run, home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", "utf-8")
    failed = run("review", input="a\n", check=False)
    assert failed.returncode == 1
    assert "user.name" in failed.stderr
    assert set(states(run).values()) == {"pending"}


def test_an_unknown_id_and_an_ambiguous_one_are_sentences(ids: list[str], run: Run) -> None:
    assert run("review", "show", "zzzzzzzz", check=False).returncode == 1
    assert run("review", "approve", "", check=False).returncode == 1
    assert set(states(run).values()) == {"pending"}


def test_json_shows_all_that_the_screen_shows(ids: list[str], run: Run) -> None:
    shown = json.loads(run("review", "show", ids[1], "--json").stdout)
    assert shown["subject"] and shown["why"] == "a new habit"
    assert shown["units"] == [
        {"number": 1, "line": 3, "removed": ["- squash before merging"], "added": ["- rebase before merging"]}
    ]


def test_a_note_with_crlf_keeps_it_through_the_editor(run: Run, home: Path, git: Git) -> None:
    run("init")
    vault = home / ".memwiki" / "vault"
    note = vault / "tools" / "win.md"
    old = b"---\r\ntitle: Windows\r\n---\r\n# Windows\r\n\r\n- first\r\n- second"
    note.write_bytes(old)
    (vault / ".gitattributes").unlink()  # as in a person's own vault: no line ends are changed by git
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "From Windows")
    env = {"EDITOR": "sed -i -e 's/second/second thought/'"}
    run("review", "add", "tools/win.md", env=env)
    (one,) = json.loads(run("review", "list", "--json").stdout)["candidates"]
    assert run("review", "show", one["id"]).stdout.count("  [") == 1
    run("review", "edit", one["id"], env={"EDITOR": "sed -i -e 's/first/first thing/'"})
    assert note.read_bytes() == old.replace(b"second", b"second thought").replace(b"first", b"first thing")
    run("review", "add", "tools/win.md", "--text", "-", input=note.read_text("utf-8").replace("second", "last"))
    assert len(json.loads(run("review", "list", "--json").stdout)["candidates"]) == 1
    (two,) = json.loads(run("review", "list", "--json").stdout)["candidates"]
    run("review", "approve", two["id"])
    assert b"last thought" in note.read_bytes() and note.read_bytes().count(b"\r\n") == old.count(b"\r\n")


def test_what_a_person_adds_is_no_dream(run: Run) -> None:
    run("init")
    run("review", "add", "tools/uv", "--text", "-", input="# uv\n\n- use uv\n")
    assert "last dream   never" in run("status").stdout
