"""Registering memwiki in a host's settings file, and taking it back as if it had never been there."""

import difflib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..config import Home
from ..errors import MemwikiError
from ..files import write_atomic
from .parts import Part, Taken, parts
from .places import named, place
from .programs import install, works
from .records import Record, as_left, before, drop, edited, find, keep, settle
from .registration import settings_file
from .splice import Broken
from .survey import Found, findings, own_entries, survey

Text = TypeVar("Text", str, str | None)

__all__ = ["Found", "Linked", "findings", "link", "survey", "unlink"]


@dataclass(frozen=True, slots=True)
class Linked:
    """What was done to one settings file, or would be: `diff` is a unified diff, `words` are sentences to show."""

    host: str
    path: Path
    diff: str
    changed: bool
    words: tuple[str, ...] = ()
    skipped: bool = False

    @property
    def state(self) -> str:
        """What became of it, in a word or two."""
        return "skipped" if self.skipped else "linked" if self.changed else "already there"


def link(home: Home, host: str, project: Path | None = None, dry_run: bool = False, mcp: bool = False) -> Linked:
    """Register every hook of `host` for the user, or in one project's folder; repeating it changes nothing.

    Everything else in the settings file keeps its bytes; a copy goes to `backup/`. With `dry_run` nothing is written.
    With `mcp` the host's list of MCP servers gets memwiki's, too. Where notes do not reach the host's prompts by hooks,
    its rules file gets a block that `sync` fills.
    Raises MemwikiError for a file that is broken (with its line), read-only, or not a file.
    """
    host, project = named(host), _checked(project)
    path = settings_file(host, project)
    if project is not None and linked(home, host):
        word = (
            f"{host} is linked for all projects already, in {settings_file(host)}, so nothing was done for {project}: "
            "linked twice, its hooks would run twice there."
        )
        return Linked(host, path, "", False, (word,), skipped=True)
    files = [part for part in parts(home, host, project, mcp) if not part.optional]
    done = [
        _put(home, host, part, project, dry_run=True) for part in files
    ]  # what is refused is so before any is written
    if not dry_run:
        home.check()
        install(home, anew=works(home) != "")
        done = [_put(home, host, part, project, dry_run) for part in files]
    words = _words(host) + tuple(word for one in done for word in one.words)
    return Linked(host, path, "".join(one.diff for one in done), any(one.changed for one in done), words)


def _put(home: Home, host: str, part: Part, project: Path | None, dry_run: bool) -> Linked:
    """Bring one file to its linked state, with a record of what it was."""
    path, current = part.path, _read(part.path)
    text = _text(path, current)
    try:
        new = _spliced(path, lambda: part.put(text))
    except Taken as error:
        return Linked(host, path, "", False, (str(error),))
    result = Linked(host, path, _diff(path, text, new, current is None), new != text or current is None)
    if result.changed:
        _check_rights(path, current)
    if dry_run:
        return result
    record = find(home, host, path)
    if record is None or not as_left(home, record, current):
        old = _spliced(path, lambda: part.take(text))
        folders = tuple(str(folder) for folder in _target(path).parents if not folder.exists())
        record = Record(host, str(path), str(project or ""), current is not None and old is not None, folders)
        keep(home, record, (old or "").encode("utf-8"))
    if result.changed:
        try:
            _write(path, current, new, part.mode)
        except MemwikiError:
            drop(home, record)  # nothing is linked; later `unlink` would have nothing to restore
            raise
    settle(home, record, new.encode("utf-8"))
    return result


def unlink(home: Home, host: str, project: Path | None = None) -> Linked:
    """Take memwiki's hooks out of a host's files.

    A file that is as `link` left it gets its old bytes back; one that `link` made is removed, with the folders made
    for it. Else only our entries are cut. `bin/` stays, so that running sessions go on undisturbed.
    """
    host, project = named(host), project and project.expanduser().absolute()  # the folder itself may be gone by now
    done = []
    for part in reversed(parts(home, host, project)):  # the first made the folders
        try:
            done.append(_take(home, host, part))
        except MemwikiError:
            if not part.optional or find(home, host, part.path):
                raise  # else it is broken without us: nothing was ever put there
    path, changed = settings_file(host, project), any(one.changed for one in done)
    absent = () if changed else (f"memwiki is not linked in {path}.",)
    words = absent + tuple(word for one in done for word in one.words)
    return Linked(host, path, "".join(one.diff for one in done), changed, words)


