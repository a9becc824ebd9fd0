"""The last sessions of a project in a few lines, from the journal alone, so that work goes on in whichever agent.

It is never evidence: whoever gives it to an agent puts it into memwiki's own tag, and says so where it is shown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..capture.private import without_injected, without_private
from ..hosts.codec import decode
from ..recall.render import CLOSING, OPENING, size
from ..text import one_line
from ..visible import without_hidden
from .event import Event
from .sessions import Journal
from .view import said

LIMIT = 1_000  # UTF-8 bytes, the tag around it included
SESSIONS = 3
_LOOKED_AT = 12  # sessions of the project that are read to find three in which something was said
_TALK = ("UserPromptSubmit", "Stop", "AgentResponse")
_WRITES = re.compile(r"edit|write|replace|patch|create|insert|notebook", re.IGNORECASE)
_PATHS = ("file_path", "filePath", "notebook_path", "absolute_path", "target_file", "path")
_IN_PATCH = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_LONGEST, _SHORTEST = 240, 24  # characters of one quotation


@dataclass(frozen=True, slots=True)
class Past:
    """One session: `asked` are the person's last words in it, `closing` the agent's, `files` those changed, in order.

    `at` is when it was last heard of (UTC).
    """

    key: str
    at: str
    branch: str
    asked: str
    closing: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recap:
    """The newest first; `text` is what is shown: whole lines, "" when there is nothing to tell."""

    project: str
    sessions: tuple[Past, ...]
    text: str


def recap(journal: Journal, project: str, limit: int = LIMIT, keys: Iterable[str] | None = None) -> Recap:
    """The last three sessions of the project `project` (its key) on any host in which anybody said anything.

    `keys` are the project's sessions, the latest first, for those who know them (else all are looked at).
    """
    if keys is None:
        keys = [session.key for session in journal.sessions() if project and session.project == project]
    found = (one for key in islice(keys, _LOOKED_AT) if (one := _past(journal, key)))
    past = tuple(islice(found, SESSIONS))
    return Recap(project, past, _text(past, limit - size(OPENING + CLOSING) - 1))


def tagged(text: str) -> str:
    """A recap as an agent is given it: in the tag whose content is never evidence."""
    return f"{OPENING}{text}\n{CLOSING}" if text else ""


def _past(journal: Journal, key: str) -> Past | None:
    at = branch = ""
    files: dict[str, None] = {}
    talk: list[Event] = []
    for event in journal.events(key):
        at, branch = max(at, event.at), event.branch or branch
        if event.event == "PostToolUse":
            files |= dict.fromkeys(_changed(event))
        elif event.event in _TALK and not event.agent:
            talk.append(event)
    asked, closing = _last_words(sorted(talk, key=lambda event: event.at))  # what was imported stands at the end
    return Past(key, at, branch, asked, closing, tuple(files)) if asked or closing else None


def _last_words(talk: Sequence[Event]) -> tuple[str, str]:
    """The person's last words, and what the agent said after the person had typed last."""
    closing, typed = "", False
    for event in reversed(talk):
        words = said(event)
        if words.prompt and words.typed:
            typed = True
            if asked := _plain(words.prompt):
                return asked, closing
        elif not closing and not typed:
            closing = _plain(words.words)
    return "", closing


def _plain(text: str) -> str:
    """`text` as it may be shown again, in one line."""
    return " ".join(without_injected(without_private(without_hidden(text))).replace("<", "[").split())


def _changed(event: Event) -> Iterator[str]:
    """Paths that the event says a tool has written, below the top of the work tree where they are in it."""
    name = event.payload.get("tool_name")
    if isinstance(name, str) and not _WRITES.search(name):
        return
    parts = decode(event.host, event.native, dict(event.payload), event.root)
    if parts["failed"] or not _WRITES.search(str(parts["tool_name"])):
        return
    given = parts["tool_input"] if isinstance(parts["tool_input"], str | dict) else event.payload
    for path in _named(given):
        yield path.removeprefix(f"{event.root}/") if event.root else path


def _named(given: object) -> Iterable[str]:
    if isinstance(given, str):
        return _IN_PATCH.findall(given)
    if not isinstance(given, Mapping):
        return []
    named = [given[key] for key in _PATHS if isinstance(given.get(key), str) and given[key]]
    texts = [value for value in given.values() if isinstance(value, str) and "*** " in value]
    return named[:1] or [path for text in texts for path in _IN_PATCH.findall(text)]


def _text(past: tuple[Past, ...], room: int) -> str:
    """The sessions in at most `room` bytes: quotations get shorter first, then the oldest session goes."""
    for count in range(len(past), 0, -1):
        for longest in range(_LONGEST, _SHORTEST - 1, -8):
            text = "\n".join(line for one in past[:count] for line in _lines(one, longest))
            if size(text) <= room:
                return text
    return ""


def _lines(one: Past, longest: int) -> Iterator[str]:
    branch = f" on {one_line(one.branch, longest)}" if one.branch else ""
    yield f"{one.at[:16].replace('T', ' ')} UTC, {one_line(one.key, 80)}{branch}"
    if one.asked:
        yield f"  the person's last words: {one_line(one.asked, longest)}"
    if one.files:
        shown = one.files[: max(1, longest // 40)]
        more = f" and {len(one.files) - len(shown)} more" if len(one.files) > len(shown) else ""
        yield f"  files changed: {', '.join(one_line(path, longest) for path in shown)}{more}"
    if one.closing:
        yield f"  the agent's own closing words, not checked: {one_line(one.closing, longest)}"
