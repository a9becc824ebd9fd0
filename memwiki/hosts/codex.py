"""Codex CLI (0.171), recorded from the client: a failed command shows only in its text; subagents share the id."""

from . import Host
from .claude import FIELDS

TABLE = Host(
    fields=FIELDS.replace("prompt_id", "turn_id"),
    injects="SessionStart UserPromptSubmit",
    settings=("CODEX_HOME", ".codex", "hooks.json", ".codex/hooks.json"),
    empty="Stop SubagentStop",  # 0.130, 0.153 and 0.171 take `{}` and nothing alike; reports of either refused exist
    untyped=("<hook_prompt", "<subagent_notification", "<turn_aborted", "<environment_context"),
)
