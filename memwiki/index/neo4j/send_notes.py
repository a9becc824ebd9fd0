"""Sends notes that came, changed or went, unless the graph has them from a newer commit than this clone's."""

from typing import TYPE_CHECKING, Any

from ...vault.git import Git
from . import notes
from .schema import State
from .sent import Item
from .turn import Turn

if TYPE_CHECKING:
    from .connection import Transaction

_NOTES = 500  # notes of one transaction
_AT = "MATCH (v:Vault {place: 'here'}) SET v.commit = $commit, v.committed_at = $at"


def waits(git: Git, state: State) -> str:
    """Why this clone's notes are not to be sent: the graph has a newer commit's. "" when they are."""
    tip = git.tip()
    if not state.commit or state.commit == tip:
        return ""
    if _is_ancestor(git, state.commit, tip):
        return ""
    # A commit that this clone has not got was made elsewhere; one that it has, in neither line, was rewritten here.
    unknown = not git.commit_of(state.commit)
    if _is_ancestor(git, tip, state.commit) or state.committed_at + unknown > _time(git, tip):
        return f"The graph's notes are at {state.commit[:10]}, which is newer than this clone's: run `git pull`."
    return ""


def _is_ancestor(git: Git, old: str, new: str) -> bool:
    """Whether `new` has all of `old`; False for a commit that this clone has not got."""
    known = git.commit_of(old) and git.commit_of(new)
    return bool(known) and git.run("merge-base", "--is-ancestor", old, new, ok=(0, 1)).code == 0


def _time(git: Git, commit: str) -> int:
    return int(git.run("show", "--no-patch", "--no-show-signature", "--format=%ct", commit, "--").line)


def send_notes(one: Turn, state: State) -> bool:
    """Send what changed; whether a note came or went."""
    tip = one.git.tip()
    rewritten = state.commit not in ("", tip) and not _is_ancestor(one.git, state.commit, tip)
    there = {path for (path,) in one.index.rows("SELECT path FROM notes")}
    unsent, seen = one.sent.unsent()
    if rewritten:
        unsent = sorted(there | set(unsent))
    if not unsent and state.commit == tip:
        return False
    known = one.sent.items("note")
    commits = notes.last_commits(one.git, tip, set(unsent), state.commit)
    moved = False
    for start in range(0, len(unsent), _NOTES):
        paths = unsent[start : start + _NOTES]
        found = notes.rows(one.index, one.git, paths, commits)
        fresh = [node for node in found if known.get(node.properties["path"]) != node.digest]
        gone = [path for path in paths if path not in there and path in known]
        moved = moved or bool(gone) or any(node.properties["path"] not in known for node in fresh)
        changes: dict[Item, str | None] = {("note", node.properties["path"]): node.digest for node in fresh}
        changes |= {("note", path): None for path in gone}
        if not changes:
            one.sent.keep({}, paths, seen)
            continue

        async def work(tx: "Transaction", fresh: Any = fresh, gone: Any = gone) -> None:
            if fresh:
                await notes.store(tx, fresh)
            if gone:
                await notes.remove(tx, gone)

        one.transact(work, changes, paths, seen)
        one.notes += len(changes)
    if state.commit != tip:
        one.connection.execute(_AT, commit=tip, at=_time(one.git, tip))
    if unsent:
        one.connection.write(notes.tidy)
    return moved
