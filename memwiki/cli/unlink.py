"""`memwiki unlink`: take the registration back."""

from pathlib import Path

import click

from ..hosts import NAMES
from .output import emit, json_option, memory


@click.command()
@click.argument("hosts", nargs=-1, required=True, type=click.Choice(NAMES), metavar="HOST...")
@click.option("--project", type=click.Path(path_type=Path), help="Only in this project's folder.")
@json_option
def command(hosts: tuple[str, ...], project: Path | None, as_json: bool) -> None:
    """Take memwiki's hooks out of an agent's settings.

    A settings file that nobody else changed since gets its old bytes back; one that `link` made is removed.

    \b
    Example:
      memwiki unlink codex
    """
    opened = memory()
    done = [opened.unlink(host, project) for host in hosts]
    if as_json:
        fields = ("host", "path", "changed", "words")
        emit({"unlinked": [{name: getattr(one, name) for name in fields} for one in done]})
        return
    for one in done:
        click.echo(f"{one.host}: " + (" ".join(one.words) or f"{one.path} no longer has memwiki's hooks"))
