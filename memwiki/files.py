"""Paths of this user, files written whole or not at all, and the locks between memwiki's own processes."""

import errno
import fcntl
import os
import pwd
import shlex
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import Busy, MemwikiError


def user_folder() -> Path:
    """The user's home directory: `$HOME` where it is absolute, else the account's. MemwikiError where there is none."""
    folder = Path(os.environ.get("HOME", ""))
    if not folder.is_absolute():
        try:
            folder = Path(pwd.getpwuid(os.getuid()).pw_dir)
        except KeyError:  # an account without an entry, as in some containers
            raise MemwikiError("You have no home directory.", "Set HOME to an absolute path.") from None
    return folder


def expanded(path: Path | str) -> Path:
    """`path` with `~` at its start replaced by the user's home directory, absolute; symlinks stay.

    Raises MemwikiError where that needs a working directory or a user that does not exist.
    """
    first, *rest = Path(path).parts or (".",)
    try:
        start = user_folder() if first == "~" else Path(first).expanduser().absolute()
    except FileNotFoundError as error:
        raise MemwikiError(
            "The working directory no longer exists.", "Change to another directory and run the command again."
        ) from error
    except RuntimeError as error:
        raise MemwikiError(f"There is no user {first.removeprefix('~')!r}.", "Name the directory in full.") from error
    return Path(os.path.normpath(start.joinpath(*rest)))


def named_on_disk(path: str) -> str:
    """A path as git and notes write it, in UTF-8, as the text that leads there in a locale of any encoding."""
    return path if path.isascii() else os.fsdecode(path.encode("utf-8", "surrogateescape"))


def named_in_git(path: str) -> str:
    """The opposite of `named_on_disk`: a path that came from the file system as git and notes write it."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "surrogateescape")


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file, through symlinks. OSError for another kind, which might never end or never begin."""
    check_regular(path, path.stat())
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        check_regular(path, os.fstat(fd))  # it may have been replaced since
        return file.read()


def check_regular(path: Path, state: os.stat_result) -> None:
    """Raise OSError where `state`, which is that of `path`, is not that of a regular file."""
    kind = _KINDS.get(stat.S_IFMT(state.st_mode), "")
    if kind:
        raise OSError(errno.EINVAL, f"It is {kind}, not a regular file", str(path))


_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def behind(path: Path) -> Path:
    """The file itself, behind symlinks."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def read(path: Path) -> bytes:
    """The bytes of the regular file `path`; OSError for anything else, and never a wait for a pipe's other end."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "This is not a file", str(path))
        return file.read()


def append(path: Path, line: str) -> None:
    """Add `line` to the text file `path`; OSError where that cannot be done, as for a pipe that nobody reads.

    A file of another user's gives way to a new one: its lines stay in `<path>.1`.
    """
    if path.exists() and not os.access(path, os.W_OK):
        path.replace(f"{path}.1")
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "a", encoding="utf-8", errors="replace") as out:
        out.write(line)


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `path` by `data` through a temporary file beside it and a rename; a symlink is written through.

    An existing file keeps its permission bits; a new one gets `mode`. Raises OSError, for what is not a regular file
    too, and leaves `path` as it was.
    """
    path = behind(path)
    with suppress(FileNotFoundError):  # a new file
        state = path.stat()
        check_regular(path, state)
        mode = state.st_mode & 0o7777
    fd, name = tempfile.mkstemp(prefix=".memwiki-", suffix="~", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
            os.fchmod(out.fileno(), mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path, *, wait: float = 0.0, busy: str = "") -> Iterator[None]:
    """Hold the flock file `path` (made 0600) for the block; the holder's pid is its text.

    Waits up to `wait` seconds (`float("inf")`: for ever), then raises Busy with `busy` and the holder's pid.
    A dead process holds nothing: the kernel drops its flock. MemwikiError too where the file cannot be made.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if isinstance(error, PermissionError) and path.exists() and path.stat().st_uid != os.getuid():
            message = f"{path} belongs to another user."
            remedy = f'Run `sudo chown "$USER" {shlex.quote(str(path))}`, which makes it writable for you.'
        else:
            message = f"{path.parent} cannot be written: {error.strerror}."
            remedy = f"Make {path.parent.parent} writable, with room."
        raise MemwikiError(message, remedy) from error
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise MemwikiError(f"{path} is not a file.", "Remove it.")
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    pid = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
                    raise Busy(
                        f"{busy or f'{path.name} is already running'} (pid {pid}).",
                        "Try again when it has finished; if it hangs, end it with `kill -9` and its number.",
                    ) from None
                time.sleep(0.05)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(fd)
