"""`memwiki doctor`: find what is wrong and say how to mend it."""

import shutil
import sys
import textwrap
from dataclasses import asdict
from itertools import groupby

import click

from .link import tilde, told
from .output import echo, emit, json_option, memory


@click.command()
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Find what is wrong and say how to mend it; exits with 1 when something is.

    It says first where memwiki is linked, and of each agent when its last event came in. Then it looks at the vault,
    the hooks and the index; the hooks are run as their agents run them, and leave no event.

    \b
    Example:
      memwiki doctor
    """
    opened = memory()
    linked = [one for one in opened.hosts() if one.state not in ("not linked", "broken") or one.projects]
    found = opened.doctor()
    if as_json:
        emit({"hosts": told(linked), "findings": [asdict(one) for one in found]})
    else:
        for host in linked:
            places = ([host.path] if host.state not in ("not linked", "broken") else []) + list(host.projects)
            seen = f"last event {host.seen[:16].replace('T', ' ')} UTC" if host.seen else "no event yet"
            _say(f"{host.host}: linked in {', '.join(map(tilde, places))}; {seen}", "  ")
        for remedy, alike in groupby(found, key=lambda one: one.remedy):
            for one in alike:
                _say(f"{one.level}: {one.area}: {one.message}", "  ")
            if remedy:
                _say(f"    {remedy}", "    ")
        if not found:
            echo("Nothing is wrong.")
    if any(one.level != "note" for one in found):
        ctx.exit(1)


def _say(text: str, indent: str) -> None:
    """A paragraph, broken between words at a terminal's width; a path is never broken, and a pipe gets one line."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    echo(textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))
