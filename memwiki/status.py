"""The whole pipeline at a glance: what was captured, what is derived from it, what waits for the person."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from . import graph, sync
from .candidates.ledger import runs
from .candidates.states import candidates
from .config import Config, Home
from .dream import diary
from .errors import Finding, MemwikiError
from .index.delta import edited
from .index.sqlite import SqliteIndex
from .journal.counts import counts
from .journal.inbox import look
from .journal.sessions import Journal
from .rooms import Rooms
from .text import utc
from .vault.git import Git
from .vault.probe import serving

_DAYS = 7  # of events that are shown
_BUSY = "The spool was not drained: a sync is running, or the home cannot be written."
_STUCK = 3600.0  # seconds after which a payload in the spool means that nothing drains it


@dataclass(frozen=True, slots=True)
class Status:
    """Where things stand. Times are UTC ("": never), sizes bytes, `cost` US dollars over all runs of this machine.

    `memory` says whose text serves now: "work tree", or the branch's tip and why. `days` is host -> day -> events of
    the last 7 days. `leftovers` counts, by kind, what killed hooks had left in the spool and what was not kept.
    `waiting` events have been read by no dream yet; `given` counts notes given to sessions. `uncommitted` notes differ
    from the branch's tip. `problems` name what could not be looked at and what failed last, each with its remedy.
    """

    home: str
    vault: str
    branch: str
    paused: bool
    paused_projects: tuple[str, ...]
    memory: str = ""
    days: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    spool: int = 0
    leftovers: Mapping[str, int] = field(default_factory=dict)
    sessions: int = 0
    events: int = 0
    journal_bytes: int = 0
    synced_at: str = ""
    notes: int = 0
    faults: int = 0
    secrets: tuple[str, ...] = ()
    dreamed_at: str = ""
    dream_engine: str = ""
    dream_failure: str = ""
    waiting: int = 0
    pending: int = 0
    given: int = 0
    cost: float = 0.0
    uncommitted: tuple[str, ...] = ()
    graph: str = ""
    graph_behind: int = 0
    problems: tuple[str, ...] = ()


def status(rooms: Rooms) -> Status:
    """Take up what hooks left, then look at everything; a room that cannot be looked at is a problem, not an error."""
    home, config, git, index = rooms.home, rooms.config, rooms.git, rooms.index
    views: tuple[Callable[[], Mapping[str, Any]], ...] = (
        lambda: _captured(config, rooms.journal, index),
        lambda: _derived(home, index),
        lambda: _memory(git),
        lambda: _dreamed(home, config, git, index),
        lambda: _graph(config, index),
    )
    known: dict[str, Any] = {}
    problems: list[str] = []
    for view in views:
        try:
            found = dict(view())
        except MemwikiError as error:
            problems.append(f"{error.message} {error.remedy}".strip())
            continue
        problems += found.pop("problems", ())
        known |= found
    return Status(
        home=str(home.path),
        vault=str(git.top),
        branch=git.branch,
        paused=bool(config.get("capture.paused")),
        paused_projects=config.paused_projects,
        problems=tuple(dict.fromkeys(problems)),
        **known,
    )


def findings(home: Home, index: SqliteIndex) -> list[Finding]:
    """What `doctor` should say about capture, sync and dream."""
    found = []
    old = [item for item in look(home.spool).items if time.time() - item.mtime_ns / 1e9 > _STUCK]
    if old:
        words = f"{len(old)} payloads have been in the spool for over an hour: nothing drains it."
        found.append(Finding("pipeline", words, "Run `memwiki sync`; if it fails, do what it says.", "error"))
    failure = index.state("failure")
    if failure:
        found.append(Finding("pipeline", f"The last sync failed: {failure['message']}", failure["remedy"], "error"))
    dream = diary.state(home).get("last_failure")
    if dream:
        found.append(Finding("pipeline", f"The last dream failed: {dream['message']}", dream["remedy"]))
    return found


def _captured(config: Config, journal: Journal, index: SqliteIndex) -> Mapping[str, Any]:
    home, busy = config.home, not sync.events(config, journal, index)
    return {
        "days": index.days(utc(time.time() - (_DAYS - 1) * 86400)[:10]),
        "spool": len(look(home.spool).items),
        "leftovers": asdict(counts(home)),
        "sessions": len(index.sessions()),
        "events": index.rows("SELECT count(*) FROM events")[0][0],
        "journal_bytes": journal.size(),
        "given": index.rows("SELECT count(*) FROM givens")[0][0],
        "problems": [_BUSY] if busy else [],
    }


def _derived(home: Home, index: SqliteIndex) -> Mapping[str, Any]:
    """The index and how the last sync went."""
    faults = index.faults()
    failure = index.state("failure")
    words = f"The last sync failed: {failure['message']} {failure['remedy']}".strip() if failure else ""
    return {
        "problems": [words] if words else [],
        "synced_at": utc(home.index.stat().st_mtime) if index.state("seen") else "",
        "notes": index.rows("SELECT count(*) FROM notes")[0][0],
        "faults": len(faults),
        "secrets": tuple(dict.fromkeys(fault.path for fault in faults if fault.kind == "secret")),
    }


def _memory(git: Git) -> Mapping[str, Any]:
    """Whose text serves now, and what the person has not committed."""
    if git.is_memory():
        return {"memory": "work tree", "uncommitted": tuple(edited(git))}
    doing = git.under_way()
    head = git.head().removeprefix("refs/heads/") or "no branch"
    why = f"{doing} is going on" if doing else f"{head} is checked out"
    serves = serving(git) if git.tip() == "" else None
    return {
        "memory": f"tip of {git.branch} ({why})",
        "problems": [f"{serves.message} {serves.remedy}"] if serves else [],
    }


def _dreamed(home: Home, config: Config, git: Git, index: SqliteIndex) -> Mapping[str, Any]:
    """The last dream, what waits for the next, and what waits for the person."""
    mine = runs(git, config.machine) if config.machine else []
    dreams = [run for run in mine if run.engine not in ("manual", "mcp")]
    last = diary.state(home)
    failure = last.get("last_failure") or {}
    spans = [(key, *span) for run in mine for key, span in run.spans.items()]
    return {
        "dreamed_at": last.get("last_success", "") or (dreams[0].at if dreams else ""),
        "dream_engine": dreams[0].engine if dreams else "",
        "dream_failure": f"{failure['message']} {failure['remedy']}".strip() if failure else "",
        "waiting": index.unread(spans),
        "pending": len(candidates(git, only={"pending"})),
        "cost": round(sum(float(run.usage.get("cost", 0.0)) for run in mine), 6),
    }


def _graph(config: Config, index: SqliteIndex) -> Mapping[str, Any]:
    """The graph as this machine knows it; the server is not asked."""
    found = graph.status(config, index)
    if found is None:
        return {}
    return {
        "graph": found.target,
        "graph_behind": found.behind,
        "problems": [found.problem] if found.problem else [],
    }
