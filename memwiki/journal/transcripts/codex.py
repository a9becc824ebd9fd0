"""Codex's rollouts: items of the model's dialogue, and since 0.153 beside them what was really run.

Commands and edits are taken from what was run where a rollout has it: those items carry the ids that hooks send.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from .entry import Entry, LeftOut, field, part, text_of

_NOT_SAID = (
    *("<environment_context", "<user_instructions", "<turn_aborted", "<hook_prompt", "<subagent_notification"),
    *("# AGENTS.md instructions", "<skill", "<permissions"),
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_SHELLS = ("shell", "exec_command", "shell_command", "local_shell", "container.exec")
_ITEMS = ("CommandExecution", "FileChange")  # items of what was run
_RUN = ("Bash", "apply_patch", "exec", "write_stdin")  # tools that such items tell of


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, what tools answered, and the agent's last words of each turn."""
    rollout = _Rollout()
    for record in records:
        yield from rollout.take(record)
    yield from rollout.close()


@dataclass(slots=True)
class _Rollout:
    """What has been read so far. `held` are tools as the dialogue has them; `runs`: there are items of what was run."""

    cwd: str = ""
    branch: str = ""
    words: str = ""
    said_at: str = ""
    runs: bool = False
    called: dict[str, tuple[str, Any]] = dataclass_field(default_factory=dict)
    held: list[Entry] = dataclass_field(default_factory=list)

    def take(self, record: Mapping[str, Any]) -> Iterator[Entry | LeftOut]:
        kind, payload, at = field(record, "type"), part(record, "payload"), field(record, "timestamp")
        what = field(payload, "type") or kind or "no type"
        item = part(payload, "item")
        if kind in ("session_meta", "turn_context"):
            self.cwd = field(payload, "cwd") or self.cwd
            self.branch = field(part(payload, "git"), "branch") or self.branch
        elif kind == "response_item" and what == "message":
            yield from self._message(payload, at)
        elif kind == "response_item" and what in _CALLS:
            self.called[field(payload, "call_id")] = _call(payload)
            self.words = ""
        elif kind == "response_item" and what.endswith("_output"):
            self._answered(payload, at)
        elif what == "item_completed" and field(item, "type") in _ITEMS:
            self.runs = True
            yield self._entry("PostToolUse", _run(item), at)
        elif what == "task_complete":
            self.words, self.said_at = field(payload, "last_agent_message") or self.words, at
            yield from self.close()
        elif kind != "event_msg":
            yield LeftOut(what)

    def close(self) -> Iterator[Entry]:
        """What a turn leaves when the next one begins."""
        yield from (one for one in self.held if not self.runs or one.payload["tool_name"] not in _RUN)
        if self.words:
            yield self._entry("Stop", {"last_assistant_message": self.words}, self.said_at)
        self.held, self.words = [], ""

    def _message(self, payload: Mapping[str, Any], at: str) -> Iterator[Entry | LeftOut]:
        role, said = field(payload, "role"), text_of(payload.get("content")).strip()
        if role == "assistant":
            self.words, self.said_at = said, at
        elif role != "user" or not said or said.startswith(_NOT_SAID):
            yield LeftOut("said by the client")
        else:
            yield from self.close()
            yield self._entry("UserPromptSubmit", {"prompt": said}, at)

    def _answered(self, payload: Mapping[str, Any], at: str) -> None:
        call = field(payload, "call_id")
        name, given = self.called.pop(call, ("", None))
        if name:
            response = {"tool_response": _answer(payload.get("output")), "tool_use_id": call}
            self.held.append(self._entry("PostToolUse", {"tool_name": name, "tool_input": given, **response}, at))

    def _entry(self, native: str, payload: Mapping[str, Any], at: str) -> Entry:
        return Entry(native, {"cwd": self.cwd, **payload}, at, self.branch)


def _call(payload: Mapping[str, Any]) -> tuple[str, Any]:
    """Name and input of a tool as hooks give them: a shell is `Bash` with one command."""
    name = field(payload, "name") or "local_shell"
    given: Any = payload.get("arguments", payload.get("input", payload.get("action")))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"command": given}
    if name in _SHELLS and isinstance(given, dict):
        return "Bash", {"command": _command(given.get("command", given.get("cmd")))}
    return name, given


def _command(given: object) -> str:
    """`["bash", "-lc", "ls"]` is `ls`."""
    words = [word for word in given if isinstance(word, str)] if isinstance(given, list) else [str(given or "")]
    return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)


def _answer(output: object) -> str:
    """What a tool answered; older rollouts wrap it in JSON."""
    said = text_of(output) if not isinstance(output, dict) else text_of(output.get("content"))
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return said
    return str(found["output"]) if isinstance(found, dict) and "output" in found else said


def _run(item: Mapping[str, Any]) -> dict[str, Any]:
    """A command that was run, or files that were changed, as hooks tell of them."""
    if item["type"] == "CommandExecution":
        code = item.get("exit_code")
        output = field(item, "aggregated_output")
        response = output if code in (0, None) else f"Exit code: {code}\n{output}"
        return {
            "tool_name": "Bash",
            "tool_input": {"command": _command(item.get("command"))},
            "tool_response": response,
            "tool_use_id": field(item, "id"),
        }
    verbs = {"add": "Add", "delete": "Delete"}
    changes = part(item, "changes")
    lines = [f"*** {verbs.get(field(part(changes, path), 'type'), 'Update')} File: {path}" for path in changes]
    return {
        "tool_name": "apply_patch",
        "tool_input": {"command": "\n".join(lines)},
        "tool_response": field(item, "stdout") or field(item, "stderr"),
        "tool_use_id": field(item, "id"),
    }
