"""Files of one JSON object a line, as real disks have them: torn, welded, with NULs; nothing readable is lost."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

DOCUMENT = "one JSON document over many lines, not one object a line"  # reason of such a file's one Damage

_DECODER = json.JSONDecoder()
_BLOCK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One readable object and the line (from 1) that it stands on."""

    line: int
    value: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Damage:
    """A place that could not be read as it stands: the line (from 1) and what is there."""

    line: int
    reason: str


def records(lines: Iterable[bytes]) -> Iterator[Record | Damage]:
    """Every object in `lines` (as a binary file yields them), and every damaged place, in order.

    A welded line gives all its objects, a torn start or end is reported and the rest of the line read; runs of NUL are
    skipped; strings, numbers, null and arrays are reported; a file that is one pretty-printed document is so once.
    Blank lines are nothing. Never raises for what a line holds.
    """
    first = True
    for number, raw in enumerate(lines, 1):
        text = raw.strip(b"\r\n\t \0")
        if b"\0" in raw:
            yield Damage(number, "a run of NUL bytes")
        if not text:
            continue
        if first and text in (b"{", b"["):
            yield Damage(number, DOCUMENT)
            return
        first = False
        yield from _line(number, text.replace(b"\0", b"").decode("utf-8", "replace"), whole=raw.endswith(b"\n"))


def _line(number: int, text: str, *, whole: bool) -> Iterator[Record | Damage]:
    at, found = 0, 0
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield Damage(number, "a torn record" if whole else "a last line that was never finished")
            at = text.find('{"', at + 1)  # where the next record can begin
            while at > 0 and not _begins(text, at):
                at = text.find('{"', at + 1)
            if at < 0:
                return
            continue
        if isinstance(value, dict):
            found += 1
            yield Record(number, value)
        else:
            yield Damage(number, f"{type(value).__name__} where an object belongs")
        at = end
        while at < len(text) and text[at] in " \t\r,":
            at += 1
    if found > 1:
        yield Damage(number, f"{found} records in one line")


def _begins(text: str, at: int) -> bool:
    """Whether a whole record runs from `at` to the end of the line, or to another record: not a nested object."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return False
    while text[end : end + 1].isspace():  # no copy of the rest: of a torn line of megabytes that would take for ever
        end += 1
    return isinstance(value, dict) and text[end : end + 1] in ("", "{")


def objects(line: bytes) -> list[dict[str, Any]]:
    """The readable objects in one line (with or without its newline), in order."""
    return [found.value for found in records([line + b"\n"]) if isinstance(found, Record)]


def backwards(file: BinaryIO, end: int) -> Iterator[tuple[int, bytes]]:
    """The lines before offset `end`, last first, each with its offset and without its newline."""
    rest, at = b"", end
    while at > 0:
        size = min(_BLOCK, at)
        at -= size
        file.seek(at)
        block = file.read(size) + rest
        parts = block.split(b"\n")
        place = at + len(block)
        for part in reversed(parts[1:]):
            place -= len(part)
            if place < end or part:  # what follows the last newline is no line when it is empty
                yield place, part
            place -= 1
        rest = parts[0]
    if end > 0:
        yield 0, rest
