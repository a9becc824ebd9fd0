"""What `link` did to each settings file, kept in `backup/`: the bytes before and after, for `unlink` to undo."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ..config import Home
from ..errors import Finding
from ..files import read_regular, write_atomic
from ..text import sha256
from . import NAMES
from .places import place
from .registration import settings_folder


@dataclass(frozen=True, slots=True)
class Record:
    """One linked file: whose it is, the project it belongs to ("" for the user's own), and what link had to make."""

    host: str
    path: str
    project: str
    existed: bool
    folders: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The beginning of its files' names in `backup/`."""
        return f"{self.host}-{sha256(self.path)[:8]}"


def records(home: Home) -> Iterator[Record]:
    """All files that are linked as far as memwiki knows; a record that cannot be read is skipped (see `damaged`)."""
    for file in sorted(home.backup.glob("*.json")):
        if (record := _read(file)) is not None:
            yield record


def damaged(home: Home) -> Iterator[Finding]:
    """The records that cannot be read: where their settings file is, nobody knows any more."""
    for file in sorted(home.backup.glob("*.json")):
        if _read(file) is None:
            words = f"{file} is damaged, so the {file.name.partition('-')[0]} settings file that it names is unknown."
            remedy = "Look for memwiki's hooks in your agents' settings directories, then remove the record."
            yield Finding("hosts", words, remedy)


def _read(file: Path) -> Record | None:
    """The record in `file`; None for one that cannot be read, then `unlink` cuts our entries only."""
    try:
        fields = json.loads(read_regular(file).decode("utf-8"))
        record = Record(**{**fields, "folders": tuple(fields["folders"])})
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    texts = (record.host, record.path, record.project, *record.folders)
    known = all(isinstance(text, str) for text in texts) and record.host in NAMES
    return record if known and Path(record.path).is_absolute() else None


def folder_of(record: Record) -> Path | None:
    """The host's settings folder in which the file lies; None for a file of a project, or outside of such a folder."""
    where, path = place(record.host), Path(record.path)
    if record.project:
        return None
    for below in (where.file, where.rules[0], where.servers[0]):
        file = path.parent if below.endswith("/") else path
        steps = Path(below).parts
        if steps and file.parts[-len(steps) :] == steps:
            return file.parents[len(steps) - 1]
    return None


def settings_folders(home: Home, name: str) -> list[Path]:
    """The settings folders of the host `name`: the one that this environment names, then all others with a record."""
    recorded = [folder_of(record) for record in records(home) if record.host == name]
    folders = [settings_folder(name), *(folder for folder in recorded if folder is not None)]
    unique: dict[str, Path] = {}
    for folder in folders:
        unique.setdefault(os.path.realpath(folder), folder)
    return list(unique.values())


def find(home: Home, name: str, path: Path) -> Record | None:
    """The record of one settings file, also where symlinks lead to its directory."""
    for record in records(home):
        known = Path(record.path)
        same = record.host == name and known.name == path.name
        if same and os.path.realpath(known.parent) == os.path.realpath(path.parent):
            return record
    return None


def before(home: Home, record: Record) -> bytes:
    """The file's bytes before it was linked."""
    return read_regular(home.backup / f"{record.name}.before")


def as_left(home: Home, record: Record, current: bytes | None) -> bool:
    """Whether the file is, byte for byte, as `link` left it, and its bytes before are at hand."""
    try:
        before(home, record)
        return read_regular(home.backup / f"{record.name}.after") == current
    except OSError:
        return False


def keep(home: Home, record: Record, old: bytes) -> None:
    """Write down the file's bytes before a change; `settle` follows when the change is made."""
    write_atomic(home.backup / f"{record.name}.before", old)
    write_atomic(home.backup / f"{record.name}.json", json.dumps(asdict(record), indent=1).encode("utf-8"))


def settle(home: Home, record: Record, new: bytes) -> None:
    """Write down the file's bytes after the change."""
    write_atomic(home.backup / f"{record.name}.after", new)


def edited(home: Home, name: str, path: Path, data: bytes) -> Path:
    """Keep a copy of a file that is going to be removed although somebody has changed it; where the copy is."""
    copy = home.backup / f"{Record(name, str(path), '', False).name}.edited"
    write_atomic(copy, data)
    return copy


def drop(home: Home, record: Record) -> None:
    """Forget a file that is no longer linked; its bytes from before stay as a backup."""
    for end in ("json", "after"):
        (home.backup / f"{record.name}.{end}").unlink(missing_ok=True)
