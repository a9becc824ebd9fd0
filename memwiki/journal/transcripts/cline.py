"""Cline's sessions (CLI 3.0): one JSON document whose messages have blocks as Claude's do; rewritten as it grows."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from ...text import utc
from .entry import Entry, LeftOut, field, part, text_of

_OPENING = re.compile(r"<user_(input|command)\b[^<>]*+>")
_NOT_SAID = ("[TASK RESUMPTION]", "The user approved switching to act mode.")


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools answered, and the agent's last words of each turn."""
    words = said_at = ""
    called: dict[str, tuple[str, Any]] = {}
    for record in records:
        content, at, role = record.get("content"), _time(record.get("ts")), field(record, "role")
        about = part(record, "metadata")
        blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        said = text_of([one for one in blocks if one.get("type") == "text"] if blocks else content).strip()
        results = [one for one in blocks if one.get("type") == "tool_result"]
        if role not in ("user", "assistant") or field(about, "kind") or field(about, "displayRole"):
            yield LeftOut("said by the client" if role else "no role")
        elif role == "assistant":
            words, said_at = said or words, at
            for block in blocks:
                if block.get("type") == "tool_use":
                    called[field(block, "id")] = field(block, "name"), block.get("input")
                    words = ""
        elif results:
            for result in results:
                yield _tool(result, called, at)
        elif not said or said.startswith(_NOT_SAID):
            yield LeftOut("said by the client" if said else "without text")
        else:
            if words:
                yield Entry("TaskComplete", {"turn": {"outputText": words}}, said_at)
            words = ""
            typed = "\n".join(_typed(said))
            yield Entry("UserPromptSubmit", {"userPromptSubmit": {"prompt": typed or said}}, at)
    if words:
        yield Entry("TaskComplete", {"turn": {"outputText": words}}, said_at)


def _typed(said: str) -> Iterator[str]:
    """What stands in each `<user_input>` and `<user_command>` that is closed."""
    at, open_kinds = 0, set[str]()
    while opening := _OPENING.search(said, at):
        at, closing = opening.end(), f"</user_{opening[1]}>"
        end = -1 if closing in open_kinds else said.find(closing, at)
        if end < 0:
            open_kinds.add(closing)  # it is not looked for again
            continue
        yield said[at:end]
        at = end + len(closing)


def _tool(result: Mapping[str, Any], called: dict[str, tuple[str, Any]], at: str) -> Entry | LeftOut:
    call = field(result, "tool_use_id")
    name, given = called.pop(call, ("", None))
    if not name:
        return LeftOut("a result without its call")
    answer = result.get("content")
    if isinstance(answer, str) and answer[:1] in ("{", "["):  # an object in the hook's payload
        with suppress(ValueError, RecursionError):
            answer = json.loads(answer)
    return Entry("PostToolUse", {"tool_result": {"id": call, "name": name, "input": given, "output": answer}}, at)


def _time(stamp: object) -> str:
    """UTC of milliseconds since the epoch; "" for what is no time."""
    try:
        return utc(stamp / 1000) if isinstance(stamp, int | float) else ""
    except (ValueError, OverflowError, OSError):
        return ""
