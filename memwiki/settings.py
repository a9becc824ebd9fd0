"""One table of all settings: each with its default, what it means, where it may differ and what it may be."""

from dataclasses import dataclass
from math import inf
from typing import Any

from .errors import MemwikiError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its default (whose type is the setting's type), what it means, and where it may differ."""

    default: bool | int | float | str
    help: str
    per: tuple[str, ...] = ()  # of "host", "project"
    choices: tuple[str, ...] = ()
    most: float = inf


SETTINGS: dict[str, Setting] = {
    "vault.path": Setting("", "the vault's top folder (empty: `vault` in the home)"),
    "vault.branch": Setting("main", "the branch whose tip is memory"),
    "vault.sign": Setting(
        "git", "sign memwiki's commits: as git's commit.gpgsign says, or never", choices=("git", "never")
    ),
    "machine.id": Setting("", "eight random hex digits that name this machine in commits; made by `init`"),
    "capture.paused": Setting(False, "stop capture and recall", per=("project",)),
    "capture.transcripts": Setting(
        False, "queue the transcript of each finished session for `import --queue`", per=("host", "project")
    ),
    "capture.transcript_bytes": Setting(100_000_000, "bytes of a transcript that is imported, at most"),
    "recall.max_bytes": Setting(9500, "UTF-8 bytes of one injection", per=("host", "project"), most=9500),
    "recall.start_bytes": Setting(
        6000, "UTF-8 bytes of notes at a session's start, about", per=("host", "project"), most=9500
    ),
    "recall.notes": Setting(3, "notes injected at one prompt, at most", per=("host", "project")),
    "recall.mode": Setting(
        "auto",
        "when notes are given: at start only; start and new ones per prompt; all at every turn; when asked; never",
        per=("host", "project"),
        choices=("startup", "auto", "always", "manual", "off"),
    ),
    "recall.proof": Setting(
        "off", "a line at each turn that says what was given", per=("host", "project"), choices=("off", "compact")
    ),
    "recall.path_rules": Setting(
        "hook",
        "give notes whose applies_to fits a touched path: by hooks, to Claude as rules it loads itself, or never",
        per=("host", "project"),
        choices=("hook", "native", "off"),
    ),
    "recall.unreviewed": Setting(
        "mark",
        "notes that nobody has reviewed (an agent wrote them, or they are not committed): give, mark or hold them",
        per=("host", "project"),
        choices=("give", "mark", "hold"),
    ),
    "recall.recap": Setting(
        "off", "give the last sessions' recap at session start", per=("host", "project"), choices=("off", "start")
    ),
    "recall.folders": Setting(
        "*",
        "folders whose notes agents may be given beside profile/, tools/ and project/; `!` before one excludes it",
    ),
    "recall.notice": Setting(
        "start",
        "where the agent can show you a line: how many notes a start gave, or also which ones a prompt brought",
        per=("host", "project"),
        choices=("off", "start", "all"),
    ),
    "recall.guide": Setting(True, "tell the agent at session start how to use the memory", per=("host", "project")),
    "dream.engine": Setting(
        "auto",
        "what distils events: auto is claude with a key, else rules",
        choices=("auto", "rules", "claude", "claude-cli"),
    ),
    "dream.model": Setting("claude-sonnet-5-5", "model of the claude engines"),
    "dream.api_key": Setting("", "Anthropic API key (empty: ANTHROPIC_API_KEY)"),
    "dream.base_url": Setting("", "API address (empty: ANTHROPIC_BASE_URL, else Anthropic's)"),
    "dream.timeout": Setting(300, "seconds that one model call may take"),
    "dream.max_calls": Setting(8, "model calls of one run, at most"),
    "dream.max_cost": Setting(1.0, "US dollars that one run may cost, at most"),
    "dream.max_candidates": Setting(12, "candidates of one run, at most"),
    "review.agents": Setting(
        "ask",
        "commands that decide what is memory, run by an agent: ask on the terminal and refuse without one, or allow",
        choices=("ask", "allow"),
    ),
    "index.search": Setting("sqlite", "which index answers searches", choices=("sqlite", "neo4j")),
    "neo4j.uri": Setting("", "a Neo4j to keep in step (bolt://localhost:7687 where only a password is set)"),
    "neo4j.user": Setting("neo4j", "its user"),
    "neo4j.password": Setting("", "its password"),
    "neo4j.password_file": Setting("", "a file that holds the password instead"),
    "neo4j.database": Setting("", "its database (empty: the user's home database)"),
    "neo4j.credentials": Setting("", "the file that Neo4j Aura hands out, instead of all the others"),
}
SECRET_KEYS = ("dream.api_key", "neo4j.password")


def known(key: str) -> Setting:
    """The setting named `key`; MemwikiError for a name that is none."""
    if key not in SETTINGS:
        raise MemwikiError(f"There is no setting {key!r}.", "`memwiki config list` shows them all.")
    return SETTINGS[key]


def parsed(key: str, value: object, where: str) -> Any:
    """`value` (from a file, a variable or the command line) as the setting's type; MemwikiError when it is not one."""
    setting, kind = known(key), type(known(key).default)
    result: Any = value
    if isinstance(value, str) and kind is not str:
        try:
            result = _WORDS[value.strip().lower()] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise _bad(key, value, where, f"a {_KINDS[kind]}") from None
    if kind is float and type(result) is int:
        result = float(result)
    if type(result) is not kind:
        raise _bad(key, value, where, f"a {_KINDS[kind]}")
    if setting.choices and result not in setting.choices:
        raise _bad(key, value, where, "one of " + ", ".join(setting.choices))
    if isinstance(result, int | float) and not 0 <= result <= setting.most:
        raise _bad(key, value, where, f"0 to {setting.most:g}" if setting.most < inf else "zero or more")
    return result


_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_KINDS: dict[type, str] = {bool: "true or false", int: "whole number", float: "number", str: "text"}


def _bad(key: str, value: object, where: str, wanted: str) -> MemwikiError:
    shown = "(hidden)" if key in SECRET_KEYS else repr(value)
    return MemwikiError(f"{key} = {shown} in {where} is not valid.", f"Give {wanted.replace('a true', 'true')}.")
