"""`memwiki doctor`: find problems and say how to fix them."""

from dataclasses import asdict
from itertools import groupby

import click

from .link import tilde, told
from .output import echo, emit, json_option, memory, say


@click.command()
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Find problems and say how to fix them.

    It first lists the agents in which memwiki is linked, each with the time of its last event. Then it checks the
    vault, the hooks and the index. It runs the hooks as their agents do, and this leaves no event. The exit code is 1
    when it found a problem.

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
            say(f"{host.host}: linked in {', '.join(map(tilde, places))}; {seen}", indent="  ")
        for remedy, alike in groupby(found, key=lambda one: one.remedy):
            for one in alike:
                say(f"{one.level}: {one.area}: {one.message}", indent="  ")
            if remedy:
                say(f"    {remedy}", indent="    ")
        if not found:
            echo("Nothing is wrong.")
    if any(one.level != "note" for one in found):
        ctx.exit(1)
