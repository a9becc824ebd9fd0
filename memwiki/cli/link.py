"""`memwiki link`: register memwiki in coding agents."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hosts import ALIASES, NAMES
from .output import emit, json_option, memory, table

if TYPE_CHECKING:
    from ..hosts.link import Found

STATES = {
    "linked": "linked",
    "incomplete": "linked, not in full: link it again",
    "not linked": "not linked",
    "broken": "its settings file cannot be read",
    "untrusted": "linked, but not trusted: in codex, type /hooks and trust the memwiki entries",
}


def told(found: "list[Found]") -> list[dict[str, object]]:
    """Agents and how they stand, for `--json`."""
    fields = ("host", "installed", "path", "state", "projects", "seen")
    return [{name: getattr(one, name) for name in fields} for one in found]


@click.command()
@click.argument("hosts", nargs=-1, type=click.Choice([*NAMES, *ALIASES, "all"]), metavar="[HOST]...")
@click.option("--project", type=click.Path(path_type=Path), help="Only in this project's folder.")
@click.option("--dry-run", is_flag=True, help="Show the change to each settings file and make none.")
@click.option("--upgrade", is_flag=True, help="Bring what is linked already to the form of this version.")
@click.option("--mcp", is_flag=True, help="Add memwiki's MCP server to the agent's list of servers, too.")
@click.option(
    "--plugin", type=click.Path(path_type=Path), metavar="DIR", help="Write a plugin (claude, gemini) instead."
)
@json_option
def command(
    hosts: tuple[str, ...],
    project: Path | None,
    dry_run: bool,
    upgrade: bool,
    mcp: bool,
    plugin: Path | None,
    as_json: bool,
) -> None:
    """Register memwiki's hooks in agents; `all` for every agent found here. Without a HOST, show which are here.

    HOST: claude, codex, cursor, gemini, qwen, copilot, opencode, cline, windsurf (or cascade), kiro, devin.

    Everything else in an agent's settings file stays as it is, byte for byte; `memwiki unlink` takes the hooks back.

    \b
    Example:
      memwiki link claude codex
      memwiki link all
      memwiki link cursor --project ~/code/shop --dry-run
      memwiki link --upgrade --dry-run
      memwiki link claude --plugin ~/memwiki-plugin
    """
    opened = memory()
    if not hosts and not upgrade:
        found = opened.hosts()
        if as_json:
            emit({"hosts": told(found)})
            return
        here = ("not found", "found")
        rows = [
            (one.host, here[one.installed], STATES[one.state], one.seen[:16], ", ".join(one.projects), one.path)
            for one in found
        ]
        table(("agent", "here", "state", "last event", "projects", "settings file"), rows)
        return
    everything = "all" in hosts or not hosts
    if plugin is not None:
        from ..hosts.plugin import plugin as as_plugin

        done = [as_plugin(opened.home, host, plugin, dry_run) for host in hosts]
    elif everything:
        done = opened.link_all(dry_run, upgrade, mcp)
    else:
        done = [opened.link(host, project, dry_run, mcp) for host in hosts]
    if as_json:
        shown = ("host", "path", "changed", "skipped", "diff", "words")
        emit({"linked": [{name: getattr(one, name) for name in shown} for one in done], "dry_run": dry_run})
        return
    if everything and not dry_run:
        head = ("agent", "", "what to know", "settings file")
        table(head, [(one.host, one.state, " ".join(one.words), one.path) for one in done])
        return
    for one in done:
        if one.skipped:
            click.echo(" ".join(one.words))
            continue
        if dry_run:
            click.echo(one.diff or f"{one.path}: nothing to change", nl=not one.diff)
            continue
        click.echo(f"{one.host}: {one.path} {'now has' if one.changed else 'already had'} memwiki's hooks")
        for sentence in one.words:
            click.echo(f"  {sentence}")
