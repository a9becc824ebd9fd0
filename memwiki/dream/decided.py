"""What was proposed before: what waits for a decision, and what the person refused or took back."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..candidates.candidate import Candidate, Evidence, State
from ..candidates.states import all_texts, candidates
from ..candidates.tombstone import Tombstone, line_key, normalised, tombstones
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
    keys: frozenset[str] = frozenset()  # `line_key` of each added line, where only its tombstone is here

    @property
    def line(self) -> str:
        """What a distiller is told about it."""
        said = "; ".join(self.added.values()) or self.subject
        return f"{self.path}: {'(delete) ' if self.deletes else ''}{said}"

    def covers(self, edit: Edit, evidence: Iterable[Evidence]) -> bool:
        """Whether `edit` says what this said and rests on nothing new.

        Nothing new: each quote is of an event that this rested on, or word for word one that this quoted. Where only
        the tombstone is here, that is not known, and the same statement is refused.
        """
        if self.keys and edit.op != "delete":
            return any(line_key(line) in self.keys for line in edit.text.split("\n"))
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
    # A tombstone of a candidate that landed holds the lines that were refused of it.
    chosen = [one for one in candidates(git) if one.state in (*_WAITS, *_REFUSED) or one.id in stones]
    texts = all_texts(git, chosen)
    for one in chosen:
        if one.id not in texts:
            continue
        found = _decided(one, *texts[one.id])
        if one.state in _WAITS:
            waiting.append(found)
        elif one.state in _REFUSED:
            refused.append(found)
        else:
            keys = stones[one.id].added
            left = {key: line for key, line in found.added.items() if line_key(line) in keys}
            refused.append(replace(found, state="rejected", added=left))
    refused += [_by_stone(stone) for one, stone in stones.items() if one not in texts]
    return waiting, refused


def _by_stone(stone: Tombstone) -> Decided:
    """A refusal whose text is not here (lost, or another machine's): its hashes are all that is known of it."""
    return Decided(
        id=stone.id,
        path=stone.path,
        state="rejected",
        subject="",
        added={},
        removed=frozenset(),
        deletes=False,
        events=frozenset(),
        quotes=frozenset(),
        keys=stone.added,
    )


def _decided(one: Candidate, old: bytes | None, new: bytes | None) -> Decided:
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


def _statements(path: str, data: bytes | None) -> dict[str, str]:
    """The lines of a note's body, by how they are compared."""
    body = parse(path, data or b"").body
    return {normalised(line): statement(line) for line in body.splitlines() if statement(line)}


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and len(one & other) / len(one) >= _ALIKE
