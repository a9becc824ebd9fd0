"""The coding agents that memwiki listens to: one table each, read by `codec` (payloads) and `link` (settings)."""

NAMES = ("claude", "codex", "cursor")


class Host:
    """One host's table. Lists are strings of words; `a=b|c` maps `a` to the first of `b`, `c` that holds something."""

    def __init__(
        self,
        *,
        fields: str,  # our field = the payload's keys
        injects: str,  # the host's events whose answer reaches the model
        settings: tuple[str, str, str, str],  # variable that moves the folder, folder in HOME, file, file in a project
        events: str = "",  # the host's event name = ours; others keep their own
        reply: str = "hookSpecificOutput",  # how an answer is wrapped
        empty: str = "",  # events to which `{}` must be answered, not nothing
        untyped: tuple[str, ...] = (),  # how prompts begin that nobody typed
        comments: bool = False,  # whether it reads comments and trailing commas in its settings
    ) -> None:
        self.events = dict(word.split("=") for word in events.split())
        self.fields = {word.partition("=")[0]: word.rpartition("=")[2].split("|") for word in fields.split()}
        self.injects, self.empty, self.untyped = injects.split(), empty.split(), untyped
        self.settings, self.reply, self.comments = settings, reply, comments


def host(name: str) -> Host:
    """The table of the host `name`; LookupError for a name that is none."""
    if name == "claude":
        from .claude import TABLE
    elif name == "codex":
        from .codex import TABLE
    elif name == "cursor":
        from .cursor import TABLE
    else:
        raise LookupError(f"no host is named {name!r}")
    return TABLE
