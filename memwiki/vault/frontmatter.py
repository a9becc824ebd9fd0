"""From bytes to a `Note`: the frontmatter read strictly, stand-ins for what it leaves out, and never an error.

A fence is a line that is exactly `---`, the opening one the file's first line. python-frontmatter splits at such lines
here and hands the block to the strict loader; it never writes.
"""

import re
from dataclasses import replace
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

from ..capture.private import without_private
from ..text import one_line
from .block import Strict, entries
from .conflict import conflict_line
from .note import KEYS, Note, Problem
from .prose import first_sentence, heading

_CLOSING = re.compile(r"^---\r?$", re.MULTILINE)
_HANDLER = YAMLHandler(fm_boundary=_CLOSING)
_FENCE = re.compile(r"---\r?(?:\n|\Z)")
_OPENS_BLOCK = re.compile(r"\s*?^---\r?\n(?=[^\W\d][\w .-]*:[ \t\r\n])", re.MULTILINE)
_BLOCK_LINE = re.compile(r"[ \t]|- |-?\r?$|#|[^\W\d][\w .-]*:(?:[ \t\r]|$)|[\"'][^\"']*[\"']:")


def parse(path: str, data: bytes) -> Note:
    """The note in `data`, the bytes of the file `path` (relative to the vault, `/`). Never raises, whatever the bytes.

    What cannot be used is a `problem` with its line: frontmatter that is broken, empty, unclosed or there twice, a
    merge conflict, and text that is not UTF-8 (each bad byte is then read as U+FFFD). The body is always there. What
    stands oddly before the frontmatter, and line ends that are CR alone, are a problem too, but are read.
    """
    text, problem = _decoded(data)
    conflict = conflict_line(text)
    if conflict and problem is None:
        problem = Problem(conflict, "an unresolved merge conflict", _RESOLVE)
    body, oddity = _readable(text)
    fields: dict[str, Any] = {}
    line = 1
    if _FENCE.match(body):
        block, body, line, fault = _split(body)
        if fault is None:
            fields, fault = _loaded(block)
        if fault is not None and fault.message == _NO_KEYS:  # two rules with prose between them: all of it is body
            body, line = text.partition("\n")[2], 2
        problem = problem or fault
    if problem is None:
        problem = _another_block(body, line, "a second frontmatter block" if line > 1 else _LATE)
    if problem is not None:
        fields = {}
    return _note(path, text, body, line, fields, problem or oddity)


def unread(path: str, reason: str) -> Note:
    """The note at `path` whose text cannot be read: empty, with `reason` as its problem, so that no edit touches it."""
    return replace(parse(path, b""), problem=Problem(0, reason))


def block_of(text: str) -> tuple[int, int]:
    """Where the frontmatter block of `text` starts and ends, in characters and without its fences; (0, 0) if none."""
    top = 1 if text.startswith("\ufeff") else 0
    opening = _FENCE.match(text, top)
    if opening is None:
        return 0, 0
    closing = _CLOSING.search(text, opening.end())
    return (opening.end(), closing.start()) if closing else (0, 0)


_LATE = "a frontmatter block that does not start on the first line"
_NO_KEYS = "the frontmatter is not a list of keys"


_RESOLVE = "Resolve it and save the note; until then it is not memory."
_UNSEEN = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"  # what editors and web pages leave before a text
_LONE_CR = re.compile(r"\r(?!\n)")


def _readable(text: str) -> tuple[str, Problem | None]:
    """`text` as its frontmatter is looked for: without a byte order mark; and what is odd about its beginning."""
    body = text.lstrip(_UNSEEN)
    lead = text[: len(text) - len(body)]
    oddity = None
    if _LONE_CR.search(body) and ("\n" not in body or (body.startswith("---\r") and body[4:5] != "\n")):
        body = _LONE_CR.sub("\n", body)
        oddity = Problem(1, "its lines end in CR alone", "Save it with LF line ends; until then no edit touches it.")
    if lead in ("", "\ufeff"):
        return body, oddity
    if lead.startswith("\ufeff\ufeff") or _FENCE.match(body):
        names = "two byte order marks" if lead == "\ufeff\ufeff" else " ".join(f"U+{ord(char):04X}" for char in lead)
        remedy = "Remove it, and save as UTF-8; until then no edit touches the note."
        return body, Problem(1, f"the file begins with {names}", remedy)
    return text.removeprefix("\ufeff"), oddity


