"""Windsurf's transcripts, from its documentation and a published one: a step a line, named by its `type`; no times."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from .entry import Entry, LeftOut, field, part


def entries(records: Iterable[Mapping[str, Any]], session: str) -> Iterator[Entry | LeftOut]:
    """Prompts, commands, reads, edits, and the agent's last words of each turn. What was not done is left out."""
    words = ""
    for record in records:
        kind = field(record, "type")
        step = part(record, kind)
        said, path = field(step, "user_response").strip(), _path(field(step, "path"))
        command = field(step, "command") or field(step, "command_line")
        if field(record, "status") == "canceled" or step.get("user_rejected") is True:
            yield LeftOut("not done")
        elif kind == "user_input" and said:
            if words:
                yield _entry("post_cascade_response", {"response": words})
            words = ""
            yield _entry("pre_user_prompt", {"user_prompt": said})
        elif kind == "planner_response":
            words = field(step, "response").strip()
        elif kind == "code_action" and path:
            words = ""
            edits = [{"old_string": "", "new_string": field(step, "new_content")}]
            yield _entry("post_write_code", {"file_path": path, "edits": edits})
        elif kind == "view_file" and path:
            words = ""
            yield _entry("post_read_code", {"file_path": path})
        elif kind == "run_command" and command:
            words = ""
            output, code = field(step, "output"), step.get("exit_code")
            output = output if code in (0, None) else f"Exit code: {code}\n{output}"
            yield _entry("post_run_command", {"command_line": command, "cwd": field(step, "cwd"), "output": output})
        else:
            yield LeftOut(kind or "no type")
    if words:
        yield _entry("post_cascade_response", {"response": words})


def _entry(native: str, info: Mapping[str, Any]) -> Entry:
    return Entry(native, {"tool_info": info})


def _path(named: str) -> str:
    """A path as hooks give it: steps have it as an address, `file://` and a path of this machine, too."""
    return unquote(named.removeprefix("file://")) if named.startswith("file:///") else named
