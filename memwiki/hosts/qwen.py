"""Qwen Code (0.24), recorded from the client: Claude's names; a prompt event without a prompt at each tool round."""

from . import Host

TABLE = Host(
    notices=True,
    injects="SessionStart UserPromptSubmit SubagentStart",
    touches="PostToolUse",
    resets="PostCompact",
    keeps="resume=prompts fork=prompts",
)
