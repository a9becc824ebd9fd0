"""Reading `recall.bin`, which ranks notes by a few `pread` calls, and `recall.delta`: what has changed since.

Layout (little-endian; `index.snapshot` writes it): 16 u64 of HEADER; hash tables of terms and of small entries, each a
directory of u32 offsets and slots of `u8 key length, u32 value length, key, value`; the vocabulary; the notes; meta.
A term's value is i32 notes, i32 notes with it in the head, then postings u32 `note << 8 | impact`, best first. Small
entries: `g<gram>` and `~<stop word>` give i32 notes, `%<trigram>` gives u32 `word << 6 | trigrams of the word`,
`=<content hash of a path>` gives u32 note, `@<content hash of a namespace>` its overview (`recall.overview`).
A delta's counts are differences to its base's, whose `gone` notes it leaves out, so sums are exact.
"""

from posix import O_CLOEXEC, O_NONBLOCK, O_RDONLY, close, fstat, pread
from posix import open as posix_open

from ..hosts.codec import sha256

MAGIC = int.from_bytes(b"memwiki2", "little")
HEADER = 128
FIELDS = 9  # head, stems, fold, path, title, description, type, hash, text: after 17 u32 of a note's record
SECRET, PIN = 1, 2  # flags of a note
OUTSIDE = "/"  # the namespace of notes that hooks never give (`recall.folders`): no path has it


class Note:
    """One note's record: `sizes` are its lengths in content stems, head stems, grams and all words."""

    def __init__(self, number: int, raw: bytes) -> None:
        numbers = memoryview(raw[:68]).cast("I")
        self.id, self._raw, self._ends, end = number, raw, [68], 68
        for length in numbers[8:]:
            end += length
            self._ends.append(end)
        self.sizes = (numbers[0], numbers[1], numbers[2], numbers[3])
        self.flags, self.size, self.mtime_ns = numbers[4], numbers[5], numbers[6] << 32 | numbers[7]
        self.head, self.stems, self.fold, self.path = (self.field(place) for place in range(4))

    def field(self, place: int) -> str:
        """One of FIELDS, by its place."""
        return self._raw[self._ends[place] : self._ends[place + 1]].decode()


class Part:
    """One file: the base or the delta. Raises OSError or ValueError when it is not a whole snapshot."""

    def __init__(self, path: str) -> None:
        self.file = posix_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.size = fstat(self.file).st_size
        try:
            self.at = memoryview(self.read(0, HEADER)).cast("Q")
            if self.at[0] != MAGIC or self.at[1] != self.size:
                raise ValueError(f"{path} is not a snapshot of this version")
            about = self.read(self.at[14], self.at[15]).decode()
        except (OSError, ValueError):
            close(self.file)
            raise
        self.stamp, self.notes = self.at[2], self.at[3]
        self.meta: dict[str, list[list[str]]] = {}
        for line in about.split("\x1e"):
            key, *values = line.split("\x1f")
            self.meta.setdefault(key, []).append(values)

    def read(self, offset: int, length: int) -> bytes:
        """Exactly `length` bytes from `offset`."""
        if not 0 <= length <= self.size or len(data := pread(self.file, length, offset)) != length:
            raise ValueError("the snapshot is cut short")
        return data

    def find(self, table: int, key: bytes) -> bytes | None:
        """The value of `key` among the terms (table 0) or the small entries (1)."""
        slot = int.from_bytes(key, "little") % self.at[4 + table]
        low, high = memoryview(self.read(self.at[6 + 2 * table] + 4 * slot, 8)).cast("I")
        data, i, size = self.read(self.at[7 + 2 * table] + low, high - low), 0, len(key)
        while i < len(data):
            start = i + 5 + data[i]
            end = start + int.from_bytes(data[i + 1 : i + 5], "little")
            if data[i] == size and data[i + 5 : start] == key:
                return data[start:end]
            i = end
        return None

    def item(self, section: int, number: int) -> bytes:
        """The word (section 10) or the note's record (12) of that number, by u64 offsets."""
        low, high = memoryview(self.read(self.at[section] + 8 * number, 16)).cast("Q")
        return self.read(self.at[section + 1] + low, high - low)


def path_key(path: str) -> bytes:
    """What a note's number is found by, after `=`."""
    return sha256(path.encode("utf-8", "surrogatepass"))[:16].encode()