def _take(home: Home, host: str, part: Part) -> Linked:
    """Bring one file to its state without us."""
    path, said = part.path, ""
    current, record = _read(path), find(home, host, path)
    text = _text(path, current)
    new: str | None
    if record is not None and as_left(home, record, current):
        new = before(home, record).decode("utf-8") if record.existed else None
    else:
        new = _spliced(path, lambda: part.take(text))
        if new is None and current is not None:  # a file of ours that somebody has changed since
            copy = edited(home, host, path, current)
            said = f"{path} had been changed since it was linked; a copy is in {copy}."
    changed = current is not None and new != text
    if changed:
        _check_rights(path, current)
    diff = _diff(path, text, new or "", False)
    if changed and new is None:
        _remove(path, record)
    elif changed:
        _write(path, current, new or "")
    if record is not None:
        drop(home, record)
    return Linked(host, path, diff, changed, (said,) if said else ())


def linked(home: Home, host: str) -> bool:
    """Whether the user's own settings hold one of this home's hooks."""
    try:
        return bool(own_entries(home, host, settings_file(host)))
    except (OSError, ValueError):
        return False


def _words(host: str) -> tuple[str, ...]:
    """What is to be known of a host when it is linked, in sentences."""
    where = place(host)
    return tuple(word for word in (where.words, "Untested: from documentation." * where.untested) if word)


def _checked(project: Path | None) -> Path | None:
    """The project's folder as an absolute path; MemwikiError when it is none."""
    if project is None:
        return None
    folder = project.expanduser().absolute()
    if not folder.is_dir():
        raise MemwikiError(f"{folder} is not a folder.", "Name the project's top folder.")
    return folder


def _target(path: Path) -> Path:
    """The file itself, behind a symlink."""
    return path.resolve() if path.is_symlink() else path


def _read(path: Path) -> bytes | None:
    """The file's bytes, None when there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MemwikiError(f"Cannot read {path}: {error.strerror}.", "Mend it and run the command again.") from error


def _check_rights(path: Path, current: bytes | None) -> None:
    """Refuse a file that its owner made read-only, which a rename would get around, and one in such a folder."""
    file = _target(path)
    for one in ([file] if current is not None else []) + [folder for folder in file.parents if folder.is_dir()][:1]:
        if not one.stat().st_mode & 0o222:
            raise MemwikiError(
                f"{one} is read-only.", f"Run `chmod u+w {one}` first, or add the hooks where {path.name} is made."
            )


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(re.findall(rb"\r\n|\r|\n", error.object[: error.start])) + 1
        raise MemwikiError(f"{path}, line {line}: not UTF-8.", "Mend the file and run the command again.") from error


def _spliced(path: Path, edit: Callable[[], Text]) -> Text:
    """What `edit` makes of the file's text; a broken file is refused with its line."""
    try:
        return edit()
    except Broken as error:
        raise MemwikiError(
            f"{path}, line {error.line}: {error.why}.", "Mend the file and run the command again."
        ) from error


def _write(path: Path, current: bytes | None, new: str, mode: int = 0o644) -> None:
    """Replace the file, through a symlink, unless it has changed since it was read."""
    target = _target(path)
    try:
        if _read(path) != current:
            raise MemwikiError(f"{path} changed while it was being edited.", "Run the command again.")
        target.parent.mkdir(parents=True, exist_ok=True)
        if current is not None and target.stat().st_nlink > 1:
            _write_in_place(target, new.encode("utf-8"))
        else:
            write_atomic(target, new.encode("utf-8"), mode)
    except OSError as error:
        raise MemwikiError(f"Cannot write {path}: {error.strerror}.", "Mend its rights or free space.") from error


def _write_in_place(target: Path, data: bytes) -> None:
    """Write a file that has another name, too (a hard link), which a rename would part from it; room is made first."""
    with target.open("r+b", buffering=0) as out:
        size = target.stat().st_size
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(out.fileno(), 0, len(data))
        except OSError:
            out.truncate(size)
            raise
        out.write(data)
        out.truncate()
        os.fsync(out.fileno())


def _remove(path: Path, record: Record | None) -> None:
    """Remove a file that `link` made, and the folders it made for it where they are empty."""
    _target(path).unlink(missing_ok=True)
    for folder in record.folders if record else ():
        with suppress(OSError):  # something else lives there now
            Path(folder).rmdir()


def _diff(path: Path, old: str, new: str, made: bool) -> str:
    """A unified diff; lines keep their endings, a missing last newline is shown as git does."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), "/dev/null" if made else str(path), str(path)
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
