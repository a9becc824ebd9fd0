"""`memwiki watch`."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..errors import MemwikiError
from ..text import counted, utc
from .output import echo, emit, json_option, memory

if TYPE_CHECKING:
    from ..index.report import SyncReport


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Sync whenever a note, the spool or the journal changes.

    Ctrl-C ends it. With --json, each sync that found a change prints one object on a line.

    \b
    Example:
      memwiki watch
    """
    from ..watch import Watch

    def told(report: "SyncReport") -> None:
        if as_json:
            emit({"at": utc(), **asdict(report)})
            return
        echo(f"{utc()[:19]}Z  {counted(report.events, 'event')}, {counted(report.notes, 'note')} changed")
        for fault in report.faults:
            echo(f"  {fault}")

    def failed(error: MemwikiError) -> None:
        if as_json:
            emit({"at": utc(), "error": error.message, "remedy": error.remedy})
        else:
            echo(f"memwiki: {error.message} {error.remedy}", err=True)

    home = memory().home
    if not as_json:
        echo("Watching. Ctrl-C ends it.", err=True)
    Watch(home, told, failed).run()
