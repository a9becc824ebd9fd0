"""Spool files taken up, a lot at a time: each becomes a journal line, none, or is set aside."""

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..config import Home
from .aside import REASONS, Aside
from .child import Step
from .counts import count, note
from .event import Event
from .inbox import Inbox, Item
from .intake import Intake, SetAside, Skipped
from .ledger import REPEATED, SessionFile

SECONDS, SECONDS_A_MIB = 2.0, 0.25  # processor time that an event may take, and what its size adds
FILES, BYTES = 512, 32 * 1024 * 1024  # of one lot
_BIG = 1024 * 1024  # bytes of a payload that may take much memory: marked before it is read
_MIB = 1024 * 1024


@dataclass(slots=True)
class Lots:
    """One run over the spool. `marks` (see `Aside`) say at which events earlier runs ended; `step` says where it is."""

    home: Home
    intake: Intake
    inbox: Inbox
    step: Step
    marks: Mapping[str, str]
    removed: int = 0  # files that have left the spool
    _stored: dict[str, set[str]] = field(default_factory=dict)  # by session, what an earlier drain had appended
    _spooled: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._spooled = frozenset(item.id for item in self.inbox.items)

    def cut(self, files: int) -> Iterator[list[Item]]:
        """The spool's items in lots of at most `files`, and of as many bytes as a lot may have."""
        lot: list[Item] = []
        weight = 0
        for item in self.inbox.items:
            if lot and (len(lot) >= files or weight + item.size > BYTES):
                yield lot
                lot, weight = [], 0
            lot.append(item)
            weight += item.size
        if lot:
            yield lot

    def take(self, lot: list[Item]) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Append the lot's events, then remove its files: (what was not kept, by reason; new events, by session).

        A file that cannot be read, or whose session's file cannot be written, stays: another user owns it.
        """
        skipped: Counter[str] = Counter()
        sessions: dict[str, list[Event]] = {}
        settled: dict[Item, str] = {}  # why it is set aside, or ""
        waiting: dict[str, list[Item]] = {}  # by session, what may be removed once its events are appended
        for item in lot:
            try:
                taken = self._taken(item)
            except FileNotFoundError:
                raise  # a second drain is at work: say so
            except OSError as error:
                note(self.home, f"{item.path.name} in the spool was left there: {error}")
                continue
            settled[item] = ""
            if isinstance(taken, Skipped):
                skipped[taken.reason] += 1
                if taken.words:
                    note(self.home, taken.words)
                continue
            if isinstance(taken, SetAside):
                skipped["aside"] += 1
                settled[item], taken = taken.reason, taken.event
            sessions.setdefault(taken.key, []).append(taken)
            waiting.setdefault(taken.key, []).append(item)
        self.step.end()
        grown: dict[str, int] = {}
        for key, events in sessions.items():
            try:
                grown[key], repeated = self._append(key, events)
            except PermissionError as error:
                note(self.home, f"events of {key} were left in the spool: {error}")
                for item in waiting[key]:
                    del settled[item]
                continue
            skipped["duplicates"] += repeated
        for item in lot:
            if item in settled:
                self._remove(item, settled[item])
        for failure in self.intake.failures:
            note(self.home, failure)
        self.intake.failures.clear()
        count(self.home, skipped)
        return skipped, grown

    def _taken(self, item: Item) -> Event | Skipped | SetAside:
        aside, ended = Aside.of(self.home), self.marks.get(item.id, "")
        reason = ended if ended in REASONS else "fatal" if ended not in ("", "1") else ""
        if item.size > _BIG and not reason:
            aside.mark(item.id, str(int(ended or 0) + 1))
        started = time.monotonic()
        self.step.begin(item.id, SECONDS + SECONDS_A_MIB * item.size / _MIB)
        taken = self.intake.taken(item, reason)
        if not reason and (ended or item.size > _BIG or time.monotonic() - started > 0.5):  # the parent may have marked
            aside.clear(item.id)
        return taken

    def _append(self, key: str, events: list[Event]) -> tuple[int, int]:
        """(How many of the session's events were appended, how many repeat what was said in their turn)."""
        with SessionFile(self.home.journal / f"{key}.jsonl") as file:
            if key not in self._stored:
                self._stored[key] = file.stored(self._spooled, self.inbox.oldest)
            if any(event.event in REPEATED for event in events):
                file.read_turn()
            due = [event for event in events if event.spool not in self._stored[key]]
            fresh = [event for event in due if not file.repeats(event)]
            return file.append(fresh), len(due) - len(fresh)

    def _remove(self, item: Item, reason: str) -> None:
        if reason:
            Aside.of(self.home).put(item.path, item.id, reason)
        else:
            os.unlink(item.path)  # noqa: PTH108 - a file that is gone is a second drain at work: say so
        self.removed += 1


def forget(spool: Path, marks: Mapping[str, str], aside: Aside) -> None:
    """Remove the marks of events that are no longer in the spool."""
    for id in marks:
        if not (spool / id.partition("-")[2]).exists():
            aside.clear(id)
