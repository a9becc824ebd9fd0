"""Dream runs and candidates in the graph, and the notes' DERIVED_FROM, which follows from them.

No word of what is pending or was rejected is sent: a candidate has its subject only while it is memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..origins import CandidateRow, RunRow
from .rows import digest_of
from .shapes import properties

if TYPE_CHECKING:
    from .connection import Transaction

_RUNS = "UNWIND $rows AS row MERGE (r:DreamRun {id: row.id}) SET r = row"
_READS = """
UNWIND $reads AS row MATCH (r:DreamRun {id: row.run}) MATCH (s:Session {key: row.session})
MERGE (r)-[x:READ {from: row.first}]->(s) SET x.to = row.last
"""
# A clone that has a candidate only from its commit on the branch does not know whose run it was of.
_CANDIDATES = """
UNWIND $rows AS row MERGE (c:Candidate {id: row.id})
WITH c, row, c.machine AS machine, [(c)-[:CHANGES]->(m:Memory) | m.path] AS before
SET c = row SET c.machine = coalesce(row.machine, machine)
WITH c, before OPTIONAL MATCH (c)-[r:CHANGES|EVIDENCED_BY]->() DELETE r RETURN before
"""
_PROPOSED = """
UNWIND $rows AS row MATCH (r:DreamRun {id: row.run}) MATCH (c:Candidate {id: row.id}) MERGE (r)-[:PROPOSED]->(c)
"""
_PLACES = "UNWIND $paths AS path MERGE (m:Memory {path: path}) ON CREATE SET m.absent = true"
_CHANGES = """
UNWIND $rows AS row MATCH (c:Candidate {id: row.id}) MATCH (m:Memory {path: row.path}) MERGE (c)-[:CHANGES]->(m)
"""
_EVIDENCE = """
UNWIND $rows AS row MATCH (c:Candidate {id: row.id}) MATCH (e:Event {id: row.event})
MERGE (c)-[x:EVIDENCED_BY {quote: row.quote}]->(e) SET x.who = row.who
"""
_DERIVED = """
UNWIND $paths AS path MATCH (m:Memory {path: path}) OPTIONAL MATCH (m)-[old:DERIVED_FROM]->() DELETE old
WITH DISTINCT m MATCH (c:Candidate)-[:CHANGES]->(m) WHERE c.landed IS NOT NULL
MATCH (c)-[:EVIDENCED_BY]->(e:Event) MATCH (s:Session {key: e.session}) MERGE (m)-[:DERIVED_FROM]->(s)
"""


@dataclass(frozen=True, slots=True)
class RunNode:
    """One run as the graph keeps it."""

    properties: dict[str, Any]
    reads: tuple[tuple[str, int, int], ...]
    digest: str


@dataclass(frozen=True, slots=True)
class CandidateNode:
    """One candidate as the graph keeps it; `changes` is whether its note is there to be pointed at."""

    properties: dict[str, Any]
    evidence: tuple[tuple[str, str, str], ...]
    changes: bool
    digest: str


def run_node(run: RunRow) -> RunNode:
    """The node of a run."""
    values = {"id": run.id, "engine": run.engine, "model": run.model, "at": run.at, "machine": run.machine}
    props = properties(values)
    props["digest"] = digest_of((*props.values(), run.reads))
    return RunNode(props, run.reads, props["digest"])


def candidate_node(one: CandidateRow, there: bool) -> CandidateNode:
    """The node of a candidate; `there` tells whether memory has its note."""
    values = {
        "id": one.id,
        "run": one.run,
        "machine": one.machine,
        "state": one.state,
        "path": one.path,
        "type": one.type,
        "source": one.source,
        "confidence": one.confidence,
        "seen": one.seen,
        "at": one.at,
        "landed": one.landed,
        "subject": one.subject if one.landed else "",
    }
    props, changes = properties(values), there or bool(one.landed)
    props["digest"] = digest_of((*props.values(), one.evidence, changes))
    return CandidateNode(props, one.evidence, changes, props["digest"])


async def store_runs(tx: "Transaction", runs: Sequence[RunNode]) -> None:
    """Store runs and the spans they read; sessions that the graph has not got are left out."""
    await tx.run(_RUNS, rows=[run.properties for run in runs])
    reads = [
        {"run": run.properties["id"], "session": key, "first": first, "last": last}
        for run in runs
        for key, first, last in run.reads
    ]
    await tx.run(_READS, reads=sorted(reads, key=lambda row: row["session"]))


async def store_candidates(tx: "Transaction", candidates: Sequence[CandidateNode]) -> None:
    """Store candidates with what they change and rest on; the notes concerned get their DERIVED_FROM anew."""
    rows = [one.properties for one in candidates]
    before = await tx.run(_CANDIDATES, rows=rows)
    paths = {path for row in [row async for row in before] for path in row["before"]}
    changing = [one.properties for one in candidates if one.changes]
    paths |= {one["path"] for one in changing}
    await tx.run(_PROPOSED, rows=rows)
    await tx.run(_PLACES, paths=sorted(paths))
    await tx.run(_CHANGES, rows=changing)
    evidence = [
        {"id": one.properties["id"], "event": event, "who": who, "quote": quote}
        for one in candidates
        for event, who, quote in one.evidence
    ]
    await tx.run(_EVIDENCE, rows=sorted(evidence, key=lambda row: row["event"]))
    await tx.run(_DERIVED, paths=sorted(paths))


async def remove(tx: "Transaction", kind: str, ids: Sequence[str]) -> None:
    """Take out runs or candidates that the repository no longer knows."""
    if kind == "candidate":
        gone = await tx.run(
            "UNWIND $ids AS id MATCH (c:Candidate {id: id}) OPTIONAL MATCH (c)-[:CHANGES]->(m:Memory) "
            "WITH c, collect(m.path) AS paths DETACH DELETE c RETURN paths",
            ids=sorted(ids),
        )
        await tx.run(_DERIVED, paths=sorted({path for row in [row async for row in gone] for path in row["paths"]}))
    else:
        await tx.run("UNWIND $ids AS id MATCH (r:DreamRun {id: id}) DETACH DELETE r", ids=sorted(ids))
