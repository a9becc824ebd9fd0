"""`memwiki link`: register memwiki in coding agents."""

from pathlib import Path

import click

from ..hosts import NAMES
from .output import emit, json_option, memory, table

STATES = {
    "linked": "linked",
    "incomplete": "linked, not in full: link it again",
    "not linked": "not linked",
    "broken": "its settings file cannot be read",
    "untrusted": "linked, but not trusted: in codex, type /hooks and trust the memwiki entries",
}


@click.command()
@click.argument("hosts", nargs=-1, type=click.Choice(NAMES), metavar="[HOST]...")
@click.option("--project", type=click.Path(path_type=Path), help="Only in this project's folder.")
@click.option("--dry-run", is_flag=True, help="Show the change to each settings file and make none.")
@json_option
def command(hosts: tuple[str, ...], project: Path | None, dry_run: bool, as_json: bool) -> None:
    """Register memwiki's hooks in claude, codex or cursor; without a HOST, show which are here and their state.

    Everything else in an agent's settings file stays as it is, byte for byte; `memwiki unlink` takes the hooks back.

    \b
    Example:
      memwiki link claude codex
      memwiki link cursor --project ~/code/shop --dry-run
    """
    opened = memory()
    if not hosts:
        found = opened.hosts()
        if as_json:
            fields = ("host", "installed", "path", "state", "projects")
            emit({"hosts": [{name: getattr(one, name) for name in fields} for one in found]})
            return
        here = ("not found", "found")
        rows = [(one.host, here[one.installed], STATES[one.state], ", ".join(one.projects), one.path) for one in found]
        table(("agent", "here", "state", "projects", "settings file"), rows)
        return
    done = [opened.link(host, project, dry_run) for host in hosts]
    if as_json:
        fields = ("host", "path", "changed", "diff", "words")
        emit({"linked": [{name: getattr(one, name) for name in fields} for one in done], "dry_run": dry_run})
        return
    for one in done:
        if dry_run:
            click.echo(one.diff or f"{one.path}: nothing to change", nl=not one.diff)
            continue
        click.echo(f"{one.host}: {one.path} {'now has' if one.changed else 'already had'} memwiki's hooks")
        for sentence in one.words:
            click.echo(f"  {sentence}")
