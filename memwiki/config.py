"""Where memwiki lives and how it is set: the home folder and `config.toml`, with one table of all settings.

Precedence: built-in default < `config.toml` < its `[hosts.NAME]` < its `[projects."KEY"]` < `MEMWIKI_*` variables.
Nothing is ever read from a project's folder: a cloned repository must not be able to change what is captured.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from .errors import MemwikiError
from .files import write_atomic


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
        "hook", "give notes whose applies_to fits a touched path", per=("host", "project"), choices=("hook", "off")
    ),
    "recall.recap": Setting(
        "off", "give the last sessions' recap at session start", per=("host", "project"), choices=("off", "start")
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
    "index.search": Setting("sqlite", "which index answers searches", choices=("sqlite", "neo4j")),
    "neo4j.uri": Setting("", "a Neo4j to keep in step (bolt://localhost:7687 where only a password is set)"),
    "neo4j.user": Setting("neo4j", "its user"),
    "neo4j.password": Setting("", "its password"),
    "neo4j.password_file": Setting("", "a file that holds the password instead"),
    "neo4j.database": Setting("", "its database (empty: the user's home database)"),
    "neo4j.credentials": Setting("", "the file that Neo4j Aura hands out, instead of all the others"),
}
SECRET_KEYS = ("dream.api_key", "neo4j.password")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that holds all of memwiki's state on this machine, and the names in it."""

    path: Path

    @property
    def config(self) -> Path:
        """The only settings file."""
        return self.path / "config.toml"

    @property
    def bin(self) -> Path:
        """What hosts run: `hook` and `launch`."""
        return self.path / "bin"

    @property
    def spool(self) -> Path:
        """Raw payloads not yet drained."""
        return self.path / "spool"

    @property
    def journal(self) -> Path:
        """`<host>/<session>.jsonl`."""
        return self.path / "journal"

    @property
    def queue(self) -> Path:
        """Transcripts of finished sessions that wait for `import --queue`; made when first needed."""
        return self.path / "queue"

    @property
    def index(self) -> Path:
        """The SQLite file; derived."""
        return self.path / "index.db"

    @property
    def snapshot(self) -> Path:
        """What hooks rank from; derived."""
        return self.path / "recall.bin"

    @property
    def locks(self) -> Path:
        """flock files."""
        return self.path / "lock"

    @property
    def backup(self) -> Path:
        """Hosts' settings files as they were and as memwiki left them."""
        return self.path / "backup"

    @property
    def delivered(self) -> Path:
        """What each session has been given."""
        return self.path / "delivered"

    @property
    def log(self) -> Path:
        """What hooks swallowed and what background syncs did."""
        return self.path / "log"

    @property
    def paused(self) -> Path:
        """The flag file that the hook script looks for; it mirrors `capture.paused`."""
        return self.path / "paused"

    def make(self) -> None:
        """Create the folder and its rooms (mode 0700); refuse one that another user owns."""
        for folder in (
            self.path,
            self.bin,
            self.spool,
            self.journal,
            self.locks,
            self.backup,
            self.delivered,
            self.log,
        ):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise MemwikiError(
                    f"Cannot make {folder}: {error.strerror}.", "Set MEMWIKI_HOME to a folder of yours."
                ) from error
        self.check()

    def check(self) -> None:
        """Refuse a home that is missing, foreign or readable by others."""
        try:
            state = self.path.stat()
        except OSError as error:
            raise MemwikiError(f"There is no memwiki home at {self.path}.", "Run `memwiki init`.") from error
        if not self.path.is_dir():
            raise MemwikiError(f"{self.path} is no folder.", "Set MEMWIKI_HOME to a folder of yours.")
        if state.st_uid != os.getuid():
            raise MemwikiError(f"{self.path} belongs to another user.", "Set MEMWIKI_HOME to a folder of yours.")
        if state.st_mode & 0o077:
            raise MemwikiError(f"{self.path} can be read by others.", f"Run `chmod 700 {self.path}`.")


def find_home(path: Path | str | None = None) -> Home:
    """`path`, else `$MEMWIKI_HOME`, else `~/.memwiki`; absolute, not resolved, not created."""
    chosen = path or os.environ.get("MEMWIKI_HOME") or Path("~/.memwiki").expanduser()
    return Home(Path(os.path.abspath(chosen)))  # noqa: PTH100 - Path.resolve would follow a symlinked home


