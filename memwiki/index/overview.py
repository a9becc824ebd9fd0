"""The notes of one namespace in the order in which a session's start gives them, as `recall.bin` keeps them.

Rules come before facts, a project's own notes before those in folders below it, newer ones before older ones. The order
and the short forms are worked out here, so that a start costs the same whatever the vault holds.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..capture.private import without_private
from ..recall.brief import brief
from ..recall.disk import invisible, split, spoken
from ..recall.overview import Row
from .superseded import superseded

if TYPE_CHECKING:
    from .snapshot import Stored

# Types in the order in which they are given; a type of your own counts as a fact.
_TYPES = {"decision": 0, "preference": 0, "postmortem": 0, "pattern": 0, "": 1, "fact": 1, "event": 3}
_FACT = 1
_BOUND_TO_PATHS = 2  # it also arrives when one of its paths is touched
_IN_A_FOLDER = 2  # meetings, incidents, vendors: what large memories fill up with
_LARGEST = 48 * 1024  # bytes of one overview: five times what a start can give


def packed(rows: Iterable[Row], total: int) -> bytes:
    """The overview of `total` notes with as many of `rows` as there is room for, best first.

    Rows that others have replaced say so afterwards (`newer`).
    """
    rows = list(rows)
    newer = superseded(rows)
    for row in rows:
        row.newer = newer.get(row.path, "")
    taken, size = [str(total)], 0
    for row in sorted(rows, key=_order):
        text = row.packed()
        size += len(text)
        if size > _LARGEST:
            break
        taken.append(text)
    return "\x1e".join(taken).encode("utf-8", "replace")


def row_of(note: "Stored") -> Row | None:
    """One note as an overview has it; None for one that says nothing."""
    block, body = split(note.text)
    text, whole = brief(without_private(spoken(note.title, note.description, body)))
    if not text or "\n" in note.path or invisible(note.path):
        return None
    return Row(
        path=note.path,
        digest=note.hash,
        mtime_ns=note.mtime_ns,
        size=note.size,
        type=note.type,
        created=_created(block),
        title=note.title,
        description=note.description,
        text=text,
        length=len(body.encode("utf-8", "replace")),
        whole=whole,
        rank=_rank(note),
    )


def _order(row: Row) -> tuple[int, str, str]:
    newest_first = "".join(chr(0x10FFFF - ord(letter)) for letter in row.created or "0000")
    return row.rank, newest_first, row.path


def _rank(note: "Stored") -> int:
    depth = note.path.count("/") - note.namespace.count("/")
    rank = _TYPES.get(note.type, _FACT)
    if note.analysis.applies_to:
        rank = max(rank, _BOUND_TO_PATHS)
    return rank + (_IN_A_FOLDER if depth > 1 else 0)


def _created(block: str) -> str:
    """`YYYY-MM-DD` (or `YYYY-MM`) of the note's `created`, "" where it has none."""
    for line in block.splitlines():
        key, _, value = line.partition(":")
        value = value.strip(" \"'")[:10]
        if key == "created" and value[4:5] == "-" and value.replace("-", "").isdecimal():
            return value
    return ""
