"""The vault's notes: as memory has them now, or as they were in a commit."""

import difflib
import hashlib
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import MemwikiError
from ..files import named_on_disk
from ..text import folded
from .entries import FILE, LINK, REPOSITORY, entries, uncommitted
from .filters import UNLOCK, seal
from .frontmatter import parse, unread
from .links import Resolver
from .note import Note
from .paths import inside, is_conflict_copy, is_note

if TYPE_CHECKING:
    from .git import Git

_COPY = "the conflict copy of a file sync, and no memory"
_KEEP_ONE = "Compare it with the note, keep what is right there, and delete the copy."


@dataclass(frozen=True, slots=True)
class Skipped:
    """A path in the vault that is passed over although a person may think it is read, why, and what to do about it."""

    path: str
    reason: str
    remedy: str = ""


class Tree:
    """Reads notes of one vault. Without a `rev`, memory: while the work tree is memory, the tip of the vault's branch
    with uncommitted edits and untracked notes (files that git ignores are none), else the tip alone.

    Nothing is cached: every call asks git. Links are never followed and nested repositories never entered.
    """

    def __init__(self, git: "Git") -> None:
        self._git = git

    def tip(self) -> str:
        """The commit at the tip of memory's branch, or "" before the first one."""
        return self._git.tip()

    def paths(self, rev: str | None = None) -> dict[str, str]:
        """Path -> git's object name of the content, of every note, in path order. Writes no object."""
        stored, disk = self._sources(rev)
        found = {path: name for path, (mode, name) in stored.items() if mode.startswith(FILE) and _readable(path)}
        for path in disk:
            data = self._disk(path) if _readable(path) else None
            found.pop(path, None)
            if data is not None:
                found[path] = self._name(data)
        return dict(sorted(found.items()))

    def read(self, path: str, rev: str | None = None) -> Note:
        """The note at exactly `path`; MemwikiError when there is none."""
        return parse(path, self.data(path, rev))

    def data(self, path: str, rev: str | None = None) -> bytes:
        """The bytes of the note at exactly `path`; MemwikiError when there is none, or its text cannot be read."""
        data, sealed = None, ""
        if is_note(path):
            if rev is None and self._git.is_memory() and path in uncommitted(self._git, path):
                data = self._disk(path)
                sealed = seal(data or b"")
            else:
                commit = self._commit(rev)
                stored = entries(self._git, commit, [path]) if commit else {}
                if path in stored and stored[path][0].startswith(FILE):
                    (text,) = self._git.texts([(path, stored[path][1])])
                    data, sealed = text.data, text.sealed
        if data is None:
            raise MemwikiError(f"There is no note {path}{f' in {rev}' if rev else ''}.", "`memwiki list` shows them.")
        if sealed:
            raise MemwikiError(f"{path} {sealed}.", UNLOCK)
        return data

    def notes(self, rev: str | None = None) -> Iterator[Note]:
        """Every note, in path order; one whose text cannot be read (encrypted and locked) is empty and says so."""
        stored, disk = self._sources(rev)
        kept = {
            path: name
            for path, (mode, name) in stored.items()
            if mode.startswith(FILE) and _readable(path) and path not in disk
        }
        texts = self._git.texts((path, kept[path]) for path in sorted(kept))
        for path in sorted({*kept, *filter(_readable, disk)}):
            if path in kept:
                text = next(texts)
                yield unread(path, text.sealed) if text.sealed else parse(path, text.data)
            elif (data := self._disk(path)) is not None:
                yield unread(path, seal(data)) if seal(data) else parse(path, data)

    def resolve(self, name: str, rev: str | None = None) -> str:
        """The path of the note that a person means by `name`: its path with or without `.md`, or its unique file name.

        Compared NFC and case-folded; a path that is equal to the byte comes first. MemwikiError names what is near.
        """
        paths = self.paths(rev)
        wanted = name if name.endswith(".md") else f"{name}.md"
        for exact in (name, wanted):
            if exact in paths:
                return exact
        resolver = Resolver(paths)
        found = resolver.same(wanted) or resolver.named(wanted)
        if len(found) == 1:
            return found[0]
        if found:
            raise MemwikiError(f"{name} could be {' or '.join(found)}.", "Give the whole path.")
        near = difflib.get_close_matches(wanted, paths, n=3, cutoff=0.5)
        remedy = f"Did you mean {' or '.join(near)}?" if near else "`memwiki list` shows them all."
        raise MemwikiError(f"There is no note {name}{f' in {rev}' if rev else ''}.", remedy)

    def place(self, path: str, rev: str | None = None) -> str:
        """Where a note that is to be called `path` goes: the spelling of the note, or of the folders, that are there.

        Give a path that `slugged` or `checked` returned. MemwikiError when two notes have that name after folding, or a
        file, a link or another repository is in the way, in `rev` and, while it is memory, in the work tree.
        """
        stored, disk = self._sources(rev)
        files = {*stored, *(path for path in disk if self._disk(path) is not None)}
        found = [there for there in files if folded(there) == folded(path)]
        if len(found) > 1:
            raise MemwikiError(
                f"{' and '.join(map(ascii, found))} are one name on many systems.", "Rename one of them."
            )
        path = found[0] if found else self._spelled(path, files)
        if stored.get(path, (FILE, ""))[0][:3] != FILE:
            raise MemwikiError(f"{path} is a link or another repository.", "Choose another name.")
        if self._git.is_memory():
            inside(self._git.top, path)
        return path

    def skipped(self) -> tuple[Skipped, ...]:
        """Links, nested repositories, file syncs' conflict copies, and names that are not UTF-8, in path order.

        Those in dot-folders are left out.
        """
        stored, disk = self._sources(None)
        found = {}
        for path, (mode, _) in stored.items():
            if mode == LINK:
                found[path] = "a link, which is not followed"
            elif mode == REPOSITORY:
                found[path] = "another repository, which keeps its own notes"
        for path in disk:
            found.pop(path, None)
            if path.endswith("/"):
                found[path] = "another repository, which keeps its own notes"
            elif (self._git.top / named_on_disk(path)).is_symlink():
                found[path] = "a link, which is not followed"
        for path in {*stored, *disk}:
            if path.endswith(".md") and not _encodable(path):
                found[path] = "its name is not UTF-8"
            elif is_conflict_copy(path) and (path not in disk or self._disk(path) is not None):
                found[path] = _COPY
        return tuple(
            Skipped(path, reason, _KEEP_ONE if reason == _COPY else "")
            for path, reason in sorted(found.items())
            if path[0] != "." and "/." not in path
        )

    # -- where the text is

    def _sources(self, rev: str | None) -> tuple[dict[str, tuple[str, str]], frozenset[str]]:
        """Path -> (mode, object) in the commit, and the paths whose file on disk counts instead."""
        commit = self._commit(rev)
        stored = entries(self._git, commit) if commit else {}
        work = rev is None and self._git.is_memory()
        return stored, uncommitted(self._git) if work else frozenset()

    def _commit(self, rev: str | None) -> str:
        if rev is None:
            return self._git.tip()
        commit = self._git.commit_of(rev)
        if not commit:
            raise MemwikiError(f"{rev} names no commit of the vault.", "`git log` in the vault shows them.")
        return commit

    def _disk(self, path: str) -> bytes | None:
        """The bytes of the plain file at `path` on disk; None when there is none or a link is on the way."""
        try:
            place = inside(self._git.top, path)
            if stat.S_ISREG(place.lstat().st_mode):
                return place.read_bytes()
        except (MemwikiError, OSError):
            pass  # gone, a link or a folder: `skipped` names what a person should know of
        return None

    def _name(self, data: bytes) -> str:
        make = hashlib.sha256 if len(self._git.zero) == 64 else hashlib.sha1
        return make(b"blob %d\0" % len(data) + data).hexdigest()

    def _spelled(self, path: str, files: set[str]) -> str:
        """`path` with its folders spelled as they are in `files`."""
        *folders, name = path.split("/")
        there = {parent for file in files for parent in _parents(file)}
        spelled = ""
        for folder in folders:
            wanted = f"{spelled}/{folder}".lstrip("/")
            same = sorted(one for one in there if folded(one) == folded(wanted))
            spelled = wanted if wanted in same or not same else same[0]
            if any(folded(file) == folded(spelled) for file in files):
                raise MemwikiError(f"{path} needs a folder where the file {spelled} is.", "Choose another name.")
        path = f"{spelled}/{name}".lstrip("/")
        if any(folded(one) == folded(path) for one in there):
            raise MemwikiError(f"{path} is a folder.", "Choose another name.")
        return path


def _parents(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _encodable(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in path)


def _readable(path: str) -> bool:
    return is_note(path) and _encodable(path)
