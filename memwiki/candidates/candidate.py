"""A candidate: one proposed change to one note, and what it rests on."""

from dataclasses import dataclass
from typing import Literal

State = Literal["pending", "approved", "edited", "rejected", "forgotten", "reverted", "dropped", "archived"]
Source = Literal["explicit", "turn", "session", "compaction", "manual", "import"]
Who = Literal["person", "agent", "tool", "web"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words that a candidate rests on: the event's id, who said them, and the words as they stand in the event."""

    event: str
    who: Who
    quote: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change that a dream (or a person, by hand) wants to make, before it is a commit.

    `text` is the whole new file, or None to delete the note; `old_path` is set for a rename.
    `subject` is at most 72 characters, in plain words; `confidence` is 0.00 to 1.00; `seen` counts times it was said.
    """

    path: str
    text: str | None
    subject: str
    why: str
    type: str
    source: Source
    confidence: float
    seen: int = 1
    evidence: tuple[Evidence, ...] = ()
    old_path: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal that is a commit: its id (8 base32 letters) is its identity, the hash may change."""

    id: str
    run: str
    commit: str
    state: State
    path: str
    subject: str
    why: str
    type: str
    source: Source
    confidence: float
    seen: int
    evidence: tuple[Evidence, ...]
    project: str = ""  # the folder below project/ that its note lives in, or ""
    old_path: str = ""
    at: str = ""  # author date, UTC
    landed: str = ""  # the commit on main that brought it, when approved or edited
    reason: str = ""  # why it was rejected, when it was
    fault: str = ""  # a sentence: why its commit is not one change to one note, so that it cannot be approved
    proposed: str = ""  # the commit that this repository's ledger has for it; "" where no ledger knows it
