"""The journal as it is read: sessions, their events in order, damage reported and passed over."""

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..config import Home
from ..errors import MemwikiError
from ..files import locked
from .event import Event, event_of
from .given import SEEN
from .ledger import remember_end
from .lines import Damage, backwards, objects, records

_ENDS = 32  # lines at a file's end in which its last time is looked for
_NUMBER = re.compile(rb'\{"v":[0-9]+,"n":([0-9]+),')  # how memwiki's own lines begin


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its key and the host's id, project and branch as last known, UTC times, number of the last event.

    `bytes` is the size of its file.
    """

    key: str
    host: str
    id: str
    project: str
    branch: str
    first_at: str
    last_at: str
    events: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Journal:
    """The files `<host>/<session>.jsonl` in `folder`. Reading changes nothing."""

    folder: Path

    def sessions(self) -> list[Session]:
        """All sessions, the latest first; of each file only the ends are read."""
        found = [session for path in self._files() if (session := self._session(path))]
        return sorted(found, key=lambda session: (session.last_at, session.key), reverse=True)

    def events(self, key: str, first: int = 1, last: int | None = None) -> Iterator[Event]:
        """The events of one session numbered `first` to `last`, in order; what cannot be read is passed over.

        Nothing for a session that is not there.
        """
        for _, event in self._read(key, first):
            if event is not None and event.n >= first:
                if last is not None and event.n > last:
                    return
                yield event

    def damage(self, key: str) -> list[Damage]:
        """Places in the session's file that cannot be read, or hold something that is no event."""
        return [damage for damage, _ in self._read(key, 1) if damage is not None]

    def count(self, key: str) -> int:
        """The number of the session's last event; 0 when there is none."""
        session = self._session(self.path(key))
        return session.events if session else 0

    def size(self) -> int:
        """Bytes of all sessions' files."""
        return sum(path.stat().st_size for path in self._files())

    def path(self, key: str) -> Path:
        """The file of a session, whether it is there or not. MemwikiError for what is no key."""
        host, _, session = key.partition("/")
        if not re.fullmatch(r"[a-z][a-z0-9-]*", host) or not re.fullmatch(r"(?!\.)[A-Za-z0-9._-]{1,80}", session):
            raise MemwikiError(f"{key!r} is no session's key.", "`memwiki log` lists the sessions.")
        return self.folder / host / f"{session}.jsonl"

    def resolve(self, key: str) -> str:
        """The one session whose key, or id alone, is or begins with `key`. MemwikiError when it is none or several."""
        keys = [f"{path.parent.name}/{path.stem}" for path in self._files()]
        exact = [one for one in keys if key in (one, one.partition("/")[2])]
        found = exact or [one for one in keys if one.startswith(key) or one.partition("/")[2].startswith(key)]
        if key and len(found) == 1:
            return found[0]
        if not found or not key:
            raise MemwikiError(f"There is no session {key!r}.", "`memwiki log` lists the sessions.")
        raise MemwikiError(
            f"{key!r} fits {len(found)} sessions: {', '.join(sorted(found)[:3])}, ...", "Give more of it."
        )

    def delete(self, key: str, home: Home) -> None:
        """Remove a session's events, what was torn off them, and its delivery record, while no sync runs.

        Numbers of its events are not given again, should it go on: a hash of its id and the last one stay.
        """
        path = self.path(key)
        with locked(home.locks / "sync", wait=90.0, busy="A sync is running"):
            last = self.count(key)
            if last:
                remember_end(path, last)
            path.unlink(missing_ok=True)
            Path(f"{path}.torn").unlink(missing_ok=True)
            (self.folder / SEEN).unlink(missing_ok=True)  # it names sessions, and can be done without
            name = key.replace("/", "+", 1)
            for record in (home.delivered / name, *home.delivered.glob(f"{glob.escape(name)}+*")):
                record.unlink(missing_ok=True)

    def _files(self) -> Iterator[Path]:
        try:
            hosts = sorted(entry.path for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return
        for host in hosts:
            for entry in sorted(os.scandir(host), key=lambda entry: entry.name):
                if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)

    def _session(self, path: Path) -> Session | None:
        """The session in a file, None when there is no event in it."""
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                first = next((event for line in file for event in _events(line)), None)
                last, last_at = _last(file, size)
        except (FileNotFoundError, PermissionError):  # another user's: `doctor` names it
            return None
        if first is None or last is None:
            return None
        project, branch = (last.project, last.branch) if last.project else (first.project, first.branch)
        key = f"{path.parent.name}/{path.stem}"
        return Session(key, path.parent.name, path.stem, project, branch, first.at, last_at, last.n, size)

    def _read(self, key: str, first: int) -> Iterator[tuple[Damage | None, Event | None]]:
        try:
            file = self.path(key).open("rb")
        except FileNotFoundError:
            return
        except PermissionError as error:
            raise MemwikiError(f"{self.path(key)} cannot be read.", "`memwiki doctor` says why.") from error
        with file:
            number = 0
            for found in records(line if first <= 1 or not _before(line, first) else b"\n" for line in file):
                if isinstance(found, Damage):
                    yield found, None
                    continue
                event = event_of(found.value, max(number + 1, found.line))
                if event is None:
                    yield Damage(found.line, f"an unknown record ({_kind(found.value)})"), None
                else:
                    number = event.n
                    yield None, event


def _last(file: BinaryIO, size: int) -> tuple[Event | None, str]:
    """The last event in a session's file of `size` bytes, and when the last of those near its end happened.

    That is another one where a transcript was imported: what it adds stands at the end, whenever it was said.
    """
    last, at = None, ""
    for seen, (_, line) in enumerate(backwards(file, size)):
        for event in reversed(_events(line)):
            last, at = last or event, max(at, event.at)
            if seen >= _ENDS or not event.imported:
                return last, at
    return last, at


def _events(line: bytes) -> list[Event]:
    """The events in a line: one, or several that were welded together."""
    return [event for one in objects(line) if (event := event_of(one, 0))]


def _before(line: bytes, first: int) -> bool:
    """Whether the line is one event of an earlier number, told without parsing it."""
    head = _NUMBER.match(line)
    return head is not None and int(head[1]) < first and line.count(b'{"v":') == 1


def _kind(record: dict[str, object]) -> str:
    return str(record.get("type") or record.get("event") or "no event")[:40]
