"""What the drain did not keep, counted for good, and the log files beside it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from ..config import Home
from ..files import append, read, write_atomic
from ..text import utc

_FILE = ".counts.json"  # in the journal's folder
_LOG = 1024 * 1024  # bytes of a log file before it becomes `<name>.1`, in place of the one before


@dataclass(frozen=True, slots=True)
class Counts:
    """Since the home was made: payloads of killed hooks that were `adopted` or `dropped`, `unsupported` (UTF-16),
    `duplicates`, those of `paused` projects, of dreams' `own` calls, `empty` ones, and those set `aside`."""

    adopted: int = 0
    dropped: int = 0
    unsupported: int = 0
    duplicates: int = 0
    paused: int = 0
    own: int = 0
    empty: int = 0
    aside: int = 0


def counts(home: Home) -> Counts:
    """The counts so far; a damaged file counts from nothing again."""
    try:
        stored = json.loads(read(home.journal / _FILE))
        return Counts(**{name: int(stored.get(name, 0)) for name in asdict(Counts())})
    except (OSError, ValueError, TypeError, AttributeError):
        return Counts()


def count(home: Home, more: Mapping[str, int]) -> None:
    """Add to the counts."""
    if any(more.values()):
        now = counts(home)
        added = replace(now, **{name: getattr(now, name) + number for name, number in more.items()})
        write_atomic(home.journal / _FILE, json.dumps(asdict(added)).encode() + b"\n")


def note(home: Home, words: str) -> None:
    """A line in `log/drain.log`."""
    append(home.log / "drain.log", f"{utc()} {words}\n")


def rotate(home: Home) -> None:
    """Move every log file over 1 MiB aside; the one that was aside before goes."""
    for path in home.log.glob("*.log"):
        if path.is_file() and path.stat().st_size > _LOG:
            path.replace(path.with_name(f"{path.name}.1"))
