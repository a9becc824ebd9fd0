"""A candidate laid out for a decision: the texts before and after, and the single lines between them."""

from dataclasses import dataclass

from ..candidates.candidate import Candidate
from ..vault.git import Git
from .draft import as_proposed, draft
from .units import Unit, units


@dataclass(frozen=True, slots=True)
class Proposed:
    """`old` is the note before (None: there is none), `new` what it would be (None: deleted).

    `base` is the commit that `old` is from: give it back with a text or lines. With `conflict`, memory has changed in
    the same lines, and `new` shows both between markers.
    """

    candidate: Candidate
    old: str | None
    new: str | None
    units: tuple[Unit, ...]
    base: str = ""
    conflict: bool = False


def proposed(git: Git, candidate: Candidate) -> Proposed:
    """What approving would change now; for one that is not pending, what was proposed."""
    shown = draft(git, candidate) if candidate.state == "pending" else as_proposed(git, candidate)
    changes = tuple(units(shown.old, shown.new))
    return Proposed(candidate, shown.old, shown.new, changes, shown.base, shown.conflict)
