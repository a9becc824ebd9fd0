"""What every verb shares: the memory it opens, `--json`, and the only ways to a terminal.

Nothing hidden passes them: `visible` writes out what has no glyph, and controls, wherever the text came from.
"""

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..visible import escaped, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ..app import Memory


_Function = TypeVar("_Function", bound=Callable[..., Any])


def json_option(function: _Function) -> _Function:
    """`--json`: the verb's parameter `as_json`; one object on stdout."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def host_option(text: str, *, default: str | None = None) -> Callable[[_Function], _Function]:
    """`--host NAME`: the verb's parameter `host`. `text` says what the name is for."""
    from ..hosts import NAMES

    choice, names = click.Choice(NAMES), ", ".join(NAMES)
    help_text = f"{text} NAME is one of {names}."
    return click.option(
        "--host", type=choice, metavar="NAME", default=default, show_default=default is not None, help=help_text
    )


def index_option(function: _Function) -> _Function:
    """`--index`: the verb's parameter `index`; "" leaves the choice to the settings."""
    choice = click.Choice(["sqlite", "neo4j"])
    help_text = "Ask this index: sqlite or neo4j."
    option = click.option("--index", type=choice, metavar="INDEX", default=None, callback=_or_empty, help=help_text)
    return option(function)


def asking_option(function: _Function) -> _Function:
    """`--host` of a verb that an agent calls, too: the verb's parameter `host`, None when the user asks."""
    option = host_option("Answer as for this agent, for which the memory may be off.")
    return option(function)


def _or_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    return value or ""


def note_and_line(place: str) -> tuple[str, int | None]:
    """`NOTE:LINE` in its parts; no line where none, or none of at most nine digits, is named."""
    number = re.search(r":(\d{1,9})$", place)
    return (place[: number.start()], int(number[1])) if number else (place, None)


def memory() -> "Memory":
    """The memory of this machine, closed when the command ends; what it has to tell then goes to stderr."""
    from ..app import open_memory

    opened = open_memory()

    def close() -> None:
        if opened.notice:
            click.echo(f"memwiki: {opened.notice}", err=True)
        opened.close()

    click.get_current_context().call_on_close(close)
    return opened


class OutputError(Exception):
    """An output stream does not take what is written to it; `errno` is the system's number of the reason."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.errno = error.errno


@contextmanager
def written() -> Iterator[None]:
    """A block that writes to an output stream. Raises OutputError where the stream refuses it."""
    try:
        yield
    except OSError as error:
        raise OutputError(error) from error


def echo(text: object = "", *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """`text` on stdout, or on stderr, with what is hidden in it made visible. `style` is `click.style`'s."""
    shown = visible(str(text))
    stream = sys.stderr if err else sys.stdout  # by name: click would take another encoding than the stream's
    with written():
        click.echo(click.style(shown, **style) if style else shown, file=stream, nl=nl)


def say(text: str, *, indent: str = "", err: bool = False) -> None:
    """A paragraph on stdout, or on stderr, broken between words at a terminal's width.

    Lines after the first begin with `indent`. A path is never broken, and a pipe gets the text as it is.
    """
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        lines = [
            textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
            for line in visible(text).split("\n")
        ]
        text = "\n".join(lines)
    echo(text, err=err)


def ask(question: str, *, secret: bool = False, default: str | None = None) -> str:
    """What the user types after `question`; a secret is typed unseen, and asked for on stderr."""
    typed: str = click.prompt(visible(question), hide_input=secret, err=secret, default=default)
    return typed


def confirmed(question: str) -> bool:
    """Whether the person says yes to `question`, which is asked on stderr."""
    return click.confirm(visible(question), err=True)


def emit(value: Any) -> None:
    """`value` as one line of JSON on stdout."""
    echo(as_json_text(value, separators=(",", ":"), default=str))


def as_json_text(value: Any, **layout: Any) -> str:
    """`value` as JSON in any script, where `\\u202e` stands for what would be hidden. `layout` is `json.dumps`'s.

    On an output that is not UTF-8 all that is not ASCII is written so: other escapes would not be JSON.
    """
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return escaped(json.dumps(value, ensure_ascii=ascii_only, **layout))


def console(*, stderr: bool = False) -> "Console":
    """A rich console: colours on a terminal, plain text in a pipe or under NO_COLOR; no markup is interpreted."""
    from .screen import Screen

    stream = sys.stderr if stderr else sys.stdout
    size = shutil.get_terminal_size((100, 24))  # rich takes any digits in COLUMNS and LINES for a number
    environ = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return Screen(
        file=stream,
        highlight=False,
        markup=False,
        emoji=False,
        width=size.columns,
        height=size.lines,
        soft_wrap=not stream.isatty(),
        _environ=environ,
    )


def styled(*parts: str | tuple[str, str]) -> "Text":
    """Pieces of a line, each plain or with its style, for a console; what is hidden in them is made visible."""
    from rich.text import Text

    return Text.assemble(*(visible(part) if isinstance(part, str) else (visible(part[0]), part[1]) for part in parts))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose columns fit the terminal; in a pipe, columns padded with blanks and nothing cut."""
    body = [[visible(str(cell)) for cell in row] for row in rows]
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
        echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
