"""Cursor (3.14), from its documentation: flat payloads with workspace roots; the agent's words are their own event."""

from . import Host

TABLE = Host(
    events="""sessionStart=SessionStart sessionEnd=SessionEnd beforeSubmitPrompt=UserPromptSubmit preToolUse=PreToolUse
    beforeShellExecution=PreToolUse beforeMCPExecution=PreToolUse beforeReadFile=PreToolUse postToolUse=PostToolUse
    afterShellExecution=PostToolUse afterMCPExecution=PostToolUse afterFileEdit=PostToolUse
    postToolUseFailure=PostToolUseFailure afterAgentResponse=AgentResponse stop=Stop subagentStart=SubagentStart
    subagentStop=SubagentStop preCompact=PreCompact""",
    fields="""session=conversation_id|session_id agent=subagent_id|agent_id prompt=prompt|task
    source=source|composer_mode reason=reason|status tool_input=tool_input|command|edits|file_path
    tool_response=tool_output|output|result_json|tool_response tool_use_id=tool_use_id|tool_call_id
    error=error_message|error last_message=text|summary|last_assistant_message turn=generation_id|prompt_id
    agent_type=subagent_type|agent_type""",
    injects="sessionStart",
    resets="preCompact",
    reply='{"additional_context":TEXT}',
    tools="afterShellExecution=Shell beforeShellExecution=Shell afterFileEdit=Edit",
)
