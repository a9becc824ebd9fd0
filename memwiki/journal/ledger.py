"""One session's file while the drain appends to it: its torn end mended, its last lines read, new ones made durable."""

import errno
import json
import os
from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import MemwikiError
from ..files import read, write_atomic
from ..text import sha256
from .event import Event, event_of, line_of
from .lines import Record, backwards, objects, records

# Said more than once about one turn when a hook is registered twice, or a host stops twice.
REPEATED = frozenset({"Stop", "SessionEnd", "PreCompact"})
_OPENS = frozenset({"UserPromptSubmit", "SessionStart"})  # what begins another turn
_ENDS = ".deleted"  # in the host's folder: where the numbers of deleted sessions ended


@dataclass(slots=True)
class SessionFile:
    """A session's journal file, open for appending under the sync lock. Use it as a context manager."""

    path: Path
    last: int = 0  # number of the last event
    _fd: int = -1
    _size: int = 0
    _turn: list[Event] = field(default_factory=list)  # of this turn, what may be repeated

    def __enter__(self) -> Self:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._size = os.fstat(self._fd).st_size
        self._mend()
        self.last = self._last_number() if self._size else ended(self.path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)
        if self._size == 0:  # nothing was appended: a session without events is none
            self.path.unlink(missing_ok=True)

    def stored(self, spooled: Set[str], oldest: int) -> set[str]:
        """Which of the spool ids are in the file already: an earlier drain was killed before it could unlink them.

        They are at its end. `oldest` is the first mtime in the spool: one more line is read than has to be, no more.
        """
        found: set[str] = set()
        for event in self._backwards():
            if event.spool in spooled:
                found.add(event.spool)
            elif event.event != "Given" and _moment(event.spool) < oldest:
                break
        return found

    def read_turn(self) -> None:
        """Read back to the beginning of the turn, so that `repeats` knows what was said in it."""
        self._turn = []
        for event in self._backwards():
            if event.event in _OPENS:
                break
            if event.event in REPEATED:
                self._turn.append(event)

    def repeats(self, event: Event) -> bool:
        """Whether the event says again what was said in this turn; to be asked of every event, in order."""
        if event.event in _OPENS:
            self._turn = []
        if event.event not in REPEATED:
            return False
        if any(_same(event, one) for one in self._turn):
            return True
        self._turn.append(event)
        return False

    def given(self, source: str) -> tuple[int, set[str]]:
        """Moment (ns) of the last `Given` event from the delivery record `source`, and its paths; 0: none."""
        last, paths = 0, set()
        for event in self._backwards():
            if event.event == "Given" and event.spool.partition("-")[2] == source:
                if last and _moment(event.spool) != last:
                    break
                last = _moment(event.spool)
                paths.add(str(event.payload.get("path", "")))
        return last, paths

    def append(self, events: Iterable[Event]) -> int:
        """Number the events, write them and wait until they are on disk; how many. On an error none of them stays."""
        lines, number = [], self.last
        for number, event in enumerate(events, self.last + 1):
            lines.append(line_of(replace(event, n=number)))
        if not lines:
            return 0
        data = b"".join(lines)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._fd, left) :]
            os.fsync(self._fd)
            if self._size == 0:
                _fsync_folder(self.path.parent)
        except OSError as error:
            os.ftruncate(self._fd, self._size)
            raise _unwritable(self.path, error) from error
        self._size += len(data)
        self.last = number
        return len(lines)

    def _mend(self) -> None:
        """Put what a killed writer left without a newline into `<file>.torn`; a whole record only gets its newline."""
        if not self._size or os.pread(self._fd, 1, self._size - 1) == b"\n":
            return
        with os.fdopen(os.dup(self._fd), "rb") as file:
            start, torn = next(backwards(file, self._size))
        try:
            if _whole(torn):
                os.write(self._fd, b"\n")
                self._size += 1
                return
            aside = os.open(f"{self.path}.torn", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            with os.fdopen(aside, "ab") as out:
                out.write(torn + b"\n")
                out.flush()
                os.fsync(out.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        os.ftruncate(self._fd, start)
        self._size = start

    def _backwards(self) -> Iterable[Event]:
        """The readable events, last first."""
        with os.fdopen(os.dup(self._fd), "rb") as file:
            for _, line in backwards(file, self._size):
                yield from (event for one in reversed(objects(line)) if (event := event_of(one, 0)))

    def _last_number(self) -> int:
        """The number at the end: the last readable one, and one more for each line after it that is damaged."""
        damaged = 0
        with os.fdopen(os.dup(self._fd), "rb") as file:
            for _, line in backwards(file, self._size):
                known = [number for one in objects(line) if type(number := one.get("n")) is int]
                if known:
                    return max(known) + damaged
                damaged += 1
        return damaged


def ended(path: Path) -> int:
    """The last number that a deleted session had, 0 when it never was: ids of events are given once."""
    return _ends(path).get(sha256(path.stem)[:16], 0)


def remember_end(path: Path, last: int) -> None:
    """Note where the session's numbers ended, by a hash of its id, before its file is deleted."""
    ends = _ends(path)
    name = sha256(path.stem)[:16]
    ends[name] = max(last, ends.get(name, 0))
    write_atomic(path.parent / _ENDS, json.dumps(ends).encode() + b"\n")


def _ends(path: Path) -> dict[str, int]:
    try:
        stored = json.loads(read(path.parent / _ENDS))
    except (OSError, ValueError):
        return {}
    return {name: number for name, number in stored.items() if type(number) is int} if isinstance(stored, dict) else {}


def _whole(line: bytes) -> bool:
    found = list(records([line + b"\n"]))
    return len(found) == 1 and isinstance(found[0], Record) and event_of(found[0].value, 0) is not None


def _same(one: Event, other: Event) -> bool:
    said = [{key: value for key, value in event.payload.items() if key != "timestamp"} for event in (one, other)]
    return (one.native, one.agent, one.sha256) == (other.native, other.agent, other.sha256) and said[0] == said[1]


def _moment(spool: str) -> int:
    number = spool.partition("-")[0]
    return int(number) if number.isdecimal() else 0


def _fsync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _unwritable(path: Path, error: OSError) -> MemwikiError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    what = "the disk is full" if full else str(error.strerror).lower()
    return MemwikiError(
        f"{path.name} in the journal cannot be written: {what}.",
        "Nothing is lost, events wait in the spool: make room and run `memwiki sync`."
        if full
        else "Nothing is lost, events wait in the spool: make the folder writable and run `memwiki sync`.",
    )
