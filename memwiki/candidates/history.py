"""What memory's branch says about candidates: which commits hold them, what brought those in, what was undone."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..errors import MemwikiError
from ..text import utc
from ..vault.git import Git
from . import message

_DATE = re.compile(r"[0-9]{1,10} [+-][0-9]{4}")
_FORMAT = ("--no-commit-header", "--encoding=UTF-8")


def bodies(git: Git, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Commit -> (author date as `2026-11-30T14:32:05Z`, message in UTF-8); missing ones are left out."""
    wanted = list(dict.fromkeys(names))
    if not wanted:
        return {}
    given = "".join(f"{name}\n" for name in wanted).encode()
    form = "--format=%H%x00%at%x00%B%x00"
    options = ("--no-walk=unsorted", "--ignore-missing", *_FORMAT, form, "--stdin")
    out = git.run("rev-list", *options, input=given).text
    return {name: (time_of(at), body) for name, at, body in _records(out, 3)}


def body_of(git: Git, name: str) -> str:
    """The message of one commit, in UTF-8; MemwikiError when the commit is not here."""
    found = bodies(git, [name])
    if name not in found:
        raise MemwikiError(f"The commit {name[:10]} is missing from the vault's git.", "Run `memwiki doctor`.")
    return found[name][1]


def time_of(seconds: str) -> str:
    """A commit's time as `2026-11-30T14:32:05Z`; "" for one that no calendar has, which anybody can write."""
    try:
        return utc(int(seconds), "seconds")
    except (ValueError, OverflowError, OSError):
        return ""


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who made a commit, on which parents; identities are `Name <mail>`.

    `date` is the author's in a form that git reads, "" for one that it would not take.
    """

    parents: tuple[str, ...]
    author: str
    date: str
    committer: str


def authorship(git: Git, name: str) -> Authorship:
    """That of one commit."""
    form = "--format=%P%x00%an%x00%ae%x00%ad%x00%cn%x00%ce"
    fields = git.run("rev-list", "--no-walk", *_FORMAT, "--date=raw", form, name).line.split("\0")
    parents, author, author_mail, date, committer, committer_mail = fields
    date = f"@{date}" if _DATE.fullmatch(date) else ""
    return Authorship(
        tuple(parents.split()), _identity(author, author_mail), date, _identity(committer, committer_mail)
    )


def _identity(name: str, mail: str) -> str:
    """`Name <mail>` as git takes it: a commit that was written by hand can name anybody, and nobody."""
    name, mail = (re.sub(r"[<>\x00-\x1f\x7f]", "", part).strip(" .,:;\"\\'") for part in (name, mail))
    return f"{name or 'unknown'} <{mail or 'unknown@memwiki.invalid'}>"


def is_checked_out(git: Git, ref: str) -> bool:
    """Whether a work tree has the branch `ref` checked out, or is rebasing it: then it is the person's to move."""
    if f"branch {ref}" in git.run("worktree", "list", "--porcelain", "-z").fields:
        return True
    folders = (git.common_dir, *(git.common_dir / "worktrees").glob("*"))
    return any(ref in _rebased(folder) for folder in folders)


def _rebased(folder: Path) -> list[str]:
    """The branches that a rebase in a work tree with this git folder will move at its end."""
    found: list[str] = []
    for name in ("rebase-merge/head-name", "rebase-merge/update-refs", "rebase-apply/head-name"):
        with suppress(FileNotFoundError, NotADirectoryError):  # then no such rebase is going on
            found += (folder / name).read_text("utf-8", "replace").splitlines()
    return found


def _records(out: str, size: int) -> Iterator[list[str]]:
    """The commits of a `rev-list` whose format ends each field with a NUL, which no message can hold."""
    fields = out.split("\0")
    for start in range(0, len(fields) - size, size):
        yield [fields[start].lstrip("\n"), *fields[start + 1 : start + size]]


