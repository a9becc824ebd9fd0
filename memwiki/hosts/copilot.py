"""GitHub Copilot CLI (1.0), recorded from the client, and VS Code's Copilot, which runs the same file in Claude's case.

A session's start and its first prompt run at the same time, so the first prompt alone is answered.
"""

from . import Host

TABLE = Host(
    events="""sessionStart=SessionStart userPromptSubmitted=UserPromptSubmit preToolUse=PreToolUse
    postToolUse=PostToolUse postToolUseFailure=PostToolUseFailure
    subagentStart=SubagentStart subagentStop=SubagentStop preCompact=PreCompact
    agentStop=Stop sessionEnd=SessionEnd""",
    fields="""session=parentAgentId|sessionId|session_id agent=agentId|agent_id tool_name=toolName|tool_name
    tool_input=toolArgs|toolInput|tool_input tool_response=toolResult|tool_result|tool_response
    error=error|error.message last_message=response reason=reason|stopReason|stop_reason
    transcript=transcriptPath|transcript_path agent_type=agentType|agentName|agent_type""",
    injects="userPromptSubmitted",
    resets="preCompact",
    reply='{"additionalContext":TEXT}',
)
