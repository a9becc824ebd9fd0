"""What the body of a note says first: its heading, its first sentence."""

import re
from collections.abc import Iterator

from ..text import one_line

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_NO_PROSE = re.compile(r"[ \t]*(?:$|[|<%]|!\[|[-*_=]{3,}[ \t]*$|\[[^\]]*\]:)")
_MARKER = re.compile(r"(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t]))+[ \t]*")
_SENTENCE_END = re.compile(r"[.!?…](?=[\"'”’)\]]*\s)[\"'”’)\]]*|[。！？]")
_WIDE_STOPS = "。！？"
_LINKS = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKS = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)")
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
        if found and (text := plain(found[1])):
            return text
        if last.strip() and _UNDERLINE.match(line):
            return plain(last)
        last = line
    return ""


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
    begin = at = 0
    while (at := sentence_end(line, at)) < len(line):
        rest = line[at:].lstrip()
        if rest and _splits(line[begin:at], rest):
            yield line[begin:at]
            begin = at = len(line) - len(rest)
    yield line[begin:]


def _splits(before: str, after: str) -> bool:
    """Whether a sentence that ends `before` may be followed by a line break, and `after` begins a sentence."""
    inside = before.count("`") % 2 or before.count("[") > before.count("]") or before.count("(") > before.count(")")
    marks = _MARKER.match(f"{after} ") or _HEADING.match(after) or _NO_PROSE.match(after)
    return not inside and not marks and (before[-1] in _WIDE_STOPS or not after[0].islower())


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