class History:
    """The commits of memory's branch, read once: 10,000 take 50 ms."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self.tip = git.tip()
        self.parents: dict[str, list[str]] = {}
        self.holding: dict[str, list[str]] = {}  # candidate -> commits whose message names it, the newest first
        self.is_cut = False  # commits are missing, and not because the clone is shallow
        self.refusals: dict[str, str] = {}  # candidate -> the commit that refused it
        self._undoes: dict[str, list[str]] = {}  # commit -> commits that revert it
        self._takes_back: dict[str, list[tuple[str, str]]] = {}  # candidate -> (revert, the commit it undoes)
        if self.tip:
            self._read()

    def _read(self) -> None:
        # Where a parent is missing, git fails behind the newer commits: these are still the history that there is.
        form = "--format=%H%x00%P%x00%B%x00"
        done = self.git.run("rev-list", *_FORMAT, form, self.tip, "--", ok=(0, 128), timeout=300)
        self.is_cut = done.code != 0
        named: list[tuple[str, str]] = []
        for name, parents, body in _records(done.text, 3):
            self.parents[name] = parents.split()
            if "Memwiki-" in body:
                for one in message.ids(body):
                    self.holding.setdefault(one, []).append(name)
                for one in message.values(body, "Rejected"):
                    self.refusals.setdefault(one, name)
                for value in message.values(body, "Reverted"):
                    one, _, undone = value.partition(" ")
                    self._takes_back.setdefault(one, []).append((name, undone))
            if "This reverts commit" in body:
                named += [(name, undone) for undone in message.reverted(body)]
        every = sorted(self.parents)
        for name, short in named:
            place = bisect_left(every, short)
            if place < len(every) and every[place].startswith(short):
                self._undoes.setdefault(every[place], []).append(name)

    @cached_property
    def line(self) -> list[str]:
        """The branch's own commits (first parents), the newest first."""
        found, name = [], self.tip
        while name in self.parents:  # "" at the end, or what is missing
            found.append(name)
            name = next(iter(self.parents.get(name, ())), "")
        return found

    @cached_property
    def place(self) -> dict[str, int]:
        """Where a commit stands in `line`: 0 is the tip."""
        return {name: index for index, name in enumerate(self.line)}

    @cached_property
    def _order(self) -> dict[str, int]:
        """Where a commit stands among all of them: a commit comes before its parents."""
        return {name: index for index, name in enumerate(self.parents)}

    @cached_property
    def brought(self) -> dict[str, str]:
        """Commit -> the commit of `line` that brought it in: itself, or a merge."""
        found: dict[str, str] = {}
        for name in reversed(self.line):
            found[name] = name
            waiting = self.parents.get(name, [])[1:]
            while waiting:
                one = waiting.pop()
                if one not in found:
                    found[one] = name
                    waiting.extend(self.parents.get(one, ()))
        return found

    def undone(self, name: str, candidate: str = "") -> bool:
        """Whether a commit, or what it holds of one candidate, was reverted; a revert that was itself reverted is none.

        A reverted merge undoes all it brought.
        """
        if any(not self.undone(revert) for revert in self._undoes.get(name, ())):
            return True
        for revert, what in self._takes_back.get(candidate, ()):
            # A commit that is gone was this one before the history was rewritten, if it is the older of the two.
            gone = what not in self.parents and self._order[name] > self._order[revert]
            if (gone or what in (name, self.brought.get(name))) and not self.undone(revert):
                return True
        return any(self.undone(merge) for merge in self._merges_over.get(name, ()))

    @cached_property
    def _merges_over(self) -> dict[str, list[str]]:
        """Commit -> reverted merges that brought it."""
        found: dict[str, list[str]] = {}
        for merge in self._undoes:
            first, *others = self.parents.get(merge, []) or [""]
            if not others:
                continue
            before = self._reach([first])
            for name in self._reach(others) - before:
                found.setdefault(name, []).append(merge)
        return found

    def _reach(self, names: list[str]) -> set[str]:
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting.extend(self.parents.get(name, ()))
        return seen
