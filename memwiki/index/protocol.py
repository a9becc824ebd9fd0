"""What an index answers, whatever stores it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note in a listing, as last synced."""

    path: str
    title: str
    description: str
    type: str
    namespace: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A link that leads nowhere: the line it stands in (from 1, in the file) and its target as written."""

    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Links:
    """Links of one note: paths it links to, paths that link to it, and its links that lead nowhere."""

    out: tuple[str, ...]
    back: tuple[str, ...]
    broken: tuple[Broken, ...]


@dataclass(frozen=True, slots=True)
class EventHit:
    """An event found by a search: its id, time (UTC), name, and the words around the first match on one line."""

    id: str
    at: str
    event: str
    text: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as last synced: `events` is the number of its last event; times are UTC."""

    key: str
    host: str
    project: str
    branch: str
    first_at: str
    last_at: str
    events: int


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A note that a session (or the subagent `agent` of it) was given: its content hash and the vault's commit then."""

    session: str
    agent: str
    at: str
    path: str
    hash: str
    commit: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the vault that sync could not take as it is: where, and what. `line` 0 means the file as a whole.

    `kind` is "frontmatter", "link", "encoding", "size", "path", "projects", "filter", "conflict" or "secret".
    """

    path: str
    line: int
    kind: str
    message: str

    def __str__(self) -> str:
        """One line to show."""
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class Index(Protocol):
    """Questions that every index answers alike; a contract suite runs against each."""

    def notes(self, within: str = "", type: str = "") -> list[NoteRow]:
        """Notes below the path prefix `within` and of type `type`, by path."""
        ...

    def links(self, path: str) -> Links:
        """Links out of, into and broken in the note at `path`."""
        ...

    def tags(self) -> dict[str, int]:
        """Each tag and how many notes carry it."""
        ...

    def search_events(self, query: str, limit: int = 20) -> list[EventHit]:
        """Events whose words match all of `query` (or, when none does, any), best first; words are never operators."""
        ...

    def sessions(self) -> list[SessionRow]:
        """All sessions, the latest first."""
        ...

    def givens(self, session: str = "", path: str = "") -> list[GivenRow]:
        """What was given, oldest first; to one session, or of one note."""
        ...

    def delete_session(self, key: str) -> None:
        """Forget a session and all its events."""
        ...
