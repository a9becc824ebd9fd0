"""The file itself: made anew whenever it is not whole, ours, and of this version."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memwiki.errors import MemwikiError
from memwiki.index import schema
from memwiki.index.sqlite import Damaged, SqliteIndex


@pytest.mark.parametrize("content", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\1" * 5000, None])
def test_an_index_that_is_none_is_made_anew(vault: Any, content: bytes | None) -> None:
    vault.write("a.md", "one [[b]]")
    vault.sync()
    before = vault.answers()
    vault.index.close()
    vault.index.path.unlink()
    if content is not None:
        vault.index.path.write_bytes(content)
    assert vault.sync() == 1
    assert vault.answers() == before
    assert vault.index.path.stat().st_mode & 0o777 == 0o600


def test_another_version_and_another_programs_database_are_made_anew(vault: Any) -> None:
    for change in (f"PRAGMA user_version = {schema.VERSION + 1}", "PRAGMA application_id = 7"):
        vault.write("a.md", "one")
        vault.sync()
        vault.index.db.execute(change)
        vault.index.close()
        assert vault.texts() == {}
        assert vault.sync() == 1


def test_a_damaged_page_is_an_error_that_says_what_to_do(vault: Any) -> None:
    for number in range(300):
        vault.write(f"n{number}.md", f"{number} " * 300)
    vault.sync()
    vault.index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    vault.index.close()
    data = bytearray(vault.index.path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    vault.index.path.write_bytes(data)
    with pytest.raises(Damaged) as error:
        vault.sync()
    assert error.value.remedy == "Run `memwiki sync`."


def test_what_is_wrong_with_the_folder_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "nowhere" / "index.db")
    with pytest.raises(MemwikiError) as error:
        index.notes()
    assert not isinstance(error.value, Damaged) and "nowhere" in error.value.message


def test_readers_answer_while_a_sync_writes(vault: Any) -> None:
    vault.write("a.md", "one")
    vault.sync()
    reader = SqliteIndex(vault.index.path)
    with vault.index.transaction() as db:
        db.execute("DELETE FROM notes")
        assert [row.path for row in reader.notes()] == ["a.md"]
    assert reader.notes() == []


def test_a_file_that_was_thrown_away_is_let_go(vault: Any) -> None:
    vault.write("a.md", "one")
    vault.sync()
    other = SqliteIndex(vault.index.path)
    assert len(other.notes()) == 1
    vault.index.discard()
    assert other.notes() == []
    vault.sync()
    assert len(other.notes()) == 1


def test_two_processes_may_make_it_at_once(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; from memwiki.index.schema import opened; opened(Path(sys.argv[1]))"
    path = tmp_path / "index.db"
    started = [subprocess.Popen([sys.executable, "-c", script, path]) for _ in range(6)]
    assert [process.wait() for process in started] == [0] * 6
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def test_notes_are_listed_by_prefix_and_type(vault: Any) -> None:
    vault.write("tools/a.md", "---\ntitle: A\ntype: fact\ntags: [x, y]\ndescription: about a\n---\n")
    vault.write("project/shop/b.md", "---\ntype: decision\ntags: x\n---\nB\n")
    vault.write("project/shop.md", "C\n")
    vault.sync()
    index = vault.index
    assert [row.path for row in index.notes("project/shop")] == ["project/shop.md", "project/shop/b.md"]
    assert [row.path for row in index.notes("project/shop/")] == ["project/shop/b.md"]
    assert [row.namespace for row in index.notes("project")] == ["project/shop", "project/shop"]
    (row,) = index.notes(type="fact")
    assert (row.title, row.description, row.tags) == ("A", "about a", ("x", "y"))
    assert index.notes("%") == [] and index.notes("tools", "decision") == []
    assert index.tags() == {"x": 2, "y": 1}
