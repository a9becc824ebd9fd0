"""The coding agents that memwiki listens to: one table each, read by `codec`. Where they are set is in `places`."""

NAMES = ("claude", "codex", "cursor", "gemini", "qwen", "copilot", "opencode", "cline", "windsurf", "kiro", "devin")
ALIASES = {"cascade": "windsurf"}
HERE = ("windsurf", "devin")  # the project is the folder that hooks run in: their payloads do not name it

FIELDS = """session=session_id agent=agent_id cwd prompt source reason tool_name tool_input tool_response tool_use_id
error last_message=last_assistant_message model turn=prompt_id transcript=transcript_path stop_active=stop_hook_active
agent_type trigger rule=file_path scope=memory_type"""
REPLY = '{"hookSpecificOutput":{"hookEventName":NAME,"additionalContext":TEXT}}'


class Host:
    """One host's table: only what differs from Claude Code. Lists are strings of words; `a=b|c.d` maps `a` to the first
    of `b` and `d` in `c` that holds something.
    """

    def __init__(
        self,
        *,
        events: str = "",  # the host's event name = ours, or ours:source; others keep their own
        fields: str = "",  # our field = the payload's keys
        injects: str = "SessionStart UserPromptSubmit",  # the host's events whose answer reaches the model
        touches: str = "",  # events of interest to notes that belong to paths: tools that have ended, rules loaded
        resets: str = "",  # events after which the context is new although no start of a session follows
        reply: str = REPLY,  # how an answer is wrapped; "": the text alone
        empty: str = "",  # events to which `{}` must be answered, not nothing
        untyped: tuple[str, ...] = (),  # how prompts begin that nobody typed
        tools: str = "",  # events that stand for a tool = its name
        keeps: str = "resume=all fork=all",  # sources of a start = what the context has still of what it was given
        notices: bool = False,  # whether an answer may carry a line for the user, as `systemMessage`
        lost: str = "",  # sources of a session's start at which the answer does not reach the model after all
    ) -> None:
        pairs = [word.split("=") for word in events.split()]
        self.events = {native: ours.partition(":")[0] for native, ours in pairs}
        self.sources = {native: ours.partition(":")[2] for native, ours in pairs}
        places = (word.partition("=") for word in f"{FIELDS} {fields}".split())
        self.fields = {name: [key.split(".") for key in (keys or name).split("|")] for name, _, keys in places}
        self.tools = dict(word.split("=") for word in tools.split())
        self.injects, self.touches, self.resets = injects.split(), touches.split(), resets.split()
        self.empty, self.lost = empty.split(), lost.split()
        self.keeps = dict(word.split("=") for word in keeps.split())
        self.reply, self.untyped, self.notices = reply, untyped, notices


def host(name: str) -> Host:
    """The table of the host `name`; LookupError for a name that is none."""
    if name not in NAMES:
        raise LookupError(f"no host is named {name!r}")
    table: Host = __import__(f"{__name__}.{name}", fromlist=("TABLE",)).TABLE
    return table
