"""`memwiki status`."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..text import counted
from .output import echo, emit, json_option, memory

if TYPE_CHECKING:
    from ..status import Status


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Show what was captured, dreamed and given, and what waits for you.

    \b
    Example:
      memwiki status
    """
    found = memory().status()
    if as_json:
        emit(asdict(found))
        return
    for name, words in _lines(found):
        echo(f"{name:<12} {words}")


def _lines(found: "Status") -> Iterator[tuple[str, str]]:
    yield "home", found.home
    memory = f"memory is the {found.memory}" if found.memory else "memory is unknown"
    yield "vault", f"{found.vault} ({counted(found.notes, 'note')}; {memory})"
    if found.paused or found.paused_projects:
        yield "paused", "everywhere" if found.paused else ", ".join(found.paused_projects)
    for host, days in sorted(found.days.items()):
        yield host, "  ".join(f"{day[5:]}: {number}" for day, number in sorted(days.items()))
    if not found.days:
        yield "events", "none in the last 7 days"
    size = found.journal_bytes / 1e6
    stored = f"{counted(found.events, 'event')} in {counted(found.sessions, 'session')}, {size:.1f} MB"
    yield "journal", f"{stored}; {found.spool} in the spool"
    left = ", ".join(f"{number} {kind}" for kind, number in found.leftovers.items() if number)
    if left:
        yield "hooks left", left
    yield "last sync", found.synced_at or "never"
    dreamed = f"{found.dreamed_at} by {found.dream_engine}" if found.dreamed_at else "never"
    yield "last dream", f"{dreamed}; {found.waiting} events wait; {found.cost:.2f} USD so far"
    if found.dream_failure:
        yield "", f"failed: {found.dream_failure}"
    yield "review", f"{found.pending} pending"
    yield "given", f"{found.given} times a note was given to a session"
    if found.graph:
        yield "graph", f"{found.graph}: {_behind(found.graph_behind)}"
    if found.uncommitted:
        yield "uncommitted", _some(found.uncommitted)
    if found.faults:
        yield "notes", f"{found.faults} faults. `memwiki doctor` names them"
    if found.secrets:
        yield "secrets", f"in {_some(found.secrets)}: never given to an agent"
    for problem in found.problems:
        yield "problem", problem


def _behind(events: int) -> str:
    """How far the graph is."""
    if not events:
        return "has every event"
    return f"graph behind by {events} event{'s' if events > 1 else ''}"


def _some(paths: tuple[str, ...]) -> str:
    shown = ", ".join(paths[:5])
    return f"{shown} and {len(paths) - 5} more" if len(paths) > 5 else shown
