"""`memwiki pause`: stop capture and recall."""

from pathlib import Path

import click

from ..capture.project import project_of
from .output import echo, emit, json_option, memory

project_option = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    is_flag=False,
    flag_value=".",
    metavar="DIR",
    help="Only in the project of DIR, or of this folder when DIR is missing.",
)


@click.command()
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Stop capture and recall until `memwiki resume`.

    Everywhere, or in one project. Captured events stay.

    \b
    Example:
      memwiki pause
      memwiki pause --project .
    """
    switch(project, as_json, paused=True)


def switch(project: Path | None, as_json: bool, *, paused: bool) -> None:
    """Pause, or resume, and say so."""
    opened = memory()
    opened.pause(str(project) if project else "", paused=paused)
    if as_json:
        emit({"paused": paused, "project": str(project or "")})
        return
    where = f"in {project_of(str(project.absolute()))[0]}" if project else "everywhere"
    said = f"Capture and recall are {'paused' if paused else 'on'} {where}."
    others = ", ".join(opened.config.paused_projects)
    if not paused and opened.config.get("capture.paused"):
        said += " They are still paused everywhere: `memwiki resume` ends that."
    elif not paused and others:
        said += f" They are still paused in {others}: `memwiki resume --project DIR` ends that."
    echo(said)
