"""Writing one note into the index, and what that leaves to do: links to resolve, a snapshot to bring up to date."""

from collections.abc import Iterable
from dataclasses import astuple
from sqlite3 import Connection

from ..vault.links import Link, Resolver
from .names import name_of
from .protocol import Fault
from .row import Row
from .sources import Kept, Source

_COLUMNS = [
    "path",
    "title",
    "description",
    "type",
    "namespace",
    "tags",
    "pin",
    "secret",
    "hash",
    "text",
    "analysis",
    "oid",
    "mtime_ns",
    "size",
    "settled",
]
_PUT = (
    f"INSERT INTO notes ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' for _ in _COLUMNS)}) "  # noqa: S608 - our own
    f"ON CONFLICT (path) DO UPDATE SET {', '.join(f'{column} = excluded.{column}' for column in _COLUMNS[1:])}"
)


def keep(db: Connection, source: Source, fresh: Row | None, known: Kept | None) -> bool:
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
    db.execute(_PUT, (*fresh.columns, *stamp))
    if known is None:
        _stale(db, [name_of(source.path)])
    else:
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


def _link(db: Connection, path: str, fresh: Row) -> None:
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


def resolve(db: Connection) -> None:
    """Resolve every link whose name came, went or is new. A link can only mean a note of its own name."""
    columns = "source, place, target, line, kind, words, resolved, broken"
    found = db.execute(f"SELECT {columns} FROM links WHERE name IN (SELECT name FROM stale)").fetchall()  # noqa: S608
    if found:
        resolver = Resolver([path for (path,) in db.execute("SELECT path FROM notes")])
        changed = []
        for source, place, target, line, kind, words, *before in found:
            link = Link(target, line, kind, words, 0, 0)
            path = resolver.resolve(link, source)
            now = [path, path is None and resolver.is_broken(link, source)]
            if now != before:
                changed.append((*now, source, place))
        db.executemany("UPDATE links SET resolved = ?, broken = ? WHERE source = ? AND place = ?", changed)
    db.execute("DELETE FROM stale")


def _blame(db: Connection, faults: Iterable[Fault]) -> None:
    db.executemany("INSERT INTO faults VALUES (?, ?, ?, ?)", [astuple(fault) for fault in faults])


def drop_faults(db: Connection, there: set[str]) -> None:
    """Forget what was wrong with files that are no more."""
    for (path,) in db.execute("SELECT DISTINCT path FROM faults").fetchall():
        if path not in there:
            db.execute("DELETE FROM faults WHERE path = ?", (path,))
