"""The queue of finished transcripts in the home: a small file each, the newest fifty, a transcript once."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from ...config import Config, Home
from ...files import write_atomic
from ...text import sha256
from .ending import ending

MOST = 50  # transcripts that wait


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
    for key in sessions if wanted(config) else ():
        found = ending(home.journal / f"{key}.jsonl")
        if found and config.get("capture.transcripts", host=found.event.host, project=found.event.project):
            _keep(home, Waiting(key, found.transcript, found.event.at, found.event.root))
            fresh += 1
    if fresh:
        for one in waiting(home)[MOST:]:
            remove(home, one)
    return fresh


def wanted(config: Config) -> bool:
    """Whether `capture.transcripts` is on anywhere."""
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
