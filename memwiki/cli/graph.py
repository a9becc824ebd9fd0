"""`memwiki graph`: a part of the graph as a picture."""

from dataclasses import asdict

import click

from .output import echo, emit, index_option, json_option, memory


@click.command()
@click.argument("what", required=False, default="", metavar="[NOTE|SESSION]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["mermaid", "dot"]),
    default="mermaid",
    metavar="FORMAT",
    show_default=True,
    help="Draw in this language: mermaid or dot.",
)
@index_option
@json_option
def command(what: str, form: str, index: str, as_json: bool) -> None:
    """Draw the neighbourhood of a note or a session.

    Without one, draw the notes that are connected most. The text is for a Markdown page (Mermaid) or for Graphviz
    (DOT). Its last lines are the Cypher to paste into Neo4j Browser.

    \b
    Example:
      memwiki graph tools/pnpm
      memwiki graph claude/9b1c --format dot | dot -Tsvg > session.svg
    """
    found = memory().graph(what, index=index)
    if as_json:
        emit({**asdict(found), "mermaid": found.mermaid(), "dot": found.dot()})
        return
    mark = "%%" if form == "mermaid" else "//"
    echo(found.mermaid() if form == "mermaid" else found.dot(), nl=False)
    if found.left_out:
        echo(f"{mark} {found.left_out} more are left out")
    echo(f"{mark} in Neo4j Browser:\n{mark} {found.cypher}")
