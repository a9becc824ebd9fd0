"""Where each host keeps what `link` registers, and what a person has to know of it: the part that no hook needs."""

from dataclasses import dataclass

from ..errors import MemwikiError
from . import ALIASES, NAMES


@dataclass(frozen=True, slots=True)
class Place:
    """A host's settings: `file` in its `folder` below HOME, which `variable` moves; `project` is the file in a project.

    A file that is no `.json` is memwiki's own: a plugin, or (with a `/` at its end) a folder of executables, one an
    event. `comments`: whether the host reads comments and last commas there. `programs`: its commands, where they are
    not its name. `words`: what `link` says, what the host cannot do and what the person has to. `untested`: known from
    documentation and reports only. `servers`: its list of MCP servers, in its folder (or `~/`) and in a project.
    `rules`: the file for memwiki's block, for the user and in a project, where notes do not reach its prompts by hooks;
    `rules_bytes`: UTF-8 bytes that the block may have (Windsurf reads 6,000 characters of its global rules). `run_by`:
    the shell of its commands ("": the account's own), with `variables` set to the project's folder; measured in the
    clients, `/bin/sh` where there was none to measure.
    """

    folder: str
    file: str
    project: str
    variable: str = ""
    comments: bool = False
    programs: tuple[str, ...] = ()
    words: str = ""
    untested: bool = False
    servers: tuple[str, str] = ("", "")
    rules: tuple[str, str] = ("", "")
    rules_bytes: int = 9500
    run_by: str = "/bin/sh"
    variables: tuple[str, ...] = ()


PLACES = {
    "claude": Place(
        ".claude",
        "settings.json",
        ".claude/settings.local.json",
        variable="CLAUDE_CONFIG_DIR",
        words="Sessions that are running keep the hooks they started with.",
        variables=("CLAUDE_PROJECT_DIR",),
        servers=("~/.claude.json", ".mcp.json"),
    ),
    "codex": Place(
        ".codex",
        "hooks.json",
        ".codex/hooks.json",
        variable="CODEX_HOME",
        words="Codex runs these hooks only once you trust them, and until then skips them without a word: start "
        "`codex`, type `/hooks`, and trust the memwiki entries.",
        servers=("config.toml", ".codex/config.toml"),
        run_by="",
    ),
    "cursor": Place(
        ".cursor",
        "hooks.json",
        ".cursor/hooks.json",
        comments=True,
        programs=("cursor", "cursor-agent"),
        words="Notes come at a session's start only. Cursor reads the file when it is saved; its Hooks page "
        "lists them.",
        untested=True,
        servers=("mcp.json", ".cursor/mcp.json"),
        rules=("", ".cursor/rules/memwiki.mdc"),
    ),
    "gemini": Place(
        ".gemini",
        "settings.json",
        ".gemini/settings.json",
        comments=True,
        words="Gemini runs hooks only in folders that it trusts, and warns about each new one of a project.",
        servers=("settings.json", ".gemini/settings.json"),
        run_by="bash",
        variables=("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"),
    ),
    "qwen": Place(
        ".qwen",
        "settings.json",
        ".qwen/settings.json",
        comments=True,
        servers=("settings.json", ".qwen/settings.json"),
        run_by="bash",
        variables=("QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    ),
    "copilot": Place(
        ".copilot",
        "hooks/memwiki.json",
        ".github/hooks/memwiki.json",
        variable="COPILOT_HOME",
        servers=("mcp-config.json", ""),
        run_by="/bin/bash --norc --noprofile",
        variables=("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    ),
    "opencode": Place(
        ".config/opencode",
        "plugins/memwiki.js",
        ".opencode/plugins/memwiki.js",
        variable="OPENCODE_CONFIG_DIR",
        words="OpenCode loads plugins when it starts.",
        servers=("opencode.json", "opencode.json"),
    ),
    "cline": Place(
        ".cline",
        "hooks/",
        ".cline/hooks/",
        variable="CLINE_DIR",
        words="The CLI gives no notes at start or prompt: it reads a rules file instead. In VS Code, switch on "
        "Hooks in Cline's settings; that part is untested: from documentation.",
        servers=("data/settings/cline_mcp_settings.json", ""),
        rules=("rules/memwiki.md", ".cline/rules/memwiki.md"),
    ),
    "windsurf": Place(
        ".codeium/windsurf",
        "hooks.json",
        ".windsurf/hooks.json",
        words="No injection: Windsurf reads a rules file instead.",
        untested=True,
        servers=("mcp_config.json", ""),
        rules=("memories/global_rules.md", ".windsurf/rules/memwiki.md"),
        rules_bytes=5500,
    ),
    "kiro": Place(
        ".kiro",
        "agents/memwiki.json",
        ".kiro/agents/memwiki.json",
        programs=("kiro-cli", "kiro"),
        words="Kiro's hooks belong to an agent: start `kiro-cli --agent memwiki`, or make it your default with "
        "`kiro-cli settings chat.defaultAgent memwiki`.",
        untested=True,
        servers=("settings/mcp.json", ".kiro/settings/mcp.json"),
    ),
    "devin": Place(
        ".config/devin",
        "config.json",
        ".devin/config.local.json",
        comments=True,
        words="Devin also runs hooks that it finds in a project's .claude folder: link one of the two there.",
        untested=True,
        servers=("config.json", ".devin/config.local.json"),
    ),
}


def named(name: str) -> str:
    """The host's own name for `name`, which may be another one; MemwikiError for one that memwiki does not know."""
    name = ALIASES.get(name, name)
    if name not in NAMES:
        raise MemwikiError(f"memwiki knows no agent named {name!r}.", f"Choose one of {', '.join(NAMES)}.")
    return name


def place(name: str) -> Place:
    """The place of the host `name`; MemwikiError for one that memwiki does not know."""
    return PLACES[named(name)]
