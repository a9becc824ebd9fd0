"""What a reader makes of a transcript: the events that the host's hooks would have sent, in its own words for them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One hook call that the transcript stands for: the host's name of the event and its payload, without session id.

    `at` is UTC as the transcript has it ("": it keeps no times), `branch` the branch it names.
    """

    native: str
    payload: Mapping[str, Any]
    at: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A record that becomes no event, and its kind."""

    kind: str


# Reads the records of one transcript, in order. `session` is the host's id of the session it is read for.
Reader = Callable[[Iterable[Mapping[str, Any]], str], Iterator[Entry | LeftOut]]


def text_of(content: object) -> str:
    """The text of a message: a string, or the blocks that have text, one below the other."""
    if isinstance(content, str):
        return content
    found = []
    for block in content if isinstance(content, list) else []:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str) and text:
            found.append(text)
    return "\n".join(found)


def field(record: Mapping[str, Any], name: str) -> str:
    """A field that is text, else ""."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field that is an object, else an empty one."""
    value = record.get(name)
    return value if isinstance(value, dict) else {}
