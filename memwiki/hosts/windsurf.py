"""Windsurf's Cascade, from its documentation: payloads nest in `tool_info`; no answer reaches the model."""

from . import Host

TABLE = Host(
    events="""pre_user_prompt=UserPromptSubmit post_read_code=PostToolUse post_write_code=PostToolUse
    post_run_command=PostToolUse post_mcp_tool_use=PostToolUse post_cascade_response=Stop
    post_cascade_response_with_transcript=Transcript""",
    fields="""session=trajectory_id cwd=tool_info.cwd prompt=tool_info.user_prompt|tool_info.prompt
    tool_name=tool_info.mcp_tool_name tool_input=tool_info.mcp_tool_arguments|tool_info
    tool_response=tool_info.mcp_result|tool_info.output last_message=tool_info.response model=model_name
    turn=execution_id transcript=tool_info.transcript_path""",
    injects="",
    tools="post_read_code=Read post_write_code=Edit post_run_command=Bash",
)