def _decoded(data: bytes) -> tuple[str, Problem | None]:
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16", "replace"), Problem(1, "the file is UTF-16, not UTF-8")
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode("utf-8", "replace"), Problem(line, "a byte that is not UTF-8")


def _split(text: str) -> tuple[str, str, int, Problem | None]:
    """Block (with the newline of its opening fence), body, the body's line and what is wrong with the fences."""
    try:
        block, body = _HANDLER.split(text)
    except ValueError:
        return "", text.partition("\n")[2], 2, Problem(1, "the frontmatter is never closed by a line `---`")
    line = block.count("\n") + 2
    return block, body.removeprefix("\n"), line, None


def _loaded(block: str) -> tuple[dict[str, Any], Problem | None]:
    try:
        fields = _HANDLER.load(block, Loader=Strict)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        at_fault = block.split("\n")[line] if line <= block.count("\n") else ""
        message = str(error.problem or error.context or "no valid YAML")
        if "\t" in at_fault[: len(at_fault) - len(at_fault.lstrip())]:
            message = "a tab cannot indent YAML"
        return {}, Problem(line + 1, message)
    except yaml.YAMLError as error:  # a character that YAML does not know; `position` is where
        position = getattr(error, "position", 0)
        return {}, Problem(block.count("\n", 0, position) + 1, str(getattr(error, "reason", error)))
    if fields is None:
        return {}, Problem(1, "the frontmatter is empty")
    if not isinstance(fields, dict):
        return {}, Problem(1, _NO_KEYS)
    return fields, None


def _another_block(body: str, line: int, message: str) -> Problem | None:
    """A problem when `body` (starting at `line`) opens with what looks like a frontmatter block."""
    opening = _OPENS_BLOCK.match(body)
    if opening is None:
        return None
    for text in body[opening.end() :].split("\n"):
        if text.rstrip("\r") == "---":
            return Problem(line + opening.group().count("\n") - 1, message)
        if not _BLOCK_LINE.match(text):
            return None
    return None


def _note(path: str, text: str, body: str, line: int, fields: dict[str, Any], problem: Problem | None) -> Note:
    told = without_private(body)
    title = one_line(without_private(", ".join(_texts(fields.get("title"))))) or heading(told)
    description = one_line(without_private(_text(fields.get("description")))) or title or first_sentence(told)
    title = title or path.rpartition("/")[2].removesuffix(".md") or path
    return Note(
        path=path,
        text=text,
        body=body,
        body_line=line,
        title=title,
        description=description or title,
        type=", ".join(_texts(fields.get("type"))),
        tags=tuple(dict.fromkeys(tag for tag in map(_tag, _texts(fields.get("tags"), split=r"[,\s]+")) if tag)),
        applies_to=_texts(fields.get("applies_to")),
        aliases=_aliases(fields, text),
        pin=_text(fields.get("pin")).lower() in ("true", "yes", "on"),
        created=_text(fields.get("created")),
        extra={key: value for key, value in fields.items() if key not in KEYS},
        problem=problem,
    )


def _text(value: Any) -> str:
    """A scalar as its author wrote it; "" for none, a list or a mapping."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


def _texts(value: Any, split: str = "") -> tuple[str, ...]:
    """A list's scalars, or one scalar, as text; with the pattern `split`, a scalar's parts between its matches."""
    if isinstance(value, list):
        found = [_text(item) for item in value]
    else:
        found = re.split(split, _text(value)) if split else [_text(value)]
    return tuple(item for item in map(str.strip, found) if item)


def _aliases(fields: dict[str, Any], text: str) -> tuple[str, ...]:
    """Obsidian's `aliases` and the older `alias`: a list, or names between commas.

    A title that YAML reads as no value (`title: null`) is one, too: a heading or the file's name is shown instead.
    """
    names = [name for key in ("aliases", "alias") for name in _texts(fields.get(key), split=",")]
    if "title" in fields and fields["title"] is None:
        start, end = block_of(text)
        block = text[start:end]
        names += [block[entry.start : entry.end] for entry in entries(block) if entry.key == "title"]
    return tuple(name for name in dict.fromkeys(without_private(name).strip() for name in names) if name)


def _tag(text: str) -> str:
    return " ".join(text.split()).lstrip("#")
