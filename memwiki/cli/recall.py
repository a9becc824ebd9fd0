"""`memwiki recall`: what a prompt would be given, and why."""

import sys
from dataclasses import asdict

import click

from ..hosts import NAMES
from . import output


@click.command()
@click.argument("prompt", required=False)
@click.option("--host", type=click.Choice(NAMES), default="claude", show_default=True, help="Whose limits count.")
@click.option("--project", default=".", metavar="DIR", show_default=True, help="Where the agent works.")
@click.option("--start", is_flag=True, help="Show what a new session is given instead.")
@click.option("--stream", is_flag=True, help='Answer lines {"query", "k"} on stdin by lines {"results"} on stdout.')
@output.json_option
def command(prompt: str | None, host: str, project: str, start: bool, stream: bool, as_json: bool) -> None:
    """Show what a hook would inject at PROMPT in a new session, and why each note is in or out.

    \b
    Example:
      memwiki recall "install the dependencies" --project ~/shop
      memwiki recall --start --project ~/shop
    """
    if [start, stream, prompt is not None].count(True) != 1:
        raise click.UsageError("Give a PROMPT, --start or --stream.")
    memory = output.memory()
    if stream:
        for answer in memory.recall_stream(sys.stdin):
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()
        return
    if start:
        said = memory.recall_start(host=host, project=project)
    else:
        said = memory.recall(prompt or "", host=host, project=project)
    if as_json:
        output.emit(asdict(said))
        return
    screen = output.console()
    if said.notes:
        rows = [
            ("in" if note.inject else "out", note.path, f"{note.score:.1f}", _shown(note.likelihood), note.why)
            for note in said.notes
        ]
        output.table(("", "note", "score", "likelihood", "why"), rows)
        screen.print()
    screen.print(said.why)
    if said.text:
        screen.print("\n" + said.text)


def _shown(likelihood: float | None) -> str:
    return "-" if likelihood is None else f"{likelihood:+.2f}"
