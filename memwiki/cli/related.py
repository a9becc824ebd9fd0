"""`memwiki related`: list the notes that are related to one."""

from dataclasses import asdict

import click

from .output import echo, emit, index_option, json_option, memory, table


@click.command()
@click.argument("note")
@click.option(
    "--limit", default=20, show_default=True, metavar="N", type=click.IntRange(1, 1000), help="Show at most N notes."
)
@index_option
@json_option
def command(note: str, limit: int, index: str, as_json: bool) -> None:
    """List the notes that are related to NOTE.

    They are linked with it, share tags with it, or were given to or learnt in the same sessions.

    \b
    Example:
      memwiki related tools/pnpm
    """
    found = memory().related(note, limit=limit, index=index)
    if as_json:
        emit({"related": [asdict(one) for one in found]})
    elif found:
        words = {"out": "linked from it", "back": "links to it", "both": "both ways", "": ""}
        rows = [(one.path, one.title, words[one.links], ", ".join(one.tags), one.sessions or "") for one in found]
        table(["NOTE", "TITLE", "LINK", "TAGS", "SESSIONS"], rows)
    else:
        echo("No note is related to it.")
