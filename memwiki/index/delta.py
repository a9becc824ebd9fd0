"""What has changed in memory since the last sync, asked of git: the work is in what changed, not in what is there."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..vault.git import Git

_ARGUMENTS = 500  # paths of one git command
_PLAIN, _LINK = "100", "120000"  # modes of a tree's entries: a file (two kinds), a symbolic link


@dataclass(frozen=True, slots=True)
class Seen:
    """Memory as the last sync saw it: vault and branch, the tip, the paths that it took from the disk, and whether
    the work tree was memory then."""

    vault: str = ""
    branch: str = ""
    commit: str = ""
    disk: tuple[str, ...] = ()
    work: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """Memory now, and where the text of each path that may have changed is to be found.

    `tree` holds (mode, object name) of paths as in the tip, `disk` the paths whose work file counts, `gone` what is no
    more. With `whole` the tree is complete: what is in neither is gone.
    """

    seen: Seen
    whole: bool
    tree: Mapping[str, tuple[str, str]]
    disk: frozenset[str]
    gone: frozenset[str] = field(default=frozenset())


def delta(git: Git, last: Seen | None) -> Delta:
    """What may have changed since `last` (None: since ever), by one `git diff-tree` and one `git status`.

    The work tree counts only while it is memory; else the tip's own text serves, also for what was edited before.
    """
    tip = git.tip()
    work = git.is_memory()
    disk = frozenset(uncommitted(git)) if work else frozenset()
    known = last is not None and (last.vault, last.branch) == (str(git.top), git.branch)
    base = last.commit if known and last is not None else ""
    if last is not None and known and base == tip:
        changed: dict[str, tuple[str, str]] | None = {}
    else:
        changed = _between(git, base, tip) if base and tip else None
    seen = Seen(str(git.top), git.branch, tip, tuple(sorted(disk)), work)
    if changed is None or last is None:
        return Delta(seen, True, _entries(git, tip, None), disk)
    settled = [path for path in last.disk if path not in disk and path not in changed]
    if settled:
        changed |= dict.fromkeys(settled, ("", "")) | dict(_entries(git, tip, settled))
    gone = frozenset(path for path, (mode, _) in changed.items() if not mode and path not in disk)
    tree = {path: entry for path, entry in changed.items() if entry[0] and path not in disk}
    return Delta(seen, False, tree, disk, gone)


def uncommitted(git: Git) -> Iterator[str]:
    """Paths that differ from the tip in index or work tree, untracked ones included; a nested repository is none."""
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
    for entry in git.run("status", *options).fields:
        if not entry.endswith("/"):
            yield entry[3:]


def _between(git: Git, old: str, new: str) -> dict[str, tuple[str, str]] | None:
    """Path -> (mode, object) in `new` of what differs, mode "" where deleted; None when `old` is no longer there."""
    if not git.commit_of(old):
        return None
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", old, new).fields
    found = {}
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        _, mode, _, name, status = head.split(" ")
        found[path] = ("", "") if status == "D" else (mode, name)
    return found


def _entries(git: Git, tip: str, paths: Iterable[str] | None) -> dict[str, tuple[str, str]]:
    """Path -> (mode, object) in `tip`: of all, or of those of `paths` that are there."""
    if not tip:
        return {}
    found = {}
    wanted = None if paths is None else list(paths)
    for start in range(0, 1 if wanted is None else len(wanted), _ARGUMENTS):
        some = () if wanted is None else ("--", *wanted[start : start + _ARGUMENTS])
        for line in git.run("ls-tree", "-r", "-z", "--full-tree", tip, *some).fields:
            head, path = line.split("\t", 1)
            mode, _, name = head.split(" ")
            found[path] = (mode, name)
    return found
