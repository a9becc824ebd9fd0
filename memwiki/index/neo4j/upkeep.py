"""Keeps the graph in step with `index.db`, the journal and the repository: sends what is new, batch by batch.

Every batch is one transaction that also moves this machine's mark; the record of it in `index.db` follows. A pass that
is killed anywhere, or whose server goes away, is finished by the next.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...journal.sessions import Journal
from ...vault.git import Git
from ..origins import Origins
from ..report import GraphReport, OutOfTime
from ..sqlite import SqliteIndex
from . import events, notes, origins
from .connection import Connection
from .rows import Row, digest_of, row_of, session_key
from .schema import State, prepared, vault_id, wipe
from .sent import Item, Sent, behind, has_unsent

if TYPE_CHECKING:
    from .connection import Transaction

_ROWS = 1000  # events of one transaction
_WEIGHT = 1_000_000  # characters of one transaction's events, about
_NOTES = 250  # notes of one transaction
_OTHERS = 500  # runs or candidates of one transaction
_MARK = "MERGE (m:Machine {id: $machine}) SET m.mark = $mark"
_AT = "MATCH (v:Vault {place: 'here'}) SET v.commit = $commit, v.committed_at = $at"


@dataclass(slots=True)
class _Pass:
    """What a pass works with, and counts as it goes."""

    connection: Connection
    index: SqliteIndex
    journal: Journal
    git: Git
    machine: str
    deadline: float
    sent: Sent
    events: int = 0
    notes: int = 0
    candidates: int = 0
    conflicts: list[str] = field(default_factory=list)

    def transact(
        self,
        work: Callable[["Transaction"], Any],
        changes: Mapping[Item, str | None],
        unsent: Sequence[str] = (),
        seen: int = 0,
    ) -> Any:
        """One batch: `work` and the mark in one transaction, then the record of it. OutOfTime before it is begun."""
        if time.monotonic() > self.deadline:
            raise OutOfTime
        mark = self.sent.mark_with(changes)

        async def whole(tx: "Transaction") -> Any:
            found = await work(tx)
            await tx.run(_MARK, machine=self.machine, mark=mark)
            return found

        found = self.connection.write(whole)
        self.sent.keep(changes, unsent, seen)
        return found


def keep(
    connection: Connection,
    index: SqliteIndex,
    journal: Journal,
    git: Git,
    machine: str,
    told: Callable[[], Origins],
    full: bool = False,
    deadline: float = float("inf"),
) -> GraphReport:
    """Make one pass; `told` is asked for runs and candidates only when git's refs have moved. `full` begins anew.

    Raises GraphError; what was sent until then stays.
    """
    started = time.monotonic()
    vault = vault_id(git)
    state = prepared(connection, vault, machine)
    if full:
        wipe(connection)
        state = prepared(connection, vault, machine)
    one = _Pass(connection, index, journal, git, machine, deadline, Sent(index, connection.target.name))
    complete, waits = True, ""
    try:
        if not one.sent.known or one.sent.mark != state.mark:
            _ask(one)
        _send_events(one)
        waits = _waits(git, state)
        if not waits:
            moved = _send_notes(one, state)
            _send_origins(one, told, moved)
    except OutOfTime:
        complete = False
    return GraphReport(
        events=one.events,
        notes=one.notes,
        candidates=one.candidates,
        conflicts=tuple(one.conflicts),
        waits=waits,
        complete=complete,
        seconds=time.monotonic() - started,
    )


def anything(index: SqliteIndex, git: Git) -> bool:
    """Whether this machine knows of anything that the graph has not been sent; the server is not asked."""
    return bool(behind(index)) or has_unsent(index) or index.state("graph_refs") != _refs(git)


def _refs(git: Git) -> str:
    """Tells one state of branches and ledgers from another."""
    return digest_of(git.run("for-each-ref", "--format=%(refname) %(objectname)").text.splitlines())


def _ask(one: _Pass) -> None:
    """Make the record say what the graph has; a session with a gap in it counts as not sent."""
    items: dict[Item, str] = {}
    sessions = one.connection.rows(
        "MATCH (s:Session {machine: $machine}) RETURN coalesce(s.journal, s.key) AS key, sum(s.stored) AS stored, "
        "max(s.events) AS last",
        machine=one.machine,
    )
    for row in sessions:
        query = "SELECT count(*) FROM sessions s JOIN events e ON e.session = s.id WHERE s.key = ? AND e.n <= ?"
        ours = one.index.rows(query, (row["key"], row["last"] or 0))[0][0]
        items["session", row["key"]] = str(row["last"] or 0) if ours == row["stored"] else "0"
    for label, kind, key in (("Memory", "note", "path"), ("DreamRun", "run", "id"), ("Candidate", "candidate", "id")):
        mine = "" if label == "Memory" else "AND x.machine = $machine "
        query = f"MATCH (x:{label}) WHERE x.digest IS NOT NULL {mine}RETURN x.{key} AS key, x.digest AS digest"
        for row in one.connection.rows(query, machine=one.machine):
            items[kind, row["key"]] = row["digest"]
    one.sent.replace(items)
    one.index.remember("graph_refs", None)


# -- events


def _send_events(one: _Pass) -> None:
    known = {key: int(value) for key, value in one.sent.items("session").items()}
    found = one.index.rows("SELECT key, host, project, branch, first_at, last_at, events FROM sessions ORDER BY key")
    local = {row[0]: row for row in found}
    for key in [key for key, last in known.items() if key not in local or last > local[key][6]]:
        _forget(one, key)
        known.pop(key)
    due = [(row, known.get(row[0], 0)) for row in found if row[6] > known.get(row[0], 0)]
    for rows, ends in _batches(one.journal, due):
        sessions = _chained(one.machine, [local[key] for key in ends], rows, ends)

        async def work(tx: "Transaction", sessions: Any = sessions, rows: Any = rows) -> events.Stored:
            return await events.store(tx, sessions, rows)

        stored = one.transact(work, {("session", key): str(last) for key, last in ends.items()})
        one.events += stored.new
        one.conflicts += stored.conflicts


def _batches(journal: Journal, due: Sequence[tuple[Any, int]]) -> Iterator[tuple[list[Row], dict[str, int]]]:
    """Rows to send together, and for each session in them the number of the last event that is then there."""
    rows: list[Row] = []
    ends: dict[str, int] = {}
    weight = 0
    for (key, *_, last), sent in due:
        for event in journal.events(key, sent + 1, last):
            row = row_of(event)
            rows.append(row)
            ends[key] = row.n
            weight += sum(len(value) for value in row.properties.values() if isinstance(value, str))
            if len(rows) == _ROWS or weight > _WEIGHT:
                yield rows, ends
                rows, ends, weight = [], {}, 0
        if ends.get(key, sent) < last:  # its last lines cannot be read any more
            ends[key] = last
    if ends:
        yield rows, ends


def _chained(machine: str, found: Sequence[Any], rows: Sequence[Row], ends: Mapping[str, int]) -> list[events.Chained]:
    """The journal's sessions of a batch and the subagents' in it."""
    agents: dict[str, set[str]] = {}
    for row in rows:
        agent = row.properties.get("agent", "")
        if agent:
            agents.setdefault(row.id.rpartition("#")[0], set()).add(agent)
    chained = []
    for key, host, project, branch, first_at, last_at, _ in found:
        place = {"host": host, "project": project[:400], "branch": branch, "machine": machine}
        place = {name: value for name, value in place.items() if value}
        times = {"created_at": first_at, "last_at": last_at}
        chained.append(events.Chained(key, key, {**place, **times}, ends[key]))
        for agent in agents.get(key, ()):
            chained.append(events.Chained(session_key(key, agent), key, {**place, "agent": agent, "journal": key}))
    return chained


def _forget(one: _Pass, key: str) -> None:
    """Take a session that is no longer in the journal out of the graph, its subagents first."""
    subagents = one.connection.rows("MATCH (s:Session {journal: $key}) RETURN s.key AS key ORDER BY key", key=key)
    for name in [*(row["key"] for row in subagents), key]:

        async def work(tx: "Transaction", name: str = name) -> bool:
            return await events.forget(tx, name)

        while not one.connection.write(work):
            if time.monotonic() > one.deadline:
                raise OutOfTime
    one.transact(notes.tidy, {("session", key): None})


# -- notes


def _waits(git: Git, state: State) -> str:
    """Why this clone's notes are not to be sent: the graph has a newer commit's. "" when they are."""
    tip = git.tip()
    if not state.commit or state.commit == tip:
        return ""
    if _is_ancestor(git, state.commit, tip):
        return ""
    # A commit that this clone has not got was made elsewhere; one that it has, in neither line, was rewritten here.
    unknown = not git.commit_of(state.commit)
    if _is_ancestor(git, tip, state.commit) or state.committed_at + unknown > _time(git, tip):
        return f"The graph's notes are at {state.commit[:10]}, which is newer than this clone's: run `git pull`."
    return ""


def _is_ancestor(git: Git, old: str, new: str) -> bool:
    """Whether `new` has all of `old`; False for a commit that this clone has not got."""
    known = git.commit_of(old) and git.commit_of(new)
    return bool(known) and git.run("merge-base", "--is-ancestor", old, new, ok=(0, 1)).code == 0


def _time(git: Git, commit: str) -> int:
    return int(git.run("show", "--no-patch", "--no-show-signature", "--format=%ct", commit, "--").line)


def _send_notes(one: _Pass, state: State) -> bool:
    """Send what changed; whether a note came or went."""
    tip = one.git.tip()
    rewritten = state.commit not in ("", tip) and not _is_ancestor(one.git, state.commit, tip)
    there = {path for (path,) in one.index.rows("SELECT path FROM notes")}
    unsent, seen = one.sent.unsent()
    if rewritten:
        unsent = sorted(there | set(unsent))
    if not unsent and state.commit == tip:
        return False
    known = one.sent.items("note")
    commits = notes.last_commits(one.git, tip, set(unsent), state.commit)
    moved = False
    for start in range(0, len(unsent), _NOTES):
        paths = unsent[start : start + _NOTES]
        found = notes.rows(one.index, one.git, paths, commits)
        fresh = [node for node in found if known.get(node.properties["path"]) != node.digest]
        gone = [path for path in paths if path not in there and path in known]
        moved = moved or bool(gone) or any(node.properties["path"] not in known for node in fresh)
        changes: dict[Item, str | None] = {("note", node.properties["path"]): node.digest for node in fresh}
        changes |= {("note", path): None for path in gone}
        if not changes:
            one.sent.keep({}, paths, seen)
            continue

        async def work(tx: "Transaction", fresh: Any = fresh, gone: Any = gone) -> None:
            if fresh:
                await notes.store(tx, fresh)
            if gone:
                await notes.remove(tx, gone)

        one.transact(work, changes, paths, seen)
        one.notes += len(changes)
    if state.commit != tip:
        one.connection.execute(_AT, commit=tip, at=_time(one.git, tip))
    if unsent:
        one.connection.write(notes.tidy)
    return moved


# -- runs and candidates


def _send_origins(one: _Pass, told: Callable[[], Origins], moved: bool) -> None:
    refs = _refs(one.git)
    if not moved and one.index.state("graph_refs") == refs:
        return
    found = told()
    there = {path for (path,) in one.index.rows("SELECT path FROM notes")}
    runs = {run.id: origins.run_node(run) for run in found.runs}
    candidates = {row.id: origins.candidate_node(row, row.path in there) for row in found.candidates}
    for kind, nodes, store in (
        ("run", runs, origins.store_runs),
        ("candidate", candidates, origins.store_candidates),
    ):
        known = one.sent.items(kind)
        fresh: list[Any] = [node for id, node in nodes.items() if known.get(id) != node.digest]
        for start in range(0, len(fresh), _OTHERS):
            some = fresh[start : start + _OTHERS]

            async def work(tx: "Transaction", some: Any = some, store: Any = store) -> None:
                await store(tx, some)

            one.transact(work, {(kind, node.properties["id"]): node.digest for node in some})
        gone = [id for id in known if id not in nodes]
        if gone:

            async def out(tx: "Transaction", kind: str = kind, gone: Any = gone) -> None:
                await origins.remove(tx, kind, gone)

            one.transact(out, {(kind, id): None for id in gone})
        if kind == "candidate":
            one.candidates = len(fresh) + len(gone)
            if fresh or gone:
                one.connection.write(notes.tidy)
    one.index.remember("graph_refs", refs)
