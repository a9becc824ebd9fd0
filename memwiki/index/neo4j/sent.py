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
CREATE TABLE IF NOT EXISTS graph_unsent (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS graph_note_new AFTER INSERT ON notes
  BEGIN INSERT OR IGNORE INTO graph_unsent VALUES (new.path); END;
CREATE TRIGGER IF NOT EXISTS graph_note_changed AFTER UPDATE OF hash, oid ON notes
  WHEN old.hash IS NOT new.hash OR old.oid IS NOT new.oid
  BEGIN INSERT OR IGNORE INTO graph_unsent VALUES (new.path); END;
CREATE TRIGGER IF NOT EXISTS graph_note_gone AFTER DELETE ON notes
  BEGIN INSERT OR IGNORE INTO graph_unsent VALUES (old.path); END;
CREATE TRIGGER IF NOT EXISTS graph_link_resolved AFTER UPDATE OF resolved, broken ON links
  WHEN old.resolved IS NOT new.resolved OR old.broken IS NOT new.broken
  BEGIN INSERT OR IGNORE INTO graph_unsent VALUES (new.source); END
"""
Item = tuple[str, str]  # kind ("session", "note", "run", "candidate"), key


class Sent:
    """The record in `index` of what the graph named `target` has been sent."""

    def __init__(self, index: SqliteIndex, target: str) -> None:
        self.index, self.target = index, target
        for statement in _TABLES.split(";\n"):
            # A trigger's body has its own semicolon, before END.
            index.rows(statement)
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

    def keep(self, changes: Mapping[Item, str | None], unsent: Iterable[str] = ()) -> None:
        """Record that the graph has taken `changes`; the notes `unsent` need not be looked at any more."""
        fold = self._folded(changes)
        with self.index.transaction() as db:
            for (kind, key), value in changes.items():
                if value is None:
                    db.execute("DELETE FROM graph_sent WHERE kind = ? AND key = ?", (kind, key))
                else:
                    db.execute("INSERT OR REPLACE INTO graph_sent VALUES (?, ?, ?)", (kind, key, value))
            db.executemany("DELETE FROM graph_unsent WHERE path = ?", [(path,) for path in unsent])
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
            db.execute("INSERT OR IGNORE INTO graph_unsent SELECT path FROM notes")
            db.executemany(
                "INSERT OR IGNORE INTO graph_unsent VALUES (?)", [(key,) for kind, key in items if kind == "note"]
            )
            self._remember(fold)
        self.known = True

    def unsent(self) -> list[str]:
        """Paths of notes that came, changed or went since they were last sent."""
        return [path for (path,) in self.index.rows("SELECT path FROM graph_unsent ORDER BY path")]

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


def behind(index: SqliteIndex) -> int:
    """How many events the index has and the graph has not been sent; all of them before the first time."""
    if not index.rows("SELECT 1 FROM sqlite_master WHERE name = 'graph_sent'"):
        found: Any = index.rows("SELECT count(*) FROM events")
    else:
        found = index.rows(
            "SELECT count(*) FROM sessions s JOIN events e ON e.session = s.id "
            "LEFT JOIN graph_sent g ON g.kind = 'session' AND g.key = s.key "
            "WHERE s.events > coalesce(CAST(g.value AS INTEGER), 0) AND e.n > coalesce(CAST(g.value AS INTEGER), 0)"
        )
    return int(found[0][0])


def _hash(item: Item, value: str) -> int:
    joined = "\x1f".join((*item, value)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big")
