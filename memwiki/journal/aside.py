"""What the drain has set aside: payloads that it cannot take up, in `spool/.aside/`, and which events ended a pass.

A payload there is named `<spool id>.<reason>` and is as the hook left it: not redacted, readable by its owner alone. So
the folder is bounded; what is oldest goes first. A mark is `.<spool id>`: it holds how many passes ended at that event,
or the reason that is known already, so that the next pass does not look at the event's text again.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..capture.spool import LARGEST, split
from ..config import Home

MEMORY = 512 * 1024 * 1024  # bytes that a drain may take beside what the process had before
DAYS, FILES, BYTES = 7, 100, 1024 * 1024 * 1024  # how long, how many and how much is kept

REASONS = {
    "large": f"it is larger than {LARGEST >> 20} MiB",
    "slow": "it takes too much processor time",
    "deep": "it is nested too deeply",
    "memory": f"it needs more than {MEMORY >> 20} MiB of memory",
    "unredacted": "redaction failed",
    "fatal": "two passes ended at it",
}


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload that was set aside: its file's name, why (a key of `REASONS`), since when, and its size in bytes."""

    name: str
    reason: str
    at: float
    size: int


@dataclass(frozen=True, slots=True)
class Aside:
    """The folder of one home; made when first needed."""

    folder: Path

    @classmethod
    def of(cls, home: Home) -> "Aside":
        """That of `home`."""
        return cls(home.spool / ".aside")

    def payloads(self) -> list[Payload]:
        """What is there, oldest first."""
        found = []
        for entry in self._entries():
            name, _, reason = entry.name.rpartition(".")
            if name and reason in REASONS:
                state = entry.stat(follow_symlinks=False)
                found.append(Payload(entry.name, reason, state.st_ctime, state.st_size))  # since when it is here
        return sorted(found, key=lambda payload: (payload.at, payload.name))

    def source(self, payload: Payload) -> str:
        """The host and its event, as the payload's header says."""
        try:
            with (self.folder / payload.name).open("rb") as file:
                host, native, _, _ = split(file.readline(512))
        except (OSError, ValueError):
            return "unknown"
        return f"{host} {native[:80]}"

    def put(self, path: Path, id: str, reason: str) -> None:
        """Move the spool file `path` here."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        path.chmod(0o600)
        path.rename(self.folder / f"{id}.{reason}")
        self.clear(id)

    def prune(self) -> int:
        """Remove what is too old or too much, and the folder once it is empty; how many payloads went."""
        left = self.payloads()
        count, size, oldest = len(left), sum(payload.size for payload in left), time.time() - DAYS * 86400
        gone = 0
        for payload in left:
            if count <= FILES and size <= BYTES and payload.at >= oldest:
                continue
            (self.folder / payload.name).unlink(missing_ok=True)
            count, size, gone = count - 1, size - payload.size, gone + 1
        with suppress(OSError):  # not empty, or never made
            self.folder.rmdir()
        return gone

    def marks(self) -> dict[str, str]:
        """Spool id -> number of passes that ended at it, or a reason."""
        return {
            entry.name[1:]: (self.folder / entry.name).read_text("utf-8", "replace")
            for entry in self._entries()
            if entry.name.startswith(".")
        }

    def mark(self, id: str, text: str) -> None:
        """Leave a mark for the next pass, should this one end at the event."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        fd = os.open(self.folder / f".{id}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)

    def clear(self, id: str) -> None:
        """Remove the mark of an event."""
        (self.folder / f".{id}").unlink(missing_ok=True)

    def _entries(self) -> list["os.DirEntry[str]"]:
        try:
            return list(os.scandir(self.folder))
        except FileNotFoundError:
            return []
