"""Claude Code's transcripts (2.0 to 2.1): a record a line; a tool's result comes in the record of a user."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...hosts.codec import session_id
from .entry import Entry, LeftOut, part, text_of
from .entry import field as text

# How the text of records begins that nobody typed, beside those that carry a mark of their own.
_NOT_SAID = ("<command-", "<local-command-", "<bash-", "Caveat: ", "[Request interrupted by user")
_NOT_RUN = "The user doesn't want to proceed with this tool use"
_MARKS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools answered, and the agent's last words of each turn.

    Records of another session (a fork begins with a copy of its parent's) and of subagents are left out.
    """
    turn = _Turn()
    for record in records:
        kind = text(record, "type") or "no type"
        if kind not in ("user", "assistant"):
            yield LeftOut(kind)
        elif (told := text(record, "sessionId")) and session_id(told, "") != session:
            yield LeftOut("of another session")
        elif record.get("isSidechain"):
            yield LeftOut("of a subagent")
        else:
            turn.place(record)
            yield from turn.assistant(record) if kind == "assistant" else turn.user(record)
    yield from turn.close()


@dataclass(slots=True)
class _Turn:
    """What has been read so far: where the agent is, which tools wait for an answer, and what it said last."""

    cwd: str = ""
    branch: str = ""
    called: dict[str, tuple[str, Any]] = field(default_factory=dict)
    words: str = ""
    said_at: str = ""

    def place(self, record: Mapping[str, Any]) -> None:
        self.cwd = text(record, "cwd") or self.cwd
        self.branch = text(record, "gitBranch") or self.branch

    def assistant(self, record: Mapping[str, Any]) -> Iterator[Entry | LeftOut]:
        message = part(record, "message")
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else []:
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use":
                self.called[str(block.get("id"))] = str(block.get("name", "")), block.get("input")
                self.words = ""
            elif block.get("type") == "text" and text_of([block]).strip():
                self.words, self.said_at = text_of([block]), text(record, "timestamp")
        if text(message, "stop_reason") in ("max_tokens", "refusal"):
            self.words = ""
        yield from ()

    def user(self, record: Mapping[str, Any]) -> Iterator[Entry | LeftOut]:
        content = part(record, "message").get("content")
        results = [one for one in content if _is_result(one)] if isinstance(content, list) else []
        for result in results:
            yield self._tool(record, result)
        said = text_of(content).strip()
        if results:
            return
        if not said or any(record.get(mark) for mark in _MARKS) or said.startswith(_NOT_SAID):
            yield LeftOut("said by the client" if said else "without text")
            return
        yield from self.close()
        yield self._entry("UserPromptSubmit", {"prompt": said}, text(record, "timestamp"))

    def _tool(self, record: Mapping[str, Any], result: Mapping[str, Any]) -> Entry | LeftOut:
        name, given = self.called.pop(str(result.get("tool_use_id")), ("", None))
        answer = text_of(result.get("content"))
        if not name or answer.startswith(_NOT_RUN):
            return LeftOut("a result without its call" if not name else "refused by the person")
        payload = {"tool_name": name, "tool_input": given, "tool_use_id": result["tool_use_id"]}
        at = text(record, "timestamp")
        if result.get("is_error"):
            return self._entry("PostToolUseFailure", {**payload, "error": answer}, at)
        whole = record.get("toolUseResult")
        return self._entry(
            "PostToolUse", {**payload, "tool_response": whole if isinstance(whole, dict) else answer}, at
        )

    def close(self) -> Iterator[Entry]:
        """The agent's last words, where the turn ended with words."""
        if self.words:
            yield self._entry("Stop", {"last_assistant_message": self.words}, self.said_at)
        self.words = ""

    def _entry(self, native: str, payload: Mapping[str, Any], at: str) -> Entry:
        return Entry(native, {"cwd": self.cwd, **payload}, at, self.branch)


def _is_result(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result" and isinstance(block.get("tool_use_id"), str)
