"""The text of a note that memwiki made, and changes to any note that leave every other byte as it was.

A change that could lose something is refused with MemwikiError: a note with a problem, a value that other values refer
to, comments inside a value, lines that are not there or not unique. Each result is parsed again before it is returned.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .frontmatter import block_of
from .keys import ITEM, line_end, readable, refused, scalar_text, splice_key, split_lines, value_text
from .note import KEYS
from .prose import ends_in_code, statements

__all__ = ["add_lines", "canonical", "splice_key", "splice_lines"]

_AS_IT_IS = re.compile(r"[ \t]|#{1,6} |>|\||```|~~~|<|$")


def canonical(fields: Mapping[str, Any], body: str) -> str:
    """A whole note as memwiki writes it: keys in the order of KEYS, then the others; one statement a line.

    Empty values and `pin: false` are left out; without a key there is no block. Line ends are LF, and one ends the
    file. MemwikiError when the result would not read back, as with a body that begins with a block of its own.
    """
    lines = [f"{scalar_text(key)}: {value_text(value)}\n" for key, value in _ordered(fields)]
    body = statements(body.replace("\r\n", "\n")).strip("\n")
    body = f"{body}\n" if body else ""
    text = ("---\n" + "".join(lines) + "---\n" if lines else "") + body
    if readable(text).body != body:
        raise refused("its body begins with a frontmatter block")
    return text


def splice_lines(text: str, old: str, new: str) -> str:
    """`text` with the whole lines `old` of its body replaced by the lines `new`; "" takes them out.

    `old` must be there exactly once, blanks at line ends aside; a list marker may be missing in `old` and is kept for
    `new`. Line ends are those of the lines replaced.
    """
    note = readable(text)
    lines, top = split_lines(text), note.body_line - 1
    wanted = [line.rstrip() for line in _trimmed(old)]
    if not wanted:
        raise refused("no line to replace was named")
    for bare in (str.rstrip, _bare):
        places = _places([bare(line) for line in lines], [bare(line) for line in wanted], top)
        if places:
            break
    if len(places) != 1:
        words = "are not in it" if not places else f"stand in it {len(places)} times"
        raise refused(f"the lines {wanted[0][:60]!r}{' ...' if len(wanted) > 1 else ''} {words}")
    first, last = places[0], places[0] + len(wanted) - 1
    end = line_end(lines[first]) or _eol(text)
    taken = [_dressed(line.rstrip(), lines[first]) + end for line in _trimmed(new)]
    if taken:
        taken[-1] = taken[-1].removesuffix(end) + line_end(lines[last])
    return _same_block(text, "".join([*lines[:first], *taken, *lines[last + 1 :]]))


def add_lines(text: str, lines: str | Iterable[str]) -> str:
    """`text` with `lines`, one statement each, at the end of its body.

    They become items of the list that ends the body, else of a new list below it; headings, code, quotes and tables go
    in as they are. The file's own line ends are used, and a missing final newline stays missing.
    """
    note = readable(text)
    new = _trimmed(lines if isinstance(lines, str) else "\n".join(lines))
    if not new:
        raise refused("there is nothing to add")
    if ends_in_code(note.body):
        raise refused("its last code block or comment is never closed")
    old, top = split_lines(text), note.body_line - 1
    filled = [place for place in range(top, len(old)) if old[place].strip()]
    last = filled[-1] if filled else top - 1
    end = _eol(text)
    item = _last_item(old[top : last + 1])
    plain = not any(_AS_IT_IS.match(line) for line in new)
    gap = [] if not filled or (item and plain) else [end]
    if plain:
        marker = item or "- "
        for place, line in enumerate(new):
            new[place] = marker + _bare(line)
            marker = _next(marker)
    added = [line.rstrip() + end for line in new]
    head = old[: last + 1]
    if head and not line_end(head[-1]):
        head[-1] += end
        added[-1] = added[-1].removesuffix(end)
    return _same_block(text, "".join([*head, *gap, *added, *old[last + 1 :]]))


def as_ended(text: str, old: str) -> str:
    """`text` with the line ends of `old`, which editors and pipes make plain; a missing final one stays missing."""
    if old and not old.endswith("\n"):
        text = text.removesuffix("\n").removesuffix("\r")
    return text.replace("\n", "\r\n") if "\r" not in text and _eol(old) == "\r\n" else text


def _ordered(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    keys = [*KEYS, *(key for key in fields if key not in KEYS)]
    pairs = [(key, fields.get(key)) for key in keys]
    return [
        (key, value) for key, value in pairs if value not in (None, "", (), [], {}) and (key, value) != ("pin", False)
    ]


def _same_block(old: str, new: str) -> str:
    """`new`, when its frontmatter is that of `old` to the byte."""
    readable(new)
    (a, b), (c, d) = block_of(old), block_of(new)
    if old[:b] != new[:d] or a != c:
        raise refused("the change would be read as frontmatter")
    return new


def _trimmed(text: str) -> list[str]:
    return text.replace("\r\n", "\n").strip("\n").split("\n") if text.strip() else []


def _eol(text: str) -> str:
    """The line end that most lines of `text` have."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _places(lines: list[str], wanted: list[str], top: int) -> list[int]:
    size = len(wanted)
    return [place for place in range(top, len(lines) - size + 1) if lines[place : place + size] == wanted]


def _bare(line: str) -> str:
    """A line without its indent, list marker and blanks at the end."""
    item = ITEM.match(line)
    return (line[item.end() :] if item else line).strip()


def _dressed(line: str, like: str) -> str:
    """`line` with the indent and list marker of the line `like`, when it has none of its own."""
    item = ITEM.match(like)
    return item.group() + line if item and not ITEM.match(line) and not _AS_IT_IS.match(line) else line


def _last_item(lines: list[str]) -> str:
    """The marker for one more item of the list that `lines` end with, "" when they end with something else."""
    for line in reversed(lines):
        item = ITEM.match(line)
        if item and not item[1]:
            return _next(item.group())
        if line.strip() and line[:1] not in " \t":
            return ""
    return ""


def _next(marker: str) -> str:
    item = ITEM.match(f"{marker}x")
    return f"{item[1]}{int(item[3]) + 1}{item[4]}{item[5]}" if item and item[3] else marker
