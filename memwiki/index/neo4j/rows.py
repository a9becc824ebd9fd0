"""Events and sessions as the graph keeps them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from unicodedata import normalize

from ...hosts.codec import decode
from ...journal.event import Event
from ...journal.view import said_in
from ...recall.analysis import runs, stem, words
from .schema import KEYS
from .shapes import KEY, properties, text

_TOOLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")
_PROMPTS = ("UserPromptSubmit", "SubagentStart")


class _Stems(dict[str, str]):
    """Word -> stem, worked out once; it is emptied before it grows large."""

    def __missing__(self, word: str) -> str:
        if len(self) > 200_000:
            self.clear()
        found = self[word] = " ".join(word) if runs(word[0]) else stem(word[:64])
        return found


_stems = _Stems()


def stemmed(given: str) -> str:
    """The words of a text as the full-text index keeps them: stems; characters of scripts without blanks one by one."""
    plain = given.replace("_", " ")
    if not plain.isascii():
        plain = normalize("NFKC", plain).casefold()
    return " ".join(map(_stems.__getitem__, words(plain)))


@dataclass(frozen=True, slots=True)
class Row:
    """One event: the session it is chained in, its place, its properties, and what it says was given."""

    session: str
    n: int
    id: str
    label: str
    at: str
    properties: dict[str, Any]
    given: Mapping[str, Any] | None = None


def session_key(key: str, agent: str) -> str:
    """The key of the graph's session: that of the journal's, or of a subagent in it."""
    return f"{key}/{agent[:KEY]}" if agent else key


def row_of(event: Event) -> Row:
    """An event's node. Never raises for what a payload holds."""
    parts = decode(event.host, event.native, dict(event.payload), event.root)
    view = said_in(event, parts)
    tool, prompt = event.event in _TOOLS, event.event in _PROMPTS
    given = event.event == "Given"
    shown = "" if given else "\n".join(x for x in (view.prompt, view.tool, view.command, view.output, view.words) if x)
    session = session_key(event.key, event.agent)
    values = {
        "id": event.id,
        "n": event.n,
        "session": session,
        "event": event.event,
        "native": event.native,
        "host": event.host,
        "at": event.at,
        "cwd": parts["cwd"] or event.cwd,
        "agent": event.agent,
        "tool_name": parts["tool_name"] if tool else "",
        "tool_use_id": parts["tool_use_id"],
        "tool_input": _json(parts["tool_input"]) if tool else "",
        "tool_response": (_json(parts["tool_response"]) or parts["error"]) if tool else "",
        "prompt": parts["prompt"] if prompt else "",
        "model": parts["model"],
        "source": parts["source"] or parts["reason"],
        "turn_id": parts["turn"],
        "last_assistant_message": "" if tool else parts["last_message"],
        "text": event.payload.get("text", "") if event.event == "Unparsed" else "",
    }
    props = properties(values)
    props["digest"] = digest_of(props.values())
    if shown:
        props["words"] = text(stemmed(shown))
    facts = {name: event.payload.get(name, "") for name in ("path", "hash", "commit")} if given else None
    return Row(session, event.n, event.id, label_of(event.event), event.at, props, facts and properties(facts))


def _json(value: object) -> object:
    """A tool's input or answer: text as it is, all else as JSON, which `view.command` and `view.output` read back."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def label_of(name: str) -> str:
    """An event's name as a second label: letters and digits of it, and never one of the graph's own labels."""
    plain = "".join(letter for letter in name if letter.isascii() and letter.isalnum())[:60]
    return plain if plain and not plain[0].isdigit() and plain not in KEYS else "Other"


def digest_of(values: Iterable[object]) -> str:
    """16 hex digits that tell one content from another."""
    joined = "\x1f".join(map(str, values))
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
