"""Where a session ends, and which transcript its host has written of it: named by a hook, or known by the session."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...hosts.codec import decode
from ...hosts.registration import settings_folder
from ..event import Event, event_of
from ..lines import Record, backwards, records

_LOOKED_AT = 25  # events at a session's end among which its end, and the transcript's name, are looked for
_OPENS = ("SessionStart", "UserPromptSubmit")
# What ends a session where there is no SessionEnd, or not always: these hosts tell after each turn.
_ENDS = {
    "windsurf": ("Transcript",),
    "cline": ("Stop", "Interrupt", "SessionEnd"),
    "qwen": ("Stop", "SessionEnd"),
}


@dataclass(frozen=True, slots=True)
class Ending:
    """A session's last event so far, and the path of its transcript."""

    event: Event
    transcript: str


def ending(path: Path) -> Ending | None:
    """How the session in the journal's file `path` has ended; None for one that goes on, or has no known transcript."""
    last: Event | None = None
    for event in _backwards(path):
        if last is None and event.event in _ENDS.get(event.host, ("SessionEnd",)) and not event.agent:
            last = event
        elif last is None and event.event in _OPENS and not event.agent:
            return None
        if last and not event.agent and (transcript := _transcript(event)):
            return Ending(last, transcript)
    return None


def _transcript(event: Event) -> str:
    if event.host == "cline":
        return _of_cline(event)
    return str(decode(event.host, event.native, dict(event.payload), event.root)["transcript"])


def _of_cline(event: Event) -> str:
    """Cline's CLI names no transcript: it is in a folder named by the session. The extension's tasks have none."""
    context = event.payload.get("sessionContext")
    session = context.get("rootSessionId") if isinstance(context, dict) else None
    if session != event.session:  # an id that had to be cleaned is the name of no folder of Cline's
        return ""
    own = os.environ.get
    data = own("CLINE_DATA_DIR") or settings_folder("cline") / "data"
    return str(Path(own("CLINE_SESSION_DATA_DIR") or Path(data, "sessions"), session, f"{session}.messages.json"))


def _backwards(path: Path) -> Iterator[Event]:
    """The last events of a session's file, last first."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        left = _LOOKED_AT
        for _, line in backwards(file, os.fstat(file.fileno()).st_size):
            for one in records([line + b"\n"]):
                if isinstance(one, Record) and (event := event_of(one.value, 0)):
                    yield event
            left -= 1
            if left <= 0:
                return
