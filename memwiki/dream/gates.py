"""What an edit must pass to become a candidate. One that fails is refused with its reason; the others go on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..candidates.candidate import Evidence
from ..candidates.tombstone import normalised
from ..errors import MemwikiError
from ..journal.redaction import find_secrets
from ..text import one_line
from ..vault.note import TYPES
from ..vault.paths import MAX_NOTE, namespace
from ..visible import refuse_hidden
from .decided import Decided
from .edits import Edit, Excerpt
from .evidence import cited, sources
from .notes import Notes
from .support import Source, Standing, lost, standing, unsaid
from .words import flat, speaks_of_one, statement, subjects

MAX_LINES = 40  # statements of one edit
MAX_STATEMENT = 600  # characters
_FORBIDDEN = re.compile(r"</?\s*(?:memwiki|private|system[-_]reminder|hook_context|hook_prompt)\b", re.IGNORECASE)
MARKUP = re.compile(r"\s*(?:#{1,6}\s|```|~~~|(?:---+|\.\.\.)\s*$|<<<<<<<|>>>>>>>)")  # what is no statement


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that did not pass: where it wanted to write, what it was about, and why not."""

    path: str
    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """An edit that passed, with its checked path and one clean statement a line, and the evidence that it rests on."""

    edit: Edit
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A statement that stands in `where` already (a note's path or a pending candidate's id) and was said again."""

    where: str
    text: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Gates:
    """The rules, and what they look at: the notes at the run's base, what was read, and what was decided before.

    `folders` maps an event's id to the folder of the notes of the project that it was in ("": none).
    """

    notes: Notes
    excerpts: Mapping[str, Excerpt]
    folders: Mapping[str, str]
    pending: Sequence[Decided]
    refused: Sequence[Decided]

    def check(self, edit: Edit) -> Accepted | Seen:
        """The edit, cleaned, or where its statement is known already; MemwikiError with the reason to refuse it."""
        if edit.type not in TYPES:
            raise MemwikiError(f"There is no type {edit.type!r}.")
        refuse_hidden(_written(edit))
        edit = replace(edit, path=self.notes.place(edit.path))
        if edit.op != "delete" and not edit.text.strip():  # an emptied note or line is a loss, and treated as one
            edit = replace(edit, op="delete", text="")
        edit = replace(edit, text="\n".join(_statements(edit.text)))
        _clean(edit)
        evidence = cited(edit, self.excerpts)
        self._target(edit, evidence)
        self._supported(edit, sources(evidence, self.excerpts))
        self._again(edit, evidence)
        return self._known(edit, evidence) or Accepted(edit, evidence)

    def _target(self, edit: Edit, evidence: tuple[Evidence, ...]) -> None:
        """What is there decides: broken notes are left alone, missing ones lose nothing, foreign ones are not made."""
        if not namespace(edit.path).startswith("project/") and any(self._of_one_project(one) for one in evidence):
            raise MemwikiError("It is said of one project, and the session was in none that is known.")
        if not self.notes.has(edit.path):
            if edit.op != "add":
                raise MemwikiError(f"There is no note {edit.path} to change.")
            space = namespace(edit.path)
            if space.startswith("project/") and space not in {self.folders.get(one.event, "") for one in evidence}:
                raise MemwikiError(f"{edit.path} belongs to a project that these sessions were not about.")
            return
        note = self.notes.note(edit.path)
        if note.problem:
            raise MemwikiError(f"{edit.path} line {note.problem.line}: {note.problem.message}; it is left as it is.")
        if find_secrets(note.text):
            raise MemwikiError(f"{edit.path} holds a secret, so nothing is done with it.")
        if edit.op == "delete":
            lost = f"{note.path} {note.title} {edit.old or note.body}"
            if not any(subjects(one.quote) & subjects(lost) for one in evidence if one.who == "person"):
                raise MemwikiError("The person's words that it quotes do not speak of what it would delete.")

    def _of_one_project(self, evidence: Evidence) -> bool:
        """Whether the person speaks of the repository at hand where none is known: nobody can tell whose that is."""
        return evidence.who == "person" and not self.folders.get(evidence.event) and speaks_of_one(evidence.quote)

    def _supported(self, edit: Edit, rests_on: list[Source]) -> None:
        """MemwikiError for a line of somebody else's, and for a replacement of what nobody spoke of.

        A line that the quotes carry badly passes: the candidate is flagged for it.
        """
        lines = edit.text.split("\n") if edit.op != "delete" else []
        known = f"{self.notes.note(edit.path).text}\n{edit.path}" if self.notes.has(edit.path) else edit.path
        stands = {line: standing(line, rests_on) for line in lines}
        for line, kind in stands.items():
            if kind is Standing.FOREIGN:
                raise MemwikiError(f'Only a tool, a page or the agent says "{one_line(line, 60)}".')
        if lines and all(kind is Standing.NOTHING for kind in stands.values()):
            raise MemwikiError("The words it quotes have nothing to do with what it says.")
        for line in (*lines, edit.title, edit.description, *edit.tags):
            if names := unsaid(line, rests_on, known):
                raise MemwikiError(f"The words it quotes do not name {one_line(names[0], 60)}.")
        gone = [line for line in edit.old.splitlines() if statement(line) and statement(line) in known]
        if edit.op == "replace" and gone and len(lost(gone, lines, rests_on)) == len(gone):
            raise MemwikiError("The person's words that it quotes do not speak of what it would replace.")

    def _again(self, edit: Edit, evidence: tuple[Evidence, ...]) -> None:
        """MemwikiError when the person refused this before and nothing new was said since."""
        for one in self.refused:
            if one.covers(edit, evidence):
                raise MemwikiError(f"It was {one.state} before ({one.id}), and rests on the same words.")

    def _known(self, edit: Edit, evidence: tuple[Evidence, ...]) -> Seen | None:
        """Where everything that the edit says stands already: in the notes, or in a candidate that waits."""
        if edit.op == "delete":
            waiting = next((one.id for one in self.pending if one.path == edit.path and one.deletes), "")
            return Seen(waiting, edit.subject, evidence) if waiting and not edit.old else None
        lines = [normalised(line) for line in edit.text.split("\n")]
        if edit.op == "replace":
            same = set(lines) == {normalised(line) for line in edit.old.splitlines()}
            return Seen(edit.path, edit.text, evidence) if same else None
        for one in self.pending:
            if all(line in one.added for line in lines):
                return Seen(one.id, edit.text, evidence)
        there = [self.notes.says(line, edit.path) for line in lines]
        return Seen(there[0], edit.text, evidence) if all(there) else None


def _statements(text: str) -> list[str]:
    """One clean statement a line: no bullets, no blank lines, no runs of blanks."""
    return [flat(statement(line)) for line in text.splitlines() if statement(line)]


def _written(edit: Edit) -> str:
    """All that a candidate of `edit` would say, in the note and about it."""
    return "\n".join((edit.text, edit.title, edit.description, edit.subject, edit.why, *edit.tags))


def _clean(edit: Edit) -> None:
    """MemwikiError for text that no note should have: markup of ours, secrets, too much of it."""
    lines = edit.text.split("\n")
    if len(lines) > MAX_LINES or len(edit.text.encode("utf-8", "replace")) > MAX_NOTE // 2:
        raise MemwikiError(f"It has more than {MAX_LINES} statements, or too long ones.")
    if any(len(line) > MAX_STATEMENT for line in lines):
        raise MemwikiError(f"A statement is longer than {MAX_STATEMENT} characters.")
    if any(MARKUP.match(line) for line in lines):
        raise MemwikiError("It holds a heading, a fence or a conflict mark instead of a statement.")
    words = _written(edit)
    if _FORBIDDEN.search(words):
        raise MemwikiError("It holds a tag that marks injected or private text.")
    secrets = find_secrets(f"{edit.path}\n{words}")
    if secrets:
        raise MemwikiError(f"It holds a secret ({secrets[0][1]}).")
