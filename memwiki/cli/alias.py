"""`memwiki alias`."""

import click

from .output import emit, json_option, memory


@click.command()
@click.argument("was")
@click.argument("project", required=False)
@json_option
def command(was: str, project: str | None, as_json: bool) -> None:
    """Let a project keep the notes that it had under another key, in one commit.

    WAS is the key that the project had; PROJECT is its key now (default: that of this folder). `memwiki doctor`, asked
    in the project's folder, names the keys that it may have had.

    \b
    Example:
      memwiki alias local/shop-1a2b3c4d github.com/acme/shop
    """
    commit = memory().rename_project(was, project or "")
    if as_json:
        emit({"commit": commit})
    elif commit:
        click.echo(f"Done in commit {commit[:9]}; `git revert {commit[:9]}` in the vault undoes it.")
    else:
        click.echo("The vault says so already; nothing was done.")
