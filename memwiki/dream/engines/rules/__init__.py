"""The offline distiller: durable statements by the rules of language, without a model, a network or a key.

Silence first: people say something durable in two to four prompts of a hundred, so every rule here rather misses one
than proposes one too many.
"""

import re
from collections.abc import Iterable

from ....text import one_line
from ...edits import Answer, Batch, Conversation, Edit, Known, Quote
from .english import ENGLISH
from .places import place_of
from .repairs import repairs
from .tables import language_of
from .talk import Statement, statements
from .topics import likeness, topics

KNOWN = 0.8  # likeness to a known, pending or refused line from which a statement is not proposed again


class Rules:
    """The engine `rules`: see docs/dream-rules.md for what it hears and what it is deaf to."""

    name = "rules"
    model = ""

    def distil(self, batch: Batch) -> Answer:
        """One `add` for each statement that still stands and is not known, pending or refused. Never raises."""
        lines = tuple(_lines(batch))
        edits: list[Edit] = []
        for conversation in batch.conversations:
            for edit in _edits(conversation, batch.notes):
                if not _told(edit.text, (*lines, *(other.text for other in edits))):
                    edits.append(edit)
        return Answer(tuple(edits))


def _lines(batch: Batch) -> Iterable[str]:
    for note in batch.notes:
        yield from note.text.splitlines() if note.text else (note.card,)
    yield from batch.pending
    yield from batch.refused


def _told(text: str, lines: Iterable[str]) -> bool:
    about = topics(text, language_of(text))
    for line in lines:
        other = topics(line, language_of(line))
        if len(other) >= len(about) / 2 and likeness(about, other) >= KNOWN and len(about) >= 1:
            return True
    return False


def _edits(conversation: Conversation, notes: tuple[Known, ...]) -> Iterable[Edit]:
    for statement in statements(conversation):
        ours = bool(OURS.search(statement.text))
        place = place_of(
            statement.text,
            statement.language,
            folder=conversation.folder,
            personal=statement.personal,
            ours=ours,
            notes=notes,
        )
        yield Edit(
            op="add",
            path=place.path,
            text=statement.text,
            type=statement.kind,
            subject=_subject(statement.text),
            why=_why(statement),
            confidence=0.9 if statement.explicit else min(0.85, 0.6 + 0.1 * len(statement.quotes)),
            source="explicit" if statement.explicit else "turn",
            quotes=tuple(Quote(event, words) for event, words in statement.quotes),
            title=place.title,
            description=place.description,
        )
    for repair in repairs(conversation):
        place = place_of(repair.text, ENGLISH, folder=conversation.folder, personal=False, ours=True, notes=notes)
        yield Edit(
            op="add",
            path=place.path,
            text=repair.text,
            type="pattern",
            subject=_subject(repair.text),
            why="A command failed until another one made it work.",
            confidence=0.5,
            source="turn",
            quotes=tuple(Quote(event, words) for event, words in repair.quotes),
            title=place.title,
            description=place.description,
        )


OURS = re.compile(r"(?i)\b(?:we|our|team|repo|project|codebase|service|package|workspace)\b|项目|我们|プロジェクト")


def _subject(text: str) -> str:
    line = one_line(text, 72)
    return line[:1].upper() + line[1:]


def _why(statement: Statement) -> str:
    return "The person's words: " + ", ".join(statement.why) + "."
