"""What git has where: the entries of a commit's tree, what differs between two, and what differs on disk."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .git import Git

FILE, LINK, REPOSITORY = "100", "120000", "160000"  # how modes of a tree's entries begin
_ARGUMENTS = 500  # paths of one git command: a command line has its limits


def entries(git: "Git", rev: str, paths: Iterable[str] | None = None) -> dict[str, tuple[str, str]]:
    """Path -> (mode, object name) of what is in `rev`: of all, or of those of `paths` that are there."""
    found = {}
    wanted = None if paths is None else list(paths)
    for start in range(0, 1 if wanted is None else len(wanted), _ARGUMENTS):
        some = () if wanted is None else ("--", *wanted[start : start + _ARGUMENTS])
        for line in git.run("ls-tree", "-r", "-z", "--full-tree", rev, *some).fields:
            head, path = line.split("\t", 1)
            mode, _, name = head.split(" ")
            found[path] = (mode, name)
    return found


def uncommitted(git: "Git", *paths: str) -> frozenset[str]:
    """Paths (of `paths`, where some are named) that differ from HEAD in the index or on disk, untracked ones included.

    A nested repository ends in `/`.
    """
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
    return frozenset(entry[3:] for entry in git.run("status", *options, *(("--", *paths) if paths else ())).fields)


@dataclass(frozen=True, slots=True)
class Change:
    """One path between two commits: its blob before and after (`git.zero`: none) and the mode it gets or had."""

    path: str
    mode: str
    before: str
    after: str


def changes(git: "Git", old: str, new: str) -> list[Change]:
    """The paths in which two trees or commits differ."""
    fields = git.run("diff-tree", "-r", "-z", "--no-renames", "--raw", old, new).fields
    found = []
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        mode_before, mode_after, before, after, _ = head.lstrip(":").split(" ")
        found.append(Change(path, mode_after if after != git.zero else mode_before, before, after))
    return found
