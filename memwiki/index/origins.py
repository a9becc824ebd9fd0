"""Where notes come from, as indexes are told: dream runs, their candidates, and the events those rest on.

The rooms that know are above this one, so it says only in what shape it wants to be told.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RunRow:
    """A dream run: what distilled, when (UTC), on which machine, and the spans (session key, first, last) it read."""

    id: str
    engine: str
    model: str
    at: str
    machine: str
    reads: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A candidate: `path` is its note's path now, also after renames; `evidence` is (event id, who, quote).

    `landed` is the commit that brought it to memory, "" where it is not (or no longer) in it.
    """

    id: str
    run: str
    machine: str
    state: str
    path: str
    type: str
    source: str
    confidence: float
    seen: int
    at: str
    subject: str
    landed: str = ""
    evidence: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Origins:
    """All runs and candidates that the repository knows of."""

    runs: tuple[RunRow, ...] = ()
    candidates: tuple[CandidateRow, ...] = ()
