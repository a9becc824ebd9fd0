"""GitHub Copilot's sessions (CLI 1.0): an event a line, which tell what its hooks do, and the agent's own words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .entry import Entry, LeftOut, field, part


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools answered, and the agent's last words of each turn. Subagents' records are left out."""
    words = said_at = cwd = branch = ""
    called: dict[str, tuple[str, Any]] = {}
    for record in records:
        kind, data, at = field(record, "type"), part(record, "data"), field(record, "timestamp")
        call, content = field(data, "toolCallId"), field(data, "content").strip()
        context = part(data, "context") if kind != "session.context_changed" else data
        cwd, branch = field(context, "cwd") or cwd, field(context, "branch") or branch
        if field(record, "agentId") or field(data, "parentToolCallId"):
            yield LeftOut("of a subagent")
        elif kind == "user.message" and field(data, "source") not in ("", "user"):
            yield LeftOut("said by the client")
        elif kind == "user.message" and content:
            if words:
                yield Entry("agentStop", {"cwd": cwd, "response": words}, said_at, branch)
            words = ""
            yield Entry("userPromptSubmitted", {"cwd": cwd, "prompt": content}, at, branch)
        elif kind == "assistant.message":
            words, said_at = content, at
        elif kind == "tool.execution_start":
            called[call] = field(data, "toolName"), data.get("arguments")
            words = ""
        elif kind == "tool.execution_complete" and call in called:
            yield _tool(data, *called.pop(call), cwd, at, branch)
        else:
            yield LeftOut(kind or "no type")
    if words:
        yield Entry("agentStop", {"cwd": cwd, "response": words}, said_at, branch)


def _tool(data: Mapping[str, Any], name: str, given: object, cwd: str, at: str, branch: str) -> Entry | LeftOut:
    payload = {"cwd": cwd, "toolName": name, "toolArgs": given}
    if data.get("success") is False:
        error = part(data, "error")
        if field(error, "code") in ("denied", "rejected"):
            return LeftOut("not run")
        return Entry("postToolUseFailure", {**payload, "error": field(error, "message")}, at, branch)
    result = {"resultType": "success", "textResultForLlm": field(part(data, "result"), "content")}
    return Entry("postToolUse", {**payload, "toolResult": result}, at, branch)
