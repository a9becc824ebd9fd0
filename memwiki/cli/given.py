"""`memwiki given`: list the notes that a session was given."""

from dataclasses import asdict

import click

from ..recall.explain import proofs
from .output import echo, emit, index_option, json_option, memory, table


@click.command()
@click.argument("session")
@index_option
@json_option
def command(session: str, index: str, as_json: bool) -> None:
    """List the notes that a session was given.

    Each comes with its commit of the vault, and whether it still reads the same. A prefix of the session's key is
    enough. Where `recall.proof` is on, the lines that the agent was shown come first.

    \b
    Example:
      memwiki given claude/9b1c
    """
    opened = memory()
    found, lines = opened.given(session, index=index), proofs(opened.home, opened.journal.resolve(session))
    if as_json:
        emit({"given": [asdict(one) for one in found], "proofs": [asdict(one) for one in lines]})
        return
    for line in lines:
        echo(f"{line.at[:19].replace('T', ' ')} {line.agent} {line.line}".replace("  ", " "))
    if found:
        rows = [
            (one.at[:19].replace("T", " "), one.agent, one.path, one.title, one.commit[:10], one.now) for one in found
        ]
        table(["AT", "SUBAGENT", "NOTE", "TITLE", "COMMIT", "NOW"], rows)
    else:
        echo("The session was given no note.")
