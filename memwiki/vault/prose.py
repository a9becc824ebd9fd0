"""What the body of a note says first: its heading, its first sentence."""

import re
from collections.abc import Iterator

from ..text import one_line

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_NO_PROSE = re.compile(r"[ \t]*(?:$|[|<%]|!\[|[-*_=]{3,}[ \t]*$|\[[^\]]*\]:)")
_MARKER = re.compile(r"(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t]))+[ \t]*")
_SENTENCE_END = re.compile(r"[.!?…](?=[\"'”’)\]]*\s)[\"'”’)\]]*|[。！？]")
_BLANKS = re.compile(r"\s*+")
_WIDE_STOPS = "。！？"
_LINKS = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKS = re.compile(r"[*`~]++|(?<!\w)_++|(?<!_)_++(?!\w)")
ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "cf.", "vs.", "approx.", "no.", "Dr.", "Mr.", "Mrs.", "Ms.", "Prof.", "St.")


def plain(text: str) -> str:
    """One line of `text`, at most 160 characters, without markdown's link brackets and emphasis marks."""
    return one_line(_MARKS.sub("", _LINKS.sub(lambda link: link[1] or link[2] or "", text)))


def heading(body: str) -> str:
    """The first heading of `body` outside code, as plain text; "" if there is none."""
    if "#" not in body and "==" not in body:
        return ""
    last = ""
    for line in _outside_code(body):
        found = _HEADING.match(line)
        if found and (text := plain(_closed(line[found.end() :]))):
            return text
        if last.strip() and _UNDERLINE.match(line):
            return plain(last)
        last = line
    return ""


def _closed(text: str) -> str:
    """The text of a heading without the marks that may close it (`# Title #`)."""
    text = text.rstrip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if bare.endswith((" ", "\t")) else text


def first_sentence(body: str) -> str:
    """The first sentence of prose or of a list in `body`, plain and at most 160 characters; "" if there is none."""
    taken: list[str] = []
    for line in _outside_code(body):
        if _NO_PROSE.match(line) or _HEADING.match(line):
            if taken:
                break
            continue
        marker = _MARKER.match(line)
        if marker and taken:
            break
        taken.append(line[marker.end() :] if marker else line)
    text = " ".join(" ".join(taken).split())
    end = sentence_end(text)
    return plain(text[:end])


def sentence_end(text: str, start: int = 0) -> int:
    """Where the sentence of `text` that begins at `start` ends: after its full stop, or at the end of the text."""
    for found in _SENTENCE_END.finditer(text, start):
        if not text.endswith(ABBREVIATIONS, start, found.end()):
            return found.end()
    return len(text)


def statements(body: str) -> str:
    """`body` with each sentence of its prose on a line of its own; lists, code, tables and the like as they are.

    Lines are never joined: two lines without a full stop are two statements.
    """
    lines: list[str] = []
    for line, code in _lines(body):
        if code or _NO_PROSE.match(line) or _HEADING.match(line) or _MARKER.match(line) or line[:1] in " \t":
            lines.append(line)
            continue
        lines += _sentences(line)
    return "\n".join(lines)


def ends_in_code(body: str) -> bool:
    """Whether a line added at the end of `body` would be code or a comment: its last fence or `<!--` is still open."""
    *_, (_, code) = _lines(f"{body}\n ")
    return code or body.rfind("<!--") > body.rfind("-->")


def _sentences(line: str) -> Iterator[str]:
    begin = at = seen = ticks = square = round_ = 0
    while (at := sentence_end(line, at)) < len(line):
        piece, seen = line[seen:at], at
        ticks += piece.count("`")
        square += piece.count("[") - piece.count("]")
        round_ += piece.count("(") - piece.count(")")
        inside = ticks % 2 or square > 0 or round_ > 0
        following = _BLANKS.match(line, at).end()  # type: ignore[union-attr]  # it matches nothing, too
        if not inside and following < len(line) and _splits(line, at, following):
            yield line[begin:at]
            begin = at = seen = following
            ticks = square = round_ = 0
    yield line[begin:]


def _splits(line: str, end: int, start: int) -> bool:
    """Whether a sentence that ends at `end` may be followed by a line break, and one begins at `start`."""
    marks = _MARKER.match(f"{line} ", start) or _HEADING.match(line, start) or _NO_PROSE.match(line, start)
    return not marks and (line[end - 1] in _WIDE_STOPS or not line[start].islower())


def _outside_code(body: str) -> Iterator[str]:
    """The lines of `body` that are in no fenced code."""
    return (line for line, code in _lines(body) if not code)


def _lines(body: str) -> Iterator[tuple[str, bool]]:
    """The lines of `body`, and whether each is fenced code or a fence."""
    closing = ""
    for line in body.splitlines():
        fence = _FENCE.match(line)
        if closing:
            yield line, True
            if fence and fence[1].startswith(closing) and not line[fence.end() :].strip():
                closing = ""
        elif fence:
            closing = fence[1]
            yield line, True
        else:
            yield line, False
