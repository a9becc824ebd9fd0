"""What is due: the events past the watermarks, as turns that have ended."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from ..journal.event import Event
from ..journal.sessions import Journal, Session
from .edits import Conversation, Excerpt
from .excerpt import excerpt

# A turn without an end counts as ended when nothing more came for so long: a client was killed, or has no such event.
IDLE_SECONDS = 3600.0
_ENDS = ("Stop", "SessionEnd")

Ranges = Mapping[str, tuple[tuple[int, int], ...]]  # session key -> what finished runs have read, first..last


@dataclass(frozen=True, slots=True)
class Turn:
    """The unread events `first`..`last` of one session that belong together, and what a distiller may see of them."""

    key: str
    host: str
    project: str
    branch: str
    first: int
    last: int
    at: str
    excerpts: tuple[Excerpt, ...]

    @property
    def events(self) -> int:
        """How many events of the journal it spans."""
        return self.last - self.first + 1

    @property
    def size(self) -> int:
        """UTF-8 bytes of what is seen of it, with what naming an event costs."""
        return sum(len(f"{one.text}{one.command}".encode("utf-8", "replace")) + 80 for one in self.excerpts)

    def cut(self, count: int) -> "Turn":
        """Its first `count` events."""
        last = self.first + count - 1
        return replace(self, last=last, excerpts=tuple(one for one in self.excerpts if _number(one) <= last))

    def halves(self) -> "tuple[Turn, Turn] | None":
        """Two turns with half of the excerpts each; None when there is only one."""
        if len(self.excerpts) < 2:
            return None
        middle = _number(self.excerpts[len(self.excerpts) // 2])
        left = self.cut(middle - self.first)
        right = replace(self, first=middle, excerpts=tuple(one for one in self.excerpts if _number(one) >= middle))
        return left, right


@dataclass(frozen=True, slots=True)
class Due:
    """What could be read now, oldest first, and how many events are in turns that still go on."""

    turns: tuple[Turn, ...]
    open: int


def due(
    journal: Journal, read: Ranges, *, only: str = "", dropped: frozenset[str] = frozenset(), now: float = 0.0
) -> Due:
    """Turns of all sessions (or of `only`) that no run in `read` has read; those of the ids in `dropped` never are."""
    turns: list[Turn] = []
    going_on = 0
    for session in journal.sessions():
        if session.id in dropped or (only and session.key != only):
            continue
        for first, last in _gaps(read.get(session.key, ()), session.events):
            found = list(_turns(session, journal.events(session.key, first, last)))
            if found and last == session.events and not _ended(found[-1], now or time.time()):
                going_on += len(found.pop())
            turns += [_turn(session, events) for events in found]
    return Due(tuple(sorted(turns, key=lambda turn: (turn.at, turn.key, turn.first))), going_on)


def conversations(turns: Iterable[Turn], folder: Callable[[str], str]) -> tuple[Conversation, ...]:
    """The turns as conversations: those of one session and project in one, as they were said, also where what was said
    first has come later from a transcript. `folder` is where a project's notes live.
    """
    found: dict[tuple[str, str], Conversation] = {}
    for turn in sorted(turns, key=lambda turn: turn.first):
        talk = found.get((turn.key, turn.project))
        if talk is None:
            talk = Conversation(turn.key, turn.host, turn.project, folder(turn.project), turn.branch, ())
        found[turn.key, turn.project] = replace(talk, excerpts=talk.excerpts + turn.excerpts)
    return tuple(
        replace(talk, excerpts=tuple(sorted(talk.excerpts, key=lambda one: one.at)))
        for talk in found.values()
        if talk.excerpts
    )


def since(turns: Iterable[Turn], moment: str) -> tuple[Turn, ...]:
    """The turns that began at or after `moment` (UTC as the journal writes it)."""
    return tuple(turn for turn in turns if turn.at >= moment)


def first_events(turns: Iterable[Turn], count: int) -> tuple[Turn, ...]:
    """The first `count` events; the last turn may be cut, since it has ended."""
    taken: list[Turn] = []
    for turn in turns:
        if count <= 0:
            break
        taken.append(turn.cut(min(count, turn.events)))
        count -= turn.events
    return tuple(taken)


def batches(turns: Iterable[Turn], size: int) -> list[tuple[Turn, ...]]:
    """Consecutive turns together, up to `size` bytes; a larger turn is a batch of its own."""
    found: list[tuple[Turn, ...]] = []
    held: tuple[Turn, ...] = ()
    for turn in turns:
        if held and sum(one.size for one in held) + turn.size > size:
            found.append(held)
            held = ()
        held += (turn,)
    return [*found, held] if held else found


def split(batch: tuple[Turn, ...]) -> list[tuple[Turn, ...]]:
    """Two smaller batches of the same events; [] when there is only one excerpt left."""
    if len(batch) > 1:
        return [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
    halves = batch[0].halves()
    return [(half,) for half in halves] if halves else []


def spans(turns: Iterable[Turn]) -> dict[str, tuple[int, int]]:
    """Session key -> first..last of what the turns read. Turns of one session are consecutive (see `batches`)."""
    found: dict[str, tuple[int, int]] = {}
    for turn in turns:
        first, last = found.get(turn.key, (turn.first, turn.last))
        found[turn.key] = (min(first, turn.first), max(last, turn.last))
    return found


def _gaps(read: Iterable[tuple[int, int]], count: int) -> Iterator[tuple[int, int]]:
    """What of 1..count is in none of the ranges `read`."""
    start = 1
    for first, last in sorted(read):
        if first > start:
            yield start, min(first - 1, count)
        start = max(start, last + 1)
    if start <= count:
        yield start, count


def _turns(session: Session, events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events grouped: a turn begins with what a person typed and ends with Stop or the session's end."""
    held: list[Event] = []
    for event in events:
        if held and _opens(event):
            yield held
            held = []
        held.append(event)
        if event.event in _ENDS and not event.agent:
            yield held
            held = []
    if held:
        yield held


def _opens(event: Event) -> bool:
    return event.event == "UserPromptSubmit" and not event.agent


def _ended(events: list[Event], now: float) -> bool:
    """Whether these last events of a session are no turn that still goes on."""
    if events[-1].event in _ENDS or not any(
        one.event in ("UserPromptSubmit", "PreToolUse", "PostToolUse") for one in events
    ):
        return True
    return now - _seconds(events[-1].at) > IDLE_SECONDS


def _turn(session: Session, events: list[Event]) -> Turn:
    last = events[-1]
    seen = tuple(found for event in events if (found := excerpt(event)))
    branch = next((event.branch for event in reversed(events) if event.branch), session.branch)
    return Turn(session.key, session.host, _project(session, events), branch, events[0].n, last.n, events[0].at, seen)


def _project(session: Session, events: list[Event]) -> str:
    """The project that a turn is about: that of the folder where it was asked for, else the only one worked in.

    A turn in which tools touched several repositories, from a folder above them, is about none.
    """
    asked = next((event.project for event in events if event.project and _opens(event)), "")
    keys = {event.project for event in events if event.project}
    if asked or not keys:
        return asked or session.project
    return keys.pop() if len(keys) == 1 else ""


def _number(excerpt: Excerpt) -> int:
    return int(excerpt.id.rpartition("#")[2])


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0
