"""Lock files that a git of ours left behind when it was killed: recognised by a mark, and removed.

A landing marks its time in `.git/memwiki-landing` and holds that file's flock, which the kernel drops when the process
dies. A mark whose flock is free is of a landing that was killed; a lock file from just then is its git's, unless some
git is at work in the vault. Any other lock is a person's: it is named (`vault.probe`), never removed.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ..errors import MemwikiError
from .probe import STALE_SECONDS

if TYPE_CHECKING:
    from .git import Git

_NAME = "memwiki-landing"
_LASTS = 10.0  # seconds that one landing may take


@contextmanager
def marked(git: "Git") -> Iterator[bool]:
    """Mark a landing in the work tree of `git`, first clearing after one that was killed; False: another is at it."""
    path = git.common_dir / _NAME
    try:
        file = path.open("a+b")
    except OSError as error:
        remedy = "Make the vault and its .git folder writable for you."
        raise MemwikiError(f"{path} cannot be written: {error.strerror}.", remedy) from error
    with file as mark:
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        _clear(git, mark)
        mark.write(b"landing\n")
        mark.flush()
        try:
            yield True
        finally:
            path.unlink(missing_ok=True)


def clear(git: "Git") -> None:
    """Clear after a landing that was killed, where no other is going on."""
    path = git.common_dir / _NAME
    with suppress(FileNotFoundError), path.open("r+b") as mark, suppress(BlockingIOError):
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _clear(git, mark)
        path.unlink(missing_ok=True)


def paths(git: "Git") -> list[Path]:
    """Where the lock files of the work tree of `git` and of memory's branch would be."""
    common = git.common_dir
    return [git.dir / "index.lock", git.dir / "HEAD.lock", common / f"{git.ref}.lock", common / "packed-refs.lock"]


def _clear(git: "Git", mark: BinaryIO) -> None:
    state = os.fstat(mark.fileno())
    if not state.st_size:
        return
    for lock in paths(git):
        with suppress(FileNotFoundError):
            made = lock.lstat().st_mtime - state.st_mtime
            if -1.0 <= made <= _LASTS and not _at_work(git, lock):
                lock.unlink()
    mark.truncate(0)


def _at_work(git: "Git", lock: Path) -> bool:
    """Whether a git runs in the vault; where the system does not tell, whether the lock is still young."""
    processes = Path("/proc")
    if not (processes / "self/cwd").exists():
        return time.time() - lock.lstat().st_mtime < STALE_SECONDS
    tops = {git.top.resolve(), git.dir.resolve(), git.common_dir.resolve()}
    for entry in processes.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it has just ended, or is another user's
            if not (entry / "comm").read_bytes().startswith(b"git"):
                continue
            folder = (entry / "cwd").resolve()
            if any(folder == top or top in folder.parents for top in tops):
                return True
    return False
