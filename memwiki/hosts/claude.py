"""Claude Code (2.1), recorded from the client: a failed tool is an event of its own, with the error as text."""

from . import Host

TABLE = Host(
    notices=True,
    injects="SessionStart UserPromptSubmit SubagentStart",
    touches="PostToolUse InstructionsLoaded",  # the second answers nothing: it tells what Claude has loaded itself
    resets="PreCompact",
    untyped=("<task-notification>", "<system-reminder>", "<local-command-", "<bash-", "<teammate-message"),
)
