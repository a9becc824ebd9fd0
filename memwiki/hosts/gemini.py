"""Gemini CLI (0.61), recorded from the client: a failed tool says so in its answer; a start after /clear is lost."""

from . import Host

TABLE = Host(
    settings=("", ".gemini", "settings.json", ".gemini/settings.json"),
    events="""BeforeAgent=UserPromptSubmit AfterAgent=Stop BeforeTool=PreToolUse AfterTool=PostToolUse
    PreCompress=PreCompact""",
    fields="error=error|tool_response.error.message last_message=prompt_response",
    injects="SessionStart BeforeAgent",
    resets="PreCompress",
    lost="clear",
    comments=True,
    words="In a project's settings Gemini runs hooks only in a folder that it trusts, and warns about each new one.",
)
