"""Claude Code (2.1), recorded from the client: a failed tool is an event of its own, with the error as text."""

from . import Host

TABLE = Host(
    settings=("CLAUDE_CONFIG_DIR", ".claude", "settings.json", ".claude/settings.local.json"),
    untyped=("<task-notification>", "<system-reminder>", "<local-command-", "<bash-", "<teammate-message"),
    words="Sessions that are running keep the hooks they started with.",
)
