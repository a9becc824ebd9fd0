"""`memwiki recall`: show the notes that a prompt would be given, and why."""

import sys
from dataclasses import asdict

import click

from . import output


@click.command()
@click.argument("prompt", required=False)
@output.host_option("Use the limits of this agent.", default="claude")
@click.option("--project", default=".", metavar="DIR", show_default=True, help="The folder in which the agent works.")
@click.option("--start", is_flag=True, help="Show the notes that a new session is given instead.")
@click.option("--stream", is_flag=True, help='For evaluation: answer each {"query", "k"} line with a {"results"} line.')
@output.json_option
def command(prompt: str | None, host: str, project: str, start: bool, stream: bool, as_json: bool) -> None:
    """Show the notes that an agent would be given, and why.

    PROMPT is the first prompt of a new session. Each note comes with the reason why it is in or out.

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
