"""What approving a candidate would do to memory as it is now: the merge of its proposal with what changed since."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..candidates.candidate import Candidate
from ..candidates.states import text_of, texts
from ..vault.commits import three_way, tree_of, tree_with
from ..vault.git import Git

MARK = "<<<<<<< "  # how a line begins that only a merge writes


@dataclass(frozen=True, slots=True)
class Draft:
    """The note before (`old`) and after (`new`); None: there is none. `base` is the commit that `old` is from.

    With `conflict`, both changed the same lines: `new` shows both between markers, for a person to settle. `tree` is
    what would land (in a conflict: without the note's change).
    """

    base: str
    path: str
    old: str | None
    new: str | None
    conflict: bool
    tree: str


def draft(git: Git, candidate: Candidate, at: str = "") -> Draft:
    """Merge the candidate with the commit `at` ("": the tip of memory's branch)."""
    base = at or git.tip()
    before = tree_of(git, base)
    parent = f"{candidate.commit}^"
    merged = three_way(git, parent, before, tree_of(git, candidate.commit))
    path = candidate.path
    if not merged.conflicts:
        path = _moved(git, before, merged.tree, path)
        old = git.blob(base, path) if path != candidate.path else git.blob(base, candidate.old_path or path)
        return Draft(base, path, text_of(old), text_of(git.blob(merged.tree, path)), False, merged.tree)
    gone: dict[str, str | None] = {candidate.old_path: None} if candidate.old_path else {}
    mine = git.blob(base, candidate.old_path or path)
    theirs = git.blob(candidate.commit, path)
    both = _both(git, mine, git.blob(parent, candidate.old_path or path), theirs)
    return Draft(base, path, text_of(mine), text_of(both), True, tree_with(git, before, gone))


def as_proposed(git: Git, candidate: Candidate) -> Draft:
    """The candidate on the commit that it was made on."""
    old, new = texts(git, candidate)
    tree = tree_of(git, candidate.commit)
    return Draft(git.commit_of(f"{candidate.commit}^"), candidate.path, old, new, False, tree)


def _moved(git: Git, before: str, after: str, path: str) -> str:
    """Where the change to `path` went: the person may have renamed the note meanwhile."""
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", "--name-only", before, after).fields
    return path if path in fields or not fields else fields[0]


def _both(git: Git, mine: bytes | None, base: bytes | None, theirs: bytes | None) -> bytes | None:
    if theirs is None or mine is None:  # one side removed the note: the other's text is what there is to settle
        return theirs if mine is None else mine
    with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
        for name, data in (("memory", mine), ("base", base or b""), ("proposed", theirs)):
            Path(folder, name).write_bytes(data)
        labels = [word for name in ("memory", "base", "proposed") for word in ("-L", name)]
        names = [str(Path(folder, name)) for name in ("memory", "base", "proposed")]
        return git.run("merge-file", "-p", "-q", *labels, *names, ok=tuple(range(128))).out
