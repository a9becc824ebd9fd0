"""Settings of the hosts' own that keep linked hooks from running or from mattering: off switches, trust, old files."""

import json
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..config import Home
from ..errors import Finding
from .records import find
from .registration import settings_file, settings_folder
from .splice import parse

MANAGED = Path("/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code")
# Where hosts keep a memory of their own: files in the settings folder, a word that shows it is used, the host's name.
_OWN = {
    "claude": ("projects/*/memory/*.md", "", "Claude Code"),
    "codex": ("memories/*", "", "Codex"),
    "gemini": ("GEMINI.md", "## Gemini Added Memories", "Gemini"),
    "qwen": ("QWEN.md", "## Qwen Added Memories", "Qwen Code"),
    "windsurf": ("memories/*.pb", "", "Windsurf"),
}


def switches(home: Home, linked: set[tuple[str, str]]) -> Iterator[Finding]:
    """What stands against the hooks of each linked (host, project folder or "")."""
    for name, project in sorted(linked):
        yield from _off(name, project)
        if project:
            yield from _trust(name, project)
        if _silent(home, name, project):
            words = f"{name} has been linked for more than a day, but no event of it has ever come in."
            yield Finding("hosts", words, f"Start {name} anew and say something to it.", "note")
    for name in sorted({name for name, _ in linked}):
        yield from _own_memory(name)
    if any(name == "cursor" for name, _ in linked) and table(settings_folder("cursor") / "settings.json").get("hooks"):
        words = f"{settings_folder('cursor') / 'settings.json'} has hooks in the form of an older Cursor."
        yield Finding("hosts", words, "Remove them there if they are memwiki's; Cursor reads hooks.json now.", "note")


def _silent(home: Home, name: str, project: str) -> bool:
    """Whether a host linked a day ago or more has never told of an event."""
    record = find(home, name, settings_file(name, Path(project) if project else None))
    since = (home.backup / f"{record.name}.json").stat().st_mtime if record else time.time()
    return time.time() - since > 86400 and not any((home.journal / name).glob("*.jsonl"))


def _off(name: str, project: str) -> Iterator[Finding]:
    """Switches that turn all hooks off, or ours."""
    if name in ("claude", "qwen"):
        files = [settings_file(name)]
        if project:
            files += [Path(project, f".{name}/settings.json"), settings_file(name, Path(project))]
        if name == "claude":
            files.append(MANAGED / "managed-settings.json")
            if table(files[-1]).get("allowManagedHooksOnly") is True:
                yield _found(files[-1], "lets only hooks of your administrator run", "Ask them to allow memwiki's.")
        for file in dict.fromkeys(files):
            if table(file).get("disableAllHooks") is True:
                who = "Claude Code" if name == "claude" else "Qwen Code"
                yield _found(file, f"turns all of {who}'s hooks off", "Remove `disableAllHooks` there.")
    elif name == "gemini":
        for file in {settings_file(name), settings_file(name, Path(project)) if project else settings_file(name)}:
            config = table(file).get("hooksConfig", {})
            if isinstance(config, dict) and config.get("enabled") is False:
                yield _found(file, "turns all of Gemini's hooks off", "Remove `hooksConfig.enabled` there.")
            if isinstance(config, dict) and any("bin/hook" in str(one) for one in config.get("disabled") or ()):
                yield _found(file, "has memwiki's hooks disabled", "Type `/hooks enable-all` in Gemini.")
    elif name == "codex":
        features = table(codex_config()).get("features")
        for switch in ("hooks", "codex_hooks"):
            if isinstance(features, dict) and features.get(switch) is False:
                remedy = f"Remove `{switch} = false` from [features] there."
                yield _found(codex_config(), "turns all of Codex's hooks off", remedy)


def _trust(name: str, project: str) -> Iterator[Finding]:
    """Hosts that run a project's hooks only in a folder that the person trusts."""
    if name == "claude":
        projects = table(Path("~/.claude.json").expanduser()).get("projects")
        entry = projects.get(project) if isinstance(projects, dict) else None
        if isinstance(entry, dict) and entry.get("hasTrustDialogAccepted") is False:
            words = f"Claude Code does not trust {project} yet, so its hooks there do not run."
            yield Finding("hosts", words, "Start `claude` there and accept the folder.")
    elif name == "gemini":
        security = table(settings_file(name)).get("security")
        folder_trust = security.get("folderTrust") if isinstance(security, dict) else None
        wanted = isinstance(folder_trust, dict) and folder_trust.get("enabled") is True
        level = table(settings_folder(name) / "trustedFolders.json").get(project)
        if level == "DO_NOT_TRUST" or (wanted and level is None):
            words = f"Gemini does not trust {project}, so its hooks there do not run."
            yield Finding("hosts", words, "Start `gemini` there and trust the folder.")


def _own_memory(name: str) -> Iterator[Finding]:
    """A memory of the host's own, in use beside ours."""
    pattern, mark, who = _OWN.get(name, ("", "", ""))
    files = list(settings_folder(name).glob(pattern)) if pattern else []
    if files and (not mark or mark in files[0].read_text("utf-8", "replace")):
        words = (
            f"{who} keeps a memory of its own, too; what stands in both is given twice, and only memwiki's is reviewed."
        )
        yield Finding("hosts", words, "Leave it, or take it over with `memwiki import` and turn it off there.", "note")


def _found(file: Path, what: str, remedy: str) -> Finding:
    return Finding("hosts", f"{file} {what}.", remedy, "error")


def codex_config() -> Path:
    """Codex's own settings, beside its hooks."""
    return settings_file("codex").parent / "config.toml"


def table(file: Path) -> dict[str, Any]:
    """A JSON (comments are read) or TOML file's top table; empty when it cannot be read."""
    try:
        text = file.read_text("utf-8")
        value = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError):
        return _loose(file)
    return value if isinstance(value, dict) else {}


def _loose(file: Path) -> dict[str, Any]:
    try:
        value = parse(file.read_text("utf-8"), comments=True).value
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
