"""`memwiki resume`: start capture and recall again."""

from pathlib import Path

import click

from .output import emit, json_option, memory
from .pause import project_option


@click.command()
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Start capture and recall again after `memwiki pause`, everywhere or in one project.

    \b
    Example:
      memwiki resume
      memwiki resume --project .
    """
    memory().pause(str(project) if project else "", paused=False)
    where = f"in the project of {project}" if project else "everywhere"
    if as_json:
        emit({"paused": False, "project": str(project or "")})
    else:
        click.echo(f"Capture and recall are on {where}.")
