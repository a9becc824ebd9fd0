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


def _outside_code(body: str) -> Iterator[str]:
    """The lines of `body` that are in no fenced code."""
    closing = ""
    for line in body.splitlines():
        fence = _FENCE.match(line)
        if closing:
            if fence and fence[1].startswith(closing) and not line[fence.end() :].strip():
                closing = ""
        elif fence:
            closing = fence[1]
        else:
            yield line
