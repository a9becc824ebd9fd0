"""`memwiki review`: approve, edit or reject candidates, one by one or by name."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO, cast, get_args

import click

from ..candidates.candidate import State
from ..errors import MemwikiError
from ..files import write_atomic
from .candidate_view import as_json as full
from .candidate_view import row, show
from .output import echo, emit, json_option, memory, table

if TYPE_CHECKING:
    from ..app import Memory
    from ..review.proposed import Proposed

STATES = get_args(State)


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Walk through the pending candidates; or list, show, approve, reject, edit, add.

    \b
    Example:
      memwiki review
      memwiki review approve k3v9
    """
    if ctx.invoked_subcommand is None and as_json:
        emit({"candidates": [row(one) for one in memory().candidates()]})
    elif ctx.invoked_subcommand is None:
        from .review_walk import walk

        walk(memory())


@command.command("list")
@click.option("--state", type=click.Choice((*STATES, "all")), default="pending", help="Which ones.", show_default=True)
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
        echo("No candidates." if state == "all" else f"No {state} candidates.")


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
        commit = take_lines(opened, opened.proposed(id), lines) if lines else opened.approve(id)
        landed.append({"id": opened.candidate(id).id, "commit": commit})
        if not as_json:
            echo(f"Approved {landed[-1]['id']} as {commit[:10]}.")
    if as_json:
        emit({"approved": landed})


def take_lines(opened: "Memory", shown: "Proposed", text: str) -> str:
    """Approve the lines numbered in `text` (`1,3`) of what was shown; the commit, or a usage error."""
    try:
        chosen = [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{text!r} is no list of numbers such as 1,3.") from None
    return opened.approve(shown.candidate.id, lines=chosen, base=shown.base)


@command.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept in the commit.")
@json_option
def reject(ids: tuple[str, ...], why: str, as_json: bool) -> None:
    """Refuse candidates; they are not proposed again from the same words."""
    commit = memory().reject(ids, why)
    emit({"commit": commit}) if as_json else echo(f"Rejected {', '.join(ids)} in {commit[:10]}.")


@command.command()
@click.argument("id")
@json_option
def edit(id: str, as_json: bool) -> None:
    """Change a candidate's text in your editor, then approve it."""
    opened = memory()
    shown = opened.proposed(id)
    commit = approve_edited(opened, shown)
    if as_json:
        emit({"approved": [{"id": shown.candidate.id, "commit": commit}] if commit else []})
        return
    echo("Nothing was changed, so nothing was approved." if commit is None else f"Approved as {commit[:10]}.")


def approve_edited(opened: "Memory", shown: "Proposed") -> str | None:
    """What was shown through the person's editor and onto main; the commit, None when it was closed without saving."""
    id = shown.candidate.id
    return edited(opened, shown.new, lambda text: opened.approve(id, text=text, base=shown.base))


def edited(opened: "Memory", text: str | None, then: Callable[[str], str]) -> str | None:
    """`text` through the person's editor; what `then` made of it, or None when it was closed without saving.

    When `then` refuses it, the text is kept in a file that the error names: typed words are not lost.
    """
    result = click.edit(text or "", extension=".md", require_save=True)
    if result is None:
        return None
    try:
        return then(result)
    except MemwikiError as error:
        kept = opened.home.log / "refused-edit.md"
        write_atomic(kept, result.encode("utf-8"))
        raise MemwikiError(error.message, f"{error.remedy} Your text is kept in {kept}.".strip()) from error


@command.command()
@click.argument("note")
@click.option("--why", default="", metavar="TEXT", help="Why this should be remembered.")
@click.option("--text", type=click.File("r", encoding="utf-8"), help="The whole new note from a file (`-`: stdin).")
@json_option
def add(note: str, why: str, text: TextIO | None, as_json: bool) -> None:
    """Propose a note, or a change to one, by hand: it becomes a candidate like any other."""
    opened = memory()
    if text is not None:
        id: str | None = opened.propose(note, text.read(), why).id
    else:
        id = edited(opened, opened.draft(note), lambda new: opened.propose(note, new, why).id)
    if as_json:
        emit({"id": id or ""})
    else:
        echo(f"Proposed as {id}." if id else "Nothing was written, so nothing was proposed.")
