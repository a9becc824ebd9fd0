"""OpenCode (1.18): a plugin of ours inside the client spawns the hook, with payloads in Claude's words."""

from . import Host

TABLE = Host(
    events="""session.start=SessionStart chat.message=UserPromptSubmit tool.execute.before=PreToolUse
    tool.execute.after=PostToolUse tool.execute.error=PostToolUseFailure session.compacting=PreCompact
    session.done=SubagentStop session.idle=Stop session.end=SessionEnd""",
    injects="session.start chat.message",
    resets="session.compacting",
    reply="",
)
