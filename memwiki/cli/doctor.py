"""`memwiki doctor`: find what is wrong and say how to mend it."""

from dataclasses import asdict
from itertools import groupby

import click

from .output import emit, json_option, memory


@click.command()
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Find what is wrong and say how to mend it; exits with 1 when something is.

    \b
    Example:
      memwiki doctor
    """
    found = memory().doctor()
    if as_json:
        emit({"findings": [asdict(one) for one in found]})
    else:
        for remedy, alike in groupby(found, key=lambda one: one.remedy):
            for one in alike:
                click.echo(f"{one.level}: {one.area}: {one.message}")
            if remedy:
                click.echo(f"    {remedy}")
        if not found:
            click.echo("Nothing is wrong.")
    if any(one.level != "note" for one in found):
        ctx.exit(1)
