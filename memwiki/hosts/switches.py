"""Settings of the hosts' own that keep linked hooks from running or from mattering: off switches, trust, old files."""

import json
import re
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..config import Home
from ..errors import Finding
from ..files import read_regular, user_folder
from .records import find
from .registration import call, settings_file, settings_folder
from .splice import parse
from .trial import Linked

_MEMWIKI = re.compile("memwiki(@|$)")  # a plugin's name, and where it came from
MANAGED = Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")
# Where hosts keep a memory of their own: files in the settings folder, a word that shows it is used, the host's name,
# and how it is switched off.
_OWN = {
    "claude": ("projects/*/memory/*.md", "", "Claude Code", '`"autoMemoryEnabled": false` in its settings'),
    "codex": ("memories/*", "", "Codex", "`use_memories = false` under [memories] in its config.toml"),
    "gemini": ("GEMINI.md", "## Gemini Added Memories", "Gemini", "take that section out of GEMINI.md"),
    "qwen": ("QWEN.md", "## Qwen Added Memories", "Qwen Code", "take that section out of QWEN.md"),
    "windsurf": ("memories/*.pb", "", "Windsurf", "its settings have a switch"),
}


def switches(home: Home, linked: Sequence[Linked]) -> Iterator[Finding]:
    """What keeps the hooks of each linked place from running or from mattering.

    Of a host that is linked for all, the folder in which `doctor` stands is looked at as a project of its.
    """
    for one in sorted(linked, key=lambda one: (one.host, one.project, one.settings)):
        yield from _off(one.host, one.folder, one.settings)
        yield from _trust(one.host, one.folder, one.settings, "warning" if one.project else "note")
        if _silent(home, one):
            words = f"{one.host} has been linked for more than a day, but no event of it has ever come in."
            yield Finding("hosts", words, f"Start {one.host} anew and say something to it.", "note")
    for name, settings in sorted({(one.host, one.settings) for one in linked}):
        yield from _own_memory(name, settings)
    old = settings_folder("cursor") / "settings.json"
    if any(one.host == "cursor" for one in linked) and table(old).get("hooks"):
        words = f"{old} has hooks in the form of an older Cursor, which the present one does not read."
        yield Finding("hosts", words, "Remove them there if they are memwiki's; Cursor reads hooks.json now.", "note")


def _silent(home: Home, place: Linked) -> bool:
    """Whether a host linked a day ago or more has never told of an event."""
    record = find(home, place.host, place.path)
    since = (home.backup / f"{record.name}.json").stat().st_mtime if record else time.time()
    return time.time() - since > 86400 and not any((home.journal / place.host).glob("*.jsonl"))


def _off(name: str, folder: Path, settings: Path) -> Iterator[Finding]:
    """Switches that turn all hooks off, or ours: the user's, those of the project in `folder`, an administrator's."""
    files = [settings_file(name, folder=settings), folder / f".{name}/settings.json", settings_file(name, folder)]
    if name == "claude":
        managed = [MANAGED / "managed-settings.json", *sorted((MANAGED / "managed-settings.d").glob("*.json"))]
        for file in managed:
            if table(file).get("allowManagedHooksOnly") is True:
                yield _found(file, "lets only hooks of your administrator run", "Ask them to allow memwiki's.")
        files += managed
    if name in ("claude", "qwen"):
        who = "Claude Code" if name == "claude" else "Qwen Code"
        for file in dict.fromkeys(files):
            if table(file).get("disableAllHooks") is True:
                yield _found(file, f"turns all of {who}'s hooks off", "Remove `disableAllHooks` there.")
    elif name == "gemini":
        for file in dict.fromkeys(files):
            config = table(file).get("hooksConfig")
            config = config if isinstance(config, dict) else {}
            if config.get("enabled") is False:
                yield _found(file, "turns all of Gemini's hooks off", "Remove `hooksConfig.enabled` there.")
            disabled = config.get("disabled")
            commands = map(str, disabled if isinstance(disabled, list) else ())
            idle = [one for one in map(call, commands) if one]
            if idle:
                words = f"has memwiki's hooks disabled ({', '.join(one.event for one in idle)})"
                yield _found(file, words, "Type `/hooks enable-all` in Gemini.")
    elif name == "codex":
        config_file = codex_config(settings)
        for switch in off(config_file):
            remedy = f"Remove `{switch} = false` from [features] there."
            yield _found(config_file, "turns all of Codex's hooks off", remedy)


