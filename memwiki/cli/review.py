"""`memwiki review`: approve, edit or reject candidates, one by one or by name."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO, cast, get_args

import click

from ..candidates.candidate import State
from ..errors import MemwikiError
from ..files import write_atomic
from ..review.unreviewed import WHY
from . import unreviewed_view
from .candidate_view import as_json as full
from .candidate_view import row, show
from .decision import decided_by_person
from .group import Group
from .output import echo, emit, json_option, memory, table

if TYPE_CHECKING:
    from ..app import Memory
    from ..candidates.candidate import Candidate
    from ..review.proposed import Proposed
    from ..review.unreviewed import Unreviewed

STATES = get_args(State)


@click.group(cls=Group, invoke_without_command=True)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Approve, edit or reject the proposed changes, one by one.

    Without a command, memwiki shows each pending candidate and asks you.

    \b
    Example:
      memwiki review
      memwiki review approve k3v9
    """
    if ctx.invoked_subcommand is None and as_json:
        opened = memory()
        _emit_rows(opened, opened.candidates(), opened.unreviewed())
    elif ctx.invoked_subcommand is None:
        from .review_walk import walk

        walk(decided_by_person())


@command.command("list")
@click.option(
    "--state",
    type=click.Choice((*STATES, "all")),
    default="pending",
    metavar="STATE",
    show_default=True,
    help=f"Only candidates in this state: {', '.join(STATES)}, or all.",
)
@click.option("--type", "kind", default="", metavar="TYPE", help="Only notes of this type, such as decision.")
@click.option("--in", "within", default="", metavar="PREFIX", help="Only notes below this path, such as project/shop.")
@json_option
def list_(state: str, kind: str, within: str, as_json: bool) -> None:
    """List candidates, oldest first.

    Notes that agents wrote into the vault by themselves are listed, too.

    \b
    Example:
      memwiki review list --state all --in project/shop
    """
    opened = memory()
    found = opened.candidates(None if state == "all" else cast("State", state), type=kind, within=within)
    written = opened.unreviewed() if state in ("pending", "all") and not kind else []
    written = [one for one in written if one.path.startswith(within)]
    if as_json:
        _emit_rows(opened, found, written)
        return
    if found:
        flags = opened.flags(found)
        head = ("id", "state", "type", "conf", "seen", "flags", "path", "subject")
        rows = [
            (
                *(one.id, one.state, one.type, f"{one.confidence:.2f}", one.seen),
                *(len(flags[one.id]) or "", one.path, one.subject),
            )
            for one in found
        ]
        table(head, rows)
        for one in found:
            _echo_flags(one.id, flags[one.id])
    elif not written:
        echo("No candidates." if state == "all" else f"No {state} candidates.")
    if written:
        table(("id", "path", "not reviewed"), [(one.id, one.path, WHY[one.kind]) for one in written])


def _emit_rows(opened: "Memory", found: "Sequence[Candidate]", written: "Sequence[Unreviewed]") -> None:
    flags = opened.flags(found)
    rows = [row(one, flags[one.id]) for one in found]
    emit({"candidates": rows, "unreviewed": [unreviewed_view.row(one) for one in written]})


def _echo_flags(id: str, flags: "Sequence[str]") -> None:
    for flag in flags:
        echo(f"look at {id}: {flag}")


@command.command("show")
@click.argument("id")
@json_option
def show_(id: str, as_json: bool) -> None:
    """Show one candidate, or a note that an agent wrote.

    Of a candidate you see the change, the reason, and the words that it rests on.

    \b
    Example:
      memwiki review show k3v9
    """
    opened = memory()
    if note := unreviewed_view.find(opened, id):
        emit(unreviewed_view.as_json(note)) if as_json else unreviewed_view.show(note)
        return
    proposed = opened.proposed(id)
    emit(full(proposed)) if as_json else show(proposed)


