"""What hooks gave to sessions, copied from their records in `delivered/` into the journal as `Given` events."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..config import Home
from ..files import read, write_atomic
from ..recall.deliver import parsed
from ..text import utc
from .counts import note
from .event import Event
from .ledger import SessionFile

SEEN = ".given.json"  # in the journal's folder: how much of each record was copied; only spares reading


def copy_given(home: Home) -> Counter[str]:
    """Append what was given since the last drain to the sessions it was given to; new events by session key.

    A line not later than the session's last `Given` from the same record has been copied before. Records of sessions
    that have no journal yet wait.
    """
    seen, grown = _seen(home), Counter[str]()
    sizes: dict[str, int] = {}
    for path, size in _records(home):
        host, name, agent = [*path.name.split("+", 2), ""][:3]
        key = f"{host}/{name}"
        file = home.journal / f"{key}.jsonl"
        sizes[path.name] = seen.get(path.name, 0)
        if size == sizes[path.name] or not (file.exists() and path.is_file()):
            continue
        try:
            data = read(path)
            with SessionFile(file) as session:
                last, paths = session.given(path.name)
                fresh = [
                    event
                    for moment, event in _events(data, key, agent, path.name)
                    if moment > last or (moment == last and event.payload["path"] not in paths)
                ]
                if session.append(fresh):
                    grown[key] += len(fresh)
        except PermissionError as error:  # another user owns the record or the session's file: `doctor` names it
            note(home, f"what was given to {key} was not copied: {error}")
            continue
        sizes[path.name] = len(data)
    if sizes != seen:
        write_atomic(home.journal / SEEN, json.dumps(sizes).encode() + b"\n")
    return grown


def _records(home: Home) -> Iterator[tuple[Path, int]]:
    try:
        entries = sorted(os.scandir(home.delivered), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    for entry in entries:
        if "+" in entry.name and entry.is_file(follow_symlinks=False):
            yield Path(entry.path), entry.stat(follow_symlinks=False).st_size


def _events(data: bytes, key: str, agent: str, name: str) -> Iterator[tuple[int, Event]]:
    host, _, session = key.partition("/")
    for line in data.decode("utf-8", "replace").split("\n"):
        moment, event, digest, commit, path = parsed(line)
        if not moment or not path:
            continue
        payload = {"path": path, "hash": digest, "commit": commit, "at": event}
        origin = f"{moment}-{name}"
        yield moment, Event(0, utc(moment / 1e9), "Given", "", host, session, agent, spool=origin, payload=payload)


def _seen(home: Home) -> dict[str, int]:
    try:
        stored = json.loads(read(home.journal / SEEN))
    except (OSError, ValueError):
        return {}
    return stored if isinstance(stored, dict) else {}
