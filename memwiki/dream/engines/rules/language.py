"""What the offline engine knows of one language: a table of patterns, one field per concern.

To add a language, write one module with one `Language` and name it in `tables.py`. Patterns are matched against a
sentence whose quoted words and code are blanked out, ignoring case. Nothing else in the engine knows
words of a language.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["preference", "fact", "decision", "pattern", "postmortem", "event"]

NEVER = re.compile(r"(?!)")  # for a concern that a language does not spell out


def rx(*alternatives: str) -> re.Pattern[str]:
    """One compiled pattern out of alternatives, ignoring case."""
    return re.compile("|".join(f"(?:{one})" for one in alternatives), re.IGNORECASE)


def words(text: str) -> frozenset[str]:
    """The words of a table, written as one text."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Signal:
    """A device that makes a sentence outlast its session: by itself with `weight` 1, with 0.5 beside another.

    `why` is said to the reviewer. `personal` signals are about the person or the agent's manners, not a code base.
    A `rule` is what somebody teaches who corrects: beside a correction, half a signal is enough.
    """

    why: str
    kind: Kind
    weight: float
    pattern: re.Pattern[str]
    personal: bool = False
    rule: bool = False


@dataclass(frozen=True, slots=True)
class Mute:
    """A device that keeps a sentence from being durable. A `hard` one holds even when the person asks to remember it.

    `local`: it silences only where it stands in the clause that carries the signal. `spares`: kinds it leaves alone, as
    a day in the past leaves a decision.
    """

    why: str
    pattern: re.Pattern[str]
    hard: bool = False
    local: bool = False
    spares: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class Language:
    """One language's table.

    code      ISO 639-1
    script    characters only this language is written in, or None where `words` decides
    words     frequent function words, by which the language of a prompt is told
    opening   chat in front of a statement ("ok, ", "no, ", "btw ", "please "), cut off
    asks      asks to remember what follows it, at the start of a sentence ("remember that ")
    asked     asks to remember what stands before it or in the sentence before ("..., please memorise it")
    header    a line that makes rules of the list below it ("conventions:")
    signals   what makes a sentence durable
    mutes     what keeps it from being durable
    question  a question, with or without its mark
    task      the start of a clause that is work to do now, cut from either end of a statement
    leans     a clause that says nothing without the one after it ("whenever you commit")
    joint     where clauses meet inside a sentence
    pronoun   a word that stands for something in the sentence before ("them")
    pointing  a sentence that only says something about the one before ("keep to that")
    presents  hands over a text of somebody else's that follows it ("what do you say to this review: ")
    refines   limits or widens an earlier statement ("one exception:", "only for")
    takeback  takes the last statement back ("scratch that")
    repeats   says that it was said before ("as I said")
    corrects  says that the agent did it wrong
    turn      says that an earlier statement no longer holds ("change of plan")
    accepts   agrees to what the agent just offered
    offers    the agent's words before the thing it offers ("should I "), and its words of habit
    habit     words by which an offer or its acceptance is about more than this once
    ours      names the team or the code base, so that a statement belongs with the project
    stop      words that say nothing about a statement's topic
    """

    code: str
    words: frozenset[str]
    opening: re.Pattern[str]
    asks: re.Pattern[str]
    asked: re.Pattern[str]
    signals: tuple[Signal, ...]
    mutes: tuple[Mute, ...]
    question: re.Pattern[str]
    task: re.Pattern[str]
    takeback: re.Pattern[str]
    script: re.Pattern[str] | None = None
    header: re.Pattern[str] = NEVER
    joint: re.Pattern[str] = re.compile(r"\s*[,;]\s+|\s+[-–—]+\s+")
    leans: re.Pattern[str] = NEVER
    pronoun: re.Pattern[str] = NEVER
    pointing: re.Pattern[str] = NEVER
    presents: re.Pattern[str] = NEVER
    refines: re.Pattern[str] = NEVER
    repeats: re.Pattern[str] = NEVER
    corrects: re.Pattern[str] = NEVER
    turn: re.Pattern[str] = NEVER
    accepts: re.Pattern[str] = NEVER
    offers: re.Pattern[str] = NEVER
    habit: re.Pattern[str] = NEVER
    ours: re.Pattern[str] = NEVER
    stop: frozenset[str] = frozenset()
