"""Kiro CLI, from its documentation and reports: hooks belong to an agent; an answer is its plain text."""

from . import Host

TABLE = Host(
    settings=("", ".kiro", "agents/memwiki.json", ".kiro/agents/memwiki.json"),
    events="""agentSpawn=SessionStart userPromptSubmit=UserPromptSubmit preToolUse=PreToolUse postToolUse=PostToolUse
    stop=Stop""",
    fields="last_message=assistant_response|last_assistant_message",
    injects="agentSpawn userPromptSubmit",
    reply="",
    programs="kiro-cli kiro",
    words="""Kiro's hooks belong to an agent: start `kiro-cli --agent memwiki`, or make it your default with
    `kiro-cli settings chat.defaultAgent memwiki`.""",
    untested=True,
)
