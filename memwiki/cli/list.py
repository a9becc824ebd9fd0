"""`memwiki list`."""

from dataclasses import asdict

import click

from ..vault.note import TYPES
from .output import echo, emit, json_option, memory, table


@click.command()
@click.option("--in", "within", default="", metavar="PREFIX", help="Only notes below this path, such as project/shop.")
@click.option(
    "--type", "kind", default="", metavar="TYPE", help=f"Only notes of this type: {', '.join(TYPES)}, or your own."
)
@json_option
def command(within: str, kind: str, as_json: bool) -> None:
    """List the notes by namespace.

    \b
    Example:
      memwiki list --in project/shop --type decision
    """
    rows = memory().notes(within=within, type=kind)
    if as_json:
        emit({"notes": [asdict(row) for row in rows]})
    elif rows:
        by_namespace = sorted(rows, key=lambda row: (row.namespace, row.path))
        table(["NOTE", "TYPE", "DESCRIPTION"], [[row.path, row.type, row.description] for row in by_namespace])
    else:
        echo("No notes." if not (within or kind) else "No such notes.")
