"""`memwiki log`: sessions and their events."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..errors import MemwikiError
from ..journal.view import line
from ..text import one_line
from .output import as_json_text, echo, emit, index_option, json_option, memory, table

if TYPE_CHECKING:
    from ..app import Memory
    from ..journal.event import Event


@click.command()
@click.argument("session", required=False, metavar="[SESSION[#N]]")
@click.option("--search", "query", metavar="WORDS", help="Find the events that contain these words.")
@click.option("--limit", metavar="N", default=20, show_default=True, help="Show at most N results of a search.")
@click.option("--delete", is_flag=True, help="Delete the session from the journal, the index and the delivery records.")
@index_option
@json_option
def command(session: str | None, query: str | None, limit: int, delete: bool, index: str, as_json: bool) -> None:
    """List the sessions, or show one session or one event.

    A unique prefix of a session's id is enough.

    \b
    Example:
      memwiki log
      memwiki log claude/9b1c
      memwiki log claude/9b1c#12
      memwiki log --search "staging database"
    """
    if delete and (session is None or "#" in session or query is not None):
        raise click.UsageError("--delete takes one SESSION and no other option.")
    if query is not None and session is not None:
        raise click.UsageError("--search looks through all sessions.")
    opened = memory()
    _take_in(opened)
    if query is not None:
        _found(opened, query, limit, index, as_json)
    elif session is None:
        _sessions(opened, as_json)
    elif delete:
        key = opened.delete_session(session)
        if as_json:
            emit({"deleted": key})
        else:
            echo(f"Deleted {key}. Notes and candidates that were made from it are in the vault's git.")
    elif "#" in session:
        _event(opened, session, as_json)
    else:
        _events(opened, session, as_json)


def _take_in(opened: "Memory") -> None:
    """What hooks have just left is part of the log."""
    from ..sync import events

    if not events(opened.config, opened.journal, opened.index):
        echo("memwiki: A sync is running or hangs, so the latest events may be missing here.", err=True)


def _sessions(opened: "Memory", as_json: bool) -> None:
    rows = opened.sessions()
    if as_json:
        emit({"sessions": [asdict(row) for row in rows]})
    elif rows:
        head = ["SESSION", "PROJECT", "BRANCH", "FIRST", "LAST", "EVENTS"]
        table(head, [[r.key, r.project, r.branch, _time(r.first_at), _time(r.last_at), r.events] for r in rows])
    else:
        echo("No sessions yet.")


def _events(opened: "Memory", session: str, as_json: bool) -> None:
    key = opened.journal.resolve(session)
    if as_json:
        emit({"session": key, "events": [_as_dict(event) for event in opened.events(key)]})
        return
    echo(key)
    for event in opened.events(key):
        agent = f" ({event.agent})" if event.agent else ""
        echo(f"{event.n:>5}  {_time(event.at)}  {event.event}{agent}  {line(event)}".rstrip())
    for damage in opened.journal.damage(key):
        echo(f"memwiki: line {damage.line} of its file: {damage.reason}", err=True)


def _event(opened: "Memory", session: str, as_json: bool) -> None:
    prefix, _, number = session.rpartition("#")
    key = opened.journal.resolve(prefix)
    n = int(number) if number.isdecimal() and len(number) < 10 else 0
    event = next(iter(opened.journal.events(key, n, n)), None) if n else None
    if event is None:
        raise MemwikiError(f"{key} has no event {number!r}.", f"`memwiki log {key}` lists its events.")
    if as_json:
        emit(_as_dict(event))
        return
    for name, value in _as_dict(event).items():
        if name != "payload" and value:
            echo(f"{name}: {value}")
    echo(as_json_text(event.payload, indent=2))


def _found(opened: "Memory", query: str, limit: int, index: str, as_json: bool) -> None:
    hits = opened.search_events(query, limit, index)
    if as_json:
        emit({"results": [asdict(hit) for hit in hits]})
    for hit in () if as_json else hits:
        echo(f"{hit.id}  {_time(hit.at)}  {hit.event}\n    {one_line(hit.text)}")
    if not hits and not as_json:
        echo("No such events.")


def _as_dict(event: "Event") -> dict[str, Any]:
    return {"id": event.id, **asdict(event)}


def _time(at: str) -> str:
    """To the second: `2026-11-30 14:32:05`, UTC."""
    return at[:19].replace("T", " ")
