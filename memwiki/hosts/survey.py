"""Which agents are on this machine, where memwiki is linked, and what keeps its hooks from working."""

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..config import Config, Home
from ..errors import Finding, MemwikiError
from ..files import read_regular
from ..text import counted, one_line, utc
from . import NAMES, exclude, trial, trust
from .parts import hook_of, ours, whole_files
from .places import place
from .programs import current, works
from .records import Record, damaged, folder_of, records, settings_folders
from .registration import Entry, entries, is_of, others, owned, script, settings_file, settings_folder, wanted
from .rules import findings as rules_findings
from .splice import Broken, parse
from .switches import plugged, switches
from .trial import Linked, here


@dataclass(frozen=True, slots=True)
class Found:
    """One agent: whether it is on this machine, its settings file, and where memwiki is linked in it.

    `state` is "linked", "incomplete", "not linked", "broken" or "untrusted" (Codex skips the hooks); `projects` are the
    folders that are linked on their own. `other`: `folder` is a settings folder that was linked, but not the one that
    this environment names; its projects stand with that one.
    """

    host: str
    installed: bool
    path: Path
    state: str
    projects: tuple[str, ...]
    seen: str = ""  # when its last event came in, UTC; "" for never
    folder: Path | None = None
    other: bool = False


def survey(home: Home) -> list[Found]:
    """All agents that memwiki knows, those found here first."""
    found = []
    for name in NAMES:
        first, *others = settings_folders(home, name)
        commands = place(name).programs or (name,)
        here = first.is_dir() or any(shutil.which(command) for command in commands)
        projects = tuple(dict.fromkeys(one.project for one in records(home) if one.host == name and one.project))
        path, seen = settings_file(name, folder=first), _seen(home, name)
        found.append(Found(name, here, path, _state(home, name, first), projects, seen, first))
        for folder in others:
            state = _state(home, name, folder)
            if state != "not linked":
                found.append(Found(name, here, settings_file(name, folder=folder), state, (), seen, folder, True))
    return sorted(found, key=lambda one: not one.installed)


def _seen(home: Home, name: str) -> str:
    times = [file.stat().st_mtime for file in (home.journal / name).glob("*.jsonl")]
    return utc(max(times)) if times else ""


def _state(home: Home, name: str, folder: Path) -> str:
    path = settings_file(name, folder=folder)
    try:
        mine = own_entries(home, name, path)
    except (OSError, ValueError):
        return "broken"
    if not mine:
        return "not linked"
    if {entry.event: entry.value for entry in mine} != _wanted(home, name, path):
        return "incomplete"
    return "untrusted" if name == "codex" and trust.untrusted(path, mine, folder) else "linked"


def own_entries(home: Home, name: str, path: Path) -> list[Entry]:
    """This home's handlers in a host's settings file, or hooks folder. Raises OSError and ValueError."""
    return [entry for entry in _entries(home, name, path) if is_of(entry.hook, home)]


def _wanted(home: Home, name: str, path: Path) -> dict[str, Any]:
    """What belongs there: event -> handler, or a file's name -> its text."""
    if not owned(name):
        return wanted(name, home)
    return {file.name: text for file, text in whole_files(home, name, path).items()}


def _entries(home: Home, name: str, path: Path) -> list[Entry]:
    """All of memwiki's handlers in a settings file, or in a host's hooks folder; none when there is no file."""
    if owned(name):
        texts = {file: _text(file) for file in whole_files(home, name, path) if os.path.lexists(file)}
        return [Entry(file.name, hook_of(text), text, ()) for file, text in texts.items() if ours(text)]
    try:
        text = _text(path)
    except FileNotFoundError:
        return []
    return list(entries(parse(text, comments=place(name).comments), name)) if text.strip() else []


def _text(path: Path) -> str:
    return read_regular(path).decode("utf-8")


def findings(home: Home, config: Config) -> list[Finding]:
    """What `doctor` says about hosts: each thing that keeps events from coming in or notes from being given."""
    found: list[Finding] = []
    linked: list[Linked] = []
    for name, project, folder in _places(home):
        path = settings_file(name, Path(project) if project else None, folder)
        try:
            every = _entries(home, name, path)
        except (OSError, ValueError) as error:
            where = f"{path}, line {error.line}: {error.why}" if isinstance(error, Broken) else f"{path}: {error}"
            found.append(Finding("hosts", f"{where}.", "Mend the file.", "error"))
            continue
        mine = tuple(entry for entry in every if is_of(entry.hook, home))
        if mine:
            linked.append(Linked(name, path, project, mine, folder))
        found += _file_findings(home, name, path, project, every)
    places = {(one.host, one.project) for one in linked}
    found += _doubles(home, places)
    if not (linked or plugged()):
        first = next((one.host for one in survey(home) if one.installed), "claude")
        found.append(Finding("hosts", "No agent is linked, so nothing is captured.", f"Run `memwiki link {first}`."))
    if linked:
        found += _programs(home, linked)
    if codex := [one for one in linked if one.host == "codex"]:
        found += trust.findings(codex)
    found += [*damaged(home), *_vanished(home), *exclude.findings(home), *rules_findings(home)]
    return [*found, *switches(home, linked)]


