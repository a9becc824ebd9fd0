"""Undoing an approved candidate, by a commit that git itself would call a revert."""

from ..candidates.candidate import Candidate
from ..candidates.history import History, body_of
from ..candidates.message import subject_of
from ..errors import MemwikiError
from ..vault.commits import commit, three_way, tree_of, tree_with
from ..vault.filters import cleaned
from ..vault.git import Git
from ..vault.landing import land
from .decide import stone_of
from .tidy import tidy


def revert(git: Git, candidate: Candidate) -> str:
    """Take a candidate's change out of memory and leave a tombstone; the commit's hash, or the tip's when it was out.

    Later edits elsewhere in the note stay. MemwikiError when it is not memory, or its lines have changed since. A
    commit that brought several candidates (a squash) is undone for this one's note only.
    """
    person = git.person()
    if candidate.state == "reverted":
        tidy(git, candidate.run)
        return git.tip()
    if candidate.state not in ("approved", "edited"):
        raise MemwikiError(
            f"{candidate.id} is {candidate.state}, so there is nothing to undo.",
            "`memwiki review list --state approved` shows what is memory.",
        )
    landed = candidate.landed
    body = _message(git, candidate)

    def build(tip: str) -> str:
        ours = tree_of(git, tip)
        merged = three_way(git, landed, ours, _without(git, candidate))
        if merged.conflicts:
            raise MemwikiError(
                f"The lines of {candidate.id} have changed since in {candidate.path}.",
                "Edit the note by hand, or revert the later change first.",
            )
        if merged.tree == ours:
            raise MemwikiError(f"Nothing of {candidate.id} is left in {candidate.path}.", "There is nothing to undo.")
        tree = tree_with(git, merged.tree, {**cleaned(git, ours, merged.tree), **stone_of(git, candidate)})
        return commit(git, tree, [tip], body, author=person)

    done = land(git, build, f"revert {candidate.id}")
    tidy(git, candidate.run)
    return done


def _without(git: Git, candidate: Candidate) -> str:
    """The tree of the commit that landed it, with its own notes as they were before."""
    before = git.files(f"{candidate.landed}^1")
    paths = [path for path in (candidate.path, candidate.old_path) if path]
    return tree_with(git, tree_of(git, candidate.landed), {path: before.get(path) for path in paths})


def _message(git: Git, candidate: Candidate) -> str:
    """git's own words where the commit brought this candidate alone; else only our trailer, which names one."""
    history = History(git)
    alone = not any(candidate.landed in held for one, held in history.holding.items() if one != candidate.id)
    subject = body_of(git, candidate.landed).split("\n", 1)[0]
    words = f"This reverts commit {candidate.landed}.\n\n" if alone else ""
    return subject_of(f'Revert "{subject}"') + f"\n\n{words}Memwiki-Reverted: {candidate.id} {candidate.landed}\n"
