"""One note: a markdown file with optional YAML frontmatter, parsed and never changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEYS = ("title", "description", "type", "tags", "applies_to", "pin", "created")  # in the order memwiki writes them
# The closed list of note types; the one table behind docs, prompts and --help.
TYPES: dict[str, str] = {
    "preference": "a wish the person confirmed",
    "fact": "lasting and checkable",
    "decision": "a choice made, with its why",
    "pattern": "a recurring behaviour worth encoding once",
    "postmortem": "what went wrong, and what to do instead",
    "event": "it happened, and that is worth knowing",
}


_FIX = "Fix the frontmatter; until then the note is known by its body alone and memwiki does not edit it."


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a note could not be used as it is: the line in the file (from 1; 0: all of it), the reason, what to do."""

    line: int
    message: str
    remedy: str = field(default=_FIX, repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """A parsed note. `path` is relative to the vault, with `/`, as git has it.

    `text` is the whole file; `body` what stands after the frontmatter and starts at line `body_line` (from 1).
    `title` and `description` are never empty: heading or name, title or first sentence stand in (160 characters).
    `aliases` are other names, by which the note is found but never shown.
    With a `problem` the note is known by its body alone and edits of it are refused.
    """

    path: str
    text: str
    body: str
    body_line: int
    title: str
    description: str
    type: str = ""
    tags: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    pin: bool = False
    aliases: tuple[str, ...] = ()
    created: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    problem: Problem | None = None

    @property
    def card(self) -> str:
        """`path: description`, the note's one-line form."""
        return f"{self.path}: {self.description}"
