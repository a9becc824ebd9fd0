"""One pass over everything that is derived: spool to journal, journal and vault to the index, index to `recall.bin`."""

import os
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from .errors import MemwikiError
from .files import append
from .index import events, notes, upkeep
from .index.report import OutOfTime, SyncReport
from .index.schema import REBUILT
from .index.sqlite import Damaged, SqliteIndex
from .text import utc

if TYPE_CHECKING:
    from .config import Config, Home
    from .journal.drain import Drained
    from .rooms import Rooms
    from .vault.git import Git


def passes(rooms: "Rooms", full: bool, deadline: float | None) -> SyncReport:
    """Passes under the lock until nobody has asked for another; an index that turns out damaged is rebuilt."""
    again, index = rooms.home.locks / "again", rooms.index
    total = None
    known = rooms.home.snapshot.exists()  # else the index is built for the first time
    examine(index, full)
    while total is None or (total.complete and again.exists()):
        again.unlink(missing_ok=True)
        try:
            report = _pass(rooms, deadline)
        except Damaged:
            index.discard("damaged")
            report = _pass(rooms, deadline)
        total = report if total is None else total.then(report)
    index.passed()
    told = REBUILT.get(index.rebuilt, "") if known else ""
    if told:
        index.notice = told
        log(rooms.home, told)
    index.rebuilt = ""
    return replace(total, rebuilt=told)


def examine(index: SqliteIndex, full: bool = False) -> None:
    """Discard an index that is damaged or of another version, or with `full` any. The caller holds `lock/sync`."""
    if full:
        index.discard()
        return
    try:
        index.examine()
    except Damaged:
        index.discard("damaged")


def _pass(rooms: "Rooms", deadline: float | None) -> SyncReport:
    config, index = rooms.config, rooms.index
    started = time.monotonic()
    limit = float("inf") if deadline is None else deadline
    taken = changed = 0
    written, complete = False, True
    try:
        drained = _drained(config, index, limit)
        taken = events.take_in(index, rooms.journal, config.vault, limit)
        changed, written = take_in_notes(rooms, limit)
    except OutOfTime:
        complete = False
    except (MemwikiError, OSError) as error:
        _remember_failure(index, error)
        raise
    if index.state("failure"):
        index.remember("failure", None)
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
        memory=_serving(rooms.git, index),
    )


def _serving(git: "Git", index: SqliteIndex) -> str:
    """Whose text serves, in a sentence, where it is not the work tree's."""
    memory = notes.seen(index)
    if memory is None or (memory.work and memory.commit):
        return ""
    from .vault.probe import serving

    finding = serving(git)
    return f"{finding.message} {finding.remedy}" if finding else ""


def take_in_notes(rooms: "Rooms", limit: float = float("inf")) -> tuple[int, bool]:
    """Vault to index to `recall.bin`: how many notes changed, and whether the snapshot was written."""
    home, config, git, index = rooms.home, rooms.config, rooms.git, rooms.index
    changed = notes.take_in(index, git, limit)
    written = upkeep.write(index, home, config, git)
    if written or config.get("recall.path_rules", host="claude") == "native":  # a person may have removed a file
        fill_rules(home)
    return changed, written


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
