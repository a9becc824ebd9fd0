"""Keeps the graph in step with `index.db`, the journal and the repository: sends what is new, batch by batch.

Every batch is one transaction that also moves this machine's mark; the record of it in `index.db` follows. A pass that
is killed anywhere, or whose server goes away, is finished by the next.
"""

import time
from collections.abc import Callable

from ...journal.sessions import Journal
from ...vault.git import Git
from ..origins import Origins
from ..report import GraphReport, OutOfTime
from ..sqlite import SqliteIndex
from .connection import Connection
from .schema import prepared, vault_id, wipe
from .send_events import send_events
from .send_notes import send_notes, waits
from .send_origins import refs_of, send_origins
from .sent import Item, Sent, behind, has_unsent
from .turn import Turn


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
    one = Turn(connection, index, journal, git, machine, deadline, Sent(index, connection.target.name))
    complete, waiting = True, ""
    try:
        if not one.sent.known or one.sent.mark != state.mark:
            _ask(one)
        send_events(one)
        waiting = waits(git, state)
        if not waiting:
            moved = send_notes(one, state)
            send_origins(one, told, moved)
    except OutOfTime:
        complete = False
    return GraphReport(
        events=one.events,
        notes=one.notes,
        candidates=one.candidates,
        conflicts=tuple(one.conflicts),
        waits=waiting,
        complete=complete,
        seconds=time.monotonic() - started,
    )


def anything(index: SqliteIndex, git: Git, target: str) -> bool:
    """Whether this machine knows of anything that the graph `target` has not been sent; the server is not asked."""
    return bool(behind(index, target)) or has_unsent(index, target) or index.state("graph_refs") != refs_of(git)


def _ask(one: Turn) -> None:
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
