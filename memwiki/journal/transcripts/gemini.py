"""Gemini CLI's chats: a message a line, or in older versions one JSON document; tools stand in the agent's messages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .entry import Entry, LeftOut, field, part, text_of

_DONE = ("success", "error", "")


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools answered, and the agent's last words of each turn. A message told again replaces nothing."""
    words = said_at = ""
    seen: set[str] = set()
    for record in records:
        kind, at = field(record, "type"), field(record, "timestamp")
        name = field(record, "id")
        said = text_of(record.get("content")).strip()
        if kind not in ("user", "gemini"):
            yield LeftOut(kind or "no message")
        elif kind == "user" and name in seen and name:
            yield LeftOut("told again")
        elif kind == "user":
            if words:
                yield Entry("AfterAgent", {"prompt_response": words}, said_at)
            words = ""
            if said:
                yield Entry("BeforeAgent", {"prompt": said}, at)
        else:
            calls = record.get("toolCalls")
            for call in calls if isinstance(calls, list) else []:
                if isinstance(call, dict) and field(call, "status") in _DONE and field(call, "id") not in seen:
                    seen.add(field(call, "id"))
                    yield Entry("AfterTool", _tool(call), field(call, "timestamp") or at)
            words, said_at = said, at
        seen.add(name)
    if words:
        yield Entry("AfterAgent", {"prompt_response": words}, said_at)


def _tool(call: Mapping[str, Any]) -> dict[str, Any]:
    results = call.get("result")
    first = results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    answer = part(part(first, "functionResponse"), "response")
    response: dict[str, Any] = {"llmContent": field(answer, "output") or field(answer, "error")}
    if field(call, "status") == "error":
        response["error"] = {"message": field(call, "error") or field(answer, "error")}
    return {"tool_name": field(call, "name"), "tool_input": call.get("args"), "tool_response": response}
