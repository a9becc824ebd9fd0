"""The drain: spool files become journal lines, each once, whatever is killed when.

Files are taken in the order in which they were written, some at a time. Of each lot a session's lines are appended in
one write, synced to disk, and only then are the files unlinked, in order. So what a kill leaves undone is always at the
end of a session's file, where the next drain finds it by the spool file's id.

A child does it, so that no event can hang the caller or fill the memory. An event that ends the child by its processor
time, or twice by anything else, is set aside: another child goes on with the rest.
"""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..config import Config, Home
from ..errors import MemwikiError
from .aside import MEMORY, REASONS, Aside
from .child import Child, Step
from .counts import Counts, count, note, rotate
from .given import copy_given
from .inbox import collect
from .intake import Intake
from .lots import FILES, Lots, forget
from .transcripts.queue import enqueue

HANGS = 30.0  # seconds by the clock after which an event that takes no processor time is given up
_CAREFUL = 32  # files of one lot after a child was killed, so that less is done again


@dataclass(frozen=True, slots=True)
class Drained:
    """What one drain did: events appended, keys of the sessions that grew, and, by reason, what was not kept.

    `adopted` and `dropped` are what killed hooks left; `unsupported` is UTF-16; `duplicates` are repeats and Cursor's
    doubles; `paused` belong to paused projects; `own` are calls of a dream; `empty` had no payload; `aside` were set
    aside. `complete` is False when time ran out.
    """

    events: int = 0
    sessions: tuple[str, ...] = ()
    adopted: int = 0
    dropped: int = 0
    unsupported: int = 0
    duplicates: int = 0
    paused: int = 0
    own: int = 0
    empty: int = 0
    aside: int = 0
    complete: bool = True


def drain(home: Home, config: Config, deadline: float = float("inf")) -> Drained:
    """Empty the spool into the journal; the caller holds `lock/sync`. Stops between lots after `deadline` (monotonic).

    Raises MemwikiError when the journal cannot be written; what is not in it by then waits in the spool.
    """
    aside = Aside.of(home)
    run = _Run(home, config, aside, deadline)
    while run.more:
        run.child()
    run.grown.update(copy_given(home))
    gone = aside.prune()
    if gone:
        note(home, f"{gone} payloads that had been set aside were removed: they were too old, or too many")
    rotate(home)
    reasons = {name: run.found[name] for name in Counts.__dataclass_fields__}
    enqueue(home, config, sorted(run.grown))
    return Drained(sum(run.grown.values()), tuple(sorted(run.grown)), **reasons, complete=run.complete)


@dataclass(slots=True)
class _Run:
    """Children, one after another, until the spool is empty, and what they report."""

    home: Home
    config: Config
    aside: Aside
    deadline: float
    found: Counter[str] = field(default_factory=Counter)
    grown: Counter[str] = field(default_factory=Counter)
    more: bool = True
    complete: bool = True
    killed: int = 0  # children

    def child(self) -> None:
        """One child, until it has ended; where it was killed, note at which event."""
        marks = self.aside.marks()
        child = Child.start(lambda step, report: self._work(step, report, marks), MEMORY)
        for report in child.reports(lambda id: _mark(self.aside, id, marks), HANGS):
            self.found.update(report.get("found", {}))
            self.grown.update(report.get("grown", {}))
            self.more, self.complete = report.get("more", True), report.get("complete", True)
        if not child.done:
            self.killed += 1
            self._blame(child, marks)

    def _work(self, step: Step, report: Callable[[Any], None], marks: dict[str, str]) -> None:
        """In the child: report what each lot comes to; at last whether there is `more`, and it was `complete`."""
        home, parent = self.home, os.getppid()
        inbox = collect(home.spool, time.time())
        forget(home.spool, marks, self.aside)
        found = {"adopted": inbox.adopted, "dropped": inbox.dropped}
        count(home, found)
        report({"found": found})
        if inbox.dropped:
            note(home, f"{inbox.dropped} payloads of hooks that were killed were not whole and were dropped")
        lots = Lots(home, Intake(home, self.config), inbox, step, marks)
        for lot in lots.cut(_CAREFUL if self.killed else FILES):
            if time.monotonic() > self.deadline or os.getppid() != parent:
                report({"more": False, "complete": False})
                return
            skipped, grown = lots.take(lot)
            report({"found": skipped, "grown": grown})
        report({"more": inbox.waiting > len(inbox.items) and lots.removed > 0})

    def _blame(self, child: Child, marks: dict[str, str]) -> None:
        id = child.step.look()[1]
        if not id and self.killed > 2:
            raise MemwikiError("Taking up what hooks left was interrupted again and again.", "Run `memwiki sync`.")
        if not id:
            return
        if marks.get(id, "") in REASONS:  # not even its ends can be looked at
            self.aside.put(self.home.spool / id.partition("-")[2], id, marks[id])
        elif child.killed_by == signal.SIGPROF:
            self.aside.mark(id, "slow")
        else:
            _mark(self.aside, id, marks)


def _mark(aside: Aside, id: str, marks: dict[str, str]) -> None:
    """Note that one more pass may have ended at the event `id` than the `marks` say."""
    if marks.get(id, "") not in REASONS:
        aside.mark(id, str(int(marks.get(id) or 0) + 1))
