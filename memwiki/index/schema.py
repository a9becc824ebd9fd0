"""The tables of `index.db`, and opening it: a file that is not ours, of another version or damaged is replaced."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from zlib import crc32

from .. import __version__
from ..errors import MemwikiError
from . import seal

# Another release may store other tables or analyse notes otherwise: what it made is not this one's.
VERSION = crc32(f"2 {__version__}".encode()) >> 1
PATIENCE = 30.0  # seconds
_APPLICATION = 0x6D77696B  # "mwik", in the file's header
# Why the index is rebuilt -> how that is said.
REBUILT = {
    "damaged": "The index was damaged and has been rebuilt.",
    "version": "The index was of another version and has been rebuilt.",
    "missing": "The index was missing and has been rebuilt.",
}
# Damaged pages, no database, a truncated file, a missing table.
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ", "SQLITE_ERROR", "SQLITE_FORMAT")

TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- One row a note. `oid` is git's name of the text where it was read from git, "" where it came from the disk;
-- `mtime_ns` and `size` are the work file's (-1: not on disk); `settled` is 0 while the file was so young when it
-- was read that a later write could carry the same time.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  namespace TEXT NOT NULL,
  tags TEXT NOT NULL,
  pin INTEGER NOT NULL,
  secret INTEGER NOT NULL,
  hash TEXT NOT NULL,
  oid TEXT NOT NULL,
  mtime_ns INTEGER NOT NULL,
  size INTEGER NOT NULL,
  settled INTEGER NOT NULL,
  text TEXT NOT NULL,
  analysis BLOB NOT NULL
);
CREATE TABLE tags (tag TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (tag, path)) WITHOUT ROWID;
CREATE INDEX tags_path ON tags (path);

-- `name` is the folded last part of the target: a note that comes or goes can only change links of its own name.
CREATE TABLE links (
  source TEXT NOT NULL,
  place INTEGER NOT NULL,
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  words TEXT NOT NULL,
  name TEXT NOT NULL,
  resolved TEXT,
  broken INTEGER NOT NULL,
  PRIMARY KEY (source, place)
) WITHOUT ROWID;
CREATE INDEX links_name ON links (name);
CREATE INDEX links_resolved ON links (resolved);

-- Names whose links are to be resolved before the pass is over.
CREATE TABLE stale (name TEXT PRIMARY KEY) WITHOUT ROWID;

-- Notes that came, changed or went since `recall.bin` was written.
CREATE TABLE unwritten (path TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE faults (path TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL);
CREATE INDEX faults_path ON faults (path);

-- `bytes` and `mtime_ns` are the journal file's when it was read to its end.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  project TEXT NOT NULL,
  branch TEXT NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  events INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL
);
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at TEXT NOT NULL,
  event TEXT NOT NULL,
  host TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (session, n)
);
CREATE INDEX events_day ON events (host, substr(at, 1, 10));
-- Contentless: the text stands in `events`; this holds its words only, CJK characters one by one.
CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE TABLE givens (
  session INTEGER NOT NULL,
  n INTEGER NOT NULL,
  agent TEXT NOT NULL,
  at TEXT NOT NULL,
  path TEXT NOT NULL,
  hash TEXT NOT NULL,
  vault_commit TEXT NOT NULL,
  PRIMARY KEY (session, n, path)
) WITHOUT ROWID;
CREATE INDEX givens_path ON givens (path);

-- The projects that events of a session were logged for, each with the top folders that it had then.
CREATE TABLE projects (
  session INTEGER NOT NULL,
  key TEXT NOT NULL,
  root TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (session, key, root)
) WITHOUT ROWID;
-- What an agent's tools may have written in the vault: the note's path, "" for a commit; when that was done, and the
-- time of the session's event before.
CREATE TABLE agent_writes (
  session INTEGER NOT NULL,
  n INTEGER NOT NULL,
  path TEXT NOT NULL,
  at TEXT NOT NULL,
  since TEXT NOT NULL,
  PRIMARY KEY (session, n, path)
) WITHOUT ROWID;
CREATE INDEX projects_key ON projects (key, at);
"""


def opened(path: Path, patience: float = PATIENCE) -> tuple[sqlite3.Connection, str]:
    """A connection to the index at `path`, which afterwards has this version's tables, and why they are empty.

    The reason is a key of REBUILT, "" where the file was in order.

    Where the home cannot be written, an index of this version is read as it stands; anything else raises
    sqlite3.OperationalError.
    """
    if path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True, isolation_level=None)
        if _current(db):
            return db, ""
        db.close()
    reason = "" if path.exists() else "missing"
    if not reason and not path.is_file():
        discard(path)
        reason = "damaged"
    try:
        return _connected(path, patience), reason
    except (sqlite3.DatabaseError, _Other) as error:
        if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
            raise
        discard(path)
        return _connected(path, patience), "version" if isinstance(error, _Other) else "damaged"


def damage(path: Path, whole: bool = False) -> str:
    """What is wrong with the file at `path`, "" for nothing or no file; nothing is changed.

    What the seal vouches for is read only with `whole`. Raises sqlite3.Error where the file cannot be opened.
    """
    if not path.exists():
        return ""
    if not path.is_file():
        return "it is not a file"
    try:
        vouched = seal.intact(path, whole)
        if vouched is not None:
            return "" if vouched else "its checksum differs"
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            found: str = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        return "" if found == "ok" else found
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return str(error)
        raise


class _Other(Exception):
    """A database of another version, or somebody else's."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file is wrong; locked, full and read-only are not."""
    name = getattr(error, "sqlite_errorname", "")
    # Without a name it is Python's own: text that cannot be decoded is damage, the rest are bugs of ours.
    return name.startswith(_DAMAGE) if name else isinstance(error, sqlite3.OperationalError)


def discard(path: Path) -> None:
    """Remove the index at `path` with its seal and with what SQLite keeps beside it. Raises OSError."""
    seal.remove(path)
    for suffix in ("", "-wal", "-shm", "-journal"):
        file = path.with_name(path.name + suffix)
        if file.is_dir() and not file.is_symlink():
            try:
                file.rmdir()
            except OSError as error:
                raise MemwikiError(f"{file} is a directory with files of yours.", "Move it elsewhere.") from error
        file.unlink(missing_ok=True)


def _connected(path: Path, patience: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        # Derived data: a power cut may cost the last transactions, never the file.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -32000")
        if _current(db):
            return db
        db.execute("BEGIN IMMEDIATE")
        if not _current(db):  # else another process made it while this one waited
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                db.execute("ROLLBACK")
                raise _Other
            for statement in TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
        path.chmod(0o600)
    except BaseException:
        db.close()
        raise
    return db


def _current(db: sqlite3.Connection) -> bool:
    """Whether the file has this version's tables, whole enough to read."""
    made: tuple[int] = db.execute("PRAGMA application_id").fetchone()
    version: tuple[int] = db.execute("PRAGMA user_version").fetchone()
    return (made[0], version[0]) == (_APPLICATION, VERSION)
