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
_VERSIONED = re.compile(r"\b([^\W\d_]{4,40} [a-z0-9])\b")  # `revision b`
_STOP = frozenset(STOP.split())
_SHORT = 16  # words of a statement that says one thing
_LONGEST = 400  # characters of it
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


_CLAUSE_ENDS = frozenset(",;:.()\n")


def _phrases(kind: str, texts: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for text in texts:
        yield kind, tuple(_WORD.findall(text))


_BY_FIRST_WORD: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
for _kind, _phrase in (
    *_phrases("before", _OUT_BEFORE),
    *_phrases("after", _OUT_AFTER),
    *_phrases("not", _NOT_BEFORE),
):
    _BY_FIRST_WORD.setdefault(_phrase[0], []).append((_kind, _phrase))


@dataclass(frozen=True, slots=True)
class _Word:
    """One word in lower case; `marked` where it is written as a name, `last` where a clause ends after it."""

    text: str
    marked: bool
    last: bool


def _words(text: str) -> list[_Word]:
    matches = list(_WORD.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    german = len(_GERMAN.intersection(match.group().lower() for match in matches[:40])) > 1
    words = []
    for place, (match, end) in enumerate(zip(matches, ends, strict=True)):
        raw = match.group()
        last = raw[-1] == "." or not _CLAUSE_ENDS.isdisjoint(text[match.end() : end])
        words.append(_Word(raw.rstrip(".-").lower(), _is_marked(raw, place, german), last))
    return words


def _is_marked(word: str, place: int, german: bool) -> bool:
    """Whether a word is written as a name: with a digit or a capital inside, or a capital where none is due."""
    inside = any(letter.isdigit() or letter.isupper() for letter in word[1:])
    return inside or (word[0].isupper() and place > 0 and not german)


def superseded(rows: Iterable[Row]) -> dict[str, str]:
    """The paths of notes that have been replaced, each with the path of the note that replaced it."""
    rows = list(rows)
    pairs = [*_linked(rows), *_same_frame(rows), *_out(rows)]
    found: dict[str, str] = {}
    for old, new in pairs:
        if old.path != new.path and found.get(new.path) != old.path:
            found.setdefault(old.path, new.path)
    return found


def _linked(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Kind 1: a note that links another and calls it outdated in the same sentence."""
    names = {row.path.rpartition("/")[2].removesuffix(".md").lower(): row for row in rows}
    for row in rows:
        for line in _SENTENCES.split(row.text.lower()) if "[[" in row.text else ():
            if "[[" not in line or not any(phrase in line for phrase in _OUTDATED):
                continue
            for target in line.split("[[")[1:]:
                name = target.partition("]]")[0].partition("|")[0].rpartition("/")[2]
                if name in names:
                    yield names[name], row


def _same_frame(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Kind 2: of notes that give one thing different values, the older ones."""
    framed: dict[str, list[tuple[Row, str]]] = {}
    for row in rows:
        if not row.created or row.type not in _TYPES:
            continue
        first = row.text.split("\n", 1)[0]
        cuts = [(first.find(copula), copula) for copula in _COPULAS if copula in first]
        if not cuts:
            continue
        place, copula = min(cuts)
        frame = " ".join(word.lower() for word in _WORD.findall(first[:place]))
        value = (first[place + len(copula) :].split() or [""])[0].strip("`*\"'.,;:()")
        if _is_value(value) and any(word not in _STOP for word in frame.split()):
            framed.setdefault(frame, []).append((row, value.lower()))
    for group in framed.values():
        newest, value = max(group, key=lambda entry: (entry[0].created, entry[0].path))
        for row, other in group:
            if other != value and _is_single(row) and row.created < newest.created:
                yield row, newest


def _is_single(row: Row) -> bool:
    """Whether a note is one short statement."""
    return "\n" not in row.text and len(_WORD.findall(row.text[:_LONGEST])) <= _SHORT


def _is_value(word: str) -> bool:
    """Whether a word is an address, a number, an id or a path: what one thing has one of."""
    inside = word[1:-1]
    return any(mark in inside for mark in "-._/:@") or any(letter.isdigit() for letter in word)


def _out(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Kind 3: a thing that a newer note says is out, and older notes that say no more than to use it."""
    things = [(row, set(_things_out(row))) for row in rows]
    every = set().union(*(out for _, out in things))
    users: dict[str, list[Row]] = {}
    for row in rows if every else ():
        if row.created and row.type in _TYPES and _is_single(row):
            for thing in every.intersection(_used(row)):
                users.setdefault(thing, []).append(row)
    for newer, out in things:
        for thing in sorted(out.intersection(users)):
            for older in users[thing]:
                if older is not newer and (not newer.created or newer.created > older.created):
                    yield older, newer


def _used(row: Row) -> Iterator[str]:
    """The things that a statement says to use: names, and the word after `use` and its like.

    Nothing where it speaks of a part only ("for the legacy package"), or negates before it says what to use.
    """
    words = [word.text for word in _words(row.text.replace("`", " "))]
    marked = {word.text for word in _words(row.text.replace("`", " ")) if word.marked}
    if not _SCOPES.isdisjoint(words):
        return
    use = next((place for place, word in enumerate(words) if word in _USE), len(words))
    negation = next((place for place, word in enumerate(words) if word in _NEGATIONS), len(words))
    if negation < len(words) and not use + 1 < negation:
        return
    for place, word in enumerate(words):
        before = words[max(0, place - 2) : place]
        if word in _STOP or len(word) < 2 or not _NEGATIONS.isdisjoint(before):
            continue
        after_use = place > 0 and words[place - 1] in _USE and words[place - 1] not in ("in", "en", "on")
        if after_use or word in marked:
            yield word
    yield from _VERSIONED.findall(row.title.lower())


def _things_out(row: Row) -> Iterator[str]:
    """The things of which a note says that they are out."""
    text = row.text.replace("`", "")
    if _BY_FIRST_WORD.keys().isdisjoint(word.lower() for word in _WORD.findall(text)):
        return
    words = _words(text)
    lower = tuple(word.text for word in words)
    for place, word in enumerate(lower):
        for kind, phrase in _BY_FIRST_WORD.get(word, ()):
            end = place + len(phrase)
            if lower[place:end] != phrase:
                continue
            if kind == "after":
                yield from _near(lower[max(0, place - _REACH) : place])
                continue
            clause = _clause(words, end)
            if kind == "not":
                yield from (after.text for after in clause[:3] if after.marked)
            else:
                yield from _near([after.text for after in clause])


def _clause(words: Sequence[_Word], start: int) -> list[_Word]:
    """The words from `start` to the end of their clause, as far as they are near."""
    taken: list[_Word] = []
    if start > 0 and words[start - 1].last:
        return taken
    for word in words[start : start + _REACH]:
        taken.append(word)
        if word.last:
            break
    return taken


def _near(words: Sequence[str]) -> Iterator[str]:
    """Each word that could name a thing, and pairs such as `revision b`."""
    yield from (word for word in words if word not in _STOP and len(word) > 1)
    yield from (f"{first} {second}" for first, second in pairwise(words) if len(second) == 1)
