"""Whether one sentence is durable, and the words of it that are."""

from collections.abc import Iterator
from dataclasses import dataclass

from .language import Kind, Language, Mute, Signal
from .own import Sentence
from .tables import language_of
from .topics import topics

MAX_TEXT = 320  # characters of a statement; a longer one is a copied text, not a rule
ENOUGH = 1.0  # signals of this weight together make a sentence durable


@dataclass(frozen=True, slots=True)
class Heard:
    """What one sentence gave: its durable words, their kind, and the devices that were heard in them.

    `explicit`: the person asked to remember it. `personal`: it is about the person or the agent's manners.
    `pointing`: it says something about the sentence before and means nothing without it. `linked`: a pronoun in it
    stands for something there.
    """

    text: str
    kind: Kind
    why: tuple[str, ...]
    explicit: bool
    personal: bool
    pointing: bool
    linked: bool


def hear(sentence: Sentence, table: Language, *, corrected: bool = False, refined: bool = False) -> Heard | None:
    """The durable words of `sentence`, or None.

    `corrected`: the person has just said that something was done wrong. `refined`: it limits an earlier statement.
    """
    start = _opening(sentence.plain, table)
    asks = table.asks.match(sentence.plain[start:])
    start += asks.end() if asks else 0
    rest = sentence.plain[start:]
    polite = table.question.match(sentence.plain[:start])
    if (table.question.search(rest) and not polite) or _muted(sentence.plain, table, hard=True):
        return None
    first, last, asked = _core(rest, table)
    if asks and first == last:
        first, last = 0, len(rest)  # what one is asked to remember may well look like work
    if not asks and (asks := table.asks.match(rest[first:last])):
        first += asks.end()
    text, plain = sentence.text[start:][first:last], rest[first:last]
    explicit = bool(asks) or asked or bool(sentence.head and _heads(sentence.head))
    signals = list(_signals(plain, table))
    weight = sum(one.weight for one in signals) + 0.5 * (corrected and any(one.rule for one in signals)) + refined
    if not explicit and (weight < ENOUGH or _silenced(plain, sentence.plain[: start + first], signals, table)):
        return None
    if explicit and _silenced_ask(sentence.plain, table):
        return None
    best = max(signals, key=lambda one: one.weight, default=None)
    devices = [one.why for one in signals if one.weight >= ENOUGH] or [one.why for one in signals if not explicit]
    return Heard(
        text=text,
        kind=best.kind if best else "fact",
        why=tuple(dict.fromkeys(["asked to remember"] * explicit + devices)),
        explicit=explicit,
        personal=any(one.personal for one in signals),
        pointing=bool(table.pointing.search(plain)) or not topics(plain, table),
        linked=bool(table.pronoun.search(plain)),
    )


def _heads(line: str) -> bool:
    table = language_of(line)
    return bool(table.header.search(line))


def _opening(plain: str, table: Language) -> int:
    """Where the sentence starts after the chat in front of it."""
    start = 0
    while (found := table.opening.match(plain[start:])) and found.end() and start + found.end() < len(plain):
        start += found.end()
    return start


def _clauses(plain: str, table: Language) -> list[tuple[int, int]]:
    bounds: list[tuple[int, int]] = []
    start = 0
    for joint in table.joint.finditer(plain):
        if joint.start() > start:
            bounds.append((start, joint.start()))
        start = joint.end()
    return [*bounds, (start, len(plain))] if start < len(plain) else bounds


def _core(plain: str, table: Language) -> tuple[int, int, bool]:
    """Start and end of `plain` without the work beside it, and whether a clause in it asks to remember the rest."""
    kept = _clauses(plain, table)
    asked = False
    for clause in list(kept):
        if table.asked.search(plain[slice(*clause)]):
            asked = True
            if clause in (kept[0], kept[-1]):
                kept.remove(clause)
    while kept and _is_work(plain[slice(*kept[0])], table):
        kept.pop(0)
    while kept and _is_work(plain[slice(*kept[-1])], table):
        if len(kept) > 1 and table.leans.match(plain[slice(*kept[-2])]):
            break
        kept.pop()
    return (kept[0][0], kept[-1][1], asked) if kept else (0, 0, asked)


def _is_work(clause: str, table: Language) -> bool:
    if not table.task.match(clause):
        return False
    return not any(signal.weight >= ENOUGH and signal.pattern.search(clause) for signal in table.signals)


def _signals(plain: str, table: Language) -> Iterator[Signal]:
    """The devices in `plain`; a half one only where it stands on words of its own."""
    taken: list[tuple[int, int]] = []
    for signal in table.signals:
        for found in signal.pattern.finditer(plain):
            free = all(found.end() <= start or found.start() >= end for start, end in taken)
            if free or signal.weight >= ENOUGH:
                taken.append(found.span())
                yield signal
                break


def _muted(plain: str, table: Language, *, hard: bool) -> bool:
    return any(mute.pattern.search(plain) for mute in table.mutes if mute.hard == hard)


def _silenced(plain: str, lead: str, signals: list[Signal], table: Language) -> bool:
    """Whether something in the sentence, or in the clauses that carry its signals, keeps it from lasting.

    `lead` is what was cut off in front; only its chat counts ("yeah right, from now on ...").
    """
    kinds = {one.kind for one in signals if one.weight >= ENOUGH}
    bearing = [
        plain[slice(*clause)]
        for clause in _clauses(plain, table)
        if any(one.pattern.search(plain[slice(*clause)]) for one in signals)
    ]

    def silences(mute: Mute) -> bool:
        if kinds & set(mute.spares):
            return False
        parts = (bearing or [plain]) if mute.local else [plain, *[lead + plain] * (len(lead) < 30)]
        return any(mute.pattern.search(part) for part in parts)

    return any(silences(mute) for mute in table.mutes)


def _silenced_ask(plain: str, table: Language) -> bool:
    """Of the mutes, those that hold against an ask to remember: work to do, and a memory that is only asked about."""
    return any(mute.pattern.search(plain) for mute in table.mutes if mute.why in ("a thing to do now", "a remark"))


def tidied(text: str) -> str:
    """`text` on one line without blanks, commas and half brackets at its ends."""
    line = " ".join(text.split()).strip(" \t,;:–—-、，")
    return line[:-1] if line.endswith(")") and "(" not in line else line
