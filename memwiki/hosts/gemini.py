"""Gemini CLI (0.61), recorded from the client: a failed tool says so in its answer; a start after /clear is lost."""

from . import Host

TABLE = Host(
    notices=True,
    events="""BeforeAgent=UserPromptSubmit AfterAgent=Stop BeforeTool=PreToolUse AfterTool=PostToolUse
    PreCompress=PreCompact""",
    fields="error=error|tool_response.error.message last_message=prompt_response",
    injects="SessionStart BeforeAgent",
    touches="AfterTool",
    resets="PreCompress",
    keeps="",
    lost="clear",
)
