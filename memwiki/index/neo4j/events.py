"""Sessions as linked lists of events: complete, in the journal's order, and the same whatever arrived first or twice.

One transaction stores one batch: it takes the lock of every session concerned, in the order of their keys, then makes
the events, then links them. So writers wait for each other instead of running into deadlocks.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .rows import Row
from .schema import counted

if TYPE_CHECKING:
    from .connection import Transaction

Chain = dict[int, str]  # number of an event -> its id

# Setting a property is what takes a node's lock; what is read after it is what others have committed.
_LOCK = """
UNWIND $sessions AS row
MERGE (s:Session {key: row.key}) SET s.lock = true
WITH s OPTIONAL MATCH (s)-[:LATEST_EVENT]->(e:Event)
RETURN s.key AS key, e.n AS n, e.id AS id, s.events AS events, s.project AS project
"""
_KNOWN = "UNWIND $ids AS id MATCH (e:Event {id: id}) RETURN e.id AS id, e.digest AS digest"
_CREATE = "UNWIND $rows AS row MERGE (e:Event {{id: row.id}}) ON CREATE SET e = row, e:{label}"
_CHAIN = """
MATCH (:Session {key: $key})-[:FIRST_EVENT]->(first) MATCH (first)-[:NEXT*0..]->(e:Event) RETURN e.n AS n, e.id AS id
"""
_UNLINK = "UNWIND $pairs AS p MATCH (:Event {id: p[0]})-[r:NEXT]->(:Event {id: p[1]}) DELETE r"
_LINK = "UNWIND $pairs AS p MATCH (a:Event {id: p[0]}) MATCH (b:Event {id: p[1]}) CREATE (a)-[:NEXT]->(b)"
_FIRST = """
UNWIND $ends AS row MATCH (s:Session {key: row.key}) MATCH (e:Event {id: row.id})
OPTIONAL MATCH (s)-[old:FIRST_EVENT]->() DELETE old CREATE (s)-[:FIRST_EVENT]->(e) SET s.created_at = e.at
"""
_LATEST = """
UNWIND $ends AS row MATCH (s:Session {key: row.key}) MATCH (e:Event {id: row.id})
OPTIONAL MATCH (s)-[old:LATEST_EVENT]->() DELETE old CREATE (s)-[:LATEST_EVENT]->(e)
"""
_DESCRIBE = """
UNWIND $sessions AS row MATCH (s:Session {key: row.key})
SET s += row.properties, s.stored = coalesce(s.stored, 0) + row.fresh REMOVE s.lock
"""
_PARENTS = """
UNWIND $sessions AS row MATCH (s:Session {key: row.key}) MATCH (p:Session {key: row.parent})
MERGE (s)-[:SUBAGENT_OF]->(p)
"""
_PROJECTS = """
UNWIND $sessions AS row MATCH (s:Session {key: row.key})
OPTIONAL MATCH (s)-[old:IN_PROJECT]->(p:Project) WHERE p.key <> row.project DELETE old
"""
_IN_PROJECT = """
UNWIND $sessions AS row MERGE (p:Project {key: row.project})
WITH p, row MATCH (s:Session {key: row.key}) MERGE (s)-[:IN_PROJECT]->(p)
"""
_GIVEN = """
UNWIND $rows AS row MERGE (m:Memory {path: row.path}) ON CREATE SET m.absent = true
WITH m, row MATCH (s:Session {key: row.session}) MERGE (s)-[g:WAS_GIVEN {event: row.event}]->(m)
ON CREATE SET g.at = row.at, g.commit = row.commit, g.hash = row.hash
"""


@dataclass(frozen=True, slots=True)
class Chained:
    """A session of the graph: its key, the journal's session that it is a part of, and its properties.

    `events` is the number of the journal session's last event in this batch; only for that session itself.
    """

    key: str
    journal: str
    properties: Mapping[str, Any]
    events: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """What one batch did: events that were new, and ids that were there already with another content (those stay)."""

    new: int
    conflicts: tuple[str, ...]


async def store(tx: "Transaction", sessions: Sequence[Chained], rows: Iterable[Row]) -> Stored:
    """Store a batch; `sessions` are all that its events are chained in, and the journal's sessions they belong to.

    Any events in any order will do, also ones that are there already: the first content of an id wins.
    """
    sessions = sorted(sessions, key=lambda session: session.key)
    locked = {row["key"]: row for row in await counted(tx, _LOCK, sessions=[{"key": one.key} for one in sessions])}
    chains: dict[str, Chain] = defaultdict(dict)
    every: dict[str, Row] = {}
    for row in rows:
        chains[row.session][row.n] = row.id
        every.setdefault(row.id, row)
    # Past a session's last event nothing can be there yet; what is not past it is looked up.
    late = {key for key, chain in chains.items() if min(chain) <= (locked[key]["n"] or 0)}
    looked_up = [row.id for row in every.values() if row.session in late]
    known = {row["id"]: row["digest"] for row in await counted(tx, _KNOWN, ids=looked_up)} if looked_up else {}
    fresh = [row for row in every.values() if row.id not in known]
    await _create(tx, fresh)
    await _link(tx, chains, locked, late, {row.session for row in fresh})
    await _describe(tx, sessions, locked, Counter(row.session for row in fresh))
    given = [
        {"path": "", "hash": "", "commit": "", **row.given, "session": row.session, "event": row.id, "at": row.at}
        for row in every.values()
        if row.given and "path" in row.given
    ]
    if given:
        await tx.run(_GIVEN, rows=sorted(given, key=lambda row: (row["path"], row["event"])))
    conflicts = [one for one, digest in known.items() if digest != every[one].properties["digest"]]
    return Stored(len(fresh), tuple(sorted(conflicts)))


async def _create(tx: "Transaction", rows: Sequence[Row]) -> None:
    """One statement a label: labels cannot be parameters on every server."""
    labels: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        labels[row.label].append(row.properties)
    for label, some in sorted(labels.items()):
        await tx.run(_CREATE.format(label=label), rows=some)


async def _link(
    tx: "Transaction", chains: Mapping[str, Chain], locked: Mapping[str, Any], late: set[str], grown: set[str]
) -> None:
    """Bring NEXT, FIRST_EVENT and LATEST_EVENT of the sessions that have `grown` in step."""
    gone: list[tuple[str, str]] = []
    made: list[tuple[str, str]] = []
    firsts, lasts = [], []
    for key in sorted(grown):
        before: Chain = {}
        if key in late:
            before = {row["n"]: row["id"] for row in await counted(tx, _CHAIN, key=key)}
        elif locked[key]["id"] is not None:
            before = {locked[key]["n"]: locked[key]["id"]}
        after = before | chains[key]
        old, new = _pairs(before), _pairs(after)
        gone += sorted(old - new)
        made += sorted(new - old)
        if not before or min(after) < min(before):
            firsts.append({"key": key, "id": after[min(after)]})
        if not before or max(after) > max(before):
            lasts.append({"key": key, "id": after[max(after)]})
    for query, name, values in (
        (_UNLINK, "pairs", [list(pair) for pair in gone]),
        (_LINK, "pairs", [list(pair) for pair in made]),
        (_FIRST, "ends", firsts),
        (_LATEST, "ends", lasts),
    ):
        if values:
            await tx.run(query, {name: values})


def _pairs(chain: Chain) -> set[tuple[str, str]]:
    return set(pairwise(chain[n] for n in sorted(chain)))


async def _describe(
    tx: "Transaction", sessions: Sequence[Chained], locked: Mapping[str, Any], fresh: Mapping[str, int]
) -> None:
    """Properties, project and parent of the sessions; this also takes the lock property away again."""
    rows = []
    for one in sessions:
        values = dict(one.properties)
        if one.events:
            values["events"] = max(one.events, locked[one.key]["events"] or 0)
        rows.append({"key": one.key, "properties": values, "fresh": fresh.get(one.key, 0)})
    await tx.run(_DESCRIBE, sessions=rows)
    parents = [
        {"key": one.key, "parent": one.journal}
        for one in sessions
        if one.key != one.journal and locked[one.key]["id"] is None
    ]
    if parents:
        await tx.run(_PARENTS, sessions=parents)
    placed = [{"key": one.key, "project": one.properties.get("project", "")} for one in sessions]
    placed = [one for one in placed if one["project"] != (locked[one["key"]]["project"] or "")]
    if any(locked[one["key"]]["project"] for one in placed):
        await tx.run(_PROJECTS, sessions=placed)
    inside = sorted((one for one in placed if one["project"]), key=lambda one: (one["project"], one["key"]))
    if inside:
        await tx.run(_IN_PROJECT, sessions=inside)


_HEAD = """
MATCH (s:Session {key: $key}) SET s.lock = true WITH s
OPTIONAL MATCH (s)-[:FIRST_EVENT]->(first) OPTIONAL MATCH (first)-[:NEXT*0..1999]->(e:Event) RETURN e.id AS id
"""
_BEHEAD = """
MATCH (s:Session {key: $key}) OPTIONAL MATCH (:Event {id: $last})-[:NEXT]->(next:Event)
FOREACH (_ IN CASE WHEN next IS NULL THEN [] ELSE [1] END | CREATE (s)-[:FIRST_EVENT]->(next))
WITH s UNWIND $ids AS id MATCH (e:Event {id: id}) DETACH DELETE e
"""


async def forget(tx: "Transaction", key: str) -> bool:
    """Take 2,000 events of one of the graph's sessions out, from its first; True once the session itself is gone."""
    ids = [row["id"] for row in await counted(tx, _HEAD, key=key) if row["id"] is not None]
    if ids:
        await tx.run(_BEHEAD, key=key, ids=ids, last=ids[-1])
        return False
    await tx.run("MATCH (s:Session {key: $key}) DETACH DELETE s", key=key)
    return True
