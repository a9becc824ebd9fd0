"""Setting one key of a note's frontmatter so that no other byte changes, and values as YAML on one line."""

import json
import re
from collections.abc import Sequence
from typing import Any

import yaml

from ..errors import MemwikiError
from .block import Entry, Strict, entries
from .frontmatter import block_of, parse
from .note import Note

# One item of a markdown or YAML list: its indent, its marker, a number's digits and sign, the blanks after it.
ITEM = re.compile(r"([ \t]*)([-*+]|(\d{1,9})([.)]))([ \t]+)(?=\S)")

_RESOLVER: Any = yaml.SafeLoader("")
_DATE = re.compile(r"\d{4}-\d\d-\d\d$")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def splice_key(text: str, key: str, value: str | bool | int | float | Sequence[str] | None) -> str:
    """`text` with the top-level frontmatter key `key` set to `value`, or taken out when it is None.

    Only the lines of that key change: comments, order, quoting, line ends and the body stay. A new key goes last. A
    note without frontmatter gets none: refused.
    """
    readable(text)
    start, end = block_of(text)
    block = text[start:end]
    found = list(entries(block))
    if not found:
        raise refused("it has no list of keys to change")
    old = yaml.load(block, Loader=Strict)  # noqa: S506 - a safe loader, stricter than SafeLoader
    wanted = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
    entry = next((entry for entry in found if entry.key == key), None)
    if value is None:
        changed = _without(block, entry) if entry else block
        expected = {name: kept for name, kept in old.items() if name != key}
    else:
        changed = _with(block, entry, wanted, old[key]) if entry else _added(block, found[0], key, wanted)
        expected = {**old, key: wanted}
    result = text[:start] + changed + text[end:]
    if value is None and not expected:
        raise refused("its frontmatter would be empty")
    readable(result)
    if yaml.load(changed, Loader=Strict) != expected:  # noqa: S506 - as above
        raise refused(f"setting {key!r} would change other keys")
    return result


def _with(block: str, entry: Entry, value: Any, old: Any) -> str:
    """`block` with the value of `entry` replaced, in the style that is there where the new value allows it."""
    if entry.anchored:
        raise refused(f"other values refer to that of {entry.key!r}")
    if entry.style == "{":
        raise refused(f"{entry.key!r} holds a mapping")
    if entry.style == "-":
        return _with_items(block, entry, value, old)
    span = block[entry.start : entry.end].rstrip()
    if entry.style in ("", "[") and "\n" in span and "#" in span:
        raise refused(f"there may be comments inside {entry.key!r}")
    if entry.style == "'" and isinstance(value, str) and value.isprintable():
        written = "'" + value.replace("'", "''") + "'"
    else:
        written = _quoted(value) if entry.style == '"' and isinstance(value, str) else value_text(value)
    gap = " " if block[entry.start - 1] == ":" else ""
    return block[: entry.start] + gap + written + block[entry.start + len(span) :]


def _with_items(block: str, entry: Entry, value: Any, old: list[Any]) -> str:
    """The same for a list with an item a line: the lines of items that stay are kept, and their comments."""
    first = block.rfind("\n", 0, entry.items[0][0] if entry.items else entry.start) + 1
    last = block.find("\n", entry.items[-1][1] - 1 if entry.items else entry.start) + 1
    lines = split_lines(block[first:last])
    if not isinstance(value, list) or len(lines) != len(old) or not all(ITEM.match(line) for line in lines):
        raise refused(f"{entry.key!r} is more than a list with an item a line")
    indent, end = ITEM.match(lines[0])[1], line_end(lines[0])  # type: ignore[index]  # just matched
    there = {item: line for item, line in zip(old, lines, strict=True) if isinstance(item, str)}
    kept = [there.get(item) or f"{indent}- {scalar_text(item)}{end}" for item in value]
    if not kept:
        colon = block.rfind(":", entry.at, first) + 1
        return block[:colon] + " []" + block[colon:first] + block[last:]
    return block[:first] + "".join(kept) + block[last:]


def _without(block: str, entry: Entry) -> str:
    span = block[entry.start : entry.end].rstrip()
    if entry.anchored or ("\n" in span and "#" in span):
        raise refused(f"taking out {entry.key!r} could lose something")
    first, end = block.rfind("\n", 0, entry.at) + 1, entry.start + len(span)
    return block[:first] + block[block.find("\n", end) + 1 :]


def _added(block: str, top: Entry, key: str, value: Any) -> str:
    indent = block[block.rfind("\n", 0, top.at) + 1 : top.at]
    return block + f"{indent}{scalar_text(key)}: {value_text(value)}{line_end(split_lines(block)[-1])}"


def value_text(value: Any) -> str:
    """A frontmatter value as YAML on one line; a list in brackets."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(scalar_text(item, flow=True) for item in value) + "]"
    return scalar_text(value)


def scalar_text(value: Any, *, flow: bool = False) -> str:
    """`value` as YAML on one line: plain where every reader takes it for the same text, else in double quotes."""
    if not isinstance(value, str):
        return _quoted(value)
    kind = _RESOLVER.resolve(yaml.ScalarNode, value, (True, False))
    if kind.endswith(":str") or _DATE.match(value):
        try:
            line = f"k: [{value}]" if flow else f"k: {value}"
            if yaml.load(line, Loader=Strict) == {"k": [value] if flow else value}:  # noqa: S506 - as above
                return value
        except yaml.YAMLError:
            pass  # that is the answer: it needs quotes
    return _quoted(value.encode("utf-8", "replace").decode())


def _quoted(value: Any) -> str:
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def readable(text: str) -> Note:
    """`text` as a note without a problem; MemwikiError with the problem and its line otherwise."""
    note = parse("note.md", text.encode("utf-8", "surrogatepass"))
    if note.problem:
        raise refused(f"line {note.problem.line}: {note.problem.message}")
    return note


def split_lines(text: str) -> list[str]:
    """Lines with their ends; only LF ends a line, so that every line is one of git's."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def line_end(line: str) -> str:
    """The line end of `line` itself; "" for a last line without one."""
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def refused(reason: str) -> MemwikiError:
    """The error of a change that could lose something."""
    return MemwikiError(f"The note cannot be changed safely: {reason}.", "Edit the file by hand.")
