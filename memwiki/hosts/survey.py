"""Which agents are on this machine, where memwiki is linked, and what keeps its hooks from working."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..config import Config, Home
from ..errors import Finding
from ..text import one_line, utc
from . import NAMES
from .parts import hook_of, ours, whole_files
from .places import place
from .programs import current, works
from .records import records
from .registration import Entry, entries, hook_word, others, owned, script, settings_file, settings_folder, wanted
from .splice import Broken, parse
from .switches import codex_config, switches, table


@dataclass(frozen=True, slots=True)
class Found:
    """One agent: whether it is on this machine, its settings file, and where memwiki is linked in it.

    `state` is "linked", "incomplete", "not linked", "broken" or "untrusted" (Codex skips the hooks); `projects` are the
    folders that are linked on their own.
    """

    host: str
    installed: bool
    path: Path
    state: str
    projects: tuple[str, ...]
    seen: str = ""  # when its last event came in, UTC; "" for never


def survey(home: Home) -> list[Found]:
    """All agents that memwiki knows, those found here first."""
    found = []
    for name in NAMES:
        path = settings_file(name)
        commands = place(name).programs or (name,)
        here = settings_folder(name).is_dir() or any(shutil.which(command) for command in commands)
        projects = tuple(one.project for one in records(home) if one.host == name and one.project)
        found.append(Found(name, here, path, _state(home, name, path), projects, _seen(home, name)))
    return sorted(found, key=lambda one: not one.installed)


def _seen(home: Home, name: str) -> str:
    times = [file.stat().st_mtime for file in (home.journal / name).glob("*.jsonl")]
    return utc(max(times)) if times else ""


def _state(home: Home, name: str, path: Path) -> str:
    try:
        mine = own_entries(home, name, path)
    except (OSError, ValueError):
        return "broken"
    if not mine:
        return "not linked"
    if {entry.event: entry.value for entry in mine} != _wanted(home, name, path):
        return "incomplete"
    return "untrusted" if name == "codex" and untrusted(path, mine) else "linked"


def own_entries(home: Home, name: str, path: Path) -> list[Entry]:
    """This home's handlers in a host's settings file, or hooks folder. Raises OSError and ValueError."""
    return [entry for entry in _entries(home, name, path) if entry.hook == hook_word(home)]


def _wanted(home: Home, name: str, path: Path) -> dict[str, Any]:
    """What belongs there: event -> handler, or a file's name -> its text."""
    if not owned(name):
        return wanted(name, home)
    return {file.name: text for file, text in whole_files(home, name, path).items()}


def _entries(home: Home, name: str, path: Path) -> list[Entry]:
    """All of memwiki's handlers in a settings file, or in a host's hooks folder; none when there is no file."""
    if owned(name):
        texts = {file: file.read_text("utf-8") for file in whole_files(home, name, path) if file.exists()}
        return [Entry(file.name, hook_of(text), text, ()) for file, text in texts.items() if ours(text)]
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    return list(entries(parse(text, comments=place(name).comments), name)) if text.strip() else []


