"""What was proposed before: what waits for a decision, and what the person refused or took back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..candidates.candidate import Candidate, Evidence, State
from ..candidates.states import candidates, texts
from ..candidates.tombstone import line_key, normalised, tombstones
from ..vault.frontmatter import parse
from ..vault.git import Git
from .edits import Edit
from .words import flat, statement, subjects

_WAITS: tuple[State, ...] = ("pending", "archived")
_REFUSED: tuple[State, ...] = ("rejected", "dropped", "reverted")
_ALIKE = 0.6  # share of the words in common from which two statements are the same in other words


@dataclass(frozen=True, slots=True)
class Decided:
    """A candidate that is not memory, or the refused part of one: what it adds (by `normalised`) and takes out."""

    id: str
    path: str
    state: State
    subject: str
    added: dict[str, str]
    removed: frozenset[str]
    deletes: bool
    events: frozenset[str]
    quotes: frozenset[str]

    @property
    def line(self) -> str:
        """What a distiller is told about it."""
        said = "; ".join(self.added.values()) or self.subject
        return f"{self.path}: {'(delete) ' if self.deletes else ''}{said}"

    def covers(self, edit: Edit, evidence: Iterable[Evidence]) -> bool:
        """Whether `edit` says what this said and rests on nothing new.

        Nothing new: each quote is of an event that this rested on, or word for word one that this quoted.
        """
        if not all(one.event in self.events or one.quote in self.quotes for one in evidence):
            return False
        if edit.op == "delete":
            gone = {normalised(line) for line in edit.old.splitlines()}
            return self.path == edit.path and (self.deletes or bool(gone & self.removed))
        mine = frozenset[str]().union(*map(subjects, self.added.values()))
        lines = edit.text.split("\n")
        return any(normalised(line) in self.added or _alike(subjects(line), mine) for line in lines)


def decided(git: Git) -> tuple[list[Decided], list[Decided]]:
    """(what waits, what was refused), as the repository has it, oldest first."""
    waiting: list[Decided] = []
    refused: list[Decided] = []
    stones = tombstones(git)
    for one in candidates(git):
        if one.state in _WAITS:
            waiting.append(_decided(git, one))
        elif one.state in _REFUSED:
            refused.append(_decided(git, one))
        elif one.id in stones:  # approved without some of its lines
            whole, keys = _decided(git, one), stones[one.id].added
            left = {key: line for key, line in whole.added.items() if line_key(line) in keys}
            refused.append(replace(whole, state="rejected", added=left))
    return waiting, refused


def _decided(git: Git, one: Candidate) -> Decided:
    old, new = texts(git, one)
    before, after = _statements(one.path, old), _statements(one.path, new)
    return Decided(
        id=one.id,
        path=one.path,
        state=one.state,
        subject=one.subject,
        added={key: line for key, line in after.items() if key not in before},
        removed=frozenset(key for key in before if key not in after),
        deletes=new is None,
        events=frozenset(evidence.event for evidence in one.evidence),
        quotes=frozenset(flat(evidence.quote) for evidence in one.evidence),
    )


def _statements(path: str, text: str | None) -> dict[str, str]:
    """The lines of a note's body, by how they are compared."""
    body = parse(path, (text or "").encode("utf-8", "surrogatepass")).body
    return {normalised(line): statement(line) for line in body.splitlines() if statement(line)}


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) / len(one) >= _ALIKE
