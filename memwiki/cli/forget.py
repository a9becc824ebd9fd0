"""`memwiki forget`."""

import click

from .decision import decided_by_person
from .output import echo, emit, json_option


@click.command()
@click.argument("note")
@click.option("--why", default="", metavar="TEXT", help="The reason, for the commit.")
@json_option
def command(note: str, why: str, as_json: bool) -> None:
    """Remove a note in one commit.

    NOTE is a path or a unique name. git keeps the note's history.

    \b
    Example:
      memwiki forget tools/yarn --why "we moved to pnpm"
    """
    commit = decided_by_person().forget(note, why)
    if as_json:
        emit({"commit": commit})
    else:
        echo(f"Removed in commit {commit[:9]}. `git revert {commit[:9]}` in the vault brings it back.")
