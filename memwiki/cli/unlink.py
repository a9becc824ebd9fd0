"""`memwiki unlink`: take the registration back."""

from pathlib import Path

import click

from ..hosts import ALIASES, NAMES
from .output import echo, emit, json_option, memory, table


@click.command()
@click.argument("hosts", nargs=-1, required=True, type=click.Choice([*NAMES, *ALIASES, "all"]), metavar="HOST...")
@click.option("--project", type=click.Path(path_type=Path), help="Only in this project's folder.")
@json_option
def command(hosts: tuple[str, ...], project: Path | None, as_json: bool) -> None:
    """Take memwiki's hooks out of an agent's settings; `all` for every agent, in projects too.

    A settings file that nobody else changed since gets its old bytes back; one that `link` made is removed.

    \b
    Example:
      memwiki unlink codex
      memwiki unlink all
    """
    opened = memory()
    done = opened.unlink_all() if "all" in hosts else [opened.unlink(host, project) for host in hosts]
    if as_json:
        fields = ("host", "path", "changed", "skipped", "words")
        emit({"unlinked": [{name: getattr(one, name) for name in fields} for one in done]})
        return
    if "all" in hosts:
        states = {True: "unlinked", False: "was not linked"}
        rows = [(one.host, "skipped" if one.skipped else states[one.changed], one.path) for one in done]
        table(("agent", "", "settings file"), rows)
        for one in done:
            if one.skipped or one.changed:
                echo("".join(f"{one.host}: {sentence}\n" for sentence in one.words), nl=False)
        return
    for one in done:
        echo(f"{one.host}: " + (" ".join(one.words) or f"{one.path} no longer has memwiki's hooks"))