def _places(home: Home) -> Iterator[tuple[str, str, Path]]:
    """(host, project or "", the user's settings folder) of every place where memwiki may be linked."""
    for name in NAMES:
        for folder in settings_folders(home, name):
            yield name, "", folder
    for name, project in dict.fromkeys((one.host, one.project) for one in records(home) if one.project):
        yield name, project, settings_folder(name)


def _vanished(home: Home) -> Iterator[Finding]:
    """The directories that were linked and are missing now, each once."""
    lost: dict[tuple[str, Path], Record] = {}
    for record in records(home):
        folder = Path(record.project) if record.project else folder_of(record) or Path(record.path).parent
        if not folder.exists():
            lost.setdefault((record.host, folder), record)
    for (name, folder), record in lost.items():
        option = f" --project {shlex.quote(record.project)}" if record.project else ""
        remedy = f"Run `memwiki unlink {name}{option}` to forget it."
        if not record.project:
            remedy = f"`memwiki unlink {name}` forgets it, and `memwiki link {name}` links what is there now."
        yield Finding("hosts", f"{folder}, in which {name} was linked, is missing.", remedy, "note")


def _programs(home: Home, linked: list[Linked]) -> Iterator[Finding]:
    """Whether what hosts run works: `bin/` by itself, then the registered commands."""
    remedy = f"Run `memwiki link {linked[0].host}`, which writes them anew."
    if why := works(home):
        yield Finding("hosts", f"The hooks in {home.bin} do not work: {why}.", remedy, "error")
        return
    if not current(home):
        words = f"The hooks in {home.bin} are those of another memwiki, or of one that has moved."
        yield Finding("hosts", words, remedy)
    try:
        yield from trial.findings(home, linked)
    except MemwikiError as error:
        yield Finding("hosts", f"The hooks could not be tried: {error.message}", error.remedy, "error")


def _doubles(home: Home, places: set[tuple[str, str]]) -> Iterator[Finding]:
    """Hooks that are registered in two places of one host's, so that they run twice."""
    for name, project in sorted(places):
        if project and (name, "") in places:
            words = f"{name} is linked for all projects and for {project}: hooks run twice there."
            yield Finding("hosts", words, f"Run `memwiki unlink {name} --project {shlex.quote(project)}`.")
    for name, file in plugged().items():
        if any(name == linked for linked, _ in places):
            words = f"{name} has memwiki as a plugin, too ({file}), so its hooks run twice."
            yield Finding("hosts", words, f"Remove the plugin in {name}, or run `memwiki unlink {name}`.")
    for name in sorted({name for name, _ in places}):
        for file in _beside(name, places):
            with suppress(OSError, ValueError):  # broken: its host does not read it either
                if own_entries(home, name, file):
                    words = f"{file} registers memwiki, too, so its hooks run twice in that project."
                    yield Finding("hosts", words, "Take the memwiki entries out of that file.")
    if {("cursor", ""), ("claude", "")} <= places:
        words = "Cursor runs Claude Code's hooks too; memwiki drops what comes twice."
        yield Finding("hosts", words, level="note")


def _beside(name: str, places: set[tuple[str, str]]) -> list[Path]:
    """Files that `link` did not write, of the project in which `doctor` stands, where the host reads hooks, too."""
    folder = here()
    everywhere, linked = (name, "") in places, (name, str(folder)) in places
    files = [settings_file(name, folder)] * (everywhere and not linked)
    files += [folder / ".claude/settings.json"] * (name == "claude" and (everywhere or linked))
    return [file for file in files if os.path.realpath(file) != os.path.realpath(settings_file(name))]


def _file_findings(home: Home, name: str, path: Path, project: str, every: list[Entry]) -> Iterator[Finding]:
    """What is wrong with memwiki's entries in one file."""
    mine = [entry for entry in every if is_of(entry.hook, home)]
    again = f"Run `memwiki link {name}{f' --project {shlex.quote(project)}' if project else ''}`."
    for hook in sorted({entry.hook for entry in every if not is_of(entry.hook, home)}):
        if os.path.exists(script(hook)):
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
        foreign = {} if owned(name) else others(parse(_text(path), comments=place(name).comments), name)
        if foreign:
            first = one_line(next(iter(foreign)), 60)
            words = f"{name} also runs {counted(len(foreign), 'hook')} of other tools on the same events, the first:"
            yield Finding("hosts", f"{words} {first}.", "", "note")
