"""Qwen Code's chats (0.24): a record a line, framed as Claude's, with Gemini's parts; answers in own records."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .entry import Entry, LeftOut, field, part, text_of


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, also those typed while the agent worked, what tools answered, and the last words of each turn."""
    words = said_at = ""
    called: dict[str, tuple[str, Any]] = {}
    place: tuple[str, str] = "", ""
    for record in records:
        kind, at = field(record, "type"), field(record, "timestamp")
        parts = part(record, "message").get("parts")
        parts = [one for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
        said = text_of([one for one in parts if not one.get("thought") and not _injected(one)]).strip()
        place = field(record, "cwd") or place[0], field(record, "gitBranch") or place[1]
        if kind not in ("user", "assistant", "tool_result"):
            yield LeftOut(field(record, "subtype") or kind or "no type")
        elif field(record, "sessionId") not in ("", session):
            yield LeftOut("of another session")
        elif kind == "assistant":
            words, said_at = said or words, at
            for one in parts:
                call = part(one, "functionCall")
                if call:
                    called[field(call, "id")] = field(call, "name"), call.get("args")
                    words = ""
        elif kind == "tool_result":
            for one in parts:
                if answer := part(one, "functionResponse"):
                    yield _tool(record, answer, called, place)
        elif field(record, "subtype") not in ("", "mid_turn_user_message"):
            yield LeftOut(field(record, "subtype"))
        elif said := field(part(record, "systemPayload"), "displayText").strip() or said:
            if words:
                yield _entry("Stop", {"last_assistant_message": words}, said_at, place)
            words = ""
            yield _entry("UserPromptSubmit", {"prompt": said}, at, place)
        else:
            yield LeftOut("without text")
    if words:
        yield _entry("Stop", {"last_assistant_message": words}, said_at, place)


def _tool(
    record: Mapping[str, Any], answer: Mapping[str, Any], called: dict[str, tuple[str, Any]], place: tuple[str, str]
) -> Entry | LeftOut:
    id = field(answer, "id")
    name, given = called.pop(id, ("", None))
    if not name or field(part(record, "toolCallResult"), "executionStatus") == "not_started":
        return LeftOut("not run" if name else "a result without its call")
    payload = {"tool_name": name, "tool_input": given, "tool_use_id": id}
    response, at = part(answer, "response"), field(record, "timestamp")
    if error := field(response, "error"):
        return _entry("PostToolUseFailure", {**payload, "error": error}, at, place)
    return _entry("PostToolUse", {**payload, "tool_response": {"llmContent": field(response, "output")}}, at, place)


def _injected(one: Mapping[str, Any]) -> bool:
    """Whether a part is what hooks said at the prompt."""
    return field(one, "text").startswith("<qwen:user-prompt-submit-context>")


def _entry(native: str, payload: Mapping[str, Any], at: str, place: tuple[str, str]) -> Entry:
    return Entry(native, {"cwd": place[0], **payload}, at, place[1])
