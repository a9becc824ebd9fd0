"""What has changed in memory since the last sync, asked of git: the work is in what changed, not in what is there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..recall.disk import digest
from ..vault import entries
from ..vault.git import Git
from ..vault.paths import is_note


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
        return Delta(seen, True, entries.entries(git, tip) if tip else {}, disk)
    settled = [path for path in last.disk if path not in disk and path not in changed]
    if settled:
        changed |= dict.fromkeys(settled, ("", "")) | (entries.entries(git, tip, settled) if tip else {})
    gone = frozenset(path for path, (mode, _) in changed.items() if not mode and path not in disk)
    tree = {path: entry for path, entry in changed.items() if entry[0] and path not in disk}
    return Delta(seen, False, tree, disk, gone)


def with_paths(git: Git, found: Delta, paths: Iterable[str]) -> Delta:
    """`found` with `paths` looked at as well, where they are in the tip and it does not have them yet."""
    more = [path for path in paths if path not in found.tree and path not in found.disk and path not in found.gone]
    if found.whole or not more:
        return found
    return replace(found, tree={**found.tree, **entries.entries(git, found.seen.commit, more)})


def uncommitted(git: Git) -> list[str]:
    """Paths that differ from the tip in index or work tree, untracked ones included; a nested repository is none."""
    return sorted(path for path in entries.uncommitted(git) if not path.endswith("/"))


def edited(git: Git) -> list[str]:
    """Notes of which the text differs from the tip's: a save with other line ends alone is no edit."""
    paths = [path for path in uncommitted(git) if is_note(path)]
    tip = git.tip()
    stored = {path: name for path, (_, name) in entries.entries(git, tip, paths).items()} if tip and paths else {}
    texts = zip(stored, git.texts(stored.items()), strict=True)
    same = {path for path, text in texts if _digest(git.top / path) == digest(text.data)}
    return [path for path in paths if path not in same]


def _digest(file: Path) -> str:
    return digest(file.read_bytes()) if file.is_file() and not file.is_symlink() else ""


def _between(git: Git, old: str, new: str) -> dict[str, tuple[str, str]] | None:
    """Path -> (mode, object) in `new` of what differs, mode "" where deleted; None when `old` is no longer there."""
    if not git.commit_of(old):
        return None
    return {
        one.path: ("", "") if one.after == git.zero else (one.mode, one.after) for one in entries.changes(git, old, new)
    }
