"""`memwiki impact`: show the effects of a note."""

from dataclasses import asdict

import click

from .output import echo, emit, index_option, json_option, memory, note_and_line, table


@click.command()
@click.argument("place", metavar="NOTE[:LINE]")
@index_option
@json_option
def command(place: str, index: str, as_json: bool) -> None:
    """Show the sessions and notes that a note has led to.

    Step 1 is the sessions that were given the note, or a text with that line, and the notes learnt from them. Step 2
    is the sessions that were given those notes, and so on.

    \b
    Example:
      memwiki impact tools/pnpm
      memwiki impact tools/pnpm:8
    """
    note, line = note_and_line(place)
    found = memory().impact(note, line, index=index)
    if as_json:
        emit(asdict(found))
        return
    if not found.sessions:
        echo(f"No session was given {found.path}.")
        return
    table(
        ["STEP", "SESSION", "FIRST GIVEN", "TIMES", "NOTE"],
        [(one.step, one.session, one.at[:19].replace("T", " "), one.times, one.via) for one in found.sessions],
    )
    if found.candidates:
        echo()
        table(
            ["STEP", "CANDIDATE", "STATE", "OF NOTE", "RESTS ON"],
            [(one.step, one.candidate, one.state, one.note, one.session) for one in found.candidates],
        )
    if found.notes:
        echo()
        table(
            ["STEP", "NOTE", "TITLE", "LEARNT IN"],
            [(one.step, one.path, one.title or "(gone)", ", ".join(one.sessions)) for one in found.notes],
        )
