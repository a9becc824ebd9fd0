"""`memwiki sync`."""

from dataclasses import asdict

import click

from .output import emit, json_option, memory


@click.command()
@click.option("--full", is_flag=True, help="Throw the index away and build it anew.")
@click.option("--background", is_flag=True, hidden=True, help="What hooks start: silent, niced, at most 60 seconds.")
@json_option
def command(full: bool, background: bool, as_json: bool) -> None:
    """Take up what hooks captured and bring the index in step with the vault.

    \b
    Example:
      memwiki sync
      memwiki sync --full
    """
    if background:
        from ..config import find_home
        from ..sync import background as run

        click.get_current_context().exit(run(find_home()))
    report = memory().sync(full=full)
    if as_json:
        emit(asdict(report))
        return
    click.echo(f"{report.events} events, {report.notes} notes changed, in {report.seconds:.2f} s.")
    for fault in report.faults:
        click.echo(str(fault))
    if not report.complete:
        click.echo("Stopped: out of time. The next sync goes on from here.")
