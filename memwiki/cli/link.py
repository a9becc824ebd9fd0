"""`memwiki link`: register memwiki in coding agents."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..hosts import ALIASES, NAMES
from .output import echo, emit, json_option, memory, table

if TYPE_CHECKING:
    from ..hosts.link import Found

STATES = {
    "linked": "linked",
    "incomplete": "linked, not in full",
    "not linked": "found, not linked",
    "broken": "file is broken",
    "untrusted": "linked, not trusted",
}
TO_DO = {
    "incomplete": "link it again, or run `memwiki link --upgrade`.",
    "broken": "run `memwiki doctor`, which names the line.",
    "untrusted": "type `/hooks` in it and trust the memwiki entries; until then it skips them.",
}


def tilde(path: object) -> str:
    """A path as short as a shell still takes it."""
    text, home = str(path), str(Path("~").expanduser())
    return f"~{text.removeprefix(home)}" if text.startswith(f"{home}/") else text


def told(found: "list[Found]") -> list[dict[str, object]]:
    """Agents and their states, for `--json`."""
    fields = ("host", "installed", "path", "state", "projects", "seen")
    return [{name: getattr(one, name) for name in fields} for one in found]


def _show(found: "list[Found]") -> None:
    """All agents and their states, in a table that fits a terminal of 80 columns, and the steps to take."""
    rows = []
    for one in found:
        state, places = STATES[one.state], [one.path, *one.projects]
        if one.state == "not linked" and one.projects:
            state, places = "linked in projects", places[1:]
        elif one.state == "not linked" and not one.installed:
            state = "not found"
        rows.append((one.host, state, one.seen[:16].replace("T", " "), ", ".join(map(tilde, places))))
    table(("agent", "state", "last event", "settings file"), rows)
    for one in found:
        if one.state in TO_DO:
            echo(f"{one.host}: {TO_DO[one.state]}")


def _check(hosts: Sequence[str], options: Mapping[str, object]) -> None:
    """Refuse options that do not go together; `options` are all but `--json`, by their names."""
    chosen = {name for name, value in options.items() if value}
    if "plugin" in chosen:
        if len(hosts) != 1 or "all" in hosts:
            raise click.UsageError("--plugin takes one agent, claude or gemini.")
        if others := sorted(chosen - {"plugin", "dry-run"}):
            raise click.UsageError(f"--plugin does not go together with --{others[0]}.")
    elif chosen and not hosts and "upgrade" not in chosen:
        raise click.UsageError("Name the agents to link, or `all`.")


@click.command()
@click.argument("hosts", nargs=-1, type=click.Choice([*NAMES, *ALIASES, "all"]), metavar="[HOST]...")
@click.option("--project", type=click.Path(path_type=Path), metavar="DIR", help="Only in the project in DIR.")
@click.option("--dry-run", is_flag=True, help="Show the changes to the settings files. Make none.")
@click.option("--upgrade", is_flag=True, help="Update the linked agents to this version.")
@click.option("--mcp", is_flag=True, help="Register memwiki's MCP server, too.")
@click.option(
    "--plugin",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write a plugin into DIR instead (claude and gemini only).",
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
    """Register memwiki's hooks in your coding agents.

    HOST is one of claude, codex, cursor, gemini, qwen, copilot, opencode, cline, windsurf (or cascade), kiro, devin.
    `all` means every agent that is found here. Without a HOST, memwiki lists the agents that are here.

    Everything else in an agent's settings file stays as it is, byte for byte. `memwiki unlink` removes the hooks.

    \b
    Example:
      memwiki link claude codex
      memwiki link all
      memwiki link cursor --project ~/code/shop --dry-run
      memwiki link --upgrade --dry-run
      memwiki link claude --plugin ~/memwiki-plugin
    """
    _check(hosts, {"project": project, "dry-run": dry_run, "upgrade": upgrade, "mcp": mcp, "plugin": plugin})
    opened = memory()
    if not hosts and not upgrade:
        found = opened.hosts()
        if as_json:
            emit({"hosts": told(found)})
            return
        _show(found)
        return
    everything = "all" in hosts or upgrade
    if plugin is not None:
        from ..hosts.plugin import plugin as as_plugin

        done = [as_plugin(opened.home, hosts[0], plugin, dry_run)]
    elif everything:
        done = opened.link_all(() if "all" in hosts else hosts, project, dry_run, upgrade, mcp)
    else:
        done = [opened.link(host, project, dry_run, mcp) for host in hosts]
    if as_json:
        shown = ("host", "path", "changed", "skipped", "diff", "words")
        emit({"linked": [{name: getattr(one, name) for name in shown} for one in done], "dry_run": dry_run})
        return
    if everything and not dry_run:
        head = ("agent", "", "what to know", "settings file")
        table(head, [(one.host, one.state, " ".join(one.words), tilde(one.path)) for one in done])
        return
    for one in done:
        if one.skipped:
            echo(" ".join(one.words))
            continue
        if dry_run:
            echo(one.diff or f"{one.path}: nothing to change", nl=not one.diff)
            continue
        echo(f"{one.host}: {one.path} {'now has' if one.changed else 'already had'} memwiki's hooks")
        for sentence in one.words:
            echo(f"  {sentence}")
