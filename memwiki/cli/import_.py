"""`memwiki import`: transcripts of finished sessions into the journal."""

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import TextWrapper
from typing import TYPE_CHECKING

import click

from ..text import counted
from .output import echo, emit, json_option, memory

if TYPE_CHECKING:
    from ..journal.transcripts.importing import Imported

_KINDS = 6  # of records without an event, the most frequent ones
_PLACES = 20  # damaged ones of a transcript, the first ones: a file that is not a transcript has one a line
_LINE = TextWrapper(
    79, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
)  # a path stays whole


@click.command()
@click.option("--queue", is_flag=True, required=True, help="Import the transcripts that wait in the queue.")
@click.option("--dry-run", is_flag=True, help="Show the events to import. Change nothing.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Import at most N transcripts, the latest first.")
@json_option
def command(queue: bool, dry_run: bool, limit: int | None, as_json: bool) -> None:
    """Import transcripts of finished sessions into the journal.

    Only events that hooks have not logged are added, and nothing becomes memory by this. Transcripts wait in a queue
    while `capture.transcripts` is on.

    \b
    Example:
      memwiki config set capture.transcripts true
      memwiki import --queue --dry-run
      memwiki import --queue --limit 5
    """
    from ..journal.transcripts.queue import wanted

    opened = memory()
    found = opened.import_queue(limit=limit or 0, dry_run=dry_run)
    if as_json:
        emit({**asdict(found), "new": found.new, "dry_run": dry_run})
        return
    for one in found.transcripts:
        echo(one.session)
        for line in _lines(one, dry_run):
            echo(_LINE.fill(line).replace("\N{NO-BREAK SPACE}", " "))
        for damage in one.damage[:_PLACES]:
            echo(f"memwiki: {one.transcript} line {damage.line}: {damage.reason}", err=True)
        if more := one.damage[_PLACES:]:
            echo(f"memwiki: {one.transcript}: {counted(len(more), 'damaged place')} more", err=True)
    if not found.transcripts:
        off = "" if wanted(opened.config) else " `capture.transcripts` is off, so none is queued."
        echo(f"No transcript waits.{off}")
    elif found.waiting:
        echo(f"{counted(found.waiting, 'transcript')} {'waits' if found.waiting == 1 else 'wait'} in the queue.")


def _lines(one: "Imported", dry_run: bool) -> Iterator[str]:
    """What became of one transcript, a fact a line."""
    if one.why:
        yield f"not imported: {one.why}"
        return
    yield f"{counted(one.new, 'event')} {'would be new' if dry_run else 'new'}, {one.known} known"
    if one.left_out:
        kinds = sorted(one.left_out.items(), key=lambda kind: (-kind[1], kind[0]))
        more = f", {len(kinds) - _KINDS} more kinds" if len(kinds) > _KINDS else ""
        named = ", ".join(f"{count}\N{NO-BREAK SPACE}{kind}" for kind, count in kinds[:_KINDS])
        yield f"{counted(sum(one.left_out.values()), 'record')} without an event: {named}{more}"
    if one.damage:
        yield counted(len(one.damage), "damaged place")
