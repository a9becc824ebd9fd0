"""A candidate laid out for a decision: the texts before and after, and the single lines between them."""

from dataclasses import dataclass

from ..candidates.candidate import Candidate
from ..candidates.states import texts
from ..vault.git import Git
from .units import Unit, units


@dataclass(frozen=True, slots=True)
class Proposed:
    """`old` is the note before (None: there is none), `new` what it would be (None: deleted)."""

    candidate: Candidate
    old: str | None
    new: str | None
    units: tuple[Unit, ...]


def proposed(git: Git, candidate: Candidate) -> Proposed:
    """Read the candidate's texts from its commit and its parent."""
    old, new = texts(git, candidate)
    return Proposed(candidate, old, new, tuple(units(old, new)))
