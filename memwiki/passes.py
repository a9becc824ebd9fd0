"""One pass over everything that is derived: spool to journal, journal and vault to the index, index to `recall.bin`."""

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from .errors import MemwikiError
from .files import append
from .index import events, notes, upkeep
from .index.report import OutOfTime, SyncReport
from .index.sqlite import Damaged, SqliteIndex
from .text import utc

if TYPE_CHECKING:
    from .config import Config, Home
    from .journal.drain import Drained
    from .rooms import Rooms
    from .vault.git import Git


def passes(rooms: "Rooms", full: bool, deadline: float | None) -> SyncReport:
    """Passes under the lock until nobody has asked for another; an index that turns out damaged is made anew."""
    again = rooms.home.locks / "again"
    total = None
    if full:
        rooms.index.discard()
    while total is None or (total.complete and again.exists()):
        again.unlink(missing_ok=True)
        try:
            report = _pass(rooms, deadline)
        except Damaged:
            rooms.index.discard()
            report = _pass(rooms, deadline)
        total = report if total is None else total.then(report)
    return total


def _pass(rooms: "Rooms", deadline: float | None) -> SyncReport:
    home, config, git, index = rooms.home, rooms.config, rooms.git, rooms.index
    started = time.monotonic()
    limit = float("inf") if deadline is None else deadline
    taken = changed = 0
    written, complete = False, True
    try:
        drained = _drained(config, index, limit)
        taken = events.take_in(index, rooms.journal, limit)
        changed = notes.take_in(index, git, limit)
        written = upkeep.write(index, home, config, git)
        if written or config.get("recall.path_rules", host="claude") == "native":  # a person may have removed a file
            fill_rules(home)
    except OutOfTime:
        complete = False
    except (MemwikiError, OSError) as error:
        _remember_failure(index, error)
        raise
    if index.state("failure"):
        index.remember("failure", None)
    os.utime(index.path)  # when the last pass ended
    return SyncReport(
        events=taken,
        sessions=len(drained.sessions) if drained else 0,
        notes=changed,
        snapshot=written,
        adopted=drained.adopted if drained else 0,
        dropped=drained.dropped if drained else 0,
        unsupported=drained.unsupported if drained else 0,
        duplicates=drained.duplicates if drained else 0,
        faults=tuple(index.faults()),
        complete=complete and (drained is None or drained.complete),
        seconds=time.monotonic() - started,
        memory=_serving(git, index),
    )


def _serving(git: "Git", index: SqliteIndex) -> str:
    """Whose text serves, in a sentence, where it is not the work tree's."""
    memory = notes.seen(index)
    if memory is None or (memory.work and memory.commit):
        return ""
    from .vault.probe import serving

    finding = serving(git)
    return f"{finding.message} {finding.remedy}" if finding else ""


def _drained(config: "Config", index: SqliteIndex, limit: float) -> "Drained | None":
    """What the drain did; None when hooks have left nothing, not even half a payload: its import costs 40 ms."""
    home, given = config.home, []
    if home.delivered.is_dir():
        given = sorted([entry.name, entry.stat().st_size] for entry in os.scandir(home.delivered))
    if given == index.state("drained") and not os.listdir(home.spool):  # noqa: PTH208 - pathlib lists no faster
        return None
    from .journal.drain import drain

    drained = drain(home, config, limit)
    index.remember("drained", given)
    return drained


def fill_rules(home: "Home") -> None:
    """Refresh what hosts read by themselves: the blocks of those that take nothing from hooks, and Claude's rules.

    The caller holds `lock/sync`.
    """
    for fill in (_fill_blocks, _fill_claudes):
        try:
            fill(home)
        except (MemwikiError, OSError, ValueError) as error:  # no reason to leave memory behind
            log(home, f"a rules file was not refreshed: {error}")


def _fill_blocks(home: "Home") -> None:
    from .hosts.rules import blocks, refresh

    if blocks(home):
        from .recall.standing import standing

        refresh(home, lambda block: standing(home, block))


def _fill_claudes(home: "Home") -> None:
    from .hosts import rule_files
    from .recall.rulebook import rules

    rule_files.refresh(home, rules(home))


def _remember_failure(index: SqliteIndex, error: Exception) -> None:
    """Keep for `status` why the pass failed; where not even that can be written, the error itself has to do."""
    said = error if isinstance(error, MemwikiError) else MemwikiError(f"{error}.", "Run `memwiki sync`.")
    with suppress(MemwikiError, OSError):
        index.remember("failure", {"message": said.message, "remedy": said.remedy})


def log(home: "Home", words: str) -> None:
    """A line in `log/sync.log`; the drain moves log files away when they have grown large."""
    append(home.log / "sync.log", f"{utc()} {words.rstrip()}\n")
