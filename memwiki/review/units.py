"""What a person decides on: single changed lines of a note, each to be taken or refused."""

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Unit:
    """One change: the lines that go, the lines that come (without line ends), and where.

    `number` counts from 1 in the order of the note; `line` is the first line concerned, in the new text where lines
    come, else in the old one. A changed line is one unit, an added or removed line too; only a block in which the
    counts differ stays whole.
    """

    number: int
    line: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


def units(old: str | None, new: str | None) -> list[Unit]:
    """The units between two texts of a note (None: it is not there). A new note's frontmatter is no unit."""
    return [unit for unit, _ in _pieces(old, new) if unit is not None]


def with_units(old: str | None, new: str | None, taken: Collection[int]) -> str | None:
    """`old` with only the units numbered in `taken`; None when a note that was not there gets none, or all of it goes.

    Blank lines, and a new note's frontmatter, come with the first unit that is taken.
    """
    chosen = [unit for unit in units(old, new) if unit.number in taken]
    if not chosen:
        return old
    lines: list[str] = []
    for unit, (removed, added) in _pieces(old, new):
        lines += added if unit is None or unit.number in taken else removed
    return "".join(lines) if lines or new is not None else None


def _pieces(old: str | None, new: str | None) -> Iterator[tuple[Unit | None, tuple[list[str], list[str]]]]:
    """The whole of both texts in order: (unit or None where nothing is to decide, (old lines, new lines))."""
    before = (old or "").splitlines(keepends=True)
    after = (new or "").splitlines(keepends=True)
    frame = _frontmatter(after) if old is None else 0
    number = 0
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield None, (before[a:b], after[c:d])
            continue
        for i, j, k, m in _split(a, b, c, d, frame):
            gone, come = before[i:j], after[k:m]
            if 0 < m <= frame or not "".join([*gone, *come]).strip():
                yield None, (gone, come)
                continue
            number += 1
            bare = tuple(line.rstrip("\r\n") for line in gone), tuple(line.rstrip("\r\n") for line in come)
            yield Unit(number, (k if come else i) + 1, *bare), (gone, come)


def _split(a: int, b: int, c: int, d: int, frame: int) -> Iterator[tuple[int, int, int, int]]:
    """A changed block as single lines where that is clear: equal counts, or lines on one side only."""
    if b - a == d - c:
        yield from ((a + i, a + i + 1, c + i, c + i + 1) for i in range(b - a))
    elif c == d:
        yield from ((i, i + 1, c, c) for i in range(a, b))
    elif a == b:
        if c < frame:
            yield a, b, c, frame
        yield from ((a, a, k, k + 1) for k in range(max(c, frame), d))
    else:
        yield a, b, c, d


def frontmatter(text: str | None) -> tuple[str, ...]:
    """The lines between the fences of the frontmatter at the top of a text; () where there is none."""
    lines = (text or "").splitlines()
    return tuple(lines[1 : max(0, _frontmatter(lines) - 1)])


def _frontmatter(lines: list[str]) -> int:
    """How many lines the frontmatter at the top takes, fences included; 0 when there is none."""
    if not lines or lines[0].rstrip("\r\n") != "---":
        return 0
    ends = (index + 1 for index, line in enumerate(lines[1:], 1) if line.rstrip("\r\n") == "---")
    return next(ends, 0)


def words(old: str, new: str) -> list[tuple[Kind, str]]:
    """The difference of two lines by words, as (kind, text) pieces; blanks belong to the word before them."""
    before, after = re.findall(r"\S+\s*|\s+", old), re.findall(r"\S+\s*|\s+", new)
    found: list[tuple[Kind, str]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(("same", "".join(before[a:b])))
            continue
        if a < b:
            found.append(("removed", "".join(before[a:b])))
        if c < d:
            found.append(("added", "".join(after[c:d])))
    return found
