"""Which notes of a project have been replaced by newer ones, so that no agent is given both.

Only three kinds are told apart, each so plain that a reader would not doubt it:

1. A note says so: it links the old one and calls it outdated.
2. Two notes say the same of the same thing with another value: `Staging is a.example`, later `Staging is b.example`.
3. A newer note says that a thing is out ("moved from pnpm to bun"), and all that the older one says is to use it.

A note with several statements is never replaced as a whole by kind 2 or 3.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..recall.overview import Row
from ..recall.words import STOP

_WORD = re.compile(r"[^\W_][\w.+#-]*")
_SENTENCES = re.compile(r"(?<=[.!?])\s|\n")
_CLAUSE_END = re.compile(r"[,;:.()](?:\s|$)")
_VERSIONED = re.compile(r"\b([^\W\d_]{4,40} [a-z0-9])\b")  # `revision b`
_STOP = frozenset(STOP.split())
_SHORT = 16  # words of a statement that says one thing
_REACH = 4  # words between a thing and the words that say it is out
_TYPES = frozenset(("decision", "preference", "fact", "pattern", ""))

# Words of the languages that the offline engine speaks. A thing follows these ...
_OUT_BEFORE = (
    "moved from", "moved away from", "moved off", "switched from", "migrated from", "away from", "replaced",
    "replaces", "instead of", "rather than", "no longer use", "dropped", "stopped using", "got rid of",
    "statt", "anstelle von", "ersetzt", "umgestellt von", "gewechselt von", "weg von",
    "en vez de", "en lugar de", "reemplaza", "sustituye", "ya no usamos", "dejamos", "pasamos de", "migramos de",
    "au lieu de", "remplace", "plutôt que", "passé de", "passés de", "abandonné",
    "em vez de", "substitui", "deixamos", "migramos do", "saímos do",
)  # fmt: skip
# ... or comes before these.
_OUT_AFTER = (
    "is out", "are out", "is gone", "are gone", "is retired", "is history", "is no longer used", "was dropped",
    "was replaced", "haben wir rausgeworfen", "ist raus", "sind raus", "ist abgeschafft", "wurde ersetzt",
    "ya no se usa", "queda fuera", "quedó fuera", "n'est plus utilisé", "est abandonné", "não é mais usado", "saiu",
)  # fmt: skip
_NOT_BEFORE = (
    "no", "not", "never", "don't add", "nicht", "kein", "keine", "no metas", "nada de", "sin", "pas de", "não", "sem",
)  # fmt: skip
_USE = frozenset(
    (
        "use", "uses", "using", "on", "nehmen", "nutzen", "benutzen", "verwenden", "usamos",
        "usar", "utilisons", "utilise", "utilizamos", "en", "in",
    )
)  # fmt: skip
_NEGATIONS = frozenset(
    (
        "not", "no", "never", "don't", "nicht", "kein", "keine", "nie", "nunca", "jamais", "pas",
        "não", "sem", "sin", "nada",
    )
)  # fmt: skip
_SCOPES = frozenset(
    (
        "legacy", "old", "except", "until", "still", "only", "nur", "noch",
        "außer", "bis", "salvo", "excepto", "solo", "hasta", "sauf", "seulement", "encore", "só",
    )
)  # fmt: skip
_OUTDATED = (
    "outdated", "superseded", "only kept", "replaces", "replaced", "obsolete", "no longer", "veraltet", "ersetzt",
    "überholt", "obsoleto", "reemplaza", "remplace", "dépassé", "substitui",
)  # fmt: skip
_COPULAS = (" is ", " are ", ": ", " ist ", " sind ", " es ", " son ", " est ", " sont ", " é ", " são ")
_GERMAN = frozenset(
    (
        "der", "die", "das", "und", "ist", "nicht", "wir", "ein", "eine", "mit", "für",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Statement:
    """One note's words: `words` in lower case, `marked` those that a writer marks as a name."""

    row: Row
    words: tuple[str, ...]
    marked: frozenset[str]
    single: bool

    @classmethod
    def of(cls, row: Row) -> "_Statement":
        found = _WORD.findall(row.text.replace("`", " "))
        words = tuple(word.rstrip(".-").lower() for word in found)
        german = len(_GERMAN.intersection(words)) > 1
        marked = {
            lower
            for place, (word, lower) in enumerate(zip(found, words, strict=True))
            if _is_marked(word, place, german)
        }
        single = "\n" not in row.text and len(words) <= _SHORT
        return cls(row, words, frozenset(marked), single)


def _is_marked(word: str, place: int, german: bool) -> bool:
    """Whether a word is written as a name: with a digit or a capital inside, or a capital where none is due."""
    inside = any(letter.isdigit() or letter.isupper() for letter in word[1:])
    return inside or (word[0].isupper() and place > 0 and not german)


def superseded(rows: Iterable[Row]) -> dict[str, str]:
    """The paths of notes that have been replaced, each with the path of the note that replaced it."""
    statements = [_Statement.of(row) for row in rows]
    pairs = [*_linked(statements), *_same_frame(statements), *_out(statements)]
    found: dict[str, str] = {}
    for old, new in pairs:
        if old.path != new.path and found.get(new.path) != old.path:
            found.setdefault(old.path, new.path)
    return found


