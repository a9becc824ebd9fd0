"""Who said what in an event, in one shape over all hosts: for `log`, the index and whoever reads the journal."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..hosts.codec import decode
from ..text import one_line
from .event import Event

# Where hosts put what a person would look for in a tool's input and output, best first.
SHELL = ("command", "cmd", "command_line")
_COMMANDS = (*SHELL, "file_path", "filePath", "path", "pattern", "query", "url", "prompt", "description")
_TEXTS = ("stdout", "stderr", "output", "content", "text", "file", "result", "error", "message", "filenames")


@dataclass(frozen=True, slots=True)
class Said:
    """What stands in one event. Absent things are "".

    `prompt` is what was put to the agent (`typed` when a person wrote it, else the host did); `tool` was given
    `command` (its input as one string) and answered `output` (`failed` when it says so); `words` are the agent's own.
    """

    prompt: str = ""
    typed: bool = False
    tool: str = ""
    command: str = ""
    output: str = ""
    failed: bool = False
    words: str = ""


def said(event: Event) -> Said:
    """The event in one shape; never raises for what a payload holds."""
    return said_in(event, decode(event.host, event.native, dict(event.payload), event.root))


def said_in(event: Event, parts: Mapping[str, Any]) -> Said:
    """The same, by what `hosts.codec.decode` has made of the payload."""
    if event.event == "Unparsed":
        return Said(output=str(event.payload.get("text", "")))
    if event.event == "Given":
        return Said(output=str(event.payload.get("path", "")))
    response = parts["tool_response"]
    tool = event.event in ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")
    return Said(
        prompt=str(parts["prompt"]) if event.event in ("UserPromptSubmit", "SubagentStart") else "",
        typed=bool(parts["typed"]) and not event.agent,
        tool=str(parts["tool_name"]) if tool else "",
        command=command(parts["tool_input"]) if tool else "",
        output=(output(response) or str(parts["error"])) if tool else "",
        failed=bool(parts["failed"]),
        words=str(parts["last_message"]) if not tool else "",
    )


def line(event: Event) -> str:
    """The event in one line of at most 160 characters: what matters in it, after its name."""
    view = said(event)
    if view.tool:
        text = f"{view.tool}: {view.command}" + (
            f" -> {'failed: ' if view.failed else ''}{view.output}" if view.output else ""
        )
    else:
        text = view.prompt or view.words or view.output or _rest(event.payload)
    return one_line(text)


def command(given: object, names: Sequence[str] = _COMMANDS) -> str:
    """A tool's input as one string: the first of `names` (a command, a file, a query) that it has, else all of it."""
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        for name in names:
            value = given.get(name)
            if isinstance(value, str) and value:
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                return value[-1] if len(value) == 3 and value[1] in ("-c", "-lc") else " ".join(value)
    return json.dumps(given, ensure_ascii=False) if given else ""


def output(response: object) -> str:
    """A tool's answer as text: its outputs without the fields around them."""
    if isinstance(response, str) and response[:1] in ("{", "["):
        try:
            response = json.loads(response)
        except (ValueError, RecursionError):
            return str(response)
    return "\n".join(part for part in _texts(response) if part)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value.rstrip("\n")
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, Mapping):
        named = [value[name] for name in _TEXTS if name in value]
        if not named and not any(isinstance(item, bool) for item in value.values()):
            named = [item for item in value.values() if isinstance(item, list | Mapping)]
        for item in named:
            yield from _texts(item)


def _rest(payload: Mapping[str, Any]) -> str:
    """What tells events without words apart."""
    names = (
        "source",
        "reason",
        "trigger",
        "agent_type",
        "file_path",
        "status",
        "delta",
        "message",
        "name",
        "set_aside",
    )
    return ", ".join(
        f"{name} {payload[name]}" for name in names if isinstance(payload.get(name), str) and payload[name]
    )
