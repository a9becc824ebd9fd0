"""Which of a transcript's events are new: what hooks have logged of the same session stays the one account of it."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...config import Config, Home
from ...hosts.codec import decode
from ...text import utc
from ..drain import drain
from ..event import IMPORTED, Event
from ..inbox import Item
from ..intake import Intake, Skipped, Unfit
from ..ledger import SessionFile, ended
from ..sessions import Journal
from ..view import said
from .entry import Entry

_KEPT = 400  # characters of a text by which it is known again
_PAIRS = 250_000  # comparisons within one group of like events
_WORDS = ("Stop", "AgentResponse")
_TELLS_TURNS = "post_cascade_response"
_TOOLS = ("PostToolUse", "PostToolUseFailure")


@dataclass(frozen=True, slots=True)
class Merged:
    """How many events were new and how many known; `why` nothing was taken, "" when it was."""

    new: int
    known: int
    why: str = ""


def cleaned(intake: Intake, key: str, root: str, entries: Sequence[Entry], at: str) -> list[Event]:
    """The entries as events of the session `key`: private and secret text cut, capped, as the drain does it.

    `at` is when the transcript was finished: the time of entries without one, and those over five seconds later are
    left for when the session ends again. Without what a paused project or one of memwiki's own sessions said.
    """
    host, _, session = key.partition("/")
    last = _seconds(at)
    made = []
    for entry in entries:
        moment = _seconds(entry.at) or last
        if moment > last + 5.0:
            continue
        payload = json.dumps({**_place(host, session, root), **entry.payload})
        data = f"memwiki1 {host} {entry.native} {root}\n{payload}".encode("utf-8", "surrogateescape")
        try:
            event = intake.event(Item(Path("transcript"), int(moment * 1e9), len(data)), data)
        except Unfit:  # the log says which and why
            continue
        if not isinstance(event, Skipped) and event.key == key:
            branch = entry.branch if event.project and entry.branch else event.branch
            made.append(replace(event, branch=branch, at=utc(moment)))
    return made


def merge(home: Home, config: Config, journal: Journal, key: str, events: Sequence[Event], *, dry_run: bool) -> Merged:
    """Append those of the events that the session does not have. The caller holds `lock/sync`.

    What hooks have left in the spool is taken in first. A session that the person deleted stays deleted.
    """
    drain(home, config)
    path = journal.path(key)
    if not path.exists() and ended(path):
        return Merged(0, 0, "its session was deleted")
    fresh = unknown(events, list(journal.events(key)))
    if fresh and not dry_run:
        mark = f"{time.time_ns()}{IMPORTED}"
        with SessionFile(path) as file:
            file.append(replace(event, spool=mark) for event in fresh)
    return Merged(len(fresh), len(events) - len(fresh))


def unknown(events: Sequence[Event], logged: Iterable[Event]) -> list[Event]:
    """Those of `events` that are not among `logged`, in order; each logged event accounts for one at most.

    First by the id of the tool's call, then by what was said (the prompt, the tool's command, the agent's words; of
    several alike the ones nearest in time), then closing words by an account of the whole turn that holds them (as
    Windsurf's hooks tell it), then prompts and closing words by time alone.
    """
    new = {place: _seen(event) for place, event in enumerate(events)}
    old = {place: _seen(event) for place, event in enumerate(logged)}
    for key, seconds in _SURE:
        _pair(new, old, key, seconds)
    _pair_turns(new, old)
    for key, seconds in _BY_TIME:
        _pair(new, old, key, seconds)
    return [events[place] for place in sorted(new)]


@dataclass(frozen=True, slots=True)
class _Seen:
    """By what an event is known again. `turn`: all that the agent said and did in a turn, where hooks tell that."""

    kind: str
    id: str
    text: str
    agent: str
    at: float
    turn: str


def _seen(event: Event) -> _Seen:
    view = said(event)
    kind = "tool" if event.event in _TOOLS else "words" if event.event in _WORDS else ""
    kind = "prompt" if event.event == "UserPromptSubmit" else kind
    text = {"tool": view.command, "words": view.words, "prompt": view.prompt}.get(kind, "")
    if kind != "tool" and not text:  # Copilot's end of a turn without the words, Qwen's prompt at each tool round
        kind = ""
    parts = decode(event.host, event.native, dict(event.payload), event.root) if kind == "tool" else {}
    call = str(parts.get("tool_use_id", ""))
    text = " ".join(text.split())
    turn = text if event.native == _TELLS_TURNS else ""
    return _Seen(kind, call, text[:_KEPT], event.agent, _seconds(event.at), turn)


def _by_id(one: _Seen) -> Hashable:
    return (one.kind, one.id) if one.id else None


def _by_text(one: _Seen) -> Hashable:
    return (one.kind, one.text, one.agent) if one.kind and one.text else None


def _by_prompt(one: _Seen) -> Hashable:
    return one.agent if one.kind == "prompt" else None


def _by_words(one: _Seen) -> Hashable:
    return one.agent if one.kind == "words" else None


_Key = Callable[[_Seen], Hashable]
_ANY = float("inf")
# What makes two accounts one event, the surest first, and how many seconds may lie between them.
_SURE: tuple[tuple[_Key, float], ...] = ((_by_id, _ANY), (_by_text, _ANY))
_BY_TIME: tuple[tuple[_Key, float], ...] = ((_by_prompt, 5.0), (_by_words, 10.0))


def _pair(new: dict[int, _Seen], old: dict[int, _Seen], key: _Key, seconds: float) -> None:
    """Take out of both what is the same by `key` and at most `seconds` apart, the nearest in time first."""
    groups: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, found in enumerate((new, old)):
        for place, one in found.items():
            if (name := key(one)) is not None:
                groups[name][side].append(place)
    for mine, others in groups.values():
        if len(mine) * len(others) > _PAIRS:  # one text thousands of times: in order is near enough
            pairs = [(0.0, *pair) for pair in zip(mine, others, strict=False)]
        else:
            pairs = sorted((abs(new[place].at - old[other].at), place, other) for place in mine for other in others)
        for apart, place, other in pairs:
            if apart <= seconds and place in new and other in old:
                del new[place], old[other]


def _pair_turns(new: dict[int, _Seen], old: dict[int, _Seen]) -> None:
    """Take out of both closing words and the turn that they are part of."""
    for place, one in list(new.items()):
        held = next((other for other, seen in old.items() if one.turn and one.turn in seen.turn), None)
        if held is not None:
            del new[place], old[held]


def _place(host: str, session: str, root: str) -> dict[str, Any]:
    """The fields in which the host's hooks say which session it is, and where."""
    match host:
        case "cursor":
            return {"conversation_id": session, "workspace_roots": [root] if root else []}
        case "cline":
            return {"sessionContext": {"rootSessionId": session}, "workspaceRoots": [root] if root else []}
        case "windsurf":
            return {"trajectory_id": session}
        case "copilot":
            return {"sessionId": session, "cwd": root}
    return {"session_id": session, "cwd": root}


def _seconds(at: str) -> float:
    """Since the epoch; 0 for what is no time, or before it."""
    try:
        return max(0.0, datetime.fromisoformat(at).timestamp())
    except (ValueError, OverflowError):
        return 0.0
