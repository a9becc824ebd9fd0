"""The spool as the drain finds it: what is whole, what a killed hook left, and what waits."""

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from ..capture.spool import LARGEST, place, split

ADOPT = 60.0  # seconds after which a whole payload that was never renamed is taken for its dead hook
DROP = 3600.0  # seconds after which what a killed hook left is dropped
MOST = 20_000  # files that are looked at together, so that memory is bounded whatever waits


@dataclass(frozen=True, slots=True)
class Item:
    """A whole spool file."""

    path: Path
    mtime_ns: int
    size: int

    @property
    def id(self) -> str:
        """`<mtime_ns>-<name>`: names repeat, since they are process ids."""
        return f"{self.mtime_ns}-{self.path.name}"


@dataclass(frozen=True, slots=True)
class Inbox:
    """The oldest `MOST` whole files in the order in which they were written, and counts.

    `waiting` whole files are there in all, `oldest` (ns) is the time of the first. `unreadable` ones are another
    user's and are not among `items`. `adopted`, `dropped` and `unfinished` are what killed hooks left.
    """

    items: tuple[Item, ...]
    waiting: int = 0
    oldest: int = 0
    unreadable: tuple[Path, ...] = ()
    adopted: int = 0
    dropped: int = 0
    unfinished: int = 0


def look(folder: Path) -> Inbox:
    """The spool, changing nothing."""
    files = _Files(folder)
    names = {path.name for path, _ in files.empty}
    unfinished = len(names | {path.name[1:] for path, _ in files.temporary})
    return files.inbox(time.time_ns(), unfinished=unfinished)


def collect(folder: Path, now: float) -> Inbox:
    """The spool, after what killed hooks left (at `now`, seconds) has been adopted or dropped."""
    files = _Files(folder)
    adopted = dropped = unfinished = 0
    gone: set[str] = set()  # names that are settled: a reservation is no second loss
    for path, state in files.temporary:
        name, age = path.name[1:], now - state.st_mtime
        if age > ADOPT and _is_payload(path, state.st_size):
            final = _finished(path)
            if final:
                files.add(Item(final, state.st_mtime_ns, state.st_size))
                adopted += 1
        elif age > DROP:
            path.unlink(missing_ok=True)
            (folder / name).unlink(missing_ok=True) if _is_empty(folder / name) else None
            dropped += 1
        else:
            unfinished += 1
        gone.add(name)
    for path, state in files.empty:
        if path.name in gone:
            continue
        if now - state.st_mtime > DROP and _is_empty(path):
            path.unlink(missing_ok=True)
            dropped += 1
        else:
            unfinished += 1
    now_ns = time.time_ns()
    if files.newest > now_ns:  # ask the clock that the files have their times from, which may be a server's
        os.utime(folder)
        now_ns = folder.stat().st_mtime_ns
    return files.inbox(now_ns, adopted=adopted, dropped=dropped, unfinished=unfinished)


class _Files:
    """What stands in the spool: whole files, of which the oldest are kept, unfinished ones, reservations."""

    def __init__(self, folder: Path) -> None:
        self.temporary: list[tuple[Path, os.stat_result]] = []
        self.empty: list[tuple[Path, os.stat_result]] = []
        self.unreadable: list[Path] = []
        self.waiting = self.newest = 0
        self._items: list[Item] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._sort_in(entry)
        except FileNotFoundError:
            return

    def _sort_in(self, entry: "os.DirEntry[str]") -> None:
        try:
            state = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # its hook has just renamed it
        if not entry.is_file(follow_symlinks=False):
            return
        path = Path(entry.path)
        if state.st_uid != os.getuid() and not os.access(path, os.R_OK):
            self.unreadable.append(path)
        elif entry.name.startswith("."):
            self.temporary.append((path, state))
        elif state.st_size:
            self.add(Item(path, state.st_mtime_ns, state.st_size))
        else:
            self.empty.append((path, state))

    def add(self, item: Item) -> None:
        """Another whole file."""
        self.waiting += 1
        self.newest = max(self.newest, item.mtime_ns)
        self._items.append(item)
        if len(self._items) >= 2 * MOST:
            self._cut()

    def _cut(self) -> None:
        self._items.sort(key=lambda item: place(item.path.name, item.mtime_ns))
        del self._items[MOST:]

    def inbox(self, now_ns: int, *, adopted: int = 0, dropped: int = 0, unfinished: int = 0) -> Inbox:
        """The answer. Files later than `now_ns` were written before the clock was set back: they come first."""
        self._cut()
        items = sorted(self._items, key=lambda item: item.mtime_ns <= now_ns)
        oldest = self._items[0].mtime_ns if self._items else 0
        unreadable = tuple(sorted(self.unreadable))
        return Inbox(tuple(items), self.waiting, oldest, unreadable, adopted, dropped, unfinished)


def _is_payload(path: Path, size: int) -> bool:
    """Whether the file is a header and one whole JSON object, of a size that is parsed."""
    if size > LARGEST:
        return False
    try:
        return isinstance(json.loads(split(path.read_bytes())[3].decode("utf-8-sig", "replace")), dict)
    except (OSError, ValueError, RecursionError):
        return False


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return False


def _finished(path: Path) -> Path | None:
    """Rename as the hook would have; None when it did so itself meanwhile. Never over another payload."""
    final = path.with_name(path.name[1:])
    while final.exists() and not _is_empty(final):
        final = final.with_name(final.name + "x")
    try:
        return path.rename(final)
    except FileNotFoundError:
        return None
