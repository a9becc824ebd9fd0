"""Private keys as files have them: between banners, with one banner cut off, escaped, numbered, as a diff."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from .shapes import Span

_END_BANNER = "-----END "
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(rf"{_END_BANNER}[A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----")
_PUTTY = re.compile("Private-Lines:")
_BREAK = re.compile(r"\r?\n|(?:\\\\?r)?\\\\?n")
_CODED = re.compile(r"[A-Za-z0-9+/=]{16,}|\A\W*+[A-Za-z0-9+/]{1,64}+\W*+\Z")
_FIELD = re.compile(
    r"\A\W*+(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Private-MAC|Hash)\b"
)
_LONGEST = 64 * 1024  # characters from BEGIN to END


def key_spans(text: str) -> Iterator[Span]:
    """Private keys between their banners; with one banner cut off, the coded lines beside the other. PuTTY's too."""
    if "PRIVATE KEY" in text:
        last = 0
        ends = [found.span() for found in _END.finditer(text)]
        for start, after in sorted((*(found.span() for found in _BEGIN.finditer(text)), *ends)):
            if start < last:
                continue
            if text.startswith(_END_BANNER, start):
                yield Span(_coded_before(text, start, last), after, "private key")
                last = after
                continue
            close = bisect_left(ends, (after, 0))
            near = close < len(ends) and ends[close][1] <= after + _LONGEST
            last = ends[close][1] if near else _coded_after(text, after)
            yield Span(start, last, "private key")
    if "Private-Lines:" in text:
        last = 0
        for lines in _PUTTY.finditer(text):
            if lines.start() >= last:
                last = _coded_after(text, lines.end())
                yield Span(lines.end(), last, "private key")


def _coded_after(text: str, at: int) -> int:
    """Where the run of coded lines that begins at `at` ends."""
    first = True
    while at < len(text):
        stop = _BREAK.search(text, at)
        line = text[at : stop.start() if stop else len(text)]
        if line.strip(" \t\"'+,") and not first and not _CODED.search(line) and not _FIELD.search(line):
            return at
        at, first = (stop.end() if stop else len(text)), False
    return at


def _coded_before(text: str, at: int, last: int) -> int:
    """Where the run of coded lines that ends at `at` begins, not before `last`."""
    floor = max(last, at - _LONGEST)
    breaks = [floor, *(found.end() for found in _BREAK.finditer(text, floor, at))]
    start = at
    for place in reversed(breaks):
        line = text[place:start]
        if line.strip(" \t\r\n\\nr\"'+,") and not _CODED.search(line.rstrip("\r\n")):
            break
        start = place
    return start
