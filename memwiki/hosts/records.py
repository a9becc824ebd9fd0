"""What `link` did to each settings file, kept in `backup/`: the bytes before and after, for `unlink` to undo."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ..config import Home
from ..files import write_atomic
from ..text import sha256


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
    """All files that are linked as far as memwiki knows; a record that cannot be read is passed over."""
    for file in sorted(home.backup.glob("*.json")):
        try:
            fields = json.loads(file.read_text("utf-8"))
            yield Record(**{**fields, "folders": tuple(fields["folders"])})
        except (OSError, ValueError, TypeError, KeyError):
            continue  # `unlink` then cuts our entries instead of restoring bytes


def find(home: Home, name: str, path: Path) -> Record | None:
    """The record of one settings file."""
    return next((one for one in records(home) if one.host == name and one.path == str(path)), None)


def before(home: Home, record: Record) -> bytes:
    """The file's bytes before it was linked."""
    return (home.backup / f"{record.name}.before").read_bytes()


def as_left(home: Home, record: Record, current: bytes | None) -> bool:
    """Whether the file is, byte for byte, as `link` left it, and its bytes before are at hand."""
    try:
        before(home, record)
        return (home.backup / f"{record.name}.after").read_bytes() == current
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
