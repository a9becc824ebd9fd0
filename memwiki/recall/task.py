"""What a subagent is started for: the parent's call as it lies in the spool, else what the parent's last prompt got.

A host names no task when a subagent starts. The call that started it was spooled a moment before, by the hook of that
tool; it is read there, and nothing of it is kept but that it was taken. Where a sync has drained it already, the notes
serve that the parent's record has of its last prompt. So no prompt is ever stored for this.
"""

import posix

from ..capture.spool import place, split
from ..hosts import codec
from . import hook
from .deliver import Ledger
from .render import Item
from .turn import asked
from .view import View

_TOOLS = ("Agent", "Task", "task", "agent", "spawn_agent", "collaborationspawn_agent")  # that start a subagent
_FILES, _BYTES = 256, 1 << 20  # looked at in the spool: the newest, and of each at most
_TOGETHER = 2_000_000_000  # ns between calls that are made at once


def notes_for(home: str, host: str, said: dict[str, object], view: View) -> list[Item]:
    """The notes for the task of the subagent that starts by the event `said`."""
    calls, prompt = _spooled(home, host, said)
    parent = Ledger(home, host, str(said["session"]), make=bool(calls))  # its lock keeps two from taking one call
    calls = [call for call in calls if call[1] not in parent.tasks]
    # Of calls made at once the first is taken; one that never came to anything is older than those.
    calls = [call for call in calls if calls[0][0] - call[0] <= _TOGETHER]
    if calls:
        parent.add("", "", [], [("task", calls[-1][1])])
    if parent.file:  # the parent's other hooks need not wait for this one
        parent.file.close()
    text = asked(calls[-1][2] if calls else prompt)
    return view.at_prompt(text) if text else view.named(parent.last)


def _spooled(home: str, host: str, said: dict[str, object]) -> tuple[list[tuple[int, str, str]], str]:
    """The calls since this session's last prompt that start such a subagent, newest first; and that prompt, or "".

    A call is (ns, its id in the spool, the task's words).
    """
    with posix.scandir(f"{home}/spool") as entries:
        found = [(*place(one.name, one.stat().st_mtime_ns), one.path) for one in entries if one.name[0] != "."]
    calls = list[tuple[int, str, str]]()
    for at, _, name, path in sorted(found, reverse=True)[:_FILES]:
        one = _event(path, host)
        if not one or one["session"] != said["session"]:
            continue
        if one["typed"]:
            return calls, str(one["prompt"])
        wanted = one["tool_input"]
        if one["event"] == "PreToolUse" and one["tool_name"] in _TOOLS and isinstance(wanted, dict):
            kind = wanted.get("subagent_type") or wanted.get("agent_type") or said["agent_type"]
            words = [wanted.get(key) for key in ("description", "prompt", "message", "task")]
            if kind == said["agent_type"]:
                calls.append((at, f"{at}-{name}", "\n".join(word for word in words if isinstance(word, str))))
    return calls, ""


def _event(path: str, host: str) -> dict[str, object] | None:
    """What a spool file holds, where that may be a prompt or the call of a subagent by `host`."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        data = posix.read(file, _BYTES)
        posix.close(file)
        by, native, folder, raw = split(data)
        if by == host and (b"prompt" in raw.lower() or any(tool.encode() in raw for tool in _TOOLS)):
            return codec.decode(host, native, hook.decoded(raw), folder)
    except TimeoutError:  # our own deadline
        raise
    except Exception:  # drained just now, or no JSON: the scanner raises whatever it has
        return None
    return None
