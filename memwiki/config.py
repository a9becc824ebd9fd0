"""Where memwiki lives and how it is set: the home folder and `config.toml`.

Precedence: built-in default < `config.toml` < its `[hosts.NAME]` < its `[projects."KEY"]` < `MEMWIKI_*` variables.
Nothing is ever read from a project's folder: a cloned repository must not be able to change what is captured.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import MemwikiError
from .files import read_regular, user_folder, write_atomic
from .settings import SETTINGS, known, parsed


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
    chosen = path or os.environ.get("MEMWIKI_HOME") or user_folder() / ".memwiki"
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


def load(home: Home) -> Config:
    """Read and check `config.toml`; a missing file means defaults. MemwikiError names the line or the key."""
    if home.config.exists() and not home.config.is_file():
        raise MemwikiError(f"{home.config} is not a file.", "Move it away and run `memwiki init`.")
    try:
        document = tomllib.loads(read_regular(home.config).decode("utf-8"))
    except FileNotFoundError:
        return Config(home)
    except (OSError, ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError, too
        raise MemwikiError(
            f"{home.config} cannot be read: {error}.", "Fix the file, or move it away and run `memwiki init`."
        ) from error
    where = str(home.config)
    hosts, projects = (_sections(document.pop(name, {}), where) for name in ("hosts", "projects"))
    return Config(
        home,
        _flat(document, where),
        {name: _flat(table, where, "host") for name, table in hosts.items()},
        {name: _flat(table, where, "project") for name, table in projects.items()},
    )


def _flat(table: object, where: str, scope: str = "") -> dict[str, Any]:
    """`{"recall": {"notes": 3}}` as `{"recall.notes": 3}`, each checked."""
    sections = _sections(table, where)
    found = {f"{name}.{key}": value for name, group in sections.items() for key, value in group.items()}
    for key, value in found.items():
        found[key] = parsed(key, value, where)
        if scope and scope not in SETTINGS[key].per:
            raise MemwikiError(f"{key} in {where} cannot differ by {scope}.", "Move it to the top of the file.")
    return found


def _sections(table: object, where: str) -> dict[str, Any]:
    """`table`, which has to hold tables only."""
    if not isinstance(table, dict) or not all(isinstance(group, dict) for group in table.values()):
        raise MemwikiError(f"{where} has a value outside a [section].", "`memwiki config list` shows the sections.")
    return table


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
    document = tomlkit.parse(read_regular(home.config).decode("utf-8")) if home.config.exists() else tomlkit.document()
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
