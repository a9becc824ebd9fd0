"""One event: a hook call as the journal keeps it, after redaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

IMPORTED = "-import"  # how `spool` of an event ends that came from a transcript
VERSION = 1  # of the line's form; a reader skips no line of a later one, it reads the keys it knows


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a session's journal file.

    `session` is the cleaned session id, `key` is `<host>/<session>`, `id` is `<key>#<n>` with `n` the line's number.
    `at` is UTC. `payload` is the host's JSON after redaction and caps; where it was cut, `truncated` is true and
    `bytes` and `sha256` are those of the whole payload as the host sent it. `spool` is the spool file it came from
    (`<mtime_ns>-<name>`), empty for events that memwiki itself writes (`Given`).
    """

    n: int
    at: str
    event: str
    native: str
    host: str
    session: str
    agent: str = ""
    cwd: str = ""
    project: str = ""
    branch: str = ""
    root: str = ""
    spool: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    truncated: bool = False
    bytes: int = 0
    sha256: str = ""

    @property
    def key(self) -> str:
        """The session's key, `<host>/<session id>`."""
        return f"{self.host}/{self.session}"

    @property
    def id(self) -> str:
        """The event's id, `<host>/<session id>#<n>`."""
        return f"{self.key}#{self.n}"

    @property
    def imported(self) -> bool:
        """Whether it came from a transcript, not from a hook."""
        return self.spool.endswith(IMPORTED)


_TEXTS = ("at", "event", "native", "host", "session", "agent", "cwd", "project", "branch", "root", "spool")


def line_of(event: Event) -> bytes:
    """The event as its journal line: compact UTF-8 JSON and a newline; empty values are left out."""
    record: dict[str, Any] = {"v": VERSION, "n": event.n}
    record.update((name, value) for name in _TEXTS if (value := getattr(event, name)))
    record["payload"] = event.payload
    if event.truncated:
        record |= {"truncated": True, "bytes": event.bytes, "sha256": event.sha256}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def event_of(record: Mapping[str, Any], n: int) -> Event | None:
    """The event that a journal record holds, or None when it is no event; `n` serves when it names no number."""
    texts = {name: record.get(name, "") for name in _TEXTS}
    payload, number, size = record.get("payload", {}), record.get("n", n), record.get("bytes", 0)
    if not texts["event"] or not all(isinstance(text, str) for text in texts.values()) or not isinstance(payload, dict):
        return None
    return Event(
        n=number if type(number) is int and number > 0 else n,
        **texts,
        payload=payload,
        truncated=bool(record.get("truncated")),
        bytes=size if type(size) is int else 0,
        sha256=str(record.get("sha256", "")),
    )
