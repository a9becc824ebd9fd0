"""How a candidate looks to the user who decides on it: the change, the reason, and the words it rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .output import console, styled

if TYPE_CHECKING:
    from rich.text import Text

    from ..candidates.candidate import Candidate
    from ..review.proposed import Proposed

STYLES = {"same": "", "removed": "red strike", "added": "green"}


def as_json(proposed: "Proposed") -> dict[str, Any]:
    """A candidate as one JSON object: what `review list --json` has, and texts, evidence and units beside it."""
    one = proposed.candidate
    return {
        **row(one, proposed.flags),
        "old_path": one.old_path,
        "why": one.why,
        "reason": one.reason,
        "old": proposed.old,
        "new": proposed.new,
        "evidence": [
            {"event": each.event, "who": each.who, "quote": each.quote, "found": each not in proposed.missing}
            for each in one.evidence
        ],
        "base": proposed.base,
        "units": [
            {"number": unit.number, "line": unit.line, "removed": unit.removed, "added": unit.added}
            for unit in proposed.units
        ],
    }


def row(one: "Candidate", flags: Sequence[str]) -> dict[str, Any]:
    """A candidate as `review list --json` has it; `fault` is a sentence where it cannot be approved."""
    names = ("id", "subject", "path", "project", "type", "state", "seen", "confidence", "source", "run")
    return {**{name: getattr(one, name) for name in (*names, "commit", "fault")}, "flags": list(flags)}


def show(proposed: "Proposed", position: str = "") -> None:
    """Print a candidate: heading, why, the changed lines with their words marked, evidence."""
    one, out = proposed.candidate, console()
    out.print(styled((one.subject, "bold"), f"  {position}" if position else ""))
    what = "deletes" if proposed.new is None else "new note" if proposed.old is None else "changes"
    what = "does not fit into one note:" if one.fault else what
    moved = f" (was {one.old_path})" if one.old_path else ""
    out.print(f"{one.id}  {what} {one.path}{moved}  {one.state}", style="cyan")
    seen = "once" if one.seen == 1 else f"{one.seen} times"
    out.print(f"type {one.type}, confidence {one.confidence:.2f}, seen {seen}, source {one.source}", style="dim")
    if one.why:
        out.print(f"why: {one.why}")
    if one.reason:
        out.print(f"rejected because: {one.reason}")
    for flag in proposed.flags:
        out.print(f"look: {flag}", style="bold red")
    if one.fault:
        out.print("It cannot be approved: reject it, or change its commit on the branch.", style="bold red")
        return
    if proposed.new is None:
        out.print("This removes text from your memory.", style="bold red")
    if proposed.conflict:
        words = "Your memory has changed in the same lines. Edit the candidate and choose one side of each."
        out.print(words, style="bold red")
    for line in proposed.head:
        out.print(f"  {line}", style="green")
    if not proposed.units and not proposed.head:
        out.print("  Only blank lines or line endings change.")
    for unit in proposed.units:
        out.print(_unit(unit.number, unit.line, unit.removed, unit.added))
    if proposed.moved:
        out.print(
            f"The note has changed since. Its lines are numbered at {proposed.base[:10]}: give that as `--base`.",
            style="dim",
        )
    for each in one.evidence:
        known = " (not found here)" if each in proposed.missing else ""
        out.print("  ", (f"{each.who} in {each.event}{known}: ", "dim"), f"“{each.quote}”")


def _unit(number: int, line: int, removed: tuple[str, ...], added: tuple[str, ...]) -> "Text":
    """One unit: a changed line as one line with its words marked, else the lines that go and come."""
    from ..review.units import words

    parts = [(f"  [{number}] line {line}: ", "dim")]
    if len(removed) == len(added) == 1:
        marks = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
        plain = not console().is_terminal
        for kind, piece in words(removed[0], added[0]):
            before, after = marks[kind] if plain else ("", "")
            shown = before + piece.rstrip() + after + piece[len(piece.rstrip()) :]
            parts.append((shown, STYLES[kind] or "default"))
        return styled(*parts)
    for sign, lines, style in (("- ", removed, "red"), ("+ ", added, "green")):
        parts += [(f"\n      {sign}{each}", style) for each in lines]
    return styled(*parts)
