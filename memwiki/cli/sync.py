"""`memwiki sync`."""

from dataclasses import asdict

import click

from ..text import counted
from .output import echo, emit, json_option, memory


@click.command()
@click.option("--full", is_flag=True, help="Delete the index and rebuild it.")
@click.option(
    "--index", type=click.Choice(["sqlite", "neo4j"]), metavar="INDEX", help="Update only this index: sqlite or neo4j."
)
@click.option("--background", is_flag=True, hidden=True, help="What hooks start: silent, niced, at most 60 seconds.")
@json_option
def command(full: bool, index: str | None, background: bool, as_json: bool) -> None:
    """Move captured events to the journal and update the index.

    \b
    Example:
      memwiki sync
      memwiki sync --full
      memwiki sync --index neo4j
    """
    if background:
        from ..config import find_home
        from ..sync import background as run

        click.get_current_context().exit(run(find_home()))
    opened = memory()
    if index == "neo4j":
        from ..graph import neo4j

        neo4j(opened.config)  # raises an error when none is configured
    report = opened.sync(full=full, index=index or "")
    if as_json:
        emit(asdict(report))
        return
    echo(f"{counted(report.events, 'event')}, {counted(report.notes, 'note')} changed, in {report.seconds:.2f} s.")
    sent = report.graph
    if sent is not None:
        words = f"{sent.events} events, {sent.notes} notes, {sent.candidates} candidates"
        echo(f"Neo4j: {words} sent, in {sent.seconds:.2f} s.")
        if sent.conflicts:
            others = (
                f"{sent.conflicts[0]} and {len(sent.conflicts) - 1} more" if sent.conflicts[1:] else sent.conflicts[0]
            )
            echo(f"Neo4j has these with another content, which is kept: {others}.")
        if sent.waits:
            echo(sent.waits)
    if report.memory:
        echo(report.memory)
    for fault in report.faults:
        echo(str(fault))
    if not report.complete:
        echo("Stopped: out of time. The next sync goes on from here.")
