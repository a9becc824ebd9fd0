"""Claude Code (2.1), recorded from the client: a failed tool is an event of its own, with the error as text."""

from . import Host

FIELDS = """session=session_id agent=agent_id cwd prompt source reason tool_name tool_input tool_response tool_use_id
error last_message=last_assistant_message model turn=prompt_id transcript=transcript_path stop_active=stop_hook_active
agent_type trigger"""

TABLE = Host(
    fields=FIELDS,
    injects="SessionStart UserPromptSubmit",
    settings=("CLAUDE_CONFIG_DIR", ".claude", "settings.json", ".claude/settings.local.json"),
    untyped=("<task-notification>", "<system-reminder>", "<local-command-", "<bash-", "<teammate-message"),
)
