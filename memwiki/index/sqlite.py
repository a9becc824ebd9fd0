"""The embedded index: `index.db`, always there, derived from vault and journal."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import MemwikiError
from ..text import one_line
from . import schema, seal
from .protocol import Broken, EventHit, Fault, GivenRow, Links, NoteRow, SessionRow


class Damaged(MemwikiError):
    """The file cannot be read any more; a sync rebuilds it."""


class SqliteIndex:
    """Answers from the file at `path`, which is opened when first asked and replaced when it is not this version's.

    `rebuilt` says why it was replaced (a key of `schema.REBUILT`, or "full") until a pass has filled it; `notice` is
    what there is to tell of that then. `patience` is how many seconds it waits for another process's write.
    Satisfies `protocol.Index`. Every method raises MemwikiError when the file is damaged or cannot be opened.
    """

    def __init__(self, path: Path, patience: float = schema.PATIENCE) -> None:
        self.path, self.patience = path, patience
        self.rebuilt = self.notice = ""
        self._unsealed = False  # written to by this process
        self._db: sqlite3.Connection | None = None
        self._file = (0, 0)

    @property
    def db(self) -> sqlite3.Connection:
        """The connection, in autocommit mode; writers use `transaction`."""
        if self._db is not None and not self._db.in_transaction and _file(self.path) != self._file:
            self.close()  # somebody threw the file away: what is open here is nobody's any more
        if self._db is None:
            try:
                self._db, reason = schema.opened(self.path, self.patience)
            except sqlite3.Error as error:
                raise self._failure(error) from error
            self._file = _file(self.path)
            self.rebuilt = self.rebuilt or reason
        return self._db

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        if self._db is not None:
            self.seal()
            self._db.close()
            self._db = None

    def discard(self, reason: str = "full") -> None:
        """Throw the file away, for that `reason`; the next question finds an empty index."""
        self._unsealed = False
        self.close()
        schema.discard(self.path)
        self.rebuilt = reason

    def examine(self) -> None:
        """Open the file, and discard it where it is damaged or of another version: a pass does so first."""
        try:
            if schema.damage(self.path):
                self.discard("damaged")
        except sqlite3.Error as error:
            raise self._failure(error) from error
        self.state("seen")

    def seal(self) -> None:
        """Vouch for the file as it is now, where this process has written to it."""
        if self._db is not None and self._unsealed:
            seal.renew(self._db, self.path)
            self._unsealed = False

    def passed(self) -> None:
        """Keep when the last pass ended, as the file's time. Raises OSError."""
        os.utime(self.path)
        self._unsealed = True
        self.seal()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All writes of the block, or none."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            seal.remove(self.path)
            self._unsealed = True
            yield self.db
            self.db.execute("COMMIT")
        except BaseException as error:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._failure(error) from error
            raise

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of one statement."""
        try:
            return self.db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from error

    def _failure(self, error: sqlite3.Error) -> MemwikiError:
        if schema.is_damage(error):
            return Damaged(f"{self.path} is damaged: {one_line(str(error), 80)}.", "Run `memwiki sync`.")
        return MemwikiError(
            f"{self.path} cannot be used: {error}.", f"Make {self.path.parent} writable and its disk roomy."
        )

    # -- what the last sync left for the next

    def state(self, key: str) -> Any:
        """A remembered JSON value, or None."""
        found = self.rows("SELECT value FROM state WHERE key = ?", (key,))
        try:
            return json.loads(found[0][0]) if found else None
        except ValueError as error:
            raise self._failure(sqlite3.OperationalError(f"{key} cannot be read")) from error

    def remember(self, key: str, value: object) -> None:
        """Keep a JSON value for the next sync; inside a transaction, as part of it."""
        if not self.db.in_transaction:
            with self.transaction():
                self.remember(key, value)
            return
        self.rows("INSERT OR REPLACE INTO state VALUES (?, ?)", (key, json.dumps(value)))

    # -- notes

    def notes(self, within: str = "", type: str = "") -> list[NoteRow]:
        """Notes below the path prefix `within` and of type `type`, by path."""
        query = "SELECT path, title, description, type, namespace, tags FROM notes WHERE substr(path, 1, ?) = ?"
        found = self.rows(f"{query} AND ? IN ('', type) ORDER BY path", (len(within), within, type))
        return [
            NoteRow(path, title, description, type_, namespace, tuple(json.loads(tags)))
            for path, title, description, type_, namespace, tags in found
        ]

    def links(self, path: str) -> Links:
        """Links out of, into and broken in the note at `path`; each path once, broken ones in the order of the text."""
        out = self.rows(
            "SELECT DISTINCT resolved FROM links WHERE source = ? AND resolved IS NOT NULL ORDER BY 1", (path,)
        )
        back = self.rows("SELECT DISTINCT source FROM links WHERE resolved = ? ORDER BY 1", (path,))
        broken = self.rows("SELECT line, target FROM links WHERE source = ? AND broken ORDER BY place", (path,))
        return Links(tuple(row[0] for row in out), tuple(row[0] for row in back), tuple(Broken(*row) for row in broken))

    def tags(self) -> dict[str, int]:
        """Each tag and how many notes carry it, by name."""
        return dict(self.rows("SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY tag"))

    def faults(self) -> list[Fault]:
        """What stands in the vault and could not be taken as it is, by path and line."""
        found = self.rows("SELECT path, line, kind, message FROM faults ORDER BY path, line, kind")
        return [Fault(*row) for row in found]

    # -- events

    def search_events(self, query: str, limit: int = 20) -> list[EventHit]:
        """Events whose words match all of `query` (or, when none does, any), best first; words are never operators."""
        from .words import match, snippet

        sql = (
            "SELECT s.key, e.n, e.at, e.event, e.text FROM words JOIN events e ON e.id = words.rowid "
            "JOIN sessions s ON s.id = e.session WHERE words MATCH ? ORDER BY bm25(words), e.at DESC LIMIT ?"
        )
        for joined in (" AND ", " OR "):
            wanted = match(query, joined)
            found = self.rows(sql, (wanted, limit)) if wanted else []
            if found:
                return [EventHit(f"{key}#{n}", at, event, snippet(text, query)) for key, n, at, event, text in found]
        return []

    def sessions(self) -> list[SessionRow]:
        """All sessions, the latest first."""
        found = self.rows(
            "SELECT key, host, project, branch, first_at, last_at, events FROM sessions ORDER BY last_at DESC, key"
        )
        return [SessionRow(*row) for row in found]

    def days(self, since: str) -> dict[str, dict[str, int]]:
        """Host -> UTC day -> number of events, from the day `since` (`2026-11-30`) on."""
        counted: dict[str, dict[str, int]] = {}
        query = "SELECT host, substr(at, 1, 10), count(*) FROM events WHERE substr(at, 1, 10) >= ? GROUP BY 1, 2"
        for host, day, number in self.rows(query, (since,)):
            counted.setdefault(host, {})[day] = number
        return counted

    def unread(self, spans: Iterable[tuple[str, int, int]]) -> int:
        """How many events are in none of `spans` (session key, first, last); what hooks gave does not count."""
        query = (
            "SELECT count(*) FROM events WHERE event != 'Given' AND NOT EXISTS (SELECT 1 FROM span "
            "WHERE span.session = events.session AND events.n BETWEEN span.first AND span.last)"
        )
        self.rows(
            "CREATE TEMP TABLE IF NOT EXISTS span (session INTEGER, first INTEGER, last INTEGER, "
            "PRIMARY KEY (session, first, last)) WITHOUT ROWID"
        )
        self.rows("DELETE FROM span")
        self.rows(
            "INSERT OR IGNORE INTO span SELECT s.id, json_extract(one.value, '$[1]'), json_extract(one.value, '$[2]') "
            "FROM json_each(?) AS one JOIN sessions s ON s.key = json_extract(one.value, '$[0]')",
            (json.dumps(list(spans)),),
        )
        (found,) = self.rows(query)
        return int(found[0])

    def givens(self, session: str = "", path: str = "") -> list[GivenRow]:
        """What was given, oldest first; to one session, or of one note."""
        found = self.rows(
            "SELECT s.key, g.agent, g.at, g.path, g.hash, g.vault_commit FROM givens g "
            "JOIN sessions s ON s.id = g.session WHERE ? IN ('', s.key) AND ? IN ('', g.path) ORDER BY g.at, g.n",
            (session, path),
        )
        return [GivenRow(*row) for row in found]

    def delete_session(self, key: str) -> None:
        """Forget a session and all its events."""
        with self.transaction() as db:
            found = db.execute("SELECT id FROM sessions WHERE key = ?", (key,)).fetchone()
            if found is None:
                return
            from .words import spaced

            for event, text in db.execute("SELECT id, text FROM events WHERE session = ?", found).fetchall():
                if text:  # a contentless table is told what to take out
                    db.execute("INSERT INTO words (words, rowid, body) VALUES ('delete', ?, ?)", (event, spaced(text)))
            for table in ("events", "givens", "projects", "agent_writes"):
                db.execute(f"DELETE FROM {table} WHERE session = ?", found)  # noqa: S608 - our own names
            db.execute("DELETE FROM sessions WHERE id = ?", found)


def _file(path: Path) -> tuple[int, int]:
    """Which file stands at `path` now."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0
    return state.st_dev, state.st_ino
