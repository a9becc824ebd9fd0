"""What goes into a distiller and what comes out of it."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from ..candidates.candidate import Source, Who

Op = Literal["add", "replace", "delete"]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One event as a distiller may see it: redacted, and with private, injected and host-made text cut.

    `id` is the event's id. `who` said `text`: the person (prompt), the agent (closing words), a tool or the web
    (output). For tool events `tool` is the tool's name, `command` its input in one string, `failed` whether it failed.
    """

    id: str
    event: str
    who: Who
    text: str
    at: str = ""
    tool: str = ""
    command: str = ""
    failed: bool = False
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The unread part of one session, in order. `folder` is where its project's notes live (`project/acme-shop`)."""

    key: str
    host: str
    project: str
    folder: str
    branch: str
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A note that the distiller is told about; `text` is the whole file, or "" where only the card is sent."""

    path: str
    card: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """One model call's worth: conversations, notes that matter, and what is pending or was refused (lines of text)."""

    conversations: tuple[Conversation, ...]
    notes: tuple[Known, ...] = ()
    pending: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """Words found word for word in the event `event`."""

    event: str
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One proposed change to one note.

    add: `text` holds new statements, one a line, for the note `path` (made when it is missing, with `title` and
    `description`). replace: the verbatim lines `old` become `text`. delete: the lines `old` go, or without `old` the
    note.
    """

    op: Op
    path: str
    text: str
    type: str
    subject: str
    why: str
    confidence: float
    source: Source
    quotes: tuple[Quote, ...]
    old: str = ""
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls took: tokens as the provider counts them, cost in US dollars (0 where there is none to pay).

    `priced` is False when the model's price is not known: then `cost` says too little.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float = 0.0
    priced: bool = True

    def plus(self, other: "Usage") -> "Usage":
        """Both together."""
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.cost + other.cost,
            self.priced and other.priced,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A distiller's answer to one batch."""

    edits: tuple[Edit, ...]
    usage: Usage = field(default_factory=Usage)


class Distiller(Protocol):
    """Turns a batch into edits. Raises `MemwikiError` (its subclasses in dream/engines say the class of failure)."""

    @property
    def name(self) -> str:
        """The engine's name, as in config."""
        ...

    @property
    def model(self) -> str:
        """The model it asks, or ""."""
        ...

    def distil(self, batch: Batch) -> Answer:
        """Edits for one batch; an empty answer is a good one."""
        ...
