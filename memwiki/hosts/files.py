"""A host's file on disk: read whole, written whole, or refused with what to do about it."""

import difflib
import os
import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..errors import MemwikiError
from ..files import behind, read_regular, write_atomic


def read(path: Path) -> bytes | None:
    """The file's bytes, None when there is none. Raises MemwikiError where it cannot be read."""
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MemwikiError(f"Cannot read {path}: {error.strerror}.", "Fix it and run the command again.") from error


def check_rights(path: Path, current: bytes | None) -> None:
    """Raise MemwikiError for a file that its owner made read-only, which a rename would get around, or its folder."""
    file = behind(path)
    for one in ([file] if current is not None else []) + [folder for folder in file.parents if folder.is_dir()][:1]:
        if not one.stat().st_mode & 0o222:
            remedy = f"Run `chmod u+w {shlex.quote(str(one))}` first, or add the hooks where {path.name} is made."
            raise MemwikiError(f"{one} is read-only.", remedy)


def text_of(path: Path, data: bytes | None) -> str:
    """The file's bytes as text, "" for no file. Raises MemwikiError, with the line, for what is not UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", error.object[: error.start])) + 1
        raise MemwikiError(f"{path}, line {line}: not UTF-8.", "Mend the file and run the command again.") from error


def write(path: Path, current: bytes | None, new: str, mode: int = 0o644) -> None:
    """Replace the file, through a symlink; a new one gets `mode`.

    Raises MemwikiError when it is no longer `current`, or cannot be written; it is then as it was.
    """
    target = behind(path)
    try:
        if read(path) != current:
            raise MemwikiError(f"{path} changed while it was being edited.", "Run the command again.")
        target.parent.mkdir(parents=True, exist_ok=True)
        if current is not None and target.stat().st_nlink > 1:
            _in_place(target, new.encode("utf-8"))
        else:
            write_atomic(target, new.encode("utf-8"), mode)
    except OSError as error:
        raise MemwikiError(f"Cannot write {path}: {error.strerror}.", "Mend its rights or free space.") from error


def _in_place(target: Path, data: bytes) -> None:
    """Write a file that has another name, too (a hard link), which a rename would part from it; room is made first."""
    with target.open("r+b", buffering=0) as out:
        size = target.stat().st_size
        try:
            if len(data) > size and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(out.fileno(), 0, len(data))
        except OSError:
            out.truncate(size)
            raise
        out.write(data)
        out.truncate()
        os.fsync(out.fileno())


def remove(path: Path, folders: Sequence[str]) -> None:
    """Remove a file, and those of the `folders` that are empty then."""
    behind(path).unlink(missing_ok=True)
    for folder in folders:
        with suppress(OSError):  # something else lives there now
            Path(folder).rmdir()


def diff_of(path: Path, old: str, new: str, made: bool) -> str:
    """A unified diff; lines keep their endings, a missing last newline is shown as git does."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), "/dev/null" if made else str(path), str(path)
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
