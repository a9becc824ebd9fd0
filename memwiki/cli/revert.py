"""`memwiki revert`."""

import click

from .decision import decided_by_person
from .output import echo, emit, json_option


@click.command()
@click.argument("id")
@json_option
def command(id: str, as_json: bool) -> None:
    """Undo an approved candidate.

    This is one commit, as `git revert` makes it. Later edits elsewhere in the note stay, and so does your uncommitted
    work. The candidate is not proposed again from the same words.

    \b
    Example:
      memwiki revert k3v9
    """
    commit = decided_by_person().revert(id)
    if as_json:
        emit({"commit": commit})
    else:
        echo(f"Reverted in commit {commit[:9]}.")
