"""One event as a distiller may see it: who said what, without private, injected and host-made text, and cut to size."""

import json
import re
from collections.abc import Mapping

from ..candidates.candidate import Who
from ..capture.private import INJECTED, without_injected, without_private
from ..hosts.codec import decode
from ..journal.event import Event
from ..journal.view import SHELL, output
from ..journal.view import command as command_of
from .edits import Excerpt

# Tools that run a command in a shell, as the hosts name them.
SHELLS = frozenset({"Bash", "Shell", "shell", "local_shell", "exec_command", "PowerShell", "run_terminal_cmd"})
_WEB = re.compile(r"web|fetch|browser|search_?engine|url", re.IGNORECASE)
_FROM_WEB = re.compile(r"\b(?:curl|wget|lynx|w3m)\b")
_CLOSES = re.compile(rf"<\s*/\s*(?:{'|'.join(INJECTED)})\s*>", re.IGNORECASE)
_OPENS = re.compile(rf"<\s*(?:{'|'.join(INJECTED)})\b", re.IGNORECASE)
_OWN = re.compile(r"(?:^|__|\.)memwiki(?:__|\.)")  # our own MCP tools: what memory said, or what was asked of it

# Characters of one text that are sent; the middle goes. Person and agent are cut by the journal at 8 KiB already.
SAID = 8_192
CLOSING = 3_000
SHELL_OUTPUT = 1_500
OTHER_OUTPUT = 600
COMMAND = 1_000


def excerpt(event: Event) -> Excerpt | None:
    """The event as an excerpt; None where there is nothing that a distiller could use.

    Kept: what a person typed, what tools were given and answered, and the agent's closing words. Prompts that nobody
    typed, and events that memwiki made itself, are not.
    """
    if event.event not in (
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SubagentStop",
        "AgentResponse",
    ):
        return None
    said = decode(event.host, event.native, dict(event.payload), event.root)
    if event.event == "UserPromptSubmit":
        typed = said["typed"] and not event.agent
        return _words(event, "person", str(said["prompt"]), SAID) if typed else None
    if event.event in ("Stop", "SubagentStop", "AgentResponse"):
        return _words(event, "agent", str(said["last_message"]), CLOSING)
    tool = str(said["tool_name"])
    command = seen(command_of(said["tool_input"], SHELL), COMMAND)
    response = said["tool_response"] if said["tool_response"] is not None else said["error"]
    text = seen(_output(response) or str(said["error"]), SHELL_OUTPUT if tool in SHELLS else OTHER_OUTPUT)
    if (not command and not text) or _OWN.search(tool):
        return None
    web = _WEB.search(tool) or (tool in SHELLS and _FROM_WEB.search(command))
    return Excerpt(
        id=event.id,
        event=event.event,
        who="web" if web else "tool",
        text=text,
        at=event.at,
        tool=tool,
        command=command,
        failed=bool(said["failed"]) or _exit_code(response) != 0,
        agent=event.agent,
    )


def _exit_code(response: object) -> int:
    """What a shell's answer says of its end, as hosts that have no failure event put it; 0 where it says nothing."""
    codes = [response.get(name) for name in ("exit_code", "exitCode")] if isinstance(response, Mapping) else []
    return next((code for code in codes if isinstance(code, int)), 0)


def seen(text: str, limit: int) -> str:
    """`text` without private and injected spans, at most `limit` characters, the middle left out.

    A closing tag whose opening was cut away (the journal keeps the ends of long texts) takes all before it along.
    """
    text = without_private(text)
    closes, opens = _CLOSES.search(text), _OPENS.search(text)
    if closes and (opens is None or closes.start() < opens.start()):
        text = text[closes.end() :]
    text = without_injected(text).strip()
    if len(text) <= limit:
        return text
    half = (limit - 40) // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def _words(event: Event, who: Who, text: str, limit: int) -> Excerpt | None:
    text = seen(text, limit)
    return Excerpt(event.id, event.event, who, text, event.at, agent=event.agent) if text else None


def _output(response: object) -> str:
    """A tool's answer as text: what it printed, else its JSON."""
    return output(response) or (json.dumps(response, ensure_ascii=False) if response else "")
