"""What one sync did."""

from dataclasses import dataclass, replace
from typing import Self

from .protocol import Fault


class OutOfTime(Exception):
    """The deadline passed; what was done until then is kept."""


@dataclass(frozen=True, slots=True)
class GraphReport:
    """What one pass sent: events that were new there, notes, runs and candidates.

    `conflicts` are ids of events that were there with another content, which stays. `waits` says why notes were not
    sent, "" when they were. `complete` is False when time ran out.
    """

    events: int = 0
    notes: int = 0
    candidates: int = 0
    conflicts: tuple[str, ...] = ()
    waits: str = ""
    complete: bool = True
    seconds: float = 0.0

    def then(self, later: Self) -> Self:
        """Both passes as one."""
        return replace(
            later,
            events=self.events + later.events,
            notes=self.notes + later.notes,
            candidates=self.candidates + later.candidates,
            conflicts=self.conflicts + later.conflicts,
            seconds=self.seconds + later.seconds,
        )


@dataclass(frozen=True, slots=True)
class SyncReport:
    """Counts of one pass, and what stands in the vault that it could not take as it is (all of it, at each sync).

    `events` were indexed, `sessions` got new ones; `notes` were added, changed or removed; `snapshot` tells whether
    `recall.bin` was written. `adopted` and `dropped` count what killed hooks had left in the spool, `unsupported` and
    `duplicates` what the drain did not keep. `complete` is False when time ran out; `seconds` is how long it took.
    `memory` says whose text serves where it is not the work tree's, and why; "" where it is.
    `graph` is what was sent to Neo4j, None where none is configured. `rebuilt` says in a sentence why the index
    had to be rebuilt, "" where it had not.
    """

    events: int = 0
    sessions: int = 0
    notes: int = 0
    snapshot: bool = False
    adopted: int = 0
    dropped: int = 0
    unsupported: int = 0
    duplicates: int = 0
    faults: tuple[Fault, ...] = ()
    complete: bool = True
    seconds: float = 0.0
    memory: str = ""
    graph: GraphReport | None = None
    rebuilt: str = ""

    def then(self, later: Self) -> Self:
        """Both passes as one: counts together, the rest as the later one left it."""
        return replace(
            later,
            events=self.events + later.events,
            sessions=self.sessions + later.sessions,
            notes=self.notes + later.notes,
            snapshot=self.snapshot or later.snapshot,
            adopted=self.adopted + later.adopted,
            dropped=self.dropped + later.dropped,
            unsupported=self.unsupported + later.unsupported,
            duplicates=self.duplicates + later.duplicates,
            seconds=self.seconds + later.seconds,
            rebuilt=self.rebuilt or later.rebuilt,
        )