def _trust(name: str, folder: Path, settings: Path, level: str) -> Iterator[Finding]:
    """Hosts that run hooks only in a folder that the person trusts; a folder's trust counts for what is below it."""
    if name == "claude" and level == "warning":  # hooks of a project; the user's run
        file = user_folder() / ".claude.json"
        if settings != user_folder() / ".claude":
            file = settings / ".claude.json"
        projects = table(file).get("projects")
        known = projects if isinstance(projects, dict) else {}
        said = [known[str(one)].get("hasTrustDialogAccepted") for one in (folder, *folder.parents) if _is(known, one)]
        if False in said and True not in said:
            words = f"Claude Code does not trust {folder} yet, so its hooks there do not run."
            yield Finding("hosts", words, "Start `claude` there and accept the folder.", level)
    elif name == "gemini":
        security = table(settings_file(name, folder=settings)).get("security")
        switch = security.get("folderTrust") if isinstance(security, dict) else None
        if isinstance(switch, dict) and switch.get("enabled") is False:
            return
        rules = {
            Path(file).parent if rule == "TRUST_PARENT" else Path(file): rule
            for file, rule in table(settings / "trustedFolders.json").items()
        }
        nearest = next((rules[one] for one in (folder, *folder.parents) if one in rules), "")
        if nearest == "DO_NOT_TRUST" or (not nearest and level == "warning"):  # else it asks before it does anything
            words = f"Gemini does not trust {folder}{'' if nearest else ' yet'}, so its hooks there do not run."
            yield Finding("hosts", words, "Start `gemini` there and trust the folder.", level)


def _is(known: dict[str, Any], folder: Path) -> bool:
    return isinstance(known.get(str(folder)), dict)


def _own_memory(name: str, settings: Path) -> Iterator[Finding]:
    """A memory of the host's own, in use beside ours."""
    pattern, mark, who, switch = _OWN.get(name, ("", "", "", ""))
    files = list(settings.glob(pattern)) if pattern else []
    used = any(not mark or mark in _text(file) for file in files)
    if name == "claude":
        used = used and table(settings_file(name, folder=settings)).get("autoMemoryEnabled") is not False
    elif name == "codex":
        memories = table(codex_config(settings)).get("memories")
        used = used and not (isinstance(memories, dict) and memories.get("use_memories") is False)
    if used:
        words = f"{who} keeps a memory of its own, too: what is in both is given twice, and only memwiki's is reviewed."
        remedy = f"Leave it, or propose what is worth keeping (`memwiki review add`) and switch it off: {switch}."
        yield Finding("hosts", words, remedy, "note")


def _text(file: Path) -> str:
    try:
        return read_regular(file).decode("utf-8", "replace")
    except OSError:
        return ""


def _found(file: Path, what: str, remedy: str) -> Finding:
    return Finding("hosts", f"{file} {what}.", remedy, "error")


def plugged() -> dict[str, Path]:
    """Hosts in which memwiki's plugin or extension is installed -> the file that says so (measured in Gemini 0.61)."""
    installed = settings_folder("claude") / "plugins" / "installed_plugins.json"
    plugins = table(installed).get("plugins")
    found = {"claude": installed} if isinstance(plugins, dict) and any(_MEMWIKI.match(key) for key in plugins) else {}
    extension = settings_folder("gemini") / "extensions" / "memwiki" / ".gemini-extension-install.json"
    return {**found, "gemini": extension} if extension.exists() else found


def off(config: Path) -> list[str]:
    """The switches by which Codex's settings turn all hooks off."""
    features = table(config).get("features")
    known = features if isinstance(features, dict) else {}
    return [switch for switch in ("hooks", "codex_hooks") if known.get(switch) is False]


def codex_config(settings: Path | None = None) -> Path:
    """Codex's own settings, in its settings folder (None: the one that this environment names)."""
    return (settings or settings_folder("codex")) / "config.toml"


def table(file: Path) -> dict[str, Any]:
    """A JSON (comments are read) or TOML file's top table; empty when it cannot be read."""
    try:
        text = read_regular(file).decode("utf-8")
        value = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError):
        return _loose(file)
    return value if isinstance(value, dict) else {}


def _loose(file: Path) -> dict[str, Any]:
    try:
        value = parse(read_regular(file).decode("utf-8"), comments=True).value
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
