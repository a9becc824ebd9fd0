"""What every verb shares: the memory it opens, `--json`, tables and diffs on a terminal or as plain text."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from ..app import Memory


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--json`: the verb's parameter `as_json`; one object on stdout."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def index_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--index`: the verb's parameter `index`; "" leaves the choice to the settings."""
    choice = click.Choice(["sqlite", "neo4j"])
    return click.option("--index", type=choice, default=None, callback=_or_empty, help="Which index answers.")(function)


def asking_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--host` of a verb that an agent calls, too: the verb's parameter `host`, None when a person asks."""
    from ..hosts import NAMES

    words = "An agent asks: where the memory is off for it, say only that."
    return click.option("--host", type=click.Choice(NAMES), help=words)(function)


def _or_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    return value or ""


def memory() -> "Memory":
    """The memory of this machine, closed when the command ends."""
    from ..app import open_memory

    opened = open_memory()
    click.get_current_context().call_on_close(opened.close)
    return opened


def emit(value: Any) -> None:
    """`value` as one line of JSON on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))


def console(*, stderr: bool = False) -> "Console":
    """A rich console: colours on a terminal, plain text in a pipe or under NO_COLOR; no markup is interpreted."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else int(os.environ.get("COLUMNS", "100"))
    return Console(file=stream, highlight=False, markup=False, emoji=False, width=width, soft_wrap=not stream.isatty())


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose columns fit the terminal; in a pipe, columns padded with blanks and nothing cut."""
    body = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        from rich.table import Table

        grid = Table(box=None, pad_edge=False, header_style="bold")
        for name in head:
            grid.add_column(name, overflow="fold")  # a path that is cut cannot be copied
        for row in body:
            grid.add_row(*row)
        console().print(grid)
        return
    widths = [max(len(row[i]) for row in [list(head), *body]) for i in range(len(head))]
    for row in [list(head), *body]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
