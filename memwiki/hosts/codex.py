"""Codex CLI (0.171), recorded from the client: a failed command shows only in its text; subagents share the id."""

from . import Host

TABLE = Host(
    notices=True,
    fields="turn=turn_id",
    injects="SessionStart UserPromptSubmit SubagentStart",
    touches="PostToolUse",
    resets="PreCompact",
    empty="Stop SubagentStop",  # 0.130, 0.153 and 0.171 take `{}` and nothing alike; reports of either refused exist
    untyped=("<hook_prompt", "<subagent_notification", "<turn_aborted", "<environment_context"),
)
