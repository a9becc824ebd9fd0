"""`memwiki recap`: the last sessions of a project."""

from dataclasses import asdict
from pathlib import Path

import click

from .output import echo, emit, json_option, memory


@click.command()
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="DIR",
    help="A folder of the project (default: here).",
)
@json_option
def command(project: Path, as_json: bool) -> None:
    """Show the last three sessions of this project, in any agent.

    Each comes with its time, your last prompt, the files it touched, and the agent's closing words.

    \b
    Example:
      memwiki recap
      memwiki recap --project ~/src/shop
    """
    found = memory().recap(project)
    if as_json:
        emit(asdict(found))
    elif found.text:
        echo(found.text)
    elif found.project:
        echo(f"No session in {found.project} has said anything yet.")
    else:
        echo("This folder is not in a repository, so it is not a project.")
