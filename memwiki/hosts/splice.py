"""Edits in a JSON file that leave every other byte alone: comments, odd indentation, line endings, key order.

A document is read into nodes that know where they stand; an edit inserts or cuts text there. Comments and trailing
commas are read where the file's owner reads them (`comments`), else they are errors like any other.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
    r"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])"
    r"|(?:true|false|null)\b"
)
_KINDS = (
    (list, "a list"),
    (str, "a string"),
    ((bool, int, float, type(None)), "a single value"),
)
_LINE_COMMENT = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*(?=[\r\n]))")


class Broken(ValueError):
    """The text is no JSON (or not the kind its owner reads); `line` counts from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why, self.line = why, line


@dataclass(slots=True)
class Node:
    """A value in the text: its span, its Python value, and for containers the children (and their keys)."""

    start: int
    end: int
    value: Any
    items: "list[Node]" = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    key_starts: list[int] = field(default_factory=list)

    def get(self, key: str) -> "Node | None":
        """The member `key` of an object: the last of that name, which is the one that readers take."""
        found = [item for name, item in zip(self.keys, self.items, strict=True) if name == key]
        return found[-1] if found else None

    def starts(self) -> list[int]:
        """Where each child begins, its key included."""
        return self.key_starts or [item.start for item in self.items]


def parse(text: str, *, comments: bool = False) -> Node:
    """The document's top value. Raises Broken."""
    reader = _Reader(text, comments)
    at = reader.skip(1 if text.startswith("\ufeff") else 0)
    try:
        node = reader.value(at)
    except RecursionError:
        raise reader.broken("nesting too deep to be settings", at) from None
    rest = reader.skip(node.end)
    if rest < len(text):
        raise reader.broken("text after the end", rest)
    return node


def as_object(node: Node, text: str, what: str = "settings") -> Node:
    """`node`, which has to be an object. Raises Broken, by the name of `what` it should hold."""
    if isinstance(node.value, dict):
        return node
    kind = next(word for kinds, word in _KINDS if isinstance(node.value, kinds))
    raise Broken(f"{kind} where {what} are an object, `{{...}}`", line_of(text, node.start))


def line_of(text: str, at: int) -> int:
    """The number, from 1, of the line in which the character `at` stands."""
    return len(re.findall(r"\r\n|\r|\n", text[:at])) + 1


