"""The graph as an index: the same questions as `index.db` answers, and the facts behind the others."""

import json
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...journal.view import command, output
from ..protocol import Broken, EventHit, GivenRow, Links, NoteRow, SessionRow
from ..questions import Card, Rest
from ..words import snippet
from . import events
from .connection import Connection
from .rows import stemmed
from .schema import EVENTS

if TYPE_CHECKING:
    from .connection import Transaction

_WORDS = 64  # of one query; more only make it slower
_EVENT = "e.id AS id, e.at AS at, e.event AS event, properties(e) AS p"
_GIVEN = (
    "RETURN coalesce(s.journal, s.key) AS session, coalesce(s.agent, '') AS agent, g.at AS at, m.path AS path, "
    "g.hash AS hash, g.commit AS commit, toInteger(split(g.event, '#')[-1]) AS n ORDER BY at, n"
)
_REST = (
    "RETURN DISTINCT c.id AS candidate, c.path AS path, c.state AS state, c.landed IS NOT NULL AS landed, e.id AS event"
)


class Neo4jIndex:
    """Satisfies `protocol.Index` and `questions.Facts`. Every method raises GraphError when the server fails."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def close(self) -> None:
        """Let go of the server."""
        self.connection.close()

    # -- notes

    def notes(self, within: str = "", type: str = "") -> list[NoteRow]:
        """Notes below the path prefix `within` and of type `type`, by path."""
        found = self.connection.rows(
            "MATCH (m:Memory) WHERE m.absent IS NULL AND m.path STARTS WITH $within AND $type IN ['', m.type] "
            "RETURN m.path AS path, m.title AS title, m.description AS description, m.type AS type, "
            "m.namespace AS namespace, m.tags AS tags",
            within=within,
            type=type,
        )
        rows = [
            NoteRow(
                row["path"],
                row["title"] or "",
                row["description"] or "",
                row["type"] or "",
                row["namespace"] or "",
                tuple(row["tags"] or ()),
            )
            for row in found
        ]
        return sorted(rows, key=lambda row: row.path)

    def links(self, path: str) -> Links:
        """Links out of, into and broken in the note at `path`; each path once, broken ones in the order of the text."""
        found = self.connection.rows(
            "MATCH (m:Memory {path: $path}) RETURN [(m)-[:LINKS_TO]->(o) | o.path] AS out, "
            "[(m)<-[:LINKS_TO]-(o) | o.path] AS back, m.broken AS broken",
            path=path,
        )
        if not found:
            return Links((), (), ())
        broken = [line.partition(" ") for line in found[0]["broken"] or ()]
        return Links(
            tuple(sorted(found[0]["out"])),
            tuple(sorted(found[0]["back"])),
            tuple(Broken(int(line), target) for line, _, target in broken),
        )

    def tags(self) -> dict[str, int]:
        """Each tag and how many notes carry it, by name."""
        found = self.connection.rows("MATCH (t:Tag)<-[r:TAGGED]-() RETURN t.name AS name, count(r) AS number")
        return dict(sorted((row["name"], row["number"]) for row in found))

    # -- events

    def search_events(self, query: str, limit: int = 20) -> list[EventHit]:
        """Events whose words match all of `query` (or, when none does, any), best first; words are never operators."""
        phrases = list(dict.fromkeys(phrase for word in query.split() if (phrase := stemmed(word))))[:_WORDS]
        for joined in (" AND ", " OR "):
            if not phrases:
                break
            # Inside quotes nothing is an operator, and a stem has neither quotes nor backslashes.
            found = self.connection.rows(
                "CALL db.index.fulltext.queryNodes($index, $words) YIELD node AS e, score "
                f"RETURN {_EVENT} ORDER BY score DESC, at DESC LIMIT $limit",
                index=EVENTS,
                words=joined.join(f'"{phrase}"' for phrase in phrases),
                limit=limit,
            )
            if found:
                return [EventHit(row["id"], row["at"], row["event"], snippet(_text(row["p"]), query)) for row in found]
        return []

    def sessions(self) -> list[SessionRow]:
        """All sessions, the latest first."""
        found = self.connection.rows("MATCH (s:Session) WHERE s.journal IS NULL RETURN properties(s) AS s")
        rows = [
            SessionRow(
                key=s["key"],
                host=s["host"],
                project=s.get("project", ""),
                branch=s.get("branch", ""),
                first_at=s.get("created_at", ""),
                last_at=s.get("last_at", ""),
                events=s.get("events", 0),
            )
            for s in (row["s"] for row in found)
        ]
        return sorted(sorted(rows, key=lambda row: row.key), key=lambda row: row.last_at, reverse=True)

    def givens(self, session: str = "", path: str = "") -> list[GivenRow]:
        """What was given, oldest first; to one session, or of one note."""
        query = (
            "MATCH (s:Session)-[g:WAS_GIVEN]->(m:Memory) WHERE $session IN ['', coalesce(s.journal, s.key)] "
            f"AND $path IN ['', m.path] {_GIVEN}"
        )
        return self._given(query, session=session, path=path)

    def delete_session(self, key: str) -> None:
        """Forget a session and all its events."""
        names = self.connection.rows("MATCH (s:Session {journal: $key}) RETURN s.key AS key", key=key)
        for name in [*(row["key"] for row in names), key]:

            async def work(tx: "Transaction", name: str = name) -> bool:
                return await events.forget(tx, name)

            while not self.connection.write(work):
                pass

    def _given(self, query: str, **values: Any) -> list[GivenRow]:
        names = ("session", "agent", "at", "path", "hash", "commit")
        return [GivenRow(*(row[name] for name in names)) for row in self.connection.rows(query, **values)]

    # -- facts

    def given_of(self, paths: Collection[str]) -> list[GivenRow]:
        """When any of these notes was given, and to whom."""
        query = f"UNWIND $paths AS path MATCH (s:Session)-[g:WAS_GIVEN]->(m:Memory {{path: path}}) {_GIVEN}"
        return self._given(query, paths=sorted(paths)) if paths else []

    def given_to(self, sessions: Collection[str]) -> list[GivenRow]:
        """What any of these sessions was given."""
        query = (
            "UNWIND $keys AS key MATCH (main:Session {key: key}) OPTIONAL MATCH (main)<-[:SUBAGENT_OF]-(part:Session) "
            "WITH main, collect(part) AS parts UNWIND parts + [main] AS s MATCH (s)-[g:WAS_GIVEN]->(m:Memory) "
        )
        return self._given(query + _GIVEN, keys=sorted(sessions)) if sessions else []

    def resting_on(self, sessions: Collection[str]) -> list[Rest]:
        """Candidates that rest on words of these sessions."""
        query = f"MATCH (c:Candidate)-[:EVIDENCED_BY]->(e:Event) WHERE split(e.id, '#')[0] IN $keys {_REST}"
        return self._rests(query, keys=sorted(sessions)) if sessions else []

    def rests_of(self, paths: Collection[str]) -> list[Rest]:
        """What candidates for these notes rest on."""
        query = f"MATCH (c:Candidate)-[:EVIDENCED_BY]->(e:Event) WHERE c.path IN $paths {_REST}"
        return self._rests(query, paths=sorted(paths)) if paths else []

    def _rests(self, query: str, **values: Any) -> list[Rest]:
        return [
            Rest(
                candidate=row["candidate"],
                path=row["path"],
                state=row["state"],
                landed=row["landed"],
                session=row["event"].rpartition("#")[0],
                event=row["event"],
            )
            for row in self.connection.rows(query, **values)
        ]

    def linked(self, paths: Collection[str]) -> list[tuple[str, str]]:
        """Links (from, to) that begin or end at one of these notes."""
        query = (
            "UNWIND $paths AS path MATCH (m:Memory {path: path})-[r:LINKS_TO]-() WITH DISTINCT r "
            "RETURN startNode(r).path AS a, endNode(r).path AS b"
        )
        found = self.connection.rows(query, paths=sorted(paths)) if paths else []
        return sorted((row["a"], row["b"]) for row in found)

    def tagged(self, path: str) -> list[tuple[str, str]]:
        """(tag, note) of every note that shares a tag with this one, itself included."""
        found = self.connection.rows(
            "MATCH (:Memory {path: $path})-[:TAGGED]->(t:Tag) MATCH (t)<-[:TAGGED]-(m:Memory) "
            "RETURN t.name AS tag, m.path AS path",
            path=path,
        )
        return sorted((row["tag"], row["path"]) for row in found)

    def cards(self, paths: Collection[str] | None = None) -> dict[str, Card]:
        """These notes, or all, as they are now; those that are gone are left out."""
        query = "MATCH (m:Memory) WHERE m.absent IS NULL"
        if paths is not None:
            query = "UNWIND $paths AS path MATCH (m:Memory {path: path}) WHERE m.absent IS NULL"
        found = self.connection.rows(
            f"{query} RETURN m.path AS path, m.title AS title, m.hash AS hash", paths=sorted(paths or ())
        )
        return {row["path"]: Card(row["title"] or "", row["hash"] or "") for row in found}


def _text(event: dict[str, Any]) -> str:
    """What a person may look for in an event, put together as the embedded index has it."""
    given = event.get("tool_input", "")
    if given[:1] in ("{", "["):
        with suppress(ValueError):
            given = json.loads(given)
    answer = output(event.get("tool_response", ""))
    parts = (event.get("prompt"), event.get("tool_name"), command(given), answer, event.get("last_assistant_message"))
    return "\n".join([part for part in parts if part] or [event.get("text", "")])
