"""One spool file as the event it becomes: decoded, cleaned of private and secret text, cut to size."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..capture.private import without_private
from ..capture.project import project_of
from ..capture.spool import split
from ..config import Config, Home
from ..hosts.codec import decode
from ..hosts.survey import survey
from ..hosts.trial import SESSION
from ..text import sha256, utc
from .caps import capped, without_media
from .event import Event
from .inbox import Item
from .redaction import redact, redact_text

Reason = Literal["unsupported", "duplicates", "paused", "own"]

OWN = "dream-sessions"  # in log/: ids of the sessions that dreams themselves opened, one a line
_LONG = 128 * 1024  # characters of a string beyond which only its ends are looked at
_NEVER = "user_email"  # Cursor sends it with every event
_HOST = re.compile(r"[a-z][a-z0-9-]{0,31}")
_FIELDS = re.compile(r'"(session_id|conversation_id|cwd)"\s*:\s*"((?:[^"\\]|\\.){1,400})"')


@dataclass(frozen=True, slots=True)
class Skipped:
    """A spool file that becomes no event, and why."""

    reason: Reason
    words: str = ""


@dataclass(slots=True)
class Intake:
    """What stays the same through one drain: settings, links, dreams' own sessions, projects by folder."""

    home: Home
    config: Config
    failures: list[str] = field(default_factory=list)  # sentences for the log
    _projects: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    _own: frozenset[str] | None = None
    _cursor: tuple[bool, tuple[str, ...]] | None = None

    def event(self, item: Item, data: bytes) -> Event | Skipped:
        """The event (numbered 0) that the spool file `item` with the bytes `data` holds, or why it becomes none."""
        try:
            host, native, folder, raw = split(data)
        except ValueError:
            host, native, folder, raw = "", "", "", data
        host, native = host if _HOST.fullmatch(host) else "unknown", native[:80]
        if _is_utf16(raw):
            return Skipped("unsupported", f"{host} {native}: a payload in UTF-16 is not supported and was not stored")
        text = raw.decode("utf-8-sig", "replace")
        payload = _object(text)
        parsed = payload is not None
        if payload is None:
            payload = dict(reversed(_FIELDS.findall(text)))
        said = decode(host, native, payload, folder, item.mtime_ns / 1e9)
        session, where = str(said["session"]), str(said["folder"])
        if session == SESSION or session in self._own_sessions():
            return Skipped("own")
        if host == "claude" and said["host"] == "cursor" and self._cursor_is_linked(where):
            return Skipped("duplicates")
        project, root, branch = self._project(where)
        if self.config.get("capture.paused", project=project):
            return Skipped("paused")
        clean, cut = self._clean(payload if parsed else {"text": text}, f"{host} {native} {item.id}")
        return Event(
            n=0,
            at=utc(item.mtime_ns / 1e9),
            event=str(said["event"]) if parsed else "Unparsed",
            native=_plain(native),
            host=str(said["host"]),
            session=session,
            agent=_plain(str(said["agent"])[:80]),
            cwd=_plain(str(said["cwd"])[:4096]),
            project=project,
            branch=branch,
            root=root,
            spool=item.id,
            payload=clean,
            truncated=cut,
            bytes=len(raw) if cut else 0,
            sha256=sha256(raw) if cut else "",
        )

    def _clean(self, payload: dict[str, Any], source: str) -> tuple[dict[str, Any], bool]:
        """The payload as it may be stored, and whether anything was cut; empty when that cannot be made sure of."""
        try:
            private = _each(payload, _unmarked)
            small = _each(without_media(private), _ends)
            clean, cut = capped(redact(small))
            return clean, cut or small != private
        except Exception as error:  # whatever it is, text that was not cleaned is not stored
            self.failures.append(f"{source}: redaction failed ({type(error).__name__}); its text was not stored")
            return {}, False

    def _project(self, folder: str) -> tuple[str, str, str]:
        if folder not in self._projects:
            key, root, branch = project_of(folder)
            self._projects[folder] = _plain(key), _plain(root), _plain(branch)
        return self._projects[folder]

    def _own_sessions(self) -> frozenset[str]:
        if self._own is None:
            self._own = own_sessions(self.home)
        return self._own

    def _cursor_is_linked(self, folder: str) -> bool:
        if self._cursor is None:
            found = next(one for one in survey(self.home) if one.host == "cursor")
            self._cursor = found.state in ("linked", "incomplete"), found.projects
        everywhere, projects = self._cursor
        return everywhere or any(Path(folder).is_relative_to(project) for project in projects)


def own_sessions(home: Home) -> frozenset[str]:
    """Ids of sessions that were a dream's own model calls."""
    try:
        return frozenset((home.log / OWN).read_text("utf-8", "replace").split())
    except FileNotFoundError:
        return frozenset()


def _object(text: str) -> dict[str, Any] | None:
    """`text` as one JSON object, numbers that JSON cannot write again as text; None when it is none."""
    try:
        value = json.loads(text, parse_constant=str, parse_float=_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _number(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else text


def _is_utf16(raw: bytes) -> bool:
    """With its mark, or without: every other byte of JSON's first characters is then NUL."""
    return raw[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(raw) >= 4 and (raw[1:4:2] == b"\0\0" or raw[0:4:2] == b"\0\0"))


def _plain(text: str) -> str:
    return redact_text(_unmarked(text))


def _unmarked(text: str) -> str:
    """`text` as UTF-8 can hold it, without its `<private>` spans."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a pair, from an escape that a host cut
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return without_private(text)


def _ends(text: str) -> str:
    """The ends of a very long string: far more than the journal keeps, so that a secret at the cut is seen whole.

    Where redaction leaves little of an end, that end is dropped: its inner edge, where a secret may be cut, could show.
    """
    if len(text) <= _LONG:
        return text
    half, margin = _LONG // 2, _LONG // 8
    head, tail = redact_text(text[:half]), redact_text(text[-half:])
    kept = head[:margin] if len(head) >= 2 * margin else "", tail[-margin:] if len(tail) >= 2 * margin else ""
    return f"{kept[0]}\n[... {len(text) - len(kept[0]) - len(kept[1])} characters cut ...]\n{kept[1]}"


def _each(value: Any, change: Callable[[str], str]) -> Any:
    """`value` with every key and string changed, and without the keys that are never stored."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): _each(item, change) for key, item in value.items() if key != _NEVER}
    return value
