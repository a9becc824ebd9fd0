"""`memwiki resume`: start capture and recall again."""

from pathlib import Path

import click

from .output import json_option
from .pause import project_option, switch


@click.command()
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Start capture and recall again after `memwiki pause`.

    Everywhere, or in one project.

    \b
    Example:
      memwiki resume
      memwiki resume --project .
    """
    switch(project, as_json, paused=False)
