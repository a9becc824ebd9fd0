"""`memwiki why`: trace a line of a note to the words it rests on."""

from dataclasses import asdict

import click

from .output import echo, emit, json_option, memory, note_and_line


@click.command()
@click.argument("place", metavar="NOTE[:LINE]")
@json_option
def command(place: str, as_json: bool) -> None:
    """Trace a note, or one line of it, to the words that it rests on.

    Each line comes with its commit, its candidate and the evidence.

    \b
    Example:
      memwiki why tools/pnpm:8
    """
    note, line = note_and_line(place)
    origins = memory().why(note, line)
    if as_json:
        emit({"lines": [asdict(one) for one in origins]})
        return
    for one in origins:
        echo(f"{one.line}: {one.text}")
        if not one.commit:
            echo("    not committed yet")
            continue
        echo(f"    {one.commit[:10]} {one.at[:10]} {one.author}: {one.subject}")
        if one.candidate:
            sure = f"confidence {one.candidate.confidence:.2f}, {one.candidate.source}"
            echo(f"    candidate {one.candidate.id} of run {one.candidate.run} ({one.candidate.state}, {sure})")
            if one.candidate.why:
                echo(f"    why: {one.candidate.why}")
        for words in one.words:
            when = words.at[:16].replace("T", " ") if words.at else "not found here"
            echo(f"    {words.who} in {words.event} ({when}): “{words.quote}”")
        for other in one.reworded:
            echo(f"    reworded by {other}")
