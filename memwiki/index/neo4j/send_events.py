"""Sends events: spans of sessions, many sessions in one transaction."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...journal.sessions import Journal
from ..crew import Crew
from ..report import OutOfTime
from . import events, notes
from .rows import Row, row_of, session_key
from .shapes import KEY
from .turn import Turn

if TYPE_CHECKING:
    from .connection import Transaction

Batch = tuple[list[Row], dict[str, int]]  # rows to send together, and each session's last event that is then there
Spans = dict[str, tuple[int, int]]  # session -> the events of it that are due, first and last
_ROWS = 2500  # events of one transaction
_WEIGHT = 2_500_000  # characters of one transaction's events, about


def send_events(one: Turn) -> None:
    """Send every session from where it was last sent to; take out those that are no longer there."""
    known = {key: int(value) for key, value in one.sent.items("session").items()}
    found = one.index.rows("SELECT key, host, project, branch, first_at, last_at, events FROM sessions ORDER BY key")
    local = {row[0]: row for row in found}
    for key in [key for key, last in known.items() if key not in local or last > local[key][6]]:
        _forget(one, key)
        known.pop(key)
    due = {row[0]: (known.get(row[0], 0) + 1, row[6]) for row in found if row[6] > known.get(row[0], 0)}
    for rows, ends in _batches(one.journal.folder, due):
        sessions = _chained(one.machine, [local[key] for key in ends], rows, ends)

        async def work(tx: "Transaction", sessions: Any = sessions, rows: Any = rows) -> events.Stored:
            return await events.store(tx, sessions, rows)

        stored = one.transact(work, {("session", key): str(last) for key, last in ends.items()})
        one.events += stored.new
        one.conflicts += stored.conflicts


def _batches(folder: Path, due: Spans) -> Iterator[Batch]:
    """All that is due. Where it is more than one batch, a worker makes the next while the server is busy with one."""
    if sum(last - first + 1 for first, last in due.values()) <= _ROWS:
        while due:
            batch, due = batch_of((folder, due))
            yield batch
        return
    with Crew(1) as crew:
        coming = crew.give(batch_of, (folder, due))
        while due:
            batch, due = coming.result()
            if due:
                coming = crew.give(batch_of, (folder, due))
            yield batch


def batch_of(part: tuple[Path, Spans]) -> tuple[Batch, Spans]:
    """The first batch of what is due in the journal of that folder, and what is due after it."""
    folder, due = part
    journal, left = Journal(folder), dict(due)
    rows, ends, weight = list[Row](), dict[str, int](), 0
    for key, (first, last) in due.items():
        ends[key] = last  # also where its last lines cannot be read any more
        del left[key]
        for event in journal.events(key, first, last):
            row = row_of(event)
            rows.append(row)
            weight += sum(len(value) for value in row.properties.values() if isinstance(value, str))
            if len(rows) == _ROWS or weight > _WEIGHT:
                if row.n < last:
                    ends[key] = row.n
                    left = {key: (row.n + 1, last), **left}
                return (rows, ends), left
    return (rows, ends), left


def _chained(machine: str, found: Sequence[Any], rows: Sequence[Row], ends: Mapping[str, int]) -> list[events.Chained]:
    """The journal's sessions of a batch and the subagents' in it."""
    agents: dict[str, set[str]] = {}
    for row in rows:
        agent = row.properties.get("agent", "")
        if agent:
            agents.setdefault(row.id.rpartition("#")[0], set()).add(agent)
    chained = []
    for key, host, project, branch, first_at, last_at, _ in found:
        place = {"host": host, "project": project[:KEY], "branch": branch, "machine": machine}
        place = {name: value for name, value in place.items() if value}
        times = {"created_at": first_at, "last_at": last_at}
        chained.append(events.Chained(key, key, {**place, **times}, ends[key]))
        for agent in agents.get(key, ()):
            chained.append(events.Chained(session_key(key, agent), key, {**place, "agent": agent, "journal": key}))
    return chained


def _forget(one: Turn, key: str) -> None:
    """Take a session that is no longer in the journal out of the graph, its subagents first."""
    subagents = one.connection.rows("MATCH (s:Session {journal: $key}) RETURN s.key AS key ORDER BY key", key=key)
    for name in [*(row["key"] for row in subagents), key]:

        async def work(tx: "Transaction", name: str = name) -> bool:
            return await events.forget(tx, name)

        while not one.connection.write(work):
            if time.monotonic() > one.deadline:
                raise OutOfTime
    one.transact(notes.tidy, {("session", key): None})
