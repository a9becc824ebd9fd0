"""Cline: its CLI (3.0), recorded from the client, and its VS Code extension, from its documentation.

Both run one executable an event. The CLI leaves `clineVersion` empty and drops the answers to start and prompt.
"""

from . import Host

TABLE = Host(
    events="""TaskStart=SessionStart TaskResume=SessionStart:resume TaskComplete=Stop TaskCancel=Interrupt
    SessionShutdown=SessionEnd""",
    fields="""session=sessionContext.rootSessionId|taskId parent=parent_agent_id heard=clineVersion
    prompt=userPromptSubmit.prompt|taskStart.taskMetadata.initialTask|taskStart.task
    tool_name=tool_call.name|tool_result.name|preToolUse.toolName|postToolUse.toolName
    tool_input=tool_call.input|tool_result.input|preToolUse.parameters|postToolUse.parameters
    tool_response=tool_result.output|postToolUse.result tool_use_id=tool_call.id|tool_result.id
    error=tool_result.error last_message=turn.outputText model=model.slug turn=taskId""",
    injects="TaskStart TaskResume UserPromptSubmit",
    resets="PreCompact",
    reply='{"cancel":false,"contextModification":TEXT}',
)
