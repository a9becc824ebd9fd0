"""Landing: one new commit at the tip of memory's branch, together with the work tree that has it checked out.

The order is what makes it safe: the branch is locked first, by a git child that prepares the ref transaction; then
every check; then the index, the files by rename, and last the ref. A `git commit` of the person's that began before
makes the preparation fail, one that comes between fails itself, so neither sweeps the other's lines in.
"""

import random
import time
from collections.abc import Callable, Mapping

from ..errors import MemwikiError
from . import locks, worktree
from .commits import commit, tree_of, tree_with
from .entries import Change, changes
from .filters import clean
from .git import Git
from .probe import lock_finding
from .worktree import Busy

PATIENCE = 8.0  # seconds that a landing waits for other gits before it gives up


def change(git: Git, files: Mapping[str, bytes | None], message: str, *, author: str = "") -> str:
    """Commit `files` (None removes one) on memory's branch as one commit of the person's, or of `author`.

    The bytes are stored without the line endings of a checkout and through the filter that a path has. Returns the
    commit, or "" when nothing would change. Raises MemwikiError, with nothing changed, where uncommitted work is in
    the way.
    """
    who = author or git.person()

    def build(tip: str) -> str:
        blobs = {path: None if data is None else clean(git, path, data) for path, data in files.items()}
        tree = tree_with(git, tree_of(git, tip), blobs)
        return "" if tree == tree_of(git, tip) else commit(git, tree, [tip] if tip else [], message, author=who)

    return land(git, build, message.split("\n", 1)[0])


def land(git: Git, build: Callable[[str], str], why: str, *, patience: float = PATIENCE) -> str:
    """Land what `build(tip)` makes (a commit whose only parent is the tip, or "" for nothing to do) and return it.

    While other gits are quicker or hold a lock it is built on the new tip and tried again, for `patience` seconds.
    """
    deadline = time.monotonic() + patience
    pause = 0.02
    while True:
        tip = git.tip()
        new = build(tip)
        if not new:
            return ""
        try:
            _move(git, new, tip, why)
            return new
        except Busy:
            if time.monotonic() >= deadline:
                raise
        time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads rivals, guards nothing
        pause = min(pause * 2, 0.5)


def _move(git: Git, new: str, old: str, why: str) -> None:
    """Move the branch from `old` to `new`, index and files with it; Busy or MemwikiError leave all as it was."""
    place = worktree.checkout(git)
    arguments = ("update-ref", "-m", f"memwiki: {why}"[:200])
    if place is None:
        done = git.run(*arguments, git.ref, new, old or git.zero, ok=(0, 128))
        if done.code:
            raise _lost(git, done.err)
        return
    work = Git(place, git.branch, git.sign)
    with locks.marked(work) as alone:
        if not alone:
            raise Busy("Another memwiki is changing memory.", "Try again.")
        _move_with_files(git, work, arguments, new, old)


def _move_with_files(git: Git, work: Git, arguments: tuple[str, ...], new: str, old: str) -> None:
    with work.hold(*arguments, "--stdin") as refs:
        if not refs.say("start", f"update {git.ref} {new} {old or git.zero}", "prepare", answers=2):
            raise _lost(git, refs.last_words())
        wanted = changes(work, tree_of(git, old), new)
        steps = worktree.plan(work, wanted)
        worktree.stage(work, wanted)
        try:
            with worktree.written(work, steps):
                # A git that was killed right after it moved the branch gives no answer either.
                if not refs.say("commit", answers=1) and git.tip() != new:
                    raise _lost(git, refs.last_words())
        except BaseException:
            worktree.stage(work, [Change(c.path, c.mode, c.after, c.before) for c in wanted])
            raise
    worktree.finish(work, steps)


def _lost(git: Git, words: str) -> MemwikiError:
    """Why the branch could not be locked: another git is quicker (Busy), or a lock was left behind."""
    for lock in (git.common_dir / f"{git.ref}.lock", git.dir / "HEAD.lock"):
        held = lock_finding(lock)
        if held:
            return worktree.blocked(held)
    return Busy(f"{git.branch} could not be moved: {words.splitlines()[0] if words else 'git gave up'}.", "Try again.")
