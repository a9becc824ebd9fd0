"""`memwiki alias`."""

import click

from .output import echo, emit, json_option, memory


@click.command()
@click.argument("was")
@click.argument("project", required=False)
@json_option
def command(was: str, project: str | None, as_json: bool) -> None:
    """Keep a project's notes after its key has changed.

    WAS is the key that the project had. PROJECT is its key now (default: that of this folder). The change is one
    commit. `memwiki doctor`, run in the project's folder, names the keys that the project may have had.

    \b
    Example:
      memwiki alias local/shop-1a2b3c4d github.com/acme/shop
    """
    commit = memory().rename_project(was, project or "")
    if as_json:
        emit({"commit": commit})
    elif commit:
        echo(f"Done in commit {commit[:9]}. `git revert {commit[:9]}` in the vault undoes it.")
    else:
        echo("The vault has this alias already, so nothing was changed.")
