"""The offline distiller: durable statements by the rules of language, without a model, a network or a key.

Silence first: people say something durable in two to four prompts of a hundred, so every rule here rather misses one
than proposes one too many. The tables of patterns are one module a language; `language.py` says how to add one.
"""

import re
from collections.abc import Iterable, Iterator

from ....text import one_line
from ...edits import Answer, Batch, Conversation, Edit, Quote
from ...words import flat
from ...words import statement as bare
from .english import ENGLISH
from .places import Shelf, cased
from .repairs import Repair, repairs
from .said import Statement
from .tables import language_of
from .talk import statements
from .topics import likeness, topics

LIKE = 0.8  # likeness to a line that is known, waits or was refused, from which a statement is that line in other words
CARD = re.compile(r"^\S+\.md: (?:\(delete\) )?")


class Rules:
    """The engine `rules`: docs/dream-rules.md says what it hears and what it is deaf to."""

    name = "rules"
    model = ""

    def distil(self, batch: Batch) -> Answer:
        """One `add` for each statement that still stands at the end of its conversation. Never raises.

        What is known, waits or was refused in other words is left out; to the letter it is passed on: the gates count
        how often a thing was said. What was refused comes again only when the person asks to remember it.
        """
        shelf = Shelf(batch.notes)
        edits = [edit for talk in batch.conversations for edit in _edits(talk, shelf)]
        if not edits:
            return Answer(())
        known, refused = list(_known(batch)), list(_parts(batch.refused))
        kept: list[Edit] = []
        for edit in edits:
            others = [other.text for other in kept]
            again = edit.source != "explicit" and _alike(edit.text, refused)
            if not (again or _in_other_words(edit.text, known) or _alike(edit.text, others)):
                kept.append(edit)
        return Answer(tuple(kept))


def _known(batch: Batch) -> Iterator[str]:
    """The lines that are memory or wait to be: of notes sent in full, of cards, of pending candidates."""
    for note in batch.notes:
        yield from (bare(line) for line in note.text.splitlines()) if note.text else (note.card.partition(":")[2],)
    yield from _parts(batch.pending)


def _parts(lines: Iterable[str]) -> Iterator[str]:
    """The statements in lines like `tools/pnpm.md: one; another`."""
    for line in lines:
        text = CARD.sub("", line)
        yield from dict.fromkeys((text, *text.split("; ")))


def _in_other_words(text: str, lines: Iterable[str]) -> bool:
    lines = list(lines)
    return flat(text) not in {flat(line) for line in lines} and _alike(text, lines)


def _alike(text: str, lines: Iterable[str]) -> bool:
    """Whether one of `lines` says what `text` says: most of the shorter one's topics, and it is not much shorter."""
    about = topics(text, language_of(text))
    for line in lines:
        other = topics(line, language_of(line))
        if 2 * len(other) >= len(about) and likeness(about, other) >= LIKE:
            return True
    return False


def _edits(talk: Conversation, shelf: Shelf) -> Iterator[Edit]:
    capitals = {one.id for one in talk.excerpts if one.text.lstrip()[:1].isupper()}
    for statement in statements(talk):
        yield _said(statement, shelf, talk.folder, capitals)
    for repair in repairs(talk):
        yield _repaired(repair, shelf, talk.folder)


def _said(statement: Statement, shelf: Shelf, folder: str, capitals: set[str]) -> Edit:
    events = {event for event, _ in statement.quotes}
    text = cased(statement.text) if events <= capitals else statement.text
    place = shelf.place(text, statement.language, folder=folder, personal=statement.personal)
    return Edit(
        op="add",
        path=place.path,
        text=text,
        type=statement.kind,
        subject=_subject(text),
        why=f"The person's words: {', '.join(statement.why)}.",
        confidence=0.9 if statement.explicit else min(0.85, 0.6 + 0.1 * len(events)),
        source="explicit" if statement.explicit else "turn",
        quotes=tuple(Quote(event, words) for event, words in statement.quotes),
        title=place.title,
        description=place.description,
    )


def _repaired(repair: Repair, shelf: Shelf, folder: str) -> Edit:
    place = shelf.place(repair.text, ENGLISH, folder=folder, personal=False)
    return Edit(
        op="add",
        path=place.path,
        text=repair.text,
        type="pattern",
        subject=_subject(repair.text),
        why="A command failed until another one made it work.",
        confidence=0.5,
        source="turn",
        quotes=tuple(Quote(event, command) for event, command in repair.quotes),
        title=place.title,
        description=place.description,
    )


def _subject(text: str) -> str:
    line = one_line(text, 72)
    return line[:1].upper() + line[1:]
