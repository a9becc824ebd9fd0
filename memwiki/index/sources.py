"""Where the bytes of notes come from: git's objects, or the work tree without following a single link."""

import errno
import os
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..files import named_on_disk
from ..recall.disk import SPARSE
from ..vault.conflict import conflict_line
from ..vault.entries import FILE, LINK
from ..vault.filters import seal
from ..vault.git import Git
from ..vault.paths import is_note
from .delta import Delta
from .protocol import Fault

_YOUNG = 2.0  # seconds: coarser file systems tell two writes apart only then


@dataclass(frozen=True, slots=True)
class Stamp:
    """The work file's time and size, -1 where there is none; `settled` when a later write must change one of them."""

    mtime_ns: int = -1
    size: int = -1
    settled: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """What the index has of a note: git's name of its text ("": it came from the disk), its file's stamp, its hash."""

    oid: str
    stamp: Stamp
    hash: str


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a note now; `data` is None when there is no note at `path` (any more), and `fault` may say why."""

    path: str
    data: bytes | None = None
    oid: str = ""
    stamp: Stamp = Stamp()
    fault: Fault | None = None


def sources(git: Git, now: Delta, known: Mapping[str, Kept]) -> Iterator[Source]:
    """Every path of `now` whose text may differ from what is `known`, each read when it is asked for."""
    names: dict[str, str] = {}
    for path, (mode, oid) in now.tree.items():
        if path in now.disk:
            continue
        if mode == LINK and not _hidden(path):
            yield _link(git.top, path)
        elif not (mode.startswith(FILE) and is_note(path)):
            if path in known:
                yield Source(path)
        elif shown(path) != path:
            yield _unspeakable(path)
        elif path not in known or known[path].oid != oid:
            names[path] = oid
    for (path, oid), text in zip(names.items(), git.texts(names.items()), strict=True):
        held = _held(path, text.data, text.sealed)
        if held is not None:
            yield held
        else:
            yield Source(path, text.data, oid, _stamp(git.top / named_on_disk(path)) if now.seen.work else Stamp())
    folders: dict[str, bool] = {}
    for path in sorted(now.disk):
        try:
            found = None if _hidden(path) else _from_disk(git.top, path, known.get(path), folders)
        except PermissionError as error:  # a directory on the way is closed
            found = Source(shown(path), fault=Fault(shown(path), 0, "path", f"cannot be read: {error.strerror}"))
        if found is not None:
            yield found
    for path in now.gone:
        yield Source(shown(path))
    if now.whole:
        yield from (Source(path) for path in known if path not in now.tree and path not in now.disk)


def _from_disk(top: Path, path: str, known: Kept | None, folders: dict[str, bool]) -> Source | None:
    """The work file at `path`; None when it is as known, or is of no interest."""
    if not _plain(top, os.path.dirname(path), folders):  # noqa: PTH120 - a relative name, as git wrote it
        return Source(shown(path))
    try:
        state = (top / named_on_disk(path)).lstat()
    except FileNotFoundError:
        return Source(shown(path))
    if stat.S_ISLNK(state.st_mode):
        return _link(top, path)
    if not is_note(path) or not stat.S_ISREG(state.st_mode):
        return Source(path) if known else None
    if shown(path) != path:
        return _unspeakable(path)
    if known and not known.oid and known.stamp == Stamp(state.st_mtime_ns, state.st_size):
        return None
    try:
        # O_NONBLOCK: what became a pipe just now must not stop the sync.
        fd = os.open(top / named_on_disk(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return Source(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _link(top, path)
        return Source(path, fault=Fault(path, 0, "path", f"cannot be read: {error.strerror}"))
    with os.fdopen(fd, "rb") as file:
        state = os.fstat(file.fileno())
        settled = abs(time.time() - state.st_mtime) > _YOUNG
        data = file.read()
    return _held(path, data, seal(data)) or Source(path, data, "", Stamp(state.st_mtime_ns, state.st_size, settled))


def _plain(top: Path, folder: str, folders: dict[str, bool]) -> bool:
    """Whether `folder` can be reached from the vault's top through real folders, none of them a repository."""
    if not folder:
        return True
    if folder not in folders:
        outer = os.path.dirname(folder)  # noqa: PTH120 - as above
        here = top / named_on_disk(folder)
        folders[folder] = (
            _plain(top, outer, folders) and here.is_dir() and not here.is_symlink() and not (here / ".git").exists()
        )
    return folders[folder]


def _link(top: Path, path: str) -> Source:
    """A symbolic link: never followed, and named with what it is."""
    try:
        (top / named_on_disk(path)).stat()
        words = "is a link and is not followed"
    except FileNotFoundError:
        words = "is a link that leads nowhere"
    except OSError:
        words = "is a link that leads back to itself"
    name = shown(path)
    return Source(name, fault=Fault(name, 0, "link", words))


def _held(path: str, data: bytes, sealed: str) -> Source | None:
    """A note that is kept back: its text cannot be read now, or holds a merge conflict. None for any other."""
    if sealed:
        return Source(path, fault=Fault(path, 0, "filter", sealed))
    line = conflict_line(data.decode("utf-8", "replace")) if b"<<<<<<<" in data or b">>>>>>>" in data else 0
    if not line:
        return None
    return Source(path, fault=Fault(path, line, "conflict", "an unresolved merge conflict, so it is not memory"))


def _stamp(file: Path) -> Stamp:
    """The stamp of a committed note's work file; SPARSE where a sparse checkout leaves it out."""
    try:
        state = file.lstat()
    except FileNotFoundError:
        return Stamp(*SPARSE)
    except OSError:
        return Stamp()
    return Stamp(state.st_mtime_ns, state.st_size)


def _hidden(path: str) -> bool:
    """In a dot-folder or a dot-file: editors' and git's own."""
    return path.startswith(".") or "/." in path


def _unspeakable(path: str) -> Source:
    name = shown(path)
    return Source(name, fault=Fault(name, 0, "path", "has a name that is not UTF-8 and is left out"))


def shown(path: str) -> str:
    """`path` as it can be printed and stored."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
