"""Removing a note from memory; git keeps its history."""

from ..candidates.message import plain
from ..errors import MemwikiError
from ..vault.git import Git
from ..vault.landing import change


def forget(git: Git, path: str, why: str = "") -> str:
    """Remove the note `path` in one commit of the person's; the commit's hash.

    `git revert` of that commit brings the note back. MemwikiError for a note that is not committed, or has uncommitted
    edits.
    """
    if git.blob(git.tip(), path) is None:
        raise MemwikiError(f"{path} is not committed, so git would not keep it.", "Delete the file yourself.")
    reason = plain(why)
    return change(git, {path: None}, f"Forget {path}\n{f'{chr(10)}{reason}{chr(10)}' if reason else ''}")
