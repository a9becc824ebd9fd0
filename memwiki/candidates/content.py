"""Candidates that a person brought in under a message of their own: no id tells, so the change itself is looked for."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..vault.commits import three_way, tree_of
from ..vault.git import Git
from ..vault.process import GitError
from .damage import piecewise
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
    after = _touched(git, history, names, paths)
    near = {
        one: [name for name in names if history.place[name] < since[one] and set(proposal.paths) & set(after[name])]
        for one, proposal in sought.items()
    }
    tried = {one: sought[one] for one in sought if near[one]}
    wanted = deltas(git, [("", proposal.commit) for proposal in tried.values()])
    tried = {one: proposal for one, proposal in tried.items() if ("", proposal.commit) in wanted}
    lines = _lines(git, {(path, blob) for name in names for path, blob in after[name].items() if blob})
    found = {}
    for one, proposal in tried.items():
        change = wanted[("", proposal.commit)].all()
        for name in near[one][:_SEARCHED]:
            blob = after[name].get(proposal.paths[0], "")
            if _may_hold(lines[blob], change) and _unchanged(git, proposal.commit, name):
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


def _touched(git: Git, history: History, names: list[str], paths: list[str]) -> dict[str, dict[str, str]]:
    """Commit -> path -> blob after it ("" for a removed one), for those of `paths` that it changed; in one process."""

    def ask(some: Sequence[str]) -> dict[str, dict[str, str]]:
        asked = "".join(f"{' '.join([name, *history.parents[name][:1]])}\n" for name in some).encode()
        options = ("--stdin", "--always", "--root", "-r", "-z", "--raw", "--no-renames")
        fields = iter(git.run("diff-tree", *options, "--", *paths, input=asked).fields)
        found: dict[str, dict[str, str]] = {name: {} for name in some}
        current: dict[str, str] = {}
        for field in fields:
            if field.startswith(":"):
                blob = field.split(" ")[3]
                current[next(fields)] = "" if blob == git.zero else blob
            else:
                current = found[field]
        return found

    read = piecewise(ask, names)
    return {name: read.get(name, {}) for name in names}


def _lines(git: Git, files: Collection[tuple[str, str]]) -> dict[str, Counter[str]]:
    """Blob -> its lines, blanks squeezed, of (path, blob); that of "" (no file) has none."""
    read = piecewise(lambda some: dict(zip(some, git.texts(some), strict=True)), sorted(files))
    found = {blob: text.data.decode("utf-8", "surrogateescape") for (_, blob), text in read.items()}
    lines = {blob: Counter(" ".join(line.split()) for line in text.split("\n")) for blob, text in found.items()}
    return {blob: lines.get(blob, Counter()) for blob in ("", *(blob for _, blob in files))}


def _may_hold(lines: Counter[str], change: Counter[str]) -> bool:
    """Whether a note has every line that a change adds and, of those it only removes, none: cheap, and rules most out.

    A line that a note has twice may be removed once; such a change is not found.
    """
    added = Counter({line[1:]: count for line, count in change.items() if line[0] == "+"})
    gone = {line[1:] for line in change if line[0] == "-"} - {""}
    return added <= lines and not any(line in lines for line in gone if line not in added)


def _unchanged(git: Git, proposal: str, name: str) -> bool:
    tree = tree_of(git, name)
    try:
        return three_way(git, f"{proposal}^", tree, tree_of(git, proposal)).tree == tree
    except GitError:  # an object that the merge needs is missing
        return False
