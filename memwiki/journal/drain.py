"""The drain: spool files become journal lines, each once, whatever is killed when.

Files are taken in the order in which they were written, some at a time. Of each lot a session's lines are appended in
one write, synced to disk, and only then are the files unlinked, in order. So what a kill leaves undone is always at the
end of a session's file, where the next drain finds it by the spool file's id.
"""

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..config import Config, Home
from .counts import Counts, count, note, rotate
from .event import Event
from .given import copy_given
from .inbox import Inbox, Item, collect
from .intake import Intake, Skipped
from .ledger import REPEATED, SessionFile
from .transcripts.queue import enqueue

_FILES, _BYTES = 512, 32 * 1024 * 1024  # of one lot


@dataclass(frozen=True, slots=True)
class Drained:
    """What one drain did: events appended, keys of the sessions that grew, and, by reason, what was not kept.

    `adopted` and `dropped` are what killed hooks left; `unsupported` is UTF-16; `duplicates` are repeats and Cursor's
    doubles; `paused` belong to paused projects; `own` are calls of a dream. `complete` is False when time ran out.
    """

    events: int = 0
    sessions: tuple[str, ...] = ()
    adopted: int = 0
    dropped: int = 0
    unsupported: int = 0
    duplicates: int = 0
    paused: int = 0
    own: int = 0
    complete: bool = True


def drain(home: Home, config: Config, deadline: float = float("inf")) -> Drained:
    """Empty the spool into the journal; the caller holds `lock/sync`. Stops between lots after `deadline` (monotonic).

    Raises MemwikiError when the journal cannot be written; what is not in it by then waits in the spool.
    """
    inbox = collect(home.spool, time.time())
    found = Counter({"adopted": inbox.adopted, "dropped": inbox.dropped})
    count(home, found)
    intake = Intake(home, config)
    grown: Counter[str] = Counter()
    stored: dict[str, set[str]] = {}
    complete = True
    for lot in _lots(inbox):
        if time.monotonic() > deadline:
            complete = False
            break
        skipped = _take(home, intake, lot, inbox, stored, grown)
        count(home, skipped)
        found.update(skipped)
    grown.update(copy_given(home))
    for failure in intake.failures:
        note(home, failure)
    if inbox.dropped:
        note(home, f"{inbox.dropped} payloads of hooks that were killed were not whole and were dropped")
    rotate(home)
    reasons = {name: found[name] for name in Counts.__dataclass_fields__}
    enqueue(home, config, sorted(grown))
    return Drained(sum(grown.values()), tuple(sorted(grown)), **reasons, complete=complete)


def _lots(inbox: Inbox) -> Iterator[list[Item]]:
    lot: list[Item] = []
    weight = 0
    for item in inbox.items:
        if lot and (len(lot) >= _FILES or weight + item.size > _BYTES):
            yield lot
            lot, weight = [], 0
        lot.append(item)
        weight += item.size
    if lot:
        yield lot


def _take(
    home: Home, intake: Intake, lot: list[Item], inbox: Inbox, stored: dict[str, set[str]], grown: Counter[str]
) -> Mapping[str, int]:
    """Append the lot's events, then unlink its files; what was not kept, by reason.

    `stored` is, for the sessions met so far, what an earlier drain had appended already.
    """
    skipped: Counter[str] = Counter()
    sessions: dict[str, list[Event]] = {}
    for item in lot:
        event = intake.event(item, item.path.read_bytes())
        if isinstance(event, Skipped):
            skipped[event.reason] += 1
            if event.words:
                note(home, event.words)
        else:
            sessions.setdefault(event.key, []).append(event)
    for key, events in sessions.items():
        with SessionFile(home.journal / f"{key}.jsonl") as file:
            if key not in stored:
                stored[key] = file.stored({item.id for item in inbox.items}, inbox.items[0].mtime_ns)
            if any(event.event in REPEATED for event in events):
                file.read_turn()
            due = [event for event in events if event.spool not in stored[key]]
            fresh = [event for event in due if not file.repeats(event)]
            skipped["duplicates"] += len(due) - len(fresh)
            added = file.append(fresh)
            if added:
                grown[key] += added
    for item in lot:
        os.unlink(item.path)  # noqa: PTH108 - a file that is gone is a second drain at work: say so
    return skipped
