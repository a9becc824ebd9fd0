"""The last commits that touched a note."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .git import Git

_FIELDS = "%H%x00%aI%x00%an%x00%s%x00"


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: its hash, author date (ISO 8601 with zone), author's name and subject."""

    commit: str
    at: str
    author: str
    subject: str


def history(git: "Git", path: str, limit: int = 5) -> list[Commit]:
    """The last `limit` commits of the vault's branch that touched `path`, newest first, renames followed."""
    tip = git.tip()
    if not tip:
        return []
    # A person's log.* settings must not change what is read.
    options = ("--follow", "--no-show-signature", "--no-color", "--no-mailmap", "--encoding=UTF-8", "--no-notes")
    shown = git.run("log", *options, "--no-patch", f"--max-count={limit}", f"--format={_FIELDS}", tip, "--", path).out
    words = [word.lstrip("\n") for word in shown.decode("utf-8", "replace").split("\0")]
    return [Commit(*words[at : at + 4]) for at in range(0, len(words) - 4, 4)]
