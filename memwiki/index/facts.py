"""The facts behind questions, from `index.db` and what git says of candidates."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

from .origins import Origins
from .protocol import GivenRow
from .questions import Card, Rest
from .sqlite import SqliteIndex

_GIVEN = """
SELECT s.key, g.agent, g.at, g.path, g.hash, g.vault_commit FROM givens g JOIN sessions s ON s.id = g.session WHERE
"""
_MANY = 500  # values of one statement


class SqliteFacts:
    """Satisfies `questions.Facts`. Git is asked for candidates once, when a question needs them."""

    def __init__(self, index: SqliteIndex, origins: Callable[[], Origins]) -> None:
        self.index, self._origins = index, origins

    @cached_property
    def _rests(self) -> list[Rest]:
        found = []
        for one in self._origins().candidates:
            for event in dict.fromkeys(event for event, _, _ in one.evidence):
                session = event.rpartition("#")[0]
                found.append(Rest(one.id, one.path, one.state, bool(one.landed), session, event))
        return found

    def _rows(self, query: str, values: Collection[str]) -> Iterator[Any]:
        """Rows of a query with one `IN (...)` list, asked in parts."""
        wanted = sorted(values)
        for start in range(0, len(wanted), _MANY):
            some: Sequence[str] = wanted[start : start + _MANY]
            yield from self.index.rows(query.format(", ".join("?" * len(some))), some)

    def _given(self, where: str, values: Collection[str]) -> list[GivenRow]:
        return [GivenRow(*row) for row in self._rows(f"{_GIVEN} {where} IN ({{}})", values)]

    def given_of(self, paths: Collection[str]) -> list[GivenRow]:
        """When any of these notes was given, and to whom."""
        return self._given("g.path", paths)

    def given_to(self, sessions: Collection[str]) -> list[GivenRow]:
        """What any of these sessions was given."""
        return self._given("s.key", sessions)

    def resting_on(self, sessions: Collection[str]) -> list[Rest]:
        """Candidates that rest on words of these sessions."""
        return [rest for rest in self._rests if rest.session in sessions] if sessions else []

    def rests_of(self, paths: Collection[str]) -> list[Rest]:
        """What candidates for these notes rest on."""
        return [rest for rest in self._rests if rest.path in paths] if paths else []

    def linked(self, paths: Collection[str]) -> list[tuple[str, str]]:
        """Links (from, to) that begin or end at one of these notes."""
        query = "SELECT DISTINCT source, resolved FROM links WHERE resolved IS NOT NULL AND {} IN ({{}})"
        found = {tuple(row) for name in ("source", "resolved") for row in self._rows(query.format(name), paths)}
        return sorted(found)

    def tagged(self, path: str) -> list[tuple[str, str]]:
        """(tag, note) of every note that shares a tag with this one, itself included."""
        query = "SELECT tag, path FROM tags WHERE tag IN (SELECT tag FROM tags WHERE path = ?) ORDER BY tag, path"
        return [(tag, other) for tag, other in self.index.rows(query, (path,))]

    def cards(self, paths: Collection[str] | None = None) -> dict[str, Card]:
        """These notes, or all, as they are now; those that are gone are left out."""
        query = "SELECT path, title, hash FROM notes"
        rows = self.index.rows(query) if paths is None else self._rows(f"{query} WHERE path IN ({{}})", paths)
        return {path: Card(title, hash) for path, title, hash in rows}
