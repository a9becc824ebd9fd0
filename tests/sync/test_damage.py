"""An index that is damaged, missing or of another version: every sync notices, says so, and rebuilds it."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memwiki.app import Memory, open_memory
from memwiki.index import schema

PAGE = 4096
DAMAGED = "The index was damaged and has been rebuilt."
Run = Callable[..., CompletedProcess[str]]


def answers(memory: Memory) -> dict[str, object]:
    """All that the index says."""
    index = memory.index
    rows = index.notes()
    return {
        "notes": rows,
        "links": [index.links(row.path) for row in rows],
        "tags": index.tags(),
        "faults": index.faults(),
        "kept": index.rows("SELECT path, secret, pin, hash, text, analysis FROM notes ORDER BY path"),
        "sessions": index.sessions(),
        "givens": index.givens(),
        "events": index.search_events("lantern", 50),
        "found": [hit.path for hit in memory.search("lantern")],
    }


@pytest.fixture
def filled(memory: Memory, prompt: Callable[..., None]) -> Path:
    """The index of a memory with notes, links, faults and events."""
    for number in range(12):
        path = memory.config.vault / f"tools/n{number}.md"
        path.write_text(
            f"---\ntags: [t{number % 3}]\n---\n# Lantern {number}\n[[n{number + 1}]] " + f"w{number} " * 200
        )
    for number in range(30):
        prompt(f"light the lantern {number} " + "and so on " * 20, session=f"s{number % 4}")
    memory.sync()
    memory.close()
    return memory.home.index


def damages(page: int, kind: str, data: bytes) -> bytes:
    """`data` with one page that is other than it was."""
    dice, here = random.Random(page), bytearray(data)
    if kind == "zeros":
        here[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    elif kind == "noise":
        here[page * PAGE : (page + 1) * PAGE] = dice.randbytes(PAGE)
    else:  # one bit
        here[page * PAGE + dice.randrange(PAGE)] ^= 1 << dice.randrange(8)
    return bytes(here)


@pytest.mark.parametrize("kind", ["zeros", "noise", "bit"])
def test_every_damaged_page_is_found_by_the_next_sync(memory: Memory, filled: Path, kind: str) -> None:
    before, whole = answers(memory), filled.read_bytes()
    memory.close()
    for page in range(len(whole) // PAGE):
        hurt = damages(page, kind, whole)
        if hurt == whole:  # a free page of zeros
            continue
        filled.write_bytes(hurt)
        with open_memory() as opened:
            assert opened.sync().rebuilt == DAMAGED, page
            assert answers(opened) == before, page
            assert opened.sync().rebuilt == ""
        whole = filled.read_bytes()


def _query(sql: str) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        with sqlite3.connect(path) as db:
            db.execute(sql)
        db.close()

    return change


CHANGES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "cut in a page": (DAMAGED, lambda path: os.truncate(path, path.stat().st_size - 100)),
    "cut to a page": (DAMAGED, lambda path: os.truncate(path, PAGE)),
    "longer": (DAMAGED, lambda path: path.write_bytes(path.read_bytes() + bytes(PAGE))),
    "empty": (DAMAGED, lambda path: os.truncate(path, 0)),
    "text": (DAMAGED, lambda path: path.write_text("hello\n" * 3000)),
    "a directory": (DAMAGED, lambda path: (path.unlink(), path.mkdir())),
    "a pipe": (DAMAGED, lambda path: (path.unlink(), os.mkfifo(path))),
    "a table dropped": (DAMAGED, _query("DROP TABLE givens")),
    "rows deleted": (DAMAGED, _query("DELETE FROM events WHERE n = 2")),
    "a note changed": (DAMAGED, _query("UPDATE notes SET text = 'x', title = 'y' WHERE id = 3")),
    "another version": ("The index was of another version and has been rebuilt.", lambda path: _versioned(path)),
    "missing": ("The index was missing and has been rebuilt.", lambda path: path.unlink()),
}


def _versioned(path: Path) -> None:
    """As another release would leave it: sealed, too."""
    index = open_memory().index
    with index.transaction() as db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    index.close()


@pytest.mark.parametrize("change", CHANGES)
def test_what_became_of_the_index_is_said_with_its_reason(memory: Memory, filled: Path, run: Run, change: str) -> None:
    before = answers(memory)
    memory.close()
    told, hurt = CHANGES[change]
    hurt(filled)
    done = run("sync")
    assert done.stderr == f"memwiki: {told}\n"
    assert told in (memory.home.log / "sync.log").read_text()
    with open_memory() as opened:
        assert answers(opened) == before
    assert run("sync").stderr == ""


@pytest.mark.parametrize("verb", [("search", "lantern"), ("list",), ("status",), ("log",), ("show", "tools/n1")])
@pytest.mark.parametrize("hurt", ["noise", "text", "a directory"])
def test_reading_verbs_rebuild_it_too(memory: Memory, filled: Path, run: Run, verb: tuple[str, ...], hurt: str) -> None:
    before = run(*verb).stdout
    if hurt == "noise":
        filled.write_bytes(damages(0, "noise", filled.read_bytes()))
    else:
        CHANGES[hurt][1](filled)
    done = run(*verb)
    assert done.stderr == f"memwiki: {DAMAGED}\n"
    assert verb[0] in ("status", "log") or done.stdout == before
    assert run(*verb).stderr == ""


def test_a_log_of_writes_that_is_garbage_is_not_read(memory: Memory, filled: Path) -> None:
    before = answers(memory)
    memory.close()
    filled.with_name("index.db-wal").write_bytes(random.Random(1).randbytes(50_000))
    with open_memory() as opened:
        opened.sync()
        assert answers(opened) == before


def test_a_writer_that_was_killed_is_no_damage(memory: Memory, filled: Path) -> None:
    """It leaves writes and no seal: SQLite's own check has to do."""
    before = answers(memory)
    with memory.index.transaction() as db:
        db.execute("UPDATE state SET value = value")
        shutil.copy(filled, filled.with_suffix(".copy"))
    memory.close()
    filled.with_suffix(".seal").unlink()
    with open_memory() as opened:
        assert opened.sync().rebuilt == ""
        assert answers(opened) == before
    filled.with_suffix(".seal").unlink()
    with filled.open("r+b") as file:
        file.seek(3 * PAGE)
        file.write(bytes(PAGE))
    with open_memory() as opened:
        assert opened.sync().rebuilt == DAMAGED
        assert answers(opened) == before


def test_a_directory_with_files_of_yours_is_not_removed(memory: Memory, filled: Path, run: Run) -> None:
    filled.unlink()
    (filled / "mine").mkdir(parents=True)
    done = run("sync", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"memwiki: {filled} is a directory with files of yours.\nMove it elsewhere.\n"


def test_the_first_sync_of_a_home_is_no_rebuild(memory: Memory, run: Run) -> None:
    memory.close()
    assert run("sync").stderr == ""
