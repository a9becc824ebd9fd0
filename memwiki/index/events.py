"""The journal's side of the index: every session from where the last sync stopped reading it."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING

from ..capture.project import normal
from ..errors import MemwikiError
from ..journal.event import Event
from .names import kept
from .report import OutOfTime
from .sqlite import SqliteIndex

if TYPE_CHECKING:
    from ..journal.sessions import Journal

_BATCH = 1000  # events of one transaction


@dataclass(frozen=True, slots=True)
class _File:
    """A session's journal file: its size and time tell whether there is anything to read."""

    bytes: int
    mtime_ns: int


def take_in(index: SqliteIndex, journal: "Journal", vault: Path, deadline: float = float("inf")) -> int:
    """Index what the journal has and the index has not; the number of new events. `vault` is its top folder.

    A session whose file is gone is forgotten; one whose file became shorter is read anew. Raises OutOfTime after
    `deadline` (time.monotonic).
    """
    found = dict(_files(journal))
    known = {
        key: (_File(size, mtime), events)
        for key, size, mtime, events in index.rows("SELECT key, bytes, mtime_ns, events FROM sessions")
    }
    for key in known.keys() - found.keys():
        index.delete_session(key)
    fresh = 0
    for key, file in found.items():
        before, events = known.get(key, (_File(0, 0), 0))
        if file == before or not os.access(journal.path(key), os.R_OK):  # another user's: `doctor` names it
            continue
        if file.bytes < before.bytes:
            index.delete_session(key)
            events = 0
        fresh += _session(index, journal, key, events, file, vault, deadline)
    return fresh


def _files(journal: "Journal") -> Iterator[tuple[str, _File]]:
    """Session key -> file, from two levels of folder listings; what is named like no session is not ours."""
    try:
        hosts = [entry for entry in os.scandir(journal.folder) if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return
    for host in hosts:
        for entry in os.scandir(host.path):
            key = f"{host.name}/{entry.name.removesuffix('.jsonl')}"
            if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False) and _is_key(journal, key):
                state = entry.stat(follow_symlinks=False)
                yield key, _File(state.st_size, state.st_mtime_ns)


def _is_key(journal: "Journal", key: str) -> bool:
    try:
        journal.path(key)
    except MemwikiError:
        return False
    return True


def _session(
    index: SqliteIndex, journal: "Journal", key: str, events: int, file: _File, vault: Path, deadline: float
) -> int:
    """Take in the events of one session after the first `events`."""
    rest = journal.events(key, first=events + 1)
    fresh = 0
    while True:
        batch = list(islice(rest, _BATCH))
        last = len(batch) < _BATCH
        with index.transaction() as db:
            place = _place(db, key, batch)
            for event in batch:
                _store(db, place, event)
            _keep_writes(db, place, batch, vault)
            firsts = {(event.project, event.root): event.at for event in reversed(batch) if event.project}
            db.executemany(
                "INSERT OR IGNORE INTO projects VALUES (?, ?, ?, ?)",
                [(place, normal(key), root, at) for (key, root), at in firsts.items()],
            )
            if last:
                db.execute(
                    "UPDATE sessions SET bytes = ?, mtime_ns = ? WHERE id = ?", (file.bytes, file.mtime_ns, place)
                )
        fresh += len(batch)
        if last:
            return fresh
        if time.monotonic() > deadline:
            raise OutOfTime


def _place(db: Connection, key: str, batch: list[Event]) -> int:
    """The session's row, made or brought up to the last event of `batch`; its id."""
    db.execute(
        "INSERT OR IGNORE INTO sessions (key, host, project, branch, first_at, last_at, events, bytes, mtime_ns) "
        "VALUES (?, ?, '', '', ?, '', 0, 0, 0)",
        (key, key.partition("/")[0], batch[0].at if batch else ""),
    )
    for event in batch:
        if event.project:
            db.execute("UPDATE sessions SET project = ?, branch = ? WHERE key = ?", (event.project, event.branch, key))
            break
    if batch:
        db.execute("UPDATE sessions SET last_at = ?, events = ? WHERE key = ?", (batch[-1].at, batch[-1].n, key))
    found: tuple[int] = db.execute("SELECT id FROM sessions WHERE key = ?", (key,)).fetchone()
    return found[0]


def _store(db: Connection, place: int, event: Event) -> None:
    """One event with its words; a note that was given stands in a table of its own."""
    from .words import spaced

    given = event.event == "Given"
    text = "" if given else _text(event)
    row = (place, event.n, event.at, event.event, event.host, text)
    done = db.execute("INSERT OR IGNORE INTO events (session, n, at, event, host, text) VALUES (?, ?, ?, ?, ?, ?)", row)
    if done.rowcount and text:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (done.lastrowid, spaced(text)))
    if given:
        facts = [kept(str(event.payload.get(name, ""))) for name in ("path", "hash", "commit")]
        db.execute(
            "INSERT OR IGNORE INTO givens VALUES (?, ?, ?, ?, ?, ?, ?)", (place, event.n, event.agent, event.at, *facts)
        )


def _keep_writes(db: Connection, place: int, batch: list[Event], vault: Path) -> None:
    """What an agent's tools may have written in the vault."""
    from .writes import written

    since = ""
    for event in batch:
        rows = [(place, event.n, kept(path), event.at, since) for path in written(event, vault)]
        db.executemany("INSERT OR IGNORE INTO agent_writes VALUES (?, ?, ?, ?, ?)", rows)
        since = event.at


def _text(event: Event) -> str:
    """What a person may look for in an event: the prompt, a tool's name, input and output, the agent's words."""
    from ..journal.view import said  # only where there is an event to read

    view = said(event)
    return kept("\n".join(part for part in (view.prompt, view.tool, view.command, view.output, view.words) if part))
