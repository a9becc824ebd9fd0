"""`memwiki show`."""

from dataclasses import asdict

import click

from .output import asking_option, echo, emit, json_option, memory


@click.command()
@click.argument("note", metavar="NOTE[@REV]")
@asking_option
@json_option
def command(note: str, host: str | None, as_json: bool) -> None:
    """Show a note with its links, tags and last commits.

    NOTE is a path with or without `.md`, or a unique name. `@REV` shows the note as it was in that commit. Give `.md`
    when the name contains an `@`.

    \b
    Example:
      memwiki show tools/pnpm
      memwiki show tools/pnpm@HEAD~3
    """
    name, rev = note, ""
    if "@" in note and not note.endswith(".md"):
        name, _, rev = note.rpartition("@")
    opened = memory()
    if host and (refusal := opened.refusal(host=host)):
        emit({"refusal": refusal}) if as_json else echo(refusal)
        return
    shown = (opened.tell if host else opened.read)(name, rev or None)
    links = None if rev else opened.links(shown.path)
    commits = opened.history(shown.path) if not rev else []
    if as_json:
        emit(
            {
                "path": shown.path,
                "title": shown.title,
                "description": shown.description,
                "type": shown.type,
                "tags": shown.tags,
                "applies_to": shown.applies_to,
                "pin": shown.pin,
                "created": shown.created,
                "problem": f"line {shown.problem.line}: {shown.problem.message}" if shown.problem else "",
                "text": shown.text,
                "links": links.out if links else [],
                "backlinks": links.back if links else [],
                "broken": [{"line": link.line, "target": link.target} for link in links.broken] if links else [],
                "commits": [asdict(one) for one in commits],
            }
        )
        return
    echo(f"{shown.path}{f' at {rev}' if rev else ''}", bold=True)
    if shown.problem:
        echo(f"line {shown.problem.line}: {shown.problem.message}", fg="yellow")
    echo(f"\n{shown.text.strip()}\n")
    if shown.tags:
        echo(f"tags      {', '.join(shown.tags)}")
    if links:
        for label, paths in (("links", links.out), ("linked by", links.back)):
            for path in paths:
                echo(f"{label:9} {path}")
        for link in links.broken:
            echo(f"broken    line {link.line}: {link.target}")
    for one in commits:
        echo(f"{one.commit[:9]} {one.at[:10]} {one.author}: {one.subject}")
