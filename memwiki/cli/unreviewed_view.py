"""How a note that nobody has reviewed looks to the user who decides on it, beside the candidates."""

import difflib
from typing import TYPE_CHECKING, Any

from ..review.unreviewed import WHY
from .output import echo

if TYPE_CHECKING:
    from ..app import Memory
    from ..review.unreviewed import Unreviewed


def find(memory: "Memory", id: str) -> "Unreviewed | None":
    """The note with exactly this id; None when it is a candidate's."""
    return next((one for one in memory.unreviewed() if one.id == id), None)


def row(one: "Unreviewed") -> dict[str, Any]:
    """A note as `review list --json` has it."""
    return {"id": one.id, "path": one.path, "kind": one.kind, "why": WHY[one.kind]}


def as_json(one: "Unreviewed") -> dict[str, Any]:
    """A note as `review show --json` has it."""
    return {**row(one), "old": _text(one.old), "new": _text(one.new)}


def show(one: "Unreviewed") -> None:
    """Print what it changes."""
    echo(f"{one.id}  {one.path}\n{WHY[one.kind]}")
    old, new = ((_text(text) or "").splitlines() for text in (one.old, one.new))
    for line in difflib.unified_diff(old, new, "before", "now", lineterm="", n=2):
        echo(line)
    if one.new is None:
        echo("The note was removed.")


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")
