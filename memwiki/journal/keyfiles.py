"""Private keys as files have them: between banners, with one banner cut off, escaped, numbered, as a diff."""

import re
from collections.abc import Iterator

from .shapes import Span

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----")
_BREAK = re.compile(r"\r?\n|(?:\\\\?r)?\\\\?n")
_CODED = re.compile(r"[A-Za-z0-9+/=]{16,}|\A\W*[A-Za-z0-9+/]{1,64}={0,2}\W*\Z")
_FIELD = re.compile(
    r"\A\W*(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Private-MAC|Hash)\b"
)
_LONGEST = 64 * 1024  # characters from BEGIN to END


def key_spans(text: str) -> Iterator[Span]:
    """Private keys between their banners; with one banner cut off, the coded lines beside the other. PuTTY's too."""
    if "PRIVATE KEY" in text:
        last = 0
        for begin in _BEGIN.finditer(text):
            if begin.start() < last:
                continue
            for end in _END.finditer(text, last, begin.start()):
                yield Span(_coded_before(text, end.start(), last), end.end(), "private key")
                last = end.end()
            close = _END.search(text, begin.end(), begin.end() + _LONGEST)
            last = close.end() if close else _coded_after(text, begin.end())
            yield Span(begin.start(), last, "private key")
        for end in _END.finditer(text, last):
            yield Span(_coded_before(text, end.start(), last), end.end(), "private key")
            last = end.end()
    if "Private-Lines:" in text:
        for lines in re.finditer(r"Private-Lines:", text):
            yield Span(lines.end(), _coded_after(text, lines.end()), "private key")


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
