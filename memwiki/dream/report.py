"""What a dream is asked for, and what it says afterwards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from ..candidates.candidate import Candidate
from ..errors import MemwikiError
from ..text import utc
from .edits import Usage
from .gates import Refused, Seen

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """Limits of one run; what they leave out stays due.

    `engine` and `session` "" mean the configured engine and all sessions. `since` is `30m`, `24h`, `7d`, a date or a
    time: only turns that began then or later. `max_events` 0 means all. `max_cost` (US dollars) None means as
    configured. `dry_run` spends and writes nothing. `batch_bytes` is how much of the record goes into one model call.
    """

    engine: str = ""
    session: str = ""
    since: str = ""
    max_events: int = 0
    dry_run: bool = False
    max_cost: float | None = None
    batch_bytes: int = 60_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take: model calls, input tokens, and US dollars as it is likely and at most."""

    calls: int = 0
    input_tokens: int = 0
    cost: float = 0.0
    most: float = 0.0


@dataclass(frozen=True, slots=True)
class DreamReport:
    """What one run did. `spans` (session key -> first..last) was read, or would be in a dry run.

    `run` is "" when there was nothing new to read, or for a dry run. `waiting` events have ended and are still unread,
    `going_on` are in turns that have not ended. `notice` says which limit ended the run.
    """

    run: str
    engine: str
    model: str
    candidates: tuple[Candidate, ...] = ()
    refused: tuple[Refused, ...] = ()
    seen: tuple[Seen, ...] = ()
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    waiting: int = 0
    going_on: int = 0
    notice: str = ""
    estimate: Estimate | None = None

    @property
    def events(self) -> int:
        """How many events were read."""
        return sum(last - first + 1 for first, last in self.spans.values())


class DreamFailed(MemwikiError):
    """A run that could not read all it wanted; `report` says what it did before, which is kept."""

    def __init__(self, message: str, remedy: str, report: DreamReport) -> None:
        super().__init__(message, remedy)
        self.report = report


def moment(since: str, now: datetime | None = None) -> str:
    """`30m`, `24h`, `7d`, `2026-11-30` or `2026-11-30T09:00` (local time) as the journal writes times; "" for ""."""
    if not since:
        return ""
    span = re.fullmatch(r"(\d{1,6})([mhd])", since.strip())
    if span:
        ago = timedelta(**{_UNITS[span[2]]: int(span[1])})
        return utc(((now or datetime.now(UTC)) - ago).timestamp())
    try:
        return utc(datetime.fromisoformat(since.strip()).timestamp())
    except (ValueError, OverflowError):
        raise MemwikiError(
            f"{since!r} is no time.", "Give `30m`, `24h`, `7d`, a date like 2026-11-30, or a date and time."
        ) from None
