"""Windsurf's transcripts, from reports: `type`, `status` and an object named like the type a line."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .entry import Entry, LeftOut, field, part


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, commands, edits, and the agent's last words of each turn. What was cancelled is left out."""
    words = said_at = ""
    for record in records:
        kind, at = field(record, "type"), field(record, "timestamp")
        step = part(record, kind)
        said = field(step, "user_response").strip()
        if field(record, "status") == "canceled":
            yield LeftOut("cancelled")
        elif kind == "user_input" and said:
            if words:
                yield Entry("post_cascade_response", {"tool_info": {"response": words}}, said_at)
            words = ""
            yield Entry("pre_user_prompt", {"tool_info": {"user_prompt": said}}, at)
        elif kind == "planner_response":
            words, said_at = field(step, "response").strip(), at
        elif kind == "code_action" and field(step, "path"):
            edits = [{"old_string": "", "new_string": field(step, "new_content")}]
            yield Entry("post_write_code", {"tool_info": {"file_path": field(step, "path"), "edits": edits}}, at)
        elif kind == "run_command" and (command := field(step, "command_line") or field(step, "command")):
            ran = {"command_line": command, "output": field(step, "output")}
            yield Entry("post_run_command", {"tool_info": ran}, at)
        else:
            yield LeftOut(kind or "no type")
    if words:
        yield Entry("post_cascade_response", {"tool_info": {"response": words}}, said_at)
