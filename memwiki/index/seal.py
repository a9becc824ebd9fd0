"""The seal of `index.db`: by it a sync knows that nobody but memwiki has written to the file since it was whole.

SQLite notices damage only in the pages that it reads, and never in a value. So `index.seal` beside the file keeps its
checksum. Whoever writes removes the seal inside the write transaction; a pass that is done renews it. A file that
differs from its seal is damaged; one without a seal, because a writer was killed, is checked by SQLite itself.
"""

import os
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

_DAY = 86400.0  # seconds after which a file is read again though its size, time and inode are as sealed
_PATIENCE = 200  # milliseconds that a seal waits for readers of the write-ahead log
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class _Seal:
    """The file's checksum, size, time and inode, and when (seconds since the epoch) the checksum was made."""

    checksum: int
    size: int
    mtime_ns: int
    inode: int
    made_at: int

    @property
    def state(self) -> tuple[int, int, int]:
        return self.size, self.mtime_ns, self.inode


def intact(path: Path, whole: bool = False) -> bool | None:
    """Whether the file at `path` is as it was sealed; None when it has no seal.

    The file is read when its time, size or inode differ, once a day, and always with `whole`. Raises OSError.
    """
    seal = _read(path)
    if seal is None:
        return None
    if not whole and _state(path) == seal.state and 0 <= time.time() - seal.made_at < _DAY:
        return True
    if _state(path)[0] == seal.size and _checksum(path) == seal.checksum:
        return True
    return False if _read(path) == seal else None  # a writer may have begun meanwhile


def remove(path: Path) -> None:
    """Before anything is written to the file at `path`. Raises OSError."""
    _file(path).unlink(missing_ok=True)


def renew(db: sqlite3.Connection, path: Path) -> None:
    """Seal the file that `db` has open, unless somebody reads or writes it now: then it stays without a seal."""
    with suppress(sqlite3.Error, OSError):  # without a seal the next pass checks the file
        patience = db.execute("PRAGMA busy_timeout").fetchone()[0]
        db.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        try:
            if _read(path) is None:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            db.execute("BEGIN IMMEDIATE")
            log = path.with_name(f"{path.name}-wal")
            if not log.exists() or log.stat().st_size == 0:
                _write(path)
            db.execute("ROLLBACK")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
            db.execute(f"PRAGMA busy_timeout = {patience}")


def _write(path: Path) -> None:
    """A seal that is there means that nobody has written since: its checksum still holds."""
    old = _read(path)
    if old is None or time.time() - old.made_at >= _DAY:
        seal = _Seal(_checksum(path), *_state(path), int(time.time()))
    else:
        seal = _Seal(old.checksum, *_state(path), old.made_at)
    if seal != old:
        numbers = (seal.checksum, *seal.state, seal.made_at)
        fd = os.open(_file(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "w", encoding="ascii") as out:
            out.write(" ".join(map(str, numbers)) + "\n")


def _read(path: Path) -> _Seal | None:
    if not _file(path).is_file():  # a pipe would never end
        return None
    try:
        numbers = [int(word) for word in _file(path).read_text("ascii").split()]
        return _Seal(*numbers)
    except (OSError, ValueError, TypeError):  # one that a killed writer left unfinished
        return None


def _file(path: Path) -> Path:
    return path.with_suffix(".seal")


def _state(path: Path) -> tuple[int, int, int]:
    state = path.stat()
    return state.st_size, state.st_mtime_ns, state.st_ino


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found = crc32(chunk, found)
    return found
