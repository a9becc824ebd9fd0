"""`memwiki search`: find notes."""

import click

from . import output


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option(
    "--limit", default=10, show_default=True, metavar="N", type=click.IntRange(1, 1000), help="Show at most N notes."
)
@click.option("--in", "within", default="", metavar="PREFIX", help="Only notes below this path, such as project/shop.")
@click.option("--type", "type_", default="", metavar="TYPE", help="Only notes of this type, such as decision.")
@output.asking_option
@output.index_option
@output.json_option
def command(
    words: tuple[str, ...], limit: int, within: str, type_: str, host: str | None, index: str, as_json: bool
) -> None:
    """Find notes by their words.

    The best matches come first, ranked as for a prompt. There are no operators.

    \b
    Example:
      memwiki search which package manager --in project/shop/ --limit 3
    """
    memory = output.memory()
    refusal = memory.refusal(host=host) if host else ""
    found = [] if refusal else memory.search(" ".join(words), within=within, type=type_, limit=limit, index=index)
    if as_json:
        names = ("path", "title", "type", "score", "snippet")
        said: dict[str, object] = {"results": [{name: getattr(note, name) for name in names} for note in found]}
        output.emit(said | ({"refusal": refusal} if refusal else {}))
        return
    screen = output.console()
    for note in found:
        screen.print(note.path, style="bold", end="")
        screen.print(f"  {note.title}" + (f" ({note.type})" if note.type else ""))
        screen.print(f"    {note.snippet}")
    if not found:
        screen.print(refusal or "No note has these words.")
