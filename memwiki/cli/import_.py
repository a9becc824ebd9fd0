"""`memwiki import`: transcripts of finished sessions into the journal."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from .output import emit, json_option, memory

if TYPE_CHECKING:
    from ..journal.transcripts.importing import Imported


@click.command()
@click.option("--queue", is_flag=True, required=True, help="Take in the transcripts that wait in the queue.")
@click.option("--dry-run", is_flag=True, help="Only say what would be taken in.")
@click.option("--limit", type=click.IntRange(1), help="Transcripts to take in, the latest first (default: all).")
@json_option
def command(queue: bool, dry_run: bool, limit: int | None, as_json: bool) -> None:
    """Take in what hosts' transcripts have and hooks have not logged. Nothing becomes memory by that.

    Transcripts of finished sessions wait in a queue where `capture.transcripts` is switched on.

    \b
    Example:
      memwiki config set capture.transcripts true
      memwiki import --queue --dry-run
      memwiki import --queue --limit 5
    """
    opened = memory()
    found = opened.import_queue(limit=limit or 0, dry_run=dry_run)
    if as_json:
        emit({**asdict(found), "new": found.new, "dry_run": dry_run})
        return
    for one in found.transcripts:
        click.echo(f"{one.session}  {_words(one, dry_run)}")
        for damage in one.damage:
            click.echo(f"memwiki: {one.transcript} line {damage.line}: {damage.reason}", err=True)
    if not found.transcripts:
        on = opened.config.get("capture.transcripts")
        click.echo(
            "No transcript waits." if on else "No transcript waits. `capture.transcripts` is off, so none is queued."
        )
    elif found.waiting:
        click.echo(f"{found.waiting} wait in the queue.")


def _words(one: "Imported", dry_run: bool) -> str:
    if one.why:
        return f"not taken in: {one.why}"
    left = sum(one.left_out.values())
    verb = "would be new" if dry_run else "new"
    words = f"{one.new} events {verb}, {one.known} known"
    words += f", {left} records are no events ({', '.join(sorted(one.left_out)[:6])})" if left else ""
    return words + (f", {len(one.damage)} damaged places" if one.damage else "")
