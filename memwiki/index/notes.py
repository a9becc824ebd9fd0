"""The vault's side of the index: keeps what changed, and resolves links anew where that can matter.

Each batch of notes is one transaction that also notes what it leaves to do (links to resolve, a snapshot to write); the
last one moves the mark of what has been seen. So a pass that is killed anywhere is finished by the next.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, replace
from itertools import islice
from sqlite3 import Connection
from typing import TYPE_CHECKING

from ..text import sha256
from ..vault.git import Git
from .crew import Batch, in_turn
from .delta import Delta, Seen, delta
from .names import name_of
from .protocol import Fault
from .sources import Kept, Source, Stamp, shown, sources
from .sqlite import SqliteIndex

if TYPE_CHECKING:
    from .row import Row

_BATCH = 250  # notes of one transaction
_COLUMNS = (
    "path, title, description, type, namespace, tags, pin, secret, hash, text, analysis, oid, mtime_ns, size, settled"
)


class OutOfTime(Exception):
    """The deadline passed; what was done until then is kept."""


def take_in(index: SqliteIndex, git: Git, deadline: float = float("inf")) -> int:
    """Bring the index in step with memory; the number of notes that were added, changed or removed.

    When the person changes branches meanwhile, it looks again. Raises OutOfTime after `deadline` (time.monotonic).
    """
    changed = 0
    while True:
        before = seen(index)
        now = delta(git, before)
        if before is not None and not now.disk <= set(before.disk):
            # Text on disk is memory only while its branch is checked out: a pass killed here must look at it again.
            with index.transaction():
                _remember(index, replace(before, disk=tuple(sorted(now.disk | set(before.disk)))))
        changed += _pass(index, git, now, deadline)
        if not now.disk or (git.is_memory() and git.tip() == now.seen.commit):
            return changed


def seen(index: SqliteIndex) -> Seen | None:
    """Memory as the last finished pass saw it."""
    kept = index.state("seen")
    return Seen(**{**kept, "disk": tuple(kept["disk"])}) if kept else None


def _remember(index: SqliteIndex, seen: Seen) -> None:
    index.remember("seen", asdict(seen))


def _pass(index: SqliteIndex, git: Git, now: Delta, deadline: float) -> int:
    """One look at one delta."""
    known = _known(index, None if now.whole else {*now.tree, *now.disk, *now.gone})
    changed = 0
    waiting: deque[list[Source]] = deque()
    for rows in in_turn(_batches(sources(git, now, known), known, waiting)):
        batch = waiting.popleft()
        with index.transaction() as db:
            for source, fresh in zip(batch, rows, strict=True):
                changed += _keep(db, source, fresh, known.get(source.path))
        if time.monotonic() > deadline:
            raise OutOfTime
    if not changed and now.seen == seen(index) and not index.rows("SELECT 1 FROM stale LIMIT 1"):
        return 0
    with index.transaction() as db:
        if now.whole:
            _drop_faults(db, {shown(path) for path in (*now.tree, *now.disk)})
        _resolve(db)
        _remember(index, now.seen)
    return changed


def _known(index: SqliteIndex, paths: set[str] | None) -> dict[str, Kept]:
    """What the index has of `paths`, or of all notes."""
    query = "SELECT path, oid, mtime_ns, size, settled, hash FROM notes"
    if paths is None:
        found = index.rows(query)
    else:
        found = [one for path in paths for one in index.rows(f"{query} WHERE path = ?", (shown(path),))]
    return {path: Kept(oid, Stamp(mtime, size, bool(settled)), hash) for path, oid, mtime, size, settled, hash in found}


def _batches(found: Iterator[Source], known: Mapping[str, Kept], waiting: deque[list[Source]]) -> Iterator[Batch]:
    """What is to be analysed of each batch: texts that are others than those kept. The batch goes to `waiting`."""
    while batch := list(islice(found, _BATCH)):
        waiting.append(batch)
        yield [_asked(one, known.get(one.path)) for one in batch]


def _asked(source: Source, known: Kept | None) -> tuple[str, bytes] | None:
    if source.data is None or (known is not None and known.hash == sha256(source.data)):
        return None
    return source.path, source.data


def _keep(db: Connection, source: Source, fresh: "Row | None", known: Kept | None) -> bool:
    """Store one source in an open transaction; whether a note's text was added, changed or removed."""
    if source.data is None:
        db.execute("DELETE FROM faults WHERE path = ?", (source.path,))
        _blame(db, [source.fault] if source.fault else [])
        if known is not None:
            _remove(db, source.path)
        return known is not None
    stamp = (source.oid, source.stamp.mtime_ns, source.stamp.size, source.stamp.settled)
    if fresh is not None or known is None or stamp[1:3] != (known.stamp.mtime_ns, known.stamp.size):
        _unwritten(db, source.path)  # a hook compares the file's stamp
    if fresh is None:
        query = "UPDATE notes SET oid = ?, mtime_ns = ?, size = ?, settled = ? WHERE path = ?"
        db.execute(query, (*stamp, source.path))
        return False
    values = (*fresh.columns, *stamp)
    marks = ", ".join("?" * len(values))
    updates = ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS.split(", ")[1:])
    db.execute(
        f"INSERT INTO notes ({_COLUMNS}) VALUES ({marks}) ON CONFLICT (path) DO UPDATE SET {updates}",  # noqa: S608
        values,
    )
    if known is None:
        _stale(db, [name_of(source.path)])
    db.execute("DELETE FROM tags WHERE path = ?", (source.path,))
    db.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", [(tag, source.path) for tag in fresh.tags])
    db.execute("DELETE FROM faults WHERE path = ?", (source.path,))
    _blame(db, fresh.faults)
    _link(db, source.path, fresh)
    return True


