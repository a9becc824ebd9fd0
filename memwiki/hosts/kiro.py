"""Kiro CLI, from its documentation and reports: hooks belong to an agent; an answer is its plain text."""

from . import Host

TABLE = Host(
    events="""agentSpawn=SessionStart userPromptSubmit=UserPromptSubmit preToolUse=PreToolUse postToolUse=PostToolUse
    stop=Stop""",
    fields="last_message=assistant_response|last_assistant_message",
    injects="agentSpawn userPromptSubmit",
    reply="",
)
