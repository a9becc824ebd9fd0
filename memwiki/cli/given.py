"""`memwiki given`: what a session was given."""

from dataclasses import asdict

import click

from .output import emit, index_option, json_option, memory, table


@click.command()
@click.argument("session")
@index_option
@json_option
def command(session: str, index: str, as_json: bool) -> None:
    """Show which notes a session was given, in which commit of the vault, and whether they still read the same.

    \b
    Example:
      memwiki given claude/9b1c
    """
    found = memory().given(session, index=index)
    if as_json:
        emit({"given": [asdict(one) for one in found]})
    elif found:
        rows = [
            (one.at[:19].replace("T", " "), one.agent, one.path, one.title, one.commit[:10], one.now) for one in found
        ]
        table(["AT", "SUBAGENT", "NOTE", "TITLE", "COMMIT", "NOW"], rows)
    else:
        click.echo("It was given nothing.")
