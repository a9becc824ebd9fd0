"""Keeping the graph in step with the index, how far it is, and what is wrong with it."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from ..errors import Finding, MemwikiError
from ..files import locked
from ..index.neo4j.sent import behind
from ..index.neo4j.target import Target, foreign, target
from ..text import sha256

if TYPE_CHECKING:
    from ..config import Config, Home
    from ..index.report import GraphReport
    from ..index.sqlite import SqliteIndex
    from ..rooms import Rooms

BUDGET = 45.0  # seconds of a background pass
REST = 60.0  # seconds in which background syncs let a server be that did not answer
_FAILURE = "graph_failure"  # in the index's state


def keep(rooms: "Rooms", full: bool = False, background: bool = False) -> "GraphReport | None":
    """Bring the graph in step with the index; None when no Neo4j is configured, or another sync is at it.

    It has a lock of its own: however slow the server, no other sync waits for it. In the foreground it waits for that
    lock. In the background it takes 45 seconds at most, connects only when there is something to send, lets a server
    that failed be for a while, and after a wrong password until the settings change. Raises GraphError.
    """
    config, git, index = rooms.config, rooms.git, rooms.index
    wanted = target(config)
    if wanted is None:
        return None
    from ..index.neo4j.connection import Connection
    from ..index.neo4j.failure import GraphError
    from ..index.neo4j.upkeep import anything
    from ..index.neo4j.upkeep import keep as send
    from .told import origins

    if background and not (_due(index, wanted) and anything(index, git, wanted.name)):
        return None
    total = None
    try:
        while total is None or (total.complete and behind(index, wanted.name)):  # once more after letting go
            with _alone(rooms.home, background), Connection(wanted) as connection:
                one = send(
                    connection,
                    index,
                    rooms.journal,
                    git,
                    config.machine,
                    lambda: origins(git),
                    full=full and total is None,
                    deadline=time.monotonic() + (BUDGET if background else inf),
                )
            if total is not None and not one.events:
                break
            total = one if total is None else total.then(one)
    except GraphError as error:
        failed = {"at": time.time(), "message": error.message, "remedy": error.remedy, "kind": error.kind}
        index.remember(_FAILURE, {**failed, "target": _fingerprint(wanted)})
        raise
    except Busy:
        return total  # the other looks once more before it ends
    else:
        if index.state(_FAILURE):
            index.remember(_FAILURE, None)
    return total


class Busy(Exception):
    """Another sync is at the graph."""


@contextmanager
def _alone(home: "Home", background: bool) -> Iterator[None]:
    with ExitStack() as held:
        try:
            held.enter_context(locked(home.locks / "graph", wait=1.0 if background else inf))
        except MemwikiError as error:
            raise Busy from error
        yield


def _due(index: "SqliteIndex", wanted: Target) -> bool:
    """Whether a background sync may bother the server: not at once after a failure, not twice with a wrong password."""
    failed = index.state(_FAILURE)
    if not failed or failed["target"] != _fingerprint(wanted):
        return True
    return failed["kind"] != "authentication" and time.time() - float(failed["at"]) > REST


def _fingerprint(wanted: Target) -> str:
    """Tells settings apart; the password cannot be got back from it."""
    return sha256("\x1f".join((wanted.uri, wanted.user, wanted.password, wanted.database, "memwiki")))[:16]


@dataclass(frozen=True, slots=True)
class GraphStatus:
    """How the graph stands, without asking the server: its address, events it lacks, and why the last sync failed."""

    target: str
    behind: int
    problem: str


def status(config: "Config", index: "SqliteIndex") -> GraphStatus | None:
    """The graph's state as this machine knows it; None when no Neo4j is configured."""
    wanted = target(config)
    if wanted is None:
        return None
    failed = index.state(_FAILURE)
    problem = f"{failed['message']} {failed['remedy']}" if failed else ""
    return GraphStatus(wanted.name, behind(index, wanted.name), problem)


def findings(config: "Config", index: "SqliteIndex") -> list[Finding]:
    """What `doctor` should say about the graph: other tools' variables, settings that name nothing, a failure."""
    found = foreign(os.environ) if target(config) is None else []
    failed = index.state(_FAILURE) if target(config) else None
    if failed:
        found.append(Finding("neo4j", f"The last sync failed: {failed['message']}", failed["remedy"]))
    return found
