"""The YAML of a frontmatter block, read strictly: what two readers could understand differently is refused.

Refused, each with its line: duplicate keys, tags, keys that are not text, more than one document, deep nesting, and
aliases that would unfold into more than MAX_VALUES values. PyYAML's loader keeps the last of two equal keys, builds
`{{date}}` as an unhashable key and shares aliases until somebody writes them out; so its events are built here.

A plain scalar becomes a number only when the number writes back as it stood: `1.10`, `007`, `12:30` and dates stay
text, and no value can be out of range. Values are what JSON knows: text, int, float, bool, None, list, dict.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:

    class Base(yaml.SafeLoader):
        """What libyaml's loader and the pure Python one share, with types."""

        def get_event(self) -> Any: ...
        def peek_event(self) -> Any: ...
        def check_event(self, *choices: Any) -> bool: ...
else:
    Base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_DEPTH = 32
MAX_VALUES = 10_000

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def scalar(text: str) -> str | int | float | bool | None:
    """The value of a plain (unquoted) YAML scalar, by the rule at the top of this module."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if text[0] in "-0123456789" and text[-1].isdecimal() and len(text) <= 40:
        for kind in (int, float):
            try:
                number = kind(text)
            except ValueError:
                continue
            if str(number) == text:
                return number
    return text


class Strict(Base):
    """A PyYAML loader for `yaml.load(block, Loader=Strict)`; raises yaml.YAMLError, mostly with a `problem_mark`."""

    def get_single_data(self) -> Any:
        """The one value of the stream; None for an empty one."""
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._count = 0
        self.get_event()
        if self.check_event(yaml.StreamEndEvent):
            return None
        self.get_event()
        value = self._value(self.get_event(), 0)
        self.get_event()
        if not self.check_event(yaml.StreamEndEvent):
            raise _refused("a second YAML document starts here", self.peek_event())
        return value

    def _value(self, event: Any, depth: int) -> Any:
        """The value that starts with `event`; reads its events to the end."""
        before = self._count
        self._count += 1
        if type(event) is yaml.AliasEvent:
            if event.anchor not in self._anchors:
                raise _refused(f"the alias *{event.anchor} names nothing", event)
            value, size = self._anchors[event.anchor]
            self._count += size
        else:
            if event.tag is not None:
                raise _refused(f"the tag {event.tag} is not read", event)
            if type(event) is yaml.ScalarEvent:
                value = event.value if event.style else scalar(event.value)
            elif depth >= MAX_DEPTH:
                raise _refused(f"nested deeper than {MAX_DEPTH} levels", event)
            elif type(event) is yaml.SequenceStartEvent:
                value = []
                while type(item := self.get_event()) is not yaml.SequenceEndEvent:
                    value.append(self._value(item, depth + 1))
            else:
                value = self._mapping(depth)
            if event.anchor is not None:
                self._anchors[event.anchor] = (value, self._count - before)
        if self._count > MAX_VALUES:
            raise _refused(f"more than {MAX_VALUES:,} values once aliases are unfolded", event)
        return value

    def _mapping(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: list[Any] = []
        while type(key := self.get_event()) is not yaml.MappingEndEvent:
            if type(key) is not yaml.ScalarEvent or key.tag is not None:
                raise _refused("a key that is not plain text (a template's {{...}} needs quotes)", key)
            if key.value in found or (merged and key.value == "<<"):
                raise _refused(f"the key {key.value!r} is there twice", key)
            value = self._value(self.get_event(), depth + 1)
            if key.value == "<<" and not key.style:
                merged = value if isinstance(value, list) else [value]
                if not all(isinstance(part, dict) for part in merged):
                    raise _refused("<< can only merge mappings", key)
            else:
                found[key.value] = value
        for part in merged:
            found |= {name: value for name, value in part.items() if name not in found}
        return found


def _refused(problem: str, event: Any) -> yaml.YAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one top-level key stands, in characters of the block: from `at`, and its value from `start` to `end`.

    `style` is `'`, `"`, `|`, `>`, "" for a plain scalar or an alias, `[` for a flow sequence, `-` for a block sequence
    and `{` for anything else; `anchored` when something else in the block may refer to it; `items` the spans of a
    sequence's items.
    """

    key: str
    at: int
    start: int
    end: int
    style: str
    anchored: bool
    items: tuple[tuple[int, int], ...] = ()


def entries(block: str) -> Iterator[Entry]:
    """The top-level keys of a `block` that `Strict` accepts; nothing when it is no mapping or one in braces."""
    events: Iterator[Any] = iter(yaml.parse(block, Loader=Base))
    top: Any = next((event for event in events if isinstance(event, yaml.NodeEvent)), None)
    if not isinstance(top, yaml.MappingStartEvent) or top.flow_style:
        return
    for key in events:
        kind: type = type(key)
        if kind is not yaml.ScalarEvent:
            return
        first = event = opened = next(events)
        depth, anchored = 0, False
        items: list[tuple[int, int]] = []
        while True:
            kind = type(event)
            anchored = anchored or (kind is not yaml.AliasEvent and bool(getattr(event, "anchor", None)))
            if kind in (yaml.SequenceStartEvent, yaml.MappingStartEvent):
                opened = event if depth == 1 else opened
                depth += 1
            elif kind in (yaml.SequenceEndEvent, yaml.MappingEndEvent):
                depth -= 1
                if depth == 1:
                    items.append((opened.start_mark.index, event.end_mark.index))
            elif depth == 1:
                items.append((event.start_mark.index, event.end_mark.index))
            if depth == 0:
                break
            event = next(events)
        start, end = first.start_mark.index, event.end_mark.index
        yield Entry(key.value, key.start_mark.index, start, end, _style(first), anchored, tuple(items))


def _style(event: Any) -> str:
    if isinstance(event, yaml.AliasEvent):
        return ""
    if isinstance(event, yaml.ScalarEvent):
        return event.style or ""
    if isinstance(event, yaml.SequenceStartEvent):
        return "[" if event.flow_style else "-"
    return "{"