class _Reader:
    def __init__(self, text: str, comments: bool) -> None:
        self.text, self.comments = text, comments

    def broken(self, why: str, at: int) -> Broken:
        return Broken(why, line_of(self.text, at))

    def skip(self, at: int) -> int:
        """Past blanks and, where they are allowed, comments."""
        while True:
            at = _SPACE.match(self.text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
            comment = _COMMENT.match(self.text, at)
            if comment is None:
                return at
            if not self.comments:
                raise self.broken("a comment, which this agent does not read", at)
            at = comment.end()

    def value(self, at: int) -> Node:
        opened = self.text[at : at + 1]
        if opened and opened in "{[":
            return self.container(at, opened == "{")
        match = _SCALAR.match(self.text, at)
        if match is None:
            raise self.broken("no value" if at < len(self.text) else "the end comes too early", at)
        try:
            return Node(at, match.end(), json.loads(match[0]))
        except ValueError:
            raise self.broken("a number that is too long", at) from None

    def container(self, at: int, keyed: bool) -> Node:
        node = Node(at, at, {} if keyed else [])
        close = "}" if keyed else "]"
        here = self.skip(at + 1)
        while not self.text.startswith(close, here):
            if node.items:
                if not self.text.startswith(",", here):
                    raise self.broken(f"no `,` or `{close}`", here)
                here = self.skip(here + 1)
                if self.text.startswith(close, here):
                    if not self.comments:
                        raise self.broken(f"a `,` before `{close}`, which this agent does not read", here)
                    break
            if keyed:
                key = self.value(here)
                if not isinstance(key.value, str):
                    raise self.broken("a key that is no string", here)
                colon = self.skip(key.end)
                if not self.text.startswith(":", colon):
                    raise self.broken("no `:`", colon)
                node.keys.append(key.value)
                node.key_starts.append(here)
                here = self.skip(colon + 1)
            item = self.value(here)
            node.items.append(item)
            if keyed:
                node.value[node.keys[-1]] = item.value
            else:
                node.value.append(item.value)
            here = self.skip(item.end)
        node.end = here + 1
        return node


def nodes(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for item in node.items:
        yield from nodes(item)


def appended(text: str, container: Node, value: Any, key: str = "", *, comments: bool = False) -> str:
    """`text` with one more member or element at the container's end, in the style of its neighbours."""
    style = _Style(text, container)
    new = style.dumped(value, key)
    if not container.items:
        inside = text[container.start + 1 : container.end - 1]
        if inside.strip():  # comments only: they stay above
            at = container.start + 1 + len(inside.rstrip())
            return (
                text[:at] + style.newline + style.inner + new + style.newline + style.outer + text[container.end - 1 :]
            )
        return text[: container.start + 1] + style.before + new + style.after + text[container.end - 1 :]
    last = container.items[-1].end
    reader = _Reader(text, comments)
    comma = reader.skip(last)
    trailing = text.startswith(",", comma)
    at = comma + 1 if trailing else last
    at = _end_of_line_comment(text, at) if comments else at
    head = text[:at] if trailing else text[:last] + "," + text[last:at]
    return head + style.before + new + ("," if trailing else "") + text[at:]


def cut(text: str, container: Node, index: int, *, comments: bool = False) -> str:
    """`text` without the container's child `index`, its comma, and the blanks that led to it."""
    starts, reader = container.starts(), _Reader(text, comments)
    start, end = starts[index], container.items[index].end
    comma = reader.skip(end)
    if text.startswith(",", comma):  # not the last, or a trailing comma
        end = comma + 1
    elif index:  # the last: the comma before it goes, whatever stands between stays
        before = container.items[index - 1].end
        gone = reader.skip(before)
        return text[:gone] + text[gone + 1 : _blanks_before(text, start)] + text[end:]
    return text[: _blanks_before(text, start)] + text[end:]


def replaced(text: str, node: Node, value: Any) -> str:
    """`text` with another value in a node's place, in the node's own indentation."""
    return text[: node.start] + _Style(text, node).dumped(value, "", at=node.start) + text[node.end :]


def _blanks_before(text: str, at: int) -> int:
    while at and text[at - 1] in " \t\r\n":
        at -= 1
    return at


def _end_of_line_comment(text: str, at: int) -> int:
    """Past a comment that stands on the line after `at`, so that it stays with what it speaks of."""
    match = _LINE_COMMENT.match(text, at)
    return match.end() if match else at


class _Style:
    """How a container is laid out: on lines of its own, or on one line."""

    def __init__(self, text: str, container: Node) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.outer = self.indent(container.start)
        starts = container.starts()
        lines = not starts or "\n" in text[container.start : starts[-1]]
        self.one_line = not lines or ("\n" not in text.strip() and len(text.strip()) > 2)
        unit = self.unit()
        self.inner = self.indent(starts[-1]) if starts and lines else self.outer + unit
        self.step = unit
        self.before = (" " if starts else "") if self.one_line else self.newline + self.inner
        self.after = "" if self.one_line else self.newline + self.outer

    def indent(self, at: int) -> str:
        """The blanks that the line of `at` begins with."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def unit(self) -> str:
        """One step of indentation: the first indented line's, two blanks where there is none."""
        match = re.search(r"\n([ \t]+)\S", self.text)
        return match[1] if match else "  "

    def dumped(self, value: Any, key: str, at: int | None = None) -> str:
        """`value` (behind its key) as text, its further lines indented to stand in the container."""
        if self.one_line:
            body = json.dumps(value, ensure_ascii=False)
        else:
            inner = self.inner if at is None else self.indent(at)
            body = json.dumps(value, ensure_ascii=False, indent=self.step).replace("\n", self.newline + inner)
        return f"{json.dumps(key)}: {body}" if key else body
