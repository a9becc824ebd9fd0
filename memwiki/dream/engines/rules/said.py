"""What passes between the engine's parts: a sentence in its event, and a statement that may become an edit."""

from dataclasses import dataclass

from .language import Kind, Language
from .own import Sentence
from .topics import topics

NEVER = 2.0  # more than any likeness


@dataclass(frozen=True, slots=True)
class Statement:
    """Something durable that a person said.

    `text` is what the note will say, `quotes` the verbatim pieces (event id, words) it rests on, `why` the devices that
    were heard. `replaces`: the likeness from which it takes an earlier statement's place. `refines`: it says
    that an earlier one holds for less or more. `repeats`: that it was said before.
    """

    text: str
    kind: Kind
    why: tuple[str, ...]
    quotes: tuple[tuple[str, str], ...]
    language: Language
    explicit: bool = False
    personal: bool = False
    replaces: float = NEVER
    refines: bool = False
    repeats: bool = False

    @property
    def topics(self) -> frozenset[str]:
        """The stems that say what it is about."""
        return topics(self.text, self.language)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with the event it stands in and its language."""

    event: str
    sentence: Sentence
    language: Language

    @property
    def whole(self) -> tuple[str, str]:
        """The sentence as a quote."""
        return self.event, self.sentence.text.strip()