@dataclass(frozen=True)
class Config:
    """The settings of one home, validated. `get` answers for all, a host or a project."""

    home: Home
    values: Mapping[str, Any] = field(default_factory=dict)
    hosts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    projects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def get(self, key: str, *, host: str = "", project: str = "") -> Any:
        """The value of `key` (of the type of its default). Raises MemwikiError for an unknown key or a bad variable."""
        setting = known(key)
        variable = "MEMWIKI_" + key.upper().replace(".", "_")
        if variable in os.environ:
            return parsed(key, os.environ[variable], variable)
        for scope in (self.projects.get(project, {}), self.hosts.get(host, {}), self.values):
            if key in scope:
                return scope[key]
        return setting.default

    @property
    def vault(self) -> Path:
        """The vault's top folder."""
        chosen = self.get("vault.path")
        return Path(chosen).expanduser() if chosen else self.home.path / "vault"

    @property
    def branch(self) -> str:
        """The branch whose tip is memory, without `refs/heads/`."""
        return str(self.get("vault.branch"))

    @property
    def machine(self) -> str:
        """This machine's id."""
        return str(self.get("machine.id"))

    @property
    def paused_projects(self) -> tuple[str, ...]:
        """Keys of the projects in which capture and recall are stopped."""
        return tuple(sorted(key for key, values in self.projects.items() if values.get("capture.paused")))


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


def load(home: Home) -> Config:
    """Read and check `config.toml`; a missing file means defaults. MemwikiError names the line or the key."""
    try:
        document = tomllib.loads(home.config.read_text("utf-8"))
    except FileNotFoundError:
        return Config(home)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MemwikiError(
            f"{home.config} cannot be read: {error}.", "Mend the file, or move it away and run `memwiki init`."
        ) from error
    hosts, projects = document.pop("hosts", {}), document.pop("projects", {})
    where = str(home.config)
    return Config(
        home,
        _flat(document, where),
        {name: _flat(table, where, "host") for name, table in hosts.items()},
        {name: _flat(table, where, "project") for name, table in projects.items()},
    )


def _flat(table: object, where: str, scope: str = "") -> dict[str, Any]:
    """`{"recall": {"notes": 3}}` as `{"recall.notes": 3}`, each checked."""
    if not isinstance(table, dict) or not all(isinstance(group, dict) for group in table.values()):
        raise MemwikiError(f"{where} has a value outside a [section].", "`memwiki config list` shows the sections.")
    found = {f"{name}.{key}": value for name, group in table.items() for key, value in group.items()}
    for key, value in found.items():
        found[key] = parsed(key, value, where)
        if scope and scope not in SETTINGS[key].per:
            raise MemwikiError(f"{key} in {where} cannot differ by {scope}.", "Move it to the top of the file.")
    return found


def change(home: Home, key: str, value: str | bool | int | float | None, *, host: str = "", project: str = "") -> None:
    """Set `key` in `config.toml`, or remove it when `value` is None; comments and order are kept."""
    import tomlkit  # only writers pay for it

    known(key)
    if value is not None:
        value = parsed(key, value, "the value given")
    scope = "host" if host else "project" if project else ""
    if scope and scope not in known(key).per:
        raise MemwikiError(f"{key} cannot differ by {scope}.", f"Set it without --{scope}.")
    load(home)  # a broken file is refused, not overwritten
    document = tomlkit.parse(home.config.read_text("utf-8")) if home.config.exists() else tomlkit.document()
    group, name = key.split(".")
    path = ["hosts", host, group] if host else ["projects", project, group] if project else [group]
    table: Any = document
    for step in path:
        if step not in table:
            if value is None:
                return
            table[step] = tomlkit.table(is_super_table=step in ("hosts", "projects"))
        table = table[step]
    if value is not None:
        table[name] = value
    elif name in table:
        del table[name]
    try:
        write_atomic(home.config, tomlkit.dumps(document).encode("utf-8"))
    except OSError as error:
        raise MemwikiError(
            f"{home.config} cannot be written: {error.strerror}.", f"Make {home.path} writable, with room."
        ) from error
