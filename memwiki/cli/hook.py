"""`memwiki hook`: one hook call from stdin, by the script that hosts run."""

import os

import click

from ..config import find_home
from ..hosts import ALIASES, NAMES
from ..hosts.programs import install


@click.command()
@click.argument("host", type=click.Choice([*NAMES, *ALIASES]), metavar="HOST")
@click.argument("event")
def command(host: str, event: str) -> None:
    """Run one hook as a linked agent does.

    The payload comes on stdin. stdout is the answer that the agent gets. HOST is the agent's name, EVENT the agent's
    own name for the event. Agents run the installed script itself, which is faster.

    \b
    Example:
      echo '{"session_id": "s1", "prompt": "install the dependencies"}' | memwiki hook claude UserPromptSubmit
    """
    home = find_home()
    home.check()
    install(home)
    os.execv(home.bin / "hook", ["hook", ALIASES.get(host, host), event])  # noqa: S606 - our own script, no shell
