"""A vault in real git, an index file, and how to ask what is in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.index import notes
from memwiki.index.sqlite import SqliteIndex
from memwiki.vault.git import Git


class Vault:
    """A repository of notes as a person would make it, and the index over it."""

    def __init__(self, top: Path, run: Callable[..., str]) -> None:
        self.top, self._run = top, run
        top.mkdir()
        self.git("init", "--quiet", "--initial-branch", "main")
        self.index = SqliteIndex(top.parent / "index.db")

    def git(self, *args: str) -> str:
        """Plain git in the vault."""
        return self._run(self.top, *args)

    def write(self, path: str, text: str | bytes) -> Path:
        """A file in the work tree."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return file

    def commit(self, message: str = "more") -> None:
        """Everything in the work tree becomes one commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)

    def sync(self) -> int:
        """The vault's side of a sync."""
        return notes.take_in(self.index, Git(self.top))

    def texts(self) -> dict[str, str]:
        """Path -> text as the index has them."""
        return dict(self.index.rows("SELECT path, text FROM notes ORDER BY path"))

    def fresh(self) -> SqliteIndex:
        """An index built from nothing, to compare with."""
        other = SqliteIndex(self.top.parent / "fresh.db")
        other.discard()
        notes.take_in(other, Git(self.top))
        return other

    def answers(self, index: SqliteIndex | None = None) -> dict[str, object]:
        """Everything that an index says about notes, in a form to compare."""
        index = index or self.index
        rows = index.notes()
        return {
            "notes": rows,
            "links": {row.path: index.links(row.path) for row in rows},
            "tags": index.tags(),
            "faults": index.faults(),
            "kept": index.rows("SELECT path, secret, pin, hash, text, analysis FROM notes ORDER BY path"),
        }


@pytest.fixture
def vault(tmp_path: Path, git: Callable[..., str]) -> Vault:
    """An empty vault on branch main, without a commit."""
    return Vault(tmp_path / "vault", git)
