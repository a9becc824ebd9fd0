"""The marks of an agent's own shell: variables that hosts set for the commands that their agents run.

Sources: the hosts' documentation of their shell tools and what their releases of 2026 set; Windsurf, Kiro and Devin set
none of their own. AI_AGENT is the name that several hosts share.
"""

import os

# Host -> variables, any of which marks a shell of its agent.
MARKS: dict[str, tuple[str, ...]] = {
    "Claude Code": ("CLAUDECODE",),
    "Codex": ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"),
    "Cursor": ("CURSOR_AGENT",),
    "Gemini CLI": ("GEMINI_CLI",),
    "Qwen Code": ("QWEN_CODE",),
    "Copilot": ("COPILOT_CLI", "COPILOT_AGENT"),
    "OpenCode": ("OPENCODE",),
    "Cline": ("CLINE_ACTIVE",),
    "an agent": ("AI_AGENT",),
}
_UNSET = ("", "0", "false")


def agent() -> str:
    """The host whose agent runs this process, as a person knows it; "" when none of its marks is set."""
    for name, variables in MARKS.items():
        if any(os.environ.get(variable, "").lower() not in _UNSET for variable in variables):
            return name
    return ""
