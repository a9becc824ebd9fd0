"""A transcript on disk: opened with care, read line by line, whatever is damaged in it, and never written to."""

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import MemwikiError
from ..lines import DOCUMENT, Damage, Record, records
from . import claude, cline, codex, copilot, cursor, gemini, qwen, windsurf
from .entry import Entry, LeftOut, Reader

READERS: Mapping[str, Reader] = {
    "claude": claude.entries,
    "codex": codex.entries,
    "gemini": gemini.entries,
    "cursor": cursor.entries,
    "windsurf": windsurf.entries,
    "cline": cline.entries,
    "copilot": copilot.entries,
    "qwen": qwen.entries,
}
_OWN = {"cline": "{0}/{0}.messages.json", "copilot": "{0}/events.jsonl", "qwen": "{0}.jsonl"}  # {0}: the session's id
_DOCUMENTS = ("cline", "gemini")  # whose transcripts are, or were, one JSON document with a list of messages
_LIST = re.compile(r'(?<!\\)"messages"\s*:\s*\[')
_DECODER = json.JSONDecoder()


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

    Raises Gone for a path that is not absolute, no regular file, a symbolic or hard link, another user's, not there, or
    of another session where the host names files by it;
    MemwikiError for one of over `most` bytes, or of a host whose transcripts are not known.
    """
    if host not in READERS:
        raise Gone(f"Transcripts of {host} are not read.", f"Those of {', '.join(READERS)} are.")
    if not path.startswith("/") or "\0" in path:
        raise Gone(f"{path!r} is no absolute path.", "The host has to name where its transcript is.")
    if host in _OWN and not Path(os.path.realpath(path)).match(_OWN[host].format(session)):
        raise Gone(f"{path} is not the transcript of {session}.", "It has to be there itself, by no link.")
    with _opened(path, most) as file:
        damage: list[Damage] = []
        left_out: Counter[str] = Counter()
        found: list[Entry] = []
        for one in READERS[host](_records(file, host, damage), session):
            if isinstance(one, LeftOut):
                left_out[one.kind[:40]] += 1
            else:
                found.append(one)
    return Transcript(tuple(found), dict(left_out), tuple(damage))


def _opened(path: str, most: int) -> BinaryIO:
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


def _records(file: BinaryIO, host: str, damage: list[Damage]) -> Iterator[Mapping[str, Any]]:
    for found in records(file):
        if isinstance(found, Record):
            yield found.value
        elif found.reason == DOCUMENT and host in _DOCUMENTS:
            yield from _messages(file, found, damage)
        else:
            damage.append(found)


def _messages(file: BinaryIO, whole: Damage, damage: list[Damage]) -> Iterator[Mapping[str, Any]]:
    """The messages of a file that is one JSON document over many lines, as far as it was written."""
    file.seek(0)
    text = file.read().decode("utf-8", "replace")
    start = _LIST.search(text)
    if start is None:
        damage.append(whole)
        return
    at = _behind(text, start.end())
    while text[at : at + 1] != "]":
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            damage.append(Damage(text.count("\n", 0, at) + 1, "a document that was never finished"))
            return
        if isinstance(value, dict):
            yield value
        at = _behind(text, end)


def _behind(text: str, at: int) -> int:
    """Where the next value, or the list's end, begins."""
    while text[at : at + 1] in (" ", "\n", "\r", "\t", ","):
        at += 1
    return at
