"""Codex CLI (0.171), recorded from the client: a failed command shows only in its text; subagents share the id."""

from . import Host

TABLE = Host(
    settings=("CODEX_HOME", ".codex", "hooks.json", ".codex/hooks.json"),
    fields="turn=turn_id",
    empty="Stop SubagentStop",  # 0.130, 0.153 and 0.171 take `{}` and nothing alike; reports of either refused exist
    untyped=("<hook_prompt", "<subagent_notification", "<turn_aborted", "<environment_context"),
    words="""Codex runs these hooks only once you trust them, and until then skips them without a word: start `codex`,
    type `/hooks`, and trust the memwiki entries.""",
)
