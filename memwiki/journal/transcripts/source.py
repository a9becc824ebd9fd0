"""A transcript on disk: opened with care, read line by line, whatever is damaged in it, and never written to."""

import json
import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from ...errors import MemwikiError
from ..lines import Damage, Record, records
from . import claude, codex, cursor, gemini, windsurf
from .entry import Entry, LeftOut, Reader

READERS: Mapping[str, Reader] = {
    "claude": claude.entries,
    "codex": codex.entries,
    "gemini": gemini.entries,
    "cursor": cursor.entries,
    "windsurf": windsurf.entries,
}


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a transcript holds: events in order, how many records of which kind became none, and damaged places."""

    entries: tuple[Entry, ...]
    left_out: Mapping[str, int]
    damage: tuple[Damage, ...]


class Gone(MemwikiError):
    """There is nothing at that path that will ever be read: no file, or one that is no plain file of the person's."""


def read(path: str, host: str, session: str, most: int) -> Transcript:
    """The transcript at `path`, which `host` wrote of its session `session`. Nothing of the file is changed.

    Raises Gone for a path that is not absolute, no regular file, a symbolic or hard link, another user's or not there;
    MemwikiError for one of over `most` bytes, or of a host whose transcripts are not known.
    """
    if host not in READERS:
        raise Gone(f"Transcripts of {host} are not read.", f"Those of {', '.join(READERS)} are.")
    with _opened(path, most) as file:
        damage: list[Damage] = []
        left_out: Counter[str] = Counter()
        found: list[Entry] = []
        for one in READERS[host](_records(file, damage), session):
            if isinstance(one, LeftOut):
                left_out[one.kind[:40]] += 1
            else:
                found.append(one)
        if host == "gemini" and not found and (document := _document(file, damage)):
            damage, left_out = [], Counter()
            found = [one for one in gemini.entries(document, session) if isinstance(one, Entry)]
    return Transcript(tuple(found), dict(left_out), tuple(damage))


def _opened(path: str, most: int) -> BinaryIO:
    if not path.startswith("/"):
        raise Gone(f"{path} is no absolute path.", "The host has to name where its transcript is.")
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise Gone(f"{path} is not there any more.", "The host has removed it.") from error
    except OSError as error:
        raise Gone(f"{path} cannot be read: {error.strerror}.", "It has to be a plain file, no link.") from error
    state = os.fstat(fd)
    if not stat.S_ISREG(state.st_mode) or state.st_nlink != 1 or state.st_uid != os.getuid():
        os.close(fd)
        raise Gone(f"{path} is not read.", "It has to be a plain file of yours with one name, no link.")
    if state.st_size > most:
        os.close(fd)
        raise MemwikiError(f"{path} has {state.st_size} bytes.", f"Raise capture.transcript_bytes, now {most}.")
    return os.fdopen(fd, "rb")


def _records(file: BinaryIO, damage: list[Damage]) -> Iterator[Mapping[str, Any]]:
    for found in records(file):
        if isinstance(found, Record):
            yield found.value
        else:
            damage.append(found)


def _document(file: BinaryIO, damage: list[Damage]) -> list[Mapping[str, Any]]:
    """The messages of a file that is one JSON document over many lines, as Gemini wrote them; [] for any other."""
    if not damage or damage[0].line != 1:
        return []
    file.seek(0)
    try:
        whole = json.loads(file.read())
    except (ValueError, RecursionError):
        return []
    messages = whole.get("messages") if isinstance(whole, dict) else None
    return [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
