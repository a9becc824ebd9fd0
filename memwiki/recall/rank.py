"""The one ranking: BM25 over stems, heads, 4-grams and stop words; the best by stems first, then all four sums exactly.

Weights and constants were measured on six public retrieval sets; `docs/recall.md` has the figures.
"""

from math import log

from .analysis import analyse, grams, runs
from .snapshot import Note, Snapshot

_AROUND = "\"'`()[]{}<>,;*_"  # what may stand around a word
FEW = 200  # a smaller vault is ranked as one of this many notes, else its idf says nothing
_BUDGET, _LEAST = 2000, 64  # postings read for one query, and for each term at least
_STEMS, _GRAMS = 48, 96  # looked up of one query
_PROMPT = 8000  # characters of a prompt that are looked at: its beginning, and a quarter of it from its end


class Query:
    """A prompt's words, looked up: what the gate needs to know about them."""

    def __init__(self, snapshot: Snapshot, text: str) -> None:
        if len(text) > _PROMPT:
            text = text[: _PROMPT * 3 // 4] + "\n" + text[-_PROMPT // 4 :]
        self.text, self.live, self.notes = text, snapshot.live, max(snapshot.live, FEW)
        self.stems, stops, pieces = analyse(text)
        self.names = _names(text)
        # A run without blanks has about one word in two characters.
        self.content = sum(1 if piece[0] == "^" else max(1, len(piece) // 2) for piece in pieces)
        unique = list(dict.fromkeys(self.stems))
        if len(unique) > _STEMS:  # what is asked stands at the beginning or the end of a long prompt
            unique = unique[: _STEMS * 3 // 4] + unique[-_STEMS // 4 :]
        self.found = {stem: entry for stem in unique if (entry := snapshot.term(stem))[0] > 0}
        self.unknown = [stem for stem in unique if stem not in self.found]
        # Titles and tags may be stop words ("Will", "IT"): a capital asks for one, or a query that has no other words.
        capitals = {name.lower() for name in self.names}
        for stop in dict.fromkeys(stops):
            if (stop in capitals or not unique) and (entry := snapshot.term(stop))[0] > 0:
                self.found[stop] = entry
        self.stems += [stop for stop in self.found if stop in capitals and stop not in unique]
        self.weights = [(f" {x};", self.idf(n), 0.3 * self.idf(h), x) for x, (n, h, _) in self.found.items()]
        counts = {gram: snapshot.count("g" + gram) for gram in list(dict.fromkeys(grams(pieces)))[:_GRAMS]}
        self.gram_weights = [(gram, self.idf(count)) for gram, count in counts.items() if count > 0]
        self.gram_mass = sum(self.idf(count) for count in counts.values()) or 1.0
        words = {word: snapshot.count("~" + word) for word in dict.fromkeys(stops) if word not in self.found}
        self.stop_weights = [(f" {word};", 0.1 * self.idf(count)) for word, count in words.items() if count > 0]

    def idf(self, count: int) -> float:
        """The weight of what `count` notes have."""
        return log(1 + (self.notes - count + 0.5) / (count + 0.5))


class Ranked:
    """A note with its score, the query stems in it, whether one is in the head, and the idf mass of its query grams."""

    def __init__(self, query: Query, note: Note, average: list[float]) -> None:
        content, heads, gram, words = (0.25 + 0.75 * note.sizes[i] / average[i] for i in range(4))
        self.note, self.matched, self.in_head, self.gram_mass, score = note, set[str](), False, 0.0, 0.0
        for stem, weight, head_weight, name in query.weights:
            if times := note.stems.count(stem):
                self.matched.add(name)
                score += weight * times * 2.6 / (times + 1.6 * content)
                if times := note.head.count(stem):
                    self.in_head = True
                    score += head_weight * times * 2.4 / (times + 1.4 * heads)
        for word, weight in query.stop_weights:
            if times := note.stems.count(word):
                score += weight * times * 2.6 / (times + 1.6 * words)
        for piece, weight in query.gram_weights:
            if times := note.fold.count(piece):
                self.gram_mass += weight
                score += 0.3 * weight * times * 2.4 / (times + 1.4 * gram)
        self.score = score


def _names(text: str) -> list[str]:
    """The words of `text` with a capital that open no sentence."""
    words = text.split()
    capitals = (at for at, word in enumerate(words) if at and not word.islower() and words[at - 1][-1] not in ".!?:")
    plain = (words[at].strip(_AROUND).split("'")[0].rstrip(".!?:") for at in capitals)
    return [name for name in plain if len(name) > 1 and name[0].isupper() and name.isalpha()]


def rank(snapshot: Snapshot, query: Query, spans: list[tuple[int, int]], count: int = 30) -> list[Ranked]:
    """The `count` best of the notes numbered within `spans` (first, end), best first; [] when no stem is known."""
    allowed = bytearray(snapshot.numbers)
    for first, end in spans:
        allowed[first:end] = b"\1" * (end - first)
    for number in snapshot.gone():
        allowed[number] = 0
    todo = [(entry[0], 1.0, entry[2]) for entry in query.found.values()]
    for stem in [stem for stem in query.unknown if len(stem) > 3 and not runs(stem[0])][:3]:
        near = [(snapshot.term(word), dice) for dice, word in snapshot.near(stem)]
        todo += [(entry[0], 0.6 * dice, entry[2]) for entry, dice in near if entry[0] > 0]
    todo.sort(key=lambda entry: entry[0])
    sums: dict[int, float] = {}
    get, left = sums.get, _BUDGET
    for place, (notes, share, postings) in enumerate(todo):
        most = min(notes, max(_LEAST, left // (len(todo) - place)))
        left -= most
        weight = query.idf(notes) * share / 255
        for first, part in postings:
            taken = 0
            for posting in part:
                if allowed[number := first + (posting >> 8)]:
                    sums[number] = get(number, 0.0) + weight * (posting & 255)
                    taken += 1
                    if taken == most:
                        break
    best = sorted(sums, key=lambda number: (-sums[number], number))[:count]
    ranked = [Ranked(query, snapshot.note(number), snapshot.average) for number in best]
    return sorted(ranked, key=lambda one: (-one.score, one.note.path))
