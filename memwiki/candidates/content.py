"""Candidates that a person brought in under a message of their own: no id tells, so the change itself is looked for."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..vault.commits import three_way, tree_of
from ..vault.git import Git
from ..vault.worktree import changes
from .history import History
from .lines import deltas

_SEARCHED = 50  # newest commits of a note that are looked at


@dataclass(frozen=True, slots=True)
class Sought:
    """A proposal: its commit, the notes it changes (the first is where its text is), the base of its run."""

    commit: str
    paths: tuple[str, ...]
    base: str


def by_content(git: Git, history: History, sought: Mapping[str, Sought]) -> dict[str, str]:
    """Candidate -> the commit on memory's branch after which its change is there; those that are not are left out.

    It is there when merging the proposal onto a commit since its base that touches its note changes nothing.
    """
    since = {one: _since(git, history, proposal.base) for one, proposal in sought.items()}
    paths = sorted({path for proposal in sought.values() for path in proposal.paths})
    oldest = max(since.values(), default=0)
    if not oldest or not paths:
        return {}
    limit = [f"^{history.line[oldest]}"] if oldest < len(history.line) else []
    names = git.run("rev-list", "--first-parent", history.tip, *limit, "--", *paths).text.split()
    after = {name: _touched(git, history, name, paths) for name in names}
    proposals = deltas(git, [("", proposal.commit) for proposal in sought.values()]) if names else {}
    found = {}
    for one, proposal in sought.items():
        near = [name for name in names if history.place[name] < since[one] and set(proposal.paths) & set(after[name])]
        for name in near[:_SEARCHED]:
            wanted = proposals[("", proposal.commit)].all()
            if _has(git, after[name].get(proposal.paths[0], ""), wanted) and _unchanged(git, proposal.commit, name):
                found[one] = name
                break
    return found


def _since(git: Git, history: History, base: str) -> int:
    """How many commits of the branch's own line are newer than `base`."""
    commit = base if base in history.brought else git.commit_of(base)
    if commit not in history.brought:
        done = git.run("merge-base", history.tip, commit, ok=(0, 1)) if commit and history.tip else None
        commit = done.line if done else ""
    return history.place.get(history.brought.get(commit, ""), len(history.line))


def _touched(git: Git, history: History, name: str, paths: Iterable[str]) -> dict[str, str]:
    """Path -> blob after the commit `name`, for those of `paths` that it changed ("" for a removed one)."""
    first = next(iter(history.parents[name]), "")
    found = changes(git, tree_of(git, first), name)
    return {change.path: change.after if change.after != git.zero else "" for change in found if change.path in paths}


def _has(git: Git, blob: str, wanted: Counter[str]) -> bool:
    """Whether a note has all the lines that a proposal adds: cheap, and enough to rule most commits out."""
    added = Counter({line[1:]: count for line, count in wanted.items() if line[0] == "+"})
    if not blob:
        return not added
    text = next(git.blobs([blob])).decode("utf-8", "surrogateescape")
    return added <= Counter(" ".join(line.split()) for line in text.split("\n"))


def _unchanged(git: Git, proposal: str, name: str) -> bool:
    tree = tree_of(git, name)
    return three_way(git, f"{proposal}^", tree, tree_of(git, proposal)).tree == tree
