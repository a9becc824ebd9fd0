"""The queue of finished transcripts in the home: a small file each, the newest fifty, a transcript once."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ...config import Config, Home
from ...files import write_atomic
from ...hosts.codec import decode
from ...text import sha256
from ..event import Event, event_of
from ..lines import Record, backwards, records

MOST = 50  # transcripts that wait
_LOOKED_AT = 25  # events at a session's end among which its end is looked for
_OPENS = ("SessionStart", "UserPromptSubmit")
_WITH_TRANSCRIPT = "post_cascade_response_with_transcript"  # Windsurf has no end of a session: it tells after each turn


@dataclass(frozen=True, slots=True)
class Waiting:
    """A transcript to be imported: of which session (its key), where it is, and when (UTC) it was said to be finished.

    `root` is the top folder of the work tree that the session was in, "" for none.
    """

    session: str
    transcript: str
    at: str
    root: str

    @property
    def host(self) -> str:
        """Whose transcript it is."""
        return self.session.partition("/")[0]


def enqueue(home: Home, config: Config, sessions: Iterable[str]) -> int:
    """Queue the transcripts of those of the `sessions` (keys) that have ended, where that is switched on; how many.

    One that waits already gets the newer time. Over fifty, those that were finished first are dropped.
    """
    fresh = 0
    for key in sessions if _wanted(config) else ():
        found = _ended(home.journal / f"{key}.jsonl", key)
        if found and config.get("capture.transcripts", host=found[1].host, project=found[0]):
            _keep(home, found[1])
            fresh += 1
    if fresh:
        for one in waiting(home)[MOST:]:
            remove(home, one)
    return fresh


def _wanted(config: Config) -> bool:
    """Whether it is switched on anywhere."""
    scopes = (*config.hosts.values(), *config.projects.values())
    return bool(config.get("capture.transcripts")) or any(scope.get("capture.transcripts") for scope in scopes)


def waiting(home: Home) -> list[Waiting]:
    """What is in the queue, the latest first; a file that cannot be read is passed over."""
    found = []
    for path in _folder(home).glob("*.json"):
        try:
            fields = json.loads(path.read_text("utf-8"))
            one = Waiting(**{name: str(fields[name]) for name in ("session", "transcript", "at", "root")})
        except (OSError, ValueError, TypeError, KeyError):
            continue
        if path == _path(home, one):
            found.append(one)
    return sorted(found, key=lambda one: (one.at, one.session), reverse=True)


def remove(home: Home, one: Waiting) -> None:
    """Take a transcript out of the queue, unless it has been queued anew since `one` was read."""
    if one in waiting(home):
        _path(home, one).unlink(missing_ok=True)


def _folder(home: Home) -> Path:
    return home.path / "queue"


def _path(home: Home, one: Waiting) -> Path:
    return _folder(home) / f"{sha256(one.transcript)[:32]}.json"


def _keep(home: Home, one: Waiting) -> None:
    _folder(home).mkdir(mode=0o700, exist_ok=True)
    write_atomic(_path(home, one), json.dumps(asdict(one), ensure_ascii=False).encode("utf-8") + b"\n")


def _ended(path: Path, key: str) -> tuple[str, Waiting] | None:
    """Project and transcript of a session that has ended; None for one that goes on, or names no transcript."""
    for event in _last(path):
        if event.event == "SessionEnd" or event.native == _WITH_TRANSCRIPT:
            said = decode(event.host, event.native, dict(event.payload), event.root)
            named = said["transcript"] or _nested(event)
            return (event.project, Waiting(key, str(named), event.at, event.root)) if named else None
        if event.event in _OPENS and not event.agent:
            return None
    return None


def _nested(event: Event) -> str:
    info = event.payload.get("tool_info")
    named = info.get("transcript_path") if isinstance(info, dict) else None
    return named if isinstance(named, str) else ""


def _last(path: Path) -> Iterator[Event]:
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
