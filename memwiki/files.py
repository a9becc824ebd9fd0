"""Files written whole or not at all, and the locks between memwiki's own processes."""

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import MemwikiError


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace `path` by `data` through a temporary file beside it and a rename; a symlink is written through.

    An existing file keeps its permission bits; a new one gets `mode`. Raises OSError and leaves `path` as it was.
    """
    path = path.resolve() if path.is_symlink() else path
    with suppress(FileNotFoundError):  # a new file
        mode = path.stat().st_mode & 0o7777
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

    Waits up to `wait` seconds (`float("inf")`: for ever), then raises MemwikiError with `busy` and the holder's pid.
    A dead process holds nothing: the kernel drops its flock. MemwikiError too where the file cannot be made.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise MemwikiError(
            f"{path.parent} cannot be written: {error.strerror}.", f"Make {path.parent.parent} writable, with room."
        ) from error
    try:
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    pid = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
                    raise MemwikiError(
                        f"{busy or f'{path.name} is already running'} (pid {pid}).", "Try again when it has finished."
                    ) from None
                time.sleep(0.05)
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(fd)