def untrusted(path: Path, mine: list[Entry]) -> list[str]:
    """The events among `mine` that Codex will skip, because the person has not trusted these very handlers there.

    As Codex 0.171 does it (measured): `config.toml` holds, under `<file>:<event>:<group>:<handler>`, the SHA-256 of the
    handler's canonical JSON.
    """
    hooks = table(codex_config()).get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    trusts = {key: one for key, one in state.items() if isinstance(one, dict)} if isinstance(state, dict) else {}
    skipped = []
    for entry in mine:
        event = "".join("_" + letter.lower() if letter.isupper() else letter for letter in entry.event).lstrip("_")
        group, handler = (*(step for step in entry.path if isinstance(step, int)), 0)[:2]
        shape = {"event_name": event, "hooks": [{"async": False, **entry.value}]}
        canonical = json.dumps(shape, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        place = f"{event}:{group}:{handler}"
        given = trusts.get(f"{path}:{place}") or trusts.get(f"{path.resolve()}:{place}") or {}
        if given.get("trusted_hash") != f"sha256:{sha256(canonical.encode()).hexdigest()}":
            skipped.append(entry.event)
    return skipped


def findings(home: Home, config: Config) -> list[Finding]:
    """What `doctor` says about hosts: each thing that keeps events from coming in or notes from being given."""
    found: list[Finding] = []
    places = [(name, settings_file(name), "") for name in NAMES]
    places += [(one.host, Path(one.path), one.project) for one in records(home) if one.project]
    linked: set[tuple[str, str]] = set()
    for name, path, project in places:
        try:
            every = _entries(home, name, path)
        except (OSError, ValueError) as error:
            where = f"{path}, line {error.line}: {error.why}" if isinstance(error, Broken) else f"{path}: {error}"
            found.append(Finding("hosts", f"{where}.", "Mend the file.", "error"))
            continue
        if any(entry.hook == hook_word(home) for entry in every):
            linked.add((name, project))
        found += _file_findings(home, name, path, project, every)
    for name, project in sorted(linked):
        if project and (name, "") in linked:
            words = f"{name} is linked for all projects and for {project}: hooks run twice there."
            found.append(Finding("hosts", words, f"Run `memwiki unlink {name} --project {project}`."))
    if not linked:
        here = [one.host for one in survey(home) if one.installed] or ["claude"]
        found.append(Finding("hosts", "No agent is linked, so nothing is captured.", f"Run `memwiki link {here[0]}`."))
    else:
        remedy = f"Run `memwiki link {min(linked)[0]}`, which writes them anew."
        if why := works(home):
            found.append(Finding("hosts", f"The hooks in {home.bin} do not work: {why}.", remedy, "error"))
        elif not current(home):
            words = f"The hooks in {home.bin} are those of another memwiki, or of one that has moved."
            found.append(Finding("hosts", words, remedy))
    if {("cursor", ""), ("claude", "")} <= linked:
        words = "Cursor runs Claude Code's hooks too; memwiki drops what comes twice."
        found.append(Finding("hosts", words, level="note"))
    return found + list(switches(home, linked))


def _file_findings(home: Home, name: str, path: Path, project: str, every: list[Entry]) -> Iterator[Finding]:
    """What is wrong with memwiki's entries in one file."""
    mine = [entry for entry in every if entry.hook == hook_word(home)]
    again = f"Run `memwiki link {name}{f' --project {project}' if project else ''}`."
    for hook in sorted({entry.hook for entry in every} - {hook_word(home)}):
        if script(hook).exists():
            words = f"{path} also runs the hooks of another memwiki home, {script(hook).parent.parent}."
            yield Finding("hosts", words, "Unlink it there, or set MEMWIKI_HOME to the one you use.")
        else:
            yield Finding("hosts", f"{path} names a hook that is gone: {script(hook)}.", again, "error")
    if mine:
        handlers = [(entry.event, entry.value) for entry in mine]
        if len({event for event, _ in handlers}) < len(handlers):
            yield Finding("hosts", f"{path} registers memwiki twice for an event.", again)
        elif dict(handlers) != _wanted(home, name, path):
            yield Finding("hosts", f"{path} does not have all of memwiki's hooks in their present form.", again)
        foreign = {} if owned(name) else others(parse(path.read_text("utf-8"), comments=place(name).comments), name)
        if foreign:
            first = one_line(next(iter(foreign)), 60)
            words = f"{name} also runs {len(foreign)} hooks of other tools on the same events, the first: {first}."
            yield Finding("hosts", words.replace("1 hooks", "1 hook"), "", "note")
        if name == "codex" and (skipped := untrusted(path, mine)):
            words = f"Codex has memwiki's hooks installed, not trusted, and skips them ({', '.join(skipped)})."
            yield Finding("hosts", words, "Start `codex`, type `/hooks`, and trust the memwiki entries.")
