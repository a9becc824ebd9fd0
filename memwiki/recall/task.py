"""What a subagent is started for: its parent's call, else the parent's last prompt.

A host names no task when a subagent starts. The call that started it was spooled a moment before, by the hook of that
tool; it is read there, or at the end of the session's journal where a sync has drained it already. Nothing of it is
kept but that it was taken.
"""

import posix

from ..capture.spool import place, split
from ..hosts import codec
from . import hook
from .deliver import Ledger
from .disk import read
from .render import Item
from .turn import asked
from .view import View

_TOOLS = ("Agent", "Task", "task", "agent", "spawn_agent", "collaborationspawn_agent")  # that start a subagent
_FILES, _BYTES = 256, 1 << 20  # looked at in the spool: the newest; and of each, and of the journal, the end
_TOGETHER = 2_000_000_000  # ns between calls that are made at once


def notes_for(home: str, host: str, said: dict[str, object], view: View) -> list[Item]:
    """The notes for the task of the subagent that starts by the event `said`."""
    calls, prompt = _said(home, host, said)
    parent = Ledger(home, host, str(said["session"]), make=bool(calls))  # its lock keeps two from taking one call
    calls = [call for call in calls if call[1] not in parent.tasks]
    # Of calls made at once the first is taken; one that never came to anything is older than those.
    calls = [call for call in calls if calls[0][0] - call[0] <= _TOGETHER]
    if calls:
        parent.add("", "", [], [("task", calls[-1][1])])
    if parent.file:  # the parent's other hooks need not wait for this one
        parent.file.close()
    return view.at_prompt(asked(calls[-1][2] if calls else prompt))


def _said(home: str, host: str, said: dict[str, object]) -> tuple[list[tuple[int, str, str]], str]:
    """The calls since this session's last prompt that start such a subagent, newest first; and that prompt, or "".

    A call is (ns, its id in the spool, the task's words).
    """
    with posix.scandir(f"{home}/spool") as entries:
        found = [(*place(one.name, one.stat().st_mtime_ns), one.path) for one in entries if one.name[0] != "."]
    spool = ((f"{at}-{name}", read(path, _BYTES)) for at, _, name, path in sorted(found, reverse=True)[:_FILES])
    lines = (read(f"{home}/journal/{host}/{said['session']}.jsonl", _BYTES, end=True) or b"").split(b"\n")
    calls = list[tuple[int, str, str]]()
    for name, one in (_event(host, *data) for part in (spool, (("", line) for line in lines[::-1])) for data in part):
        if not one or one["session"] != said["session"]:
            continue
        if one["typed"]:
            return calls, str(one["prompt"])
        wanted = one["tool_input"]
        if one["event"] == "PreToolUse" and one["tool_name"] in _TOOLS and isinstance(wanted, dict):
            kind = wanted.get("subagent_type") or wanted.get("agent_type") or said["agent_type"]
            words = [str(wanted.get(key) or "") for key in ("description", "prompt", "message", "task")]
            if kind == said["agent_type"]:
                calls.append((int(name.partition("-")[0]), name, "\n".join(words)))
    return calls, ""


def _event(host: str, name: str, data: bytes | None) -> tuple[str, dict[str, object] | None]:
    """The id of what was spooled as `name`, or of a line of the journal (""), and what it says if that may count."""
    try:
        if data and (b"prompt" in data.lower() or any(tool.encode() in data for tool in _TOOLS)):
            if name:  # in the shape of the journal's lines
                by, native, folder, raw = split(data)
                told = hook.decoded(raw)
                line: dict[str, object] = {"host": by, "native": native, "root": folder, "spool": name, "payload": told}
            else:
                line = hook.decoded(data)
            payload = line["payload"]
            if line["host"] == host and isinstance(payload, dict):
                return str(line["spool"]), codec.decode(host, str(line["native"]), payload, str(line.get("root", "")))
    except TimeoutError:  # our own deadline
        raise
    except Exception:  # drained just now, no JSON, or no event: the scanner raises whatever it has
        return name, None
    return name, None