def _remove(db: Connection, path: str) -> None:
    """Take a note out; links to it are to be resolved again."""
    for table, column in (("notes", "path"), ("tags", "path"), ("links", "source")):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (path,))  # noqa: S608 - our own names
    _stale(db, [name_of(path)])
    _unwritten(db, path)


def _unwritten(db: Connection, path: str) -> None:
    db.execute("INSERT OR IGNORE INTO unwritten VALUES (?)", (path,))


def _link(db: Connection, path: str, fresh: "Row") -> None:
    """Store a note's links, to be resolved; the same links as before stay resolved."""
    query = "SELECT line, kind, target, words, name FROM links WHERE source = ? ORDER BY place"
    if tuple(db.execute(query, (path,)).fetchall()) == fresh.links:
        return
    db.execute("DELETE FROM links WHERE source = ?", (path,))
    places = [(path, place, *link) for place, link in enumerate(fresh.links)]
    db.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0)", places)
    _stale(db, {link[4] for link in fresh.links})


def _stale(db: Connection, names: Iterable[str]) -> None:
    db.executemany("INSERT OR IGNORE INTO stale VALUES (?)", [(one,) for one in names])


def _resolve(db: Connection) -> None:
    """Resolve every link whose name came, went or is new. A link can only mean a note of its own name."""
    query = "SELECT source, place, target, line, kind, words FROM links WHERE name IN (SELECT name FROM stale)"
    found = db.execute(query).fetchall()
    if found:
        from ..vault.links import Link, Resolver

        resolver = Resolver([path for (path,) in db.execute("SELECT path FROM notes")])
        for source, place, target, line, kind, words in found:
            link = Link(target, line, kind, words, 0, 0)
            now = (resolver.resolve(link, source), resolver.is_broken(link, source))
            db.execute(
                "UPDATE links SET resolved = ?, broken = ? WHERE source = ? AND place = ?", (*now, source, place)
            )
    db.execute("DELETE FROM stale")


def _blame(db: Connection, faults: Iterable[Fault]) -> None:
    db.executemany("INSERT INTO faults VALUES (?, ?, ?, ?)", [astuple(fault) for fault in faults])


def _drop_faults(db: Connection, there: set[str]) -> None:
    """Forget what was wrong with files that are no more."""
    for (path,) in db.execute("SELECT DISTINCT path FROM faults").fetchall():
        if path not in there:
            db.execute("DELETE FROM faults WHERE path = ?", (path,))