def _linked(statements: Sequence[_Statement]) -> Iterator[tuple[Row, Row]]:
    """Kind 1: a note that links another and calls it outdated in the same sentence."""
    names = {row.path.rpartition("/")[2].removesuffix(".md").lower(): row for row in (s.row for s in statements)}
    for statement in statements:
        for line in _SENTENCES.split(statement.row.text.lower()):
            if "[[" not in line or not any(phrase in line for phrase in _OUTDATED):
                continue
            for target in line.split("[[")[1:]:
                name = target.partition("]]")[0].partition("|")[0].rpartition("/")[2]
                if name in names:
                    yield names[name], statement.row


def _same_frame(statements: Sequence[_Statement]) -> Iterator[tuple[Row, Row]]:
    """Kind 2: of notes that give one thing different values, the older ones."""
    framed: dict[str, list[tuple[_Statement, str]]] = {}
    for statement in statements:
        if not statement.row.created or statement.row.type not in _TYPES:
            continue
        first = statement.row.text.split("\n", 1)[0]
        cuts = [(first.find(copula), copula) for copula in _COPULAS if copula in first]
        if not cuts:
            continue
        place, copula = min(cuts)
        frame = " ".join(word.lower() for word in _WORD.findall(first[:place]))
        value = (first[place + len(copula) :].split() or [""])[0].strip("`*\"'.,;:()")
        if _is_value(value) and any(word not in _STOP for word in frame.split()):
            framed.setdefault(frame, []).append((statement, value.lower()))
    for group in framed.values():
        newest, value = max(group, key=lambda entry: (entry[0].row.created, entry[0].row.path))
        for statement, other in group:
            if other != value and statement.single and statement.row.created < newest.row.created:
                yield statement.row, newest.row


def _is_value(word: str) -> bool:
    """Whether a word is an address, a number, an id or a path: what one thing has one of."""
    inside = word[1:-1]
    return any(mark in inside for mark in "-._/:@") or any(letter.isdigit() for letter in word)


def _out(statements: Sequence[_Statement]) -> Iterator[tuple[Row, Row]]:
    """Kind 3: a thing that a newer note says is out, and older notes that say no more than to use it."""
    users: dict[str, list[_Statement]] = {}
    for statement in statements:
        plain = _NEGATIONS.isdisjoint(statement.words) and _SCOPES.isdisjoint(statement.words)
        tail_negated = _is_use_with_negation(statement)
        if statement.single and statement.row.type in _TYPES and (plain or tail_negated):
            for word in _used(statement):
                users.setdefault(word, []).append(statement)
    for newer in statements:
        for thing in _things_out(newer):
            for older in users.get(thing, ()):
                if older is not newer and _is_newer(newer.row, older.row):
                    yield older.row, newer.row


def _is_use_with_negation(statement: _Statement) -> bool:
    """`Use pnpm, never npm`: the only negation comes after the thing that is used."""
    words = statement.words
    use = next((place for place, word in enumerate(words) if word in _USE), len(words))
    first = next((place for place, word in enumerate(words) if word in _NEGATIONS), len(words))
    return use + 1 < first and _SCOPES.isdisjoint(words)


def _used(statement: _Statement) -> Iterator[str]:
    """The things that a statement says to use: names, and the word after `use` and its like."""
    words = statement.words
    for place, word in enumerate(words):
        if word in _STOP or len(word) < 2 or any(before in _NEGATIONS for before in words[max(0, place - 2) : place]):
            continue
        after_use = place > 0 and words[place - 1] in _USE and words[place - 1] not in ("in", "en", "on")
        if after_use or word in statement.marked:
            yield word
    yield from _VERSIONED.findall(statement.row.title.lower())


def _things_out(statement: _Statement) -> Iterator[str]:
    """The things of which a statement says that they are out."""
    for line in statement.row.text.lower().replace("`", "").split("\n"):
        for phrase in _OUT_BEFORE:
            for after in _after(line, phrase):
                yield from _near(after[:_REACH])
        for phrase in _OUT_AFTER:
            at = line.find(f" {phrase}")
            if at >= 0:
                yield from _near(_WORD.findall(line[:at])[-_REACH:])
        for phrase in _NOT_BEFORE:
            for after in _after(line, phrase):
                yield from (word for word in after[:3] if word in statement.marked)


def _after(line: str, phrase: str) -> Iterator[list[str]]:
    """The words after each `phrase` in `line`, to the end of its clause."""
    parts = f" {line}".split(f" {phrase} ")
    for part in parts[1:]:
        yield _WORD.findall(_CLAUSE_END.split(part, maxsplit=1)[0])


def _near(words: Sequence[str]) -> Iterator[str]:
    clean = [word.rstrip(".-") for word in words]
    yield from (word for word in clean if word not in _STOP and len(word) > 1)
    yield from (f"{first} {second}" for first, second in pairwise(clean) if len(second) == 1)


def _is_newer(newer: Row, older: Row) -> bool:
    """Whether the dates let one note replace another; a note without a date may, where the other has one."""
    return bool(older.created) and (not newer.created or newer.created > older.created)
