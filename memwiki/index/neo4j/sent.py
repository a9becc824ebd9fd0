"""What this machine has sent to the graph: kept in `index.db`, so that a sync sends what is new and looks for nothing.

Everything sent is an item (kind, key, value): a session and its last event, a note and the digest of its row, and so
on. All items folded together give a mark, which the graph holds too. Marks that differ mean that this record does not
describe that graph (it was wiped or restored, or `index.db` was made anew): then the graph is asked what it has.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from ..sqlite import SqliteIndex

_TABLES = """
CREATE TABLE IF NOT EXISTS graph_sent (
  kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS graph_unsent (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS graph_unsent_path ON graph_unsent (path)"""
# A row a change: what changes again while it is being sent has a later row, which stays.
_TRIGGER = (
    "CREATE TRIGGER IF NOT EXISTS graph_{name} AFTER {event} BEGIN INSERT INTO graph_unsent (path) VALUES ({path}); END"
)
_TRIGGERS = (
    ("note_new", "INSERT ON notes", "new.path"),
    (
        "note_changed",
        "UPDATE OF hash, oid ON notes WHEN old.hash IS NOT new.hash OR old.oid IS NOT new.oid",
        "new.path",
    ),
    ("note_gone", "DELETE ON notes", "old.path"),
    (
        "link_resolved",
        "UPDATE OF resolved, broken ON links WHEN old.resolved IS NOT new.resolved OR old.broken IS NOT new.broken",
        "new.source",
    ),
)
Item = tuple[str, str]  # kind ("session", "note", "run", "candidate"), key


class Sent:
    """The record in `index` of what the graph named `target` has been sent."""

    def __init__(self, index: SqliteIndex, target: str) -> None:
        self.index, self.target = index, target
        if not index.rows("SELECT 1 FROM sqlite_master WHERE name = 'graph_sent'"):
            with index.transaction() as db:
                for statement in _TABLES.split(";\n"):
                    db.execute(statement)
                for name, event, path in _TRIGGERS:
                    db.execute(_TRIGGER.format(name=name, event=event, path=path))
        kept = index.state("graph") or {}
        self.known = kept.get("target") == target
        self._fold = int(kept.get("mark", "0"), 16) if self.known else 0

    @property
    def mark(self) -> str:
        """All items in one short text, whatever the order they were sent in."""
        return f"{self._fold:016x}"

    def items(self, kind: str) -> dict[str, str]:
        """Key -> value of what was sent."""
        return dict(self.index.rows("SELECT key, value FROM graph_sent WHERE kind = ?", (kind,)))

    def mark_with(self, changes: Mapping[Item, str | None]) -> str:
        """The mark as it will be after `changes` (None: taken out)."""
        return f"{self._folded(changes):016x}"

    def keep(self, changes: Mapping[Item, str | None], unsent: Iterable[str] = (), seen: int = 0) -> None:
        """Record that the graph has taken `changes`; the notes `unsent` are done with, up to the change `seen`."""
        fold = self._folded(changes)
        with self.index.transaction() as db:
            for (kind, key), value in changes.items():
                if value is None:
                    db.execute("DELETE FROM graph_sent WHERE kind = ? AND key = ?", (kind, key))
                else:
                    db.execute("INSERT OR REPLACE INTO graph_sent VALUES (?, ?, ?)", (kind, key, value))
            db.executemany("DELETE FROM graph_unsent WHERE path = ? AND id <= ?", [(path, seen) for path in unsent])
            self._remember(fold)

    def replace(self, items: Mapping[Item, str]) -> None:
        """Begin anew with what the graph says it has; every note is to be looked at."""
        fold = 0
        for item, value in items.items():
            fold ^= _hash(item, value)
        with self.index.transaction() as db:
            db.execute("DELETE FROM graph_sent")
            rows = [(kind, key, value) for (kind, key), value in items.items()]
            db.executemany("INSERT INTO graph_sent VALUES (?, ?, ?)", rows)
            db.execute("INSERT INTO graph_unsent (path) SELECT path FROM notes")
            notes = [(key,) for kind, key in items if kind == "note"]
            db.executemany("INSERT INTO graph_unsent (path) VALUES (?)", notes)
            self._remember(fold)
        self.known = True

    def unsent(self) -> tuple[list[str], int]:
        """Paths of notes that came, changed or went since they were last sent, and the number of the last change."""
        found = self.index.rows("SELECT path, max(id) FROM graph_unsent GROUP BY path ORDER BY path")
        return [path for path, _ in found], max((last for _, last in found), default=0)

    def _folded(self, changes: Mapping[Item, str | None]) -> int:
        fold = self._fold
        for item, value in changes.items():
            found = self.index.rows("SELECT value FROM graph_sent WHERE kind = ? AND key = ?", item)
            if found:
                fold ^= _hash(item, found[0][0])
            if value is not None:
                fold ^= _hash(item, value)
        return fold

    def _remember(self, fold: int) -> None:
        self.index.remember("graph", {"target": self.target, "mark": f"{fold:016x}"})
        self._fold = fold


def behind(index: SqliteIndex, target: str) -> int:
    """How many events the index has and the graph `target` has not been sent; all of them before the first time."""
    if not _begun(index, target):
        found: Any = index.rows("SELECT count(*) FROM events")
    else:
        found = index.rows(
            "SELECT count(*) FROM sessions s JOIN events e ON e.session = s.id "
            "LEFT JOIN graph_sent g ON g.kind = 'session' AND g.key = s.key "
            "WHERE s.events > coalesce(CAST(g.value AS INTEGER), 0) AND e.n > coalesce(CAST(g.value AS INTEGER), 0)"
        )
    return int(found[0][0])


def has_unsent(index: SqliteIndex, target: str) -> bool:
    """Whether notes came, changed or went since they were last sent to the graph `target`."""
    return not _begun(index, target) or bool(index.rows("SELECT 1 FROM graph_unsent LIMIT 1"))


def _begun(index: SqliteIndex, target: str) -> bool:
    """Whether the record in `index.db` is of that graph."""
    return (index.state("graph") or {}).get("target") == target


def _hash(item: Item, value: str) -> int:
    joined = "\x1f".join((*item, value)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big")
