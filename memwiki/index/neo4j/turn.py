"""One pass over what the graph lacks: what it works with, how a batch is sent, and what it counts."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...journal.sessions import Journal
from ...vault.git import Git
from ..report import OutOfTime
from ..sqlite import SqliteIndex
from .connection import Connection
from .sent import Item, Sent

if TYPE_CHECKING:
    from .connection import Transaction

_BATCH = 25.0  # seconds that a batch may take; one or two on a quiet machine, four in a server just started
_MARK = "MERGE (m:Machine {id: $machine}) SET m.mark = $mark"


@dataclass(slots=True)
class Turn:
    """What a pass works with, and counts as it goes."""

    connection: Connection
    index: SqliteIndex
    journal: Journal
    git: Git
    machine: str
    deadline: float
    sent: Sent
    events: int = 0
    notes: int = 0
    candidates: int = 0
    conflicts: list[str] = field(default_factory=list)

    def transact(
        self,
        work: Callable[["Transaction"], Any],
        changes: Mapping[Item, str | None],
        unsent: Sequence[str] = (),
        seen: int = 0,
    ) -> Any:
        """One batch: `work` and the mark in one transaction, then the record of it. OutOfTime before it is begun."""
        if time.monotonic() > self.deadline:
            raise OutOfTime
        mark = self.sent.mark_with(changes)

        async def whole(tx: "Transaction") -> Any:
            found = await work(tx)
            await tx.run(_MARK, machine=self.machine, mark=mark)
            return found

        found = self.connection.write(whole, _BATCH)
        self.sent.keep(changes, unsent, seen)
        return found
