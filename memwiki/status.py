"""The whole pipeline at a glance: what was captured, what is derived from it, what waits for the person."""

import getpass
import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import graph, sync
from .candidates.ledger import runs
from .candidates.states import candidates
from .config import Config, Home
from .dream import diary
from .errors import Finding, MemwikiError
from .index.delta import edited
from .index.sqlite import SqliteIndex
from .journal.aside import DAYS, REASONS, Aside
from .journal.counts import counts
from .journal.inbox import look
from .journal.sessions import Journal
from .rooms import Rooms
from .text import counted, utc
from .vault.git import Git
from .vault.probe import serving

_DAYS = 7  # of events that are shown
_BUSY = "The spool was not drained: a sync is running, or the home cannot be written."
_STUCK = 600.0  # seconds after which a payload in the spool means that nothing drains it
_NAMED = 3  # files that one finding names


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
    found = list(spool_findings(home))
    failure = index.state("failure")
    if failure:
        found.append(Finding("pipeline", f"The last sync failed: {failure['message']}", failure["remedy"], "error"))
    dream = diary.state(home).get("last_failure")
    if dream:
        found.append(Finding("pipeline", f"The last dream failed: {dream['message']}", dream["remedy"]))
    return found


def foreign(home: Home) -> list[Finding]:
    """What `doctor` should say about files of another user in the home: they are passed over, and keep being so."""
    folders = (home.path, home.bin, home.spool, home.locks, home.delivered, home.log, home.journal)
    hosts = [Path(entry.path) for entry in _entries(home.journal) if entry.is_dir(follow_symlinks=False)]
    files = [
        Path(entry.path).relative_to(home.path).as_posix()
        for folder in (*folders, *hosts)
        for entry in _entries(folder)
        if entry.stat(follow_symlinks=False).st_uid != os.getuid() and not os.access(entry.path, os.R_OK | os.W_OK)
    ]
    if not files:
        return []
    message = f"Another user owns {_some(sorted(files))} in {home.path}, so memwiki passes over it."
    return [Finding("home", message, _owner(home), "error")]


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        return list(os.scandir(folder))
    except (FileNotFoundError, PermissionError):  # of the folder itself the one above it speaks
        return []


def _owner(home: Home) -> str:
    return f"Run `sudo chown -R {getpass.getuser()} {shlex.quote(str(home.path))}`, or remove what you do not need."


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown


def spool_findings(home: Home) -> Iterator[Finding]:
    """What is wrong with the spool: for `status` and `doctor`."""
    inbox, spool = look(home.spool), shlex.quote(str(home.spool))
    minutes = int((time.time() - inbox.oldest / 1e9) / 60)
    if inbox.waiting and minutes >= _STUCK / 60:
        words = (
            f"{counted(inbox.waiting, 'payload')} in the spool, the oldest for {minutes:,} minutes: nothing drains it."
        )
        yield Finding("pipeline", words, "Run `memwiki sync`; if it fails, do what it says.", "error")
    if inbox.unreadable:
        words = f"{counted(len(inbox.unreadable), 'payload')} in the spool cannot be read, for another user owns them: "
        yield Finding("pipeline", f"{words}{_some([path.name for path in inbox.unreadable])}.", _owner(home), "error")
    aside = Aside.of(home)
    payloads = aside.payloads()
    if payloads:
        folder = shlex.quote(str(aside.folder))
        names = [f"{payload.name} ({aside.source(payload)}: {REASONS[payload.reason]})" for payload in payloads[::-1]]
        words = f"{counted(len(payloads), 'event')} could not be taken up and stand in {aside.folder}: {_some(names)}."
        remedy = f"Run `rm -r {folder}`, or `mv {folder}/* {spool}` to try them again; after {DAYS} days they go."
        yield Finding("pipeline", words, remedy)


def _captured(config: Config, journal: Journal, index: SqliteIndex) -> Mapping[str, Any]:
    home, busy = config.home, not sync.events(config, journal, index)
    inbox = look(home.spool)
    return {
        "days": index.days(utc(time.time() - (_DAYS - 1) * 86400)[:10]),
        "spool": inbox.waiting + len(inbox.unreadable),
        "leftovers": asdict(counts(home)),
        "sessions": len(index.sessions()),
        "events": index.rows("SELECT count(*) FROM events")[0][0],
        "journal_bytes": journal.size(),
        "given": index.rows("SELECT count(*) FROM givens")[0][0],
        "problems": [*([_BUSY] if busy else []), *(f"{one.message} {one.remedy}" for one in spool_findings(home))],
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
