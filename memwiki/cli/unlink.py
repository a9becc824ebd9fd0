"""`memwiki unlink`: remove the registration."""

from pathlib import Path

import click

from ..errors import MemwikiError
from ..hosts import ALIASES, NAMES
from .output import echo, emit, json_option, memory, table


@click.command()
@click.argument("hosts", nargs=-1, required=True, type=click.Choice([*NAMES, *ALIASES, "all"]), metavar="HOST...")
@click.option("--project", type=click.Path(path_type=Path), metavar="DIR", help="Only in the project in DIR.")
@json_option
@click.pass_context
def command(ctx: click.Context, hosts: tuple[str, ...], project: Path | None, as_json: bool) -> None:
    """Remove memwiki's hooks from the settings of your agents.

    `all` means every agent, in projects, too. memwiki looks at every settings file that `link` has written to. A file
    that nobody has changed since gets its old bytes back, and a file that `link` created is removed.

    \b
    Example:
      memwiki unlink codex
      memwiki unlink all
      memwiki unlink all --project ~/code/shop
    """
    everything = "all" in hosts
    done = memory().unlink_all(() if everything else hosts, project)
    failed = [one for one in done if one.skipped and not everything]
    if as_json:
        fields = ("host", "path", "changed", "skipped", "words")
        emit({"unlinked": [{name: getattr(one, name) for name in fields} for one in done]})
        ctx.exit(1 if failed else 0)
    if everything:
        states = {True: "unlinked", False: "was not linked"}
        rows = [(one.host, "skipped" if one.skipped else states[one.changed], one.path) for one in done]
        table(("agent", "", "settings file"), rows)
        for one in done:
            if one.skipped or one.changed:
                echo("".join(f"{one.host}: {sentence}\n" for sentence in one.words), nl=False)
        return
    for one in done:
        if not one.skipped:
            gone = f"{one.path} no longer has memwiki's hooks"
            echo(f"{one.host}: " + " ".join(one.words or (gone,)))
    for one in failed[:-1]:
        echo(f"memwiki: {' '.join(one.words)}", err=True)
    if failed:
        raise MemwikiError(*failed[-1].words)
