"""`memwiki mv`."""

import click

from .decision import decided_by_person
from .output import echo, emit, json_option


@click.command()
@click.argument("old")
@click.argument("new")
@json_option
def command(old: str, new: str, as_json: bool) -> None:
    """Rename a note and rewrite the links to it and in it.

    OLD is a path or a unique name. NEW is a path, or a folder that ends in `/`. The change is one commit, and your
    uncommitted edits stay uncommitted.

    \b
    Example:
      memwiki mv tools/pnpm project/acme-shop/packages
    """
    commit = decided_by_person().move(old, new)
    if as_json:
        emit({"commit": commit})
    else:
        echo(f"Renamed in commit {commit[:9]}. `git revert {commit[:9]}` in the vault undoes it.")
