"""A candidate laid out for a decision: the texts before and after, and the single lines between them."""

from dataclasses import dataclass

from ..candidates.candidate import Candidate, Evidence
from ..journal.sessions import Journal
from ..vault.git import Git
from .draft import as_proposed, draft
from .flags import flags
from .sources import sources
from .units import Unit, frontmatter, units


@dataclass(frozen=True, slots=True)
class Proposed:
    """`old` is the note before (None: there is none), `new` what it would be (None: deleted).

    `base` is the commit that `old` is from: give it back with a text or lines. With `conflict`, memory has changed in
    the same lines, and `new` shows both between markers. `flags` are sentences about what to look at; `missing` is the
    evidence that this machine's journal does not have. `head` is the frontmatter of a new note, which is no unit.
    `moved`: the note has changed since it was proposed, so that numbers of lines are only good with `base`.
    """

    candidate: Candidate
    old: str | None
    new: str | None
    units: tuple[Unit, ...]
    base: str = ""
    conflict: bool = False
    flags: tuple[str, ...] = ()
    missing: frozenset[Evidence] = frozenset()
    head: tuple[str, ...] = ()
    moved: bool = False


def proposed(git: Git, journal: Journal, machine: str, candidate: Candidate) -> Proposed:
    """What approving would change now; for one that is not pending, what was proposed.

    A candidate with a fault has no texts: what they would be is not known.
    """
    flagged = flags(git, journal, machine, [candidate])[candidate.id]
    missing = frozenset(candidate.evidence) - sources(journal, [candidate]).keys()
    if candidate.fault:
        return Proposed(candidate, None, None, (), flags=flagged, missing=missing)
    first = as_proposed(git, candidate)
    shown = draft(git, candidate) if candidate.state == "pending" else first
    changes = tuple(units(shown.old, shown.new))
    return Proposed(
        candidate,
        shown.old,
        shown.new,
        changes,
        shown.base,
        shown.conflict,
        flagged,
        missing,
        frontmatter(shown.new) if shown.old is None else (),
        changes != tuple(units(first.old, first.new)),
    )
