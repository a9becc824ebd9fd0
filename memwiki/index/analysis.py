"""What ranking needs to know about a note, worked out once, when the note changes."""

from dataclasses import dataclass

from ..recall.analysis import analyse
from ..vault.note import Note
from ..vault.prose import first_sentence

_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Analysis:
    """One note's words. `head` and `stems` hold ` stem;` each, `fold` the pieces that 4-grams are taken from.

    The head is the title, the description (else the first sentence), the file's name, the tags and the aliases;
    `stems` is the head and the body, content first, then stop words. The words of a title, tag or alias made of stop
    words alone ("Will", "IT") are content. `sizes` counts content stems, head stems, grams and all words.
    `applies_to` are the globs of the paths that the note belongs to.
    """

    head: str
    stems: str
    fold: str
    sizes: tuple[int, int, int, int]
    applies_to: tuple[str, ...] = ()

    def pack(self) -> bytes:
        """The analysis as bytes to keep; `unpack` takes them back."""
        return _SEPARATOR.join((self.head, self.stems, self.fold, *map(str, self.sizes), *self.applies_to)).encode(
            "utf-8"
        )

    @classmethod
    def unpack(cls, data: bytes) -> "Analysis":
        """The analysis that `pack` made `data` of; ValueError for anything else."""
        head, stems, fold, content, heads, grams, words, *globs = data.decode("utf-8").split(_SEPARATOR)
        return cls(head, stems, fold, (int(content), int(heads), int(grams), int(words)), tuple(globs))


def analyse_note(note: Note) -> Analysis:
    """Analyse `note`, in about the time that reading it takes; never raises."""
    name = note.path.rpartition("/")[2].removesuffix(".md")
    own = note.description not in (note.title, "")
    head = [note.title, note.description if own else first_sentence(note.body), " ".join(note.tags), *note.aliases]
    if any(map(str.isalpha, name)) and name.casefold() not in note.title.casefold():
        head.append(name)
    only_stops = [stop for known in (note.title, *note.tags, *note.aliases) for stop in _only_stops(known)]
    head_stems = analyse("\n".join(head))[0] + only_stops
    # A first sentence stands in the body already: what is counted twice would weigh twice.
    if not own:
        head[1] = ""
    stems, stops, pieces = analyse("\n".join((*head, note.body)))
    stems += only_stops
    grams = sum(max(1, len(piece) - 3) if piece[0] == "^" else len(piece) for piece in pieces)
    return Analysis(
        head="".join(f" {stem};" for stem in head_stems),
        stems="".join(f" {word};" for word in stems + stops),
        fold="".join(pieces),
        sizes=(len(stems), len(head_stems), grams, len(stems) + len(stops)),
        applies_to=tuple(glob for glob in note.applies_to if glob and glob.isprintable()),
    )


def _only_stops(name: str) -> list[str]:
    """The stop words of a name that has no other words."""
    stems, stops, _ = analyse(name)
    return [] if stems else list(dict.fromkeys(stops))
