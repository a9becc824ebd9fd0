"""One spool file as the event it becomes: decoded, cleaned of private and secret text, cut to size."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from ..capture.private import without_private
from ..capture.project import normal, project_of
from ..capture.spool import LARGEST, split
from ..config import Config, Home
from ..hosts.codec import decode
from ..hosts.survey import survey
from ..hosts.trial import SESSION
from ..recall.paths import touched
from ..text import sha256, utc
from .aside import REASONS
from .caps import capped, without_media
from .event import Event
from .inbox import Item
from .redaction import redact, redact_text

Reason = Literal["unsupported", "duplicates", "paused", "own", "empty"]

OWN = "dream-sessions"  # in log/: ids of the sessions that dreams themselves opened, one a line
_LONG = 128 * 1024  # characters of a string beyond which only its ends are looked at
_NEVER = "user_email"  # Cursor sends it with every event
_HOST = re.compile(r"[a-z][a-z0-9-]{0,31}")
_FIELDS = re.compile(r'"(session_id|conversation_id|cwd|cursor_version)"\s*:\s*"((?:[^"\\]|\\.){1,400})"')
_EDGE = 64 * 1024  # bytes at either end of a payload that is set aside, in which its session is looked for


@dataclass(frozen=True, slots=True)
class Skipped:
    """A spool file that becomes no event, and why."""

    reason: Reason
    words: str = ""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A spool file whose text cannot be taken up: its event without the text, and why (a key of `REASONS`)."""

    event: Event
    reason: str


class Unfit(Exception):
    """A payload cannot be taken up; the text is a key of `REASONS`."""


@dataclass(slots=True)
class Intake:
    """What stays the same through one drain: settings, links, dreams' own sessions, projects by folder."""

    home: Home
    config: Config
    failures: list[str] = field(default_factory=list)  # sentences for the log
    _projects: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    _own: frozenset[str] | None = None
    _cursor: tuple[bool, tuple[str, ...]] | None = None

    def taken(self, item: Item, reason: str = "") -> Event | Skipped | SetAside:
        """The event (numbered 0) that a spool file holds, or why it becomes none.

        With a `reason` to set it aside, known from an earlier pass, its text is not looked at. OSError where the file
        cannot be read.
        """
        reason = reason or ("large" if item.size > LARGEST else "")
        if reason:
            return self._without_text(item, reason)
        try:
            return self.event(item, item.path.read_bytes())
        except Unfit as unfit:
            return self._without_text(item, str(unfit))

    def event(self, item: Item, data: bytes) -> Event | Skipped:
        """The event (numbered 0) of the bytes of a spool file, or why it becomes none; Unfit where that fails."""
        try:
            return self._event(item, data)
        except MemoryError:
            raise Unfit("memory") from None
        except RecursionError:
            raise Unfit("deep") from None

    def _event(self, item: Item, data: bytes) -> Event | Skipped:
        host, native, folder, raw = _split(data)
        if _is_utf16(raw):
            return Skipped("unsupported", f"{host} {native}: a payload in UTF-16 is not supported and was not stored")
        text = raw.decode("utf-8-sig", "replace")
        if not text.strip():
            return Skipped("empty")
        payload = _object(text)
        parsed = payload is not None
        if payload is None:
            payload = dict(reversed(_FIELDS.findall(text)))
        said = decode(host, native, payload, folder, item.mtime_ns / 1e9)
        skipped = self._skipped(host, said)
        if skipped:
            return skipped
        project, root, branch = self._worked_in(said)
        clean, cut = self._clean(payload if parsed else {"text": text}, f"{host} {native} {item.id}")
        return Event(
            n=0,
            at=utc(item.mtime_ns / 1e9),
            event=str(said["event"]) if parsed else "Unparsed",
            native=_plain(native),
            host=str(said["host"]),
            session=str(said["session"]),
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

    def _without_text(self, item: Item, reason: str) -> SetAside | Skipped:
        """What the ends of the file say of its session, with the reason as its payload; nothing of it is parsed."""
        with item.path.open("rb") as file:
            data = file.read(_EDGE)
            file.seek(max(len(data), item.size - _EDGE))
            data += file.read(_EDGE)
        host, native, folder, raw = _split(data)
        fields = dict(reversed(_FIELDS.findall(raw.decode("utf-8", "replace"))))
        said = decode(host, native, fields, folder, item.mtime_ns / 1e9)
        skipped = self._skipped(host, said)
        if skipped:
            return skipped
        project, root, branch = self._worked_in(said)
        self.failures.append(f"{host} {native} {item.id} was set aside: {REASONS[reason]}")
        event = Event(
            n=0,
            at=utc(item.mtime_ns / 1e9),
            event=str(said["event"]),
            native=native,
            host=str(said["host"]),
            session=str(said["session"]),
            project=project,
            branch=branch,
            root=root,
            spool=item.id,
            payload={"set_aside": REASONS[reason]},
            truncated=True,
            bytes=item.size - (len(data) - len(raw)),
        )
        return SetAside(event, reason)

    def _skipped(self, host: str, said: Mapping[str, object]) -> Skipped | None:
        """Why an event of which that much is known is not stored; None where it is."""
        session, folder = str(said["session"]), str(said["folder"])
        if session == SESSION or session in self._own_sessions():
            return Skipped("own")
        if host == "claude" and said["host"] == "cursor" and self._cursor_is_linked(folder):
            return Skipped("duplicates")
        paused = set(map(normal, self.config.paused_projects))
        if self.config.get("capture.paused") or paused & {self._project(folder)[0], self._worked_in(said)[0]}:
            return Skipped("paused")
        return None

    def _clean(self, payload: dict[str, Any], source: str) -> tuple[dict[str, Any], bool]:
        """The payload as it may be stored, and whether anything was cut."""
        try:
            private = _each(payload, _unmarked)
            small = _each(without_media(private), _ends)
            clean, cut = capped(redact(small))
            return clean, cut or small != private
        except (MemoryError, RecursionError):
            raise
        except Exception as error:  # whatever it is, text that was not cleaned is not stored
            self.failures.append(f"{source}: redaction failed ({type(error).__name__})")
            raise Unfit("unredacted") from error

    def _worked_in(self, said: Mapping[str, object]) -> tuple[str, str, str]:
        """The project of an event: that of the file which its tool touched, else its folder's, else where it ran."""
        cwd = str(said["cwd"])
        places = [str(PurePosixPath(cwd, path).parent) for path in touched(dict(said))]
        places = [place for place in places if not PurePosixPath(place).is_relative_to(self.config.vault)]
        found = [self._project(place) for place in (*places, str(said["folder"]), cwd)]
        return next((one for one in found if one[0]), ("", "", ""))

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


def _split(data: bytes) -> tuple[str, str, str, bytes]:
    """(host, native event, folder, payload) of a spool file; without a header all of it is the payload."""
    try:
        host, native, folder, raw = split(data)
    except ValueError:
        host, native, folder, raw = "", "", "", data
    return host if _HOST.fullmatch(host) else "unknown", native[:80], folder, raw


def _object(text: str) -> dict[str, Any] | None:
    """`text` as one JSON object, numbers that JSON cannot write again as text; None when it is none.

    RecursionError where it is nested too deeply.
    """
    try:
        value = json.loads(text, parse_constant=str, parse_float=_number)
    except ValueError:
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