@command.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--lines", default="", metavar="1,3", help="Approve only these lines, as `show` numbers them, and reject the rest."
)
@click.option("--base", default="", metavar="COMMIT", help="The commit at which `show` numbered the lines.")
@json_option
@click.pass_context
def approve(context: click.Context, ids: tuple[str, ...], lines: str, base: str, as_json: bool) -> None:
    """Approve candidates, or confirm notes that an agent wrote.

    A candidate with flags is never approved together with others: look at it with `show`, then approve it alone.

    \b
    Example:
      memwiki review approve k3v9 m2x7
      memwiki review approve k3v9 --lines 1,3
    """
    opened = decided_by_person()
    if (lines or base) and len(ids) != 1:
        raise click.UsageError("--lines and --base go with one ID.")
    notes = [note for id in ids if (note := unreviewed_view.find(opened, id))]
    chosen = [opened.candidate(id) for id in ids if id not in {note.id for note in notes}]
    flags = opened.flags(chosen)
    landed, left = [], []
    for note in notes:
        landed.append({"id": note.id, "commit": opened.confirm(note)})
        if not as_json:
            echo(f"Confirmed {note.path} as {landed[-1]['commit'][:10]}.")
    for one in chosen:
        if not as_json:
            _echo_flags(one.id, flags[one.id])
        if flags[one.id] and len(chosen) > 1:
            left.append({"id": one.id, "flags": flags[one.id]})
            continue
        commit = take_lines(opened, one, lines, base) if lines else opened.approve(one.id, commit=one.commit)
        landed.append({"id": one.id, "commit": commit})
        if not as_json:
            echo(f"Approved {one.id} as {commit[:10]}.")
    if as_json:
        emit({"approved": landed, "left": left})
    elif left:
        names = ", ".join(str(one["id"]) for one in left)
        echo(f"Not approved: {names}. Look at each with `memwiki review show ID`, then approve it alone.", err=True)
    if left:
        context.exit(1)


def take_lines(opened: "Memory", shown: "Candidate", text: str, base: str) -> str:
    """Approve the lines numbered in `text` (`1,3`) at the commit `base`; the new commit, or a usage error."""
    try:
        chosen = [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{text!r} is not a list of numbers such as 1,3.") from None
    return opened.approve(shown.id, lines=chosen, base=base, commit=shown.commit)


@command.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept in the commit.")
@json_option
def reject(ids: tuple[str, ...], why: str, as_json: bool) -> None:
    """Reject candidates, or remove an edit that an agent wrote.

    Rejected candidates are not proposed again from the same words.

    \b
    Example:
      memwiki review reject k3v9 --why "only true of one branch"
    """
    opened = decided_by_person()
    notes = {id: note for id in ids if (note := unreviewed_view.find(opened, id))}
    for note in notes.values():
        opened.refuse(note, why)
    others = [id for id in ids if id not in notes]
    commit = opened.reject(others, why) if others else ""
    if as_json:
        emit({"commit": commit})
        return
    for note in notes.values():
        echo(f"{note.path} is as it was before. The text that the agent wrote is kept in {opened.home.backup}.")
    if others:
        echo(f"Rejected {', '.join(others)} in {commit[:10]}.")


@command.command()
@click.argument("id")
@json_option
def edit(id: str, as_json: bool) -> None:
    """Change a candidate's text in your editor, then approve it.

    \b
    Example:
      memwiki review edit k3v9
    """
    opened = decided_by_person()
    shown = opened.proposed(id)
    commit = approve_edited(opened, shown)
    if as_json:
        emit({"approved": [{"id": shown.candidate.id, "commit": commit}] if commit else []})
        return
    echo("Nothing was changed, so nothing was approved." if commit is None else f"Approved as {commit[:10]}.")


def approve_edited(opened: "Memory", shown: "Proposed") -> str | None:
    """What was shown through the user's editor and onto main; the commit, None when it was closed without saving."""
    id = shown.candidate.id
    if shown.candidate.fault:
        raise MemwikiError(shown.candidate.fault, f"Reject {id}, or change its commit on the branch.")
    return edited(
        opened, shown.new, lambda text: opened.approve(id, text=text, base=shown.base, commit=shown.candidate.commit)
    )


def edited(opened: "Memory", text: str | None, then: Callable[[str], str]) -> str | None:
    """`text` through the user's editor; what `then` made of it, or None when it was closed without saving.

    When `then` refuses it, the text is kept in a file that the error names: typed text is not lost.
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
@click.option("--why", default="", metavar="TEXT", help="The reason, kept in the commit.")
@click.option(
    "--text",
    type=click.File("r", encoding="utf-8"),
    metavar="FILE",
    help="Read the whole new note from FILE (`-`: stdin).",
)
@json_option
def add(note: str, why: str, text: TextIO | None, as_json: bool) -> None:
    """Propose a note, or a change to one, by hand.

    It becomes a candidate like any other. Without --text your editor opens.

    \b
    Example:
      memwiki review add tools/uv --text uv.md --why "we moved to uv"
    """
    opened = memory()
    if text is not None:
        id: str | None = opened.propose(note, text.read(), why).id
    else:
        id = edited(opened, opened.draft(note), lambda new: opened.propose(note, new, why).id)
    if as_json:
        emit({"id": id or ""})
    else:
        echo(f"Proposed as {id}." if id else "Nothing was written, so nothing was proposed.")
