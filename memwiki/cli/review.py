"""`memwiki review`: approve, edit or reject candidates, one by one or by name."""

from collections.abc import Callable
from typing import TextIO, cast, get_args

import click

from ..candidates.candidate import State
from .candidate_view import as_json as full
from .candidate_view import row, show
from .output import emit, json_option, memory, table

STATES = get_args(State)


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Walk through the pending candidates; or list, show, approve, reject, edit, add.

    \b
    Example:
      memwiki review
      memwiki review approve k3v9
    """
    if ctx.invoked_subcommand is None:
        from .review_walk import walk

        walk(memory())


@command.command("list")
@click.option("--state", type=click.Choice((*STATES, "all")), default="pending", show_default=True)
@click.option("--type", "kind", default="", help="Only notes of this type.")
@click.option("--in", "within", default="", metavar="PREFIX", help="Only notes below this path.")
@json_option
def list_(state: str, kind: str, within: str, as_json: bool) -> None:
    """List candidates, oldest first."""
    opened = memory()
    found = opened.candidates(None if state == "all" else cast("State", state), type=kind, within=within)
    if as_json:
        emit({"candidates": [row(one) for one in found]})
    elif found:
        head = ("id", "state", "type", "conf", "seen", "path", "subject")
        rows = [
            (one.id, one.state, one.type, f"{one.confidence:.2f}", one.seen, one.path, one.subject) for one in found
        ]
        table(head, rows)
    else:
        click.echo("No candidates." if state == "all" else f"No {state} candidates.")


@command.command("show")
@click.argument("id")
@json_option
def show_(id: str, as_json: bool) -> None:
    """Show one candidate: what changes, why, and the words it rests on."""
    proposed = memory().proposed(id)
    emit(full(proposed)) if as_json else show(proposed)


@command.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--lines", default="", metavar="1,3", help="Take only these lines (as numbered by `show`), refuse the rest."
)
@json_option
def approve(ids: tuple[str, ...], lines: str, as_json: bool) -> None:
    """Make candidates memory, or single lines of one."""
    opened = memory()
    if lines and len(ids) != 1:
        raise click.UsageError("--lines goes with one ID.")
    landed = []
    for id in ids:
        commit = opened.approve(id, lines=numbers(lines)) if lines else opened.approve(id)
        landed.append({"id": opened.candidate(id).id, "commit": commit})
        if not as_json:
            click.echo(f"Approved {landed[-1]['id']} as {commit[:10]}.")
    if as_json:
        emit({"approved": landed})


def numbers(text: str) -> list[int]:
    """`1,3` as [1, 3]; a usage error for anything else."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{text!r} is no list of numbers such as 1,3.") from None


@command.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept in the commit.")
@json_option
def reject(ids: tuple[str, ...], why: str, as_json: bool) -> None:
    """Refuse candidates; they are not proposed again from the same words."""
    commit = memory().reject(ids, why)
    emit({"commit": commit}) if as_json else click.echo(f"Rejected {', '.join(ids)} in {commit[:10]}.")


@command.command()
@click.argument("id")
def edit(id: str) -> None:
    """Change a candidate's text in your editor, then approve it."""
    opened = memory()
    commit = edited(opened.proposed(id).new, lambda text: opened.approve(id, text=text))
    click.echo("Nothing was changed, so nothing was approved." if commit is None else f"Approved as {commit[:10]}.")


def edited(text: str | None, then: Callable[[str], str]) -> str | None:
    """`text` through the person's editor; what `then` made of it, or None when it was closed without saving."""
    result = click.edit(text or "", extension=".md", require_save=True)
    return None if result is None else then(result)


@command.command()
@click.argument("note")
@click.option("--why", default="", metavar="TEXT", help="Why this should be remembered.")
@click.option("--text", type=click.File("r", encoding="utf-8"), help="The whole new note from a file (`-`: stdin).")
def add(note: str, why: str, text: TextIO | None) -> None:
    """Propose a note, or a change to one, by hand: it becomes a candidate like any other."""
    opened = memory()
    if text is not None:
        made = opened.propose(note, text.read(), why)
        click.echo(f"Proposed as {made.id}.")
        return
    made_id = edited(opened.draft(note), lambda new: opened.propose(note, new, why).id)
    click.echo("Nothing was written, so nothing was proposed." if made_id is None else f"Proposed as {made_id}.")
