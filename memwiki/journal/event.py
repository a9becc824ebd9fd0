"""One event: a hook call as the journal keeps it, after redaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a session's journal file (DESIGN 4).

    `session` is the cleaned session id, `key` is `<host>/<session>`, `id` is `<key>#<n>` with `n` the line's number from 1.
    `payload` is the host's JSON after redaction and caps; `said` is what `hosts.codec.decode` made of it.
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
