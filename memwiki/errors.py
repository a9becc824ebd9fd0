"""What goes wrong, said in two sentences: what happened, and what to do about it."""

from dataclasses import dataclass


class MemwikiError(Exception):
    """An expected failure: the command line prints it and exits with 1.

    `message` says what happened, `remedy` what the person can do; each is one sentence.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.remedy = remedy


class Busy(MemwikiError):
    """Another of memwiki's processes holds a lock."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `memwiki doctor` found: `area` is the room (vault, git, hosts, ...), `remedy` is what to do.

    `level` is "error" (something does not work), "warning" (it will bite later) or "note" (nothing to do; shown only).
    """

    area: str
    message: str
    remedy: str = ""
    level: str = "warning"
