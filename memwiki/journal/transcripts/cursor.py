"""Cursor's agent transcripts: role and blocks a line, without times, ids or what tools answered."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .entry import Entry, LeftOut, field, part, text_of

_OPENING, _CLOSING = "<user_query>", "</user_query>"


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools were asked, and each of the agent's messages."""
    for record in records:
        role, content = field(record, "role"), part(record, "message").get("content")
        if role not in ("user", "assistant"):
            yield LeftOut(field(record, "type") or "no role")
            continue
        said = text_of(content).strip()
        _, opening, rest = said.partition(_OPENING)
        query, closing, _ = rest.partition(_CLOSING)
        if said and role == "user":
            yield Entry(
                "beforeSubmitPrompt",
                {"prompt": query.removeprefix("\n").removesuffix("\n") if opening and closing else said},
            )
        elif said:
            yield Entry("afterAgentResponse", {"text": said})
        for block in content if role == "assistant" and isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                yield Entry("postToolUse", {"tool_name": block.get("name"), "tool_input": block.get("input")})