def overview_key(namespace: str) -> bytes:
    """The key of a namespace's overview among the small entries."""
    return b"@" + path_key(namespace)


class Snapshot:
    """Base and delta as one. Notes are numbered through: the base's from 0, then the delta's."""

    def __init__(self, path: str) -> None:
        self.parts = [(0, Part(path))]
        try:
            delta = Part(path.removesuffix(".bin") + ".delta")
            if delta.stamp == self.parts[0][1].stamp:
                self.parts.append((self.parts[0][1].notes, delta))
            else:  # it belongs to an older base
                close(delta.file)
        except (OSError, ValueError):  # none, or one half a version away: the base alone is right, only older
            pass
        self.last = self.parts[-1][1]
        self.numbers = self.parts[-1][0] + self.last.notes
        totals = [int(x) for x in self.rows("totals")[0]]  # notes; their content stems, head stems, grams, all words
        self.live = totals[0]
        self.average = [max(1.0, x / max(1, totals[0])) for x in totals[1:5]]

    def close(self) -> None:
        """Let go of the files; a hook leaves that to its end."""
        for _, part in self.parts:
            close(part.file)

    def rows(self, key: str) -> list[list[str]]:
        """The meta lines of `key`, newest file's."""
        return self.last.meta.get(key, [])

    def value(self, key: str) -> str:
        """The one value of `key`, or ""."""
        return self.rows(key)[0][0] if self.rows(key) else ""

    def gone(self) -> list[int]:
        """Numbers of the base's notes that have changed or gone since it was written."""
        return [int(x) for row in self.rows("gone") for x in row]

    def spans(self) -> list[tuple[str, int, int]]:
        """(namespace, first, end): notes of one namespace stand together; those with a secret are left out."""
        return [(row[0], int(row[1]), int(row[2])) for row in self.rows("span")]

    def term(self, key: str) -> tuple[int, int, list[tuple[int, memoryview]]]:
        """How many notes have the stem, how many in the head, and its postings with the number to add to each."""
        notes = head = 0
        found: list[tuple[int, memoryview]] = []
        for first, part in self.parts:
            if value := part.find(0, key.encode()):
                count, in_head = memoryview(value[:8]).cast("i")
                notes, head = notes + count, head + in_head
                found.append((first, memoryview(value[8:]).cast("I")))
        return notes, head, found

    def count(self, key: str) -> int:
        """How many notes have the small entry `g<gram>` or `~<stop word>`."""
        values = [part.find(1, key.encode()) for _, part in self.parts]
        return sum(int.from_bytes(value[:4], "little", signed=True) for value in values if value)

    def near(self, stem: str) -> list[tuple[float, str]]:
        """The three known stems most like an unknown one: (Dice of the trigrams of `^stem`, at least .5; stem)."""
        framed = "^" + stem
        wanted = {framed[i : i + 3] for i in range(len(framed) - 2)}
        best: dict[str, float] = {}
        for _, part in self.parts:
            shared: dict[int, int] = {}
            for gram in wanted:
                for entry in memoryview(part.find(1, b"%" + gram.encode()) or b"").cast("I"):
                    shared[entry] = shared.get(entry, 0) + 1
            likely = ((2 * hits / (len(wanted) + (entry & 63)), entry) for entry, hits in shared.items() if hits > 1)
            for dice, entry in sorted(likely, reverse=True)[:3]:
                best[part.item(10, entry >> 6).decode()] = dice
        return sorted(((dice, word) for word, dice in best.items() if dice >= 0.5), reverse=True)[:3]

    def overview(self, namespace: str) -> bytes:
        """The namespace's notes as a session's start gives them, for `recall.overview`; b"" where there are none."""
        key = overview_key(namespace)
        return next((found for _, part in reversed(self.parts) if (found := part.find(1, key))), b"")

    def number_of(self, path: str) -> int:
        """The number of the note at `path`; -1 when there is none."""
        gone = self.gone()
        for first, part in self.parts:
            found = part.find(1, b"=" + path_key(path))
            if found and (number := first + int.from_bytes(found, "little")) not in gone:
                return number
        return -1

    def note(self, number: int) -> Note:
        """The record of one note."""
        first, part = self.parts[number >= self.parts[-1][0] and len(self.parts) - 1]
        return Note(number, part.item(12, number - first))
