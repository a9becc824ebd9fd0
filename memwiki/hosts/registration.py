"""What is registered where: the settings file of each host, our entries in it, and how they are told from others'."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..config import Home
from ..files import expanded, user_folder
from . import host
from .places import place
from .programs import resource
from .splice import Broken, Node, appended, as_object, cut, line_of, parse, replaced

# One form for all hosts and shells (fish included), guarded: without memwiki it is a command that does nothing.
DEFAULT = '"$HOME/.memwiki/bin/hook"'
_BLANK = " \t\r\n\ufeff"
OURS = re.compile(
    r"""\[ -x (?P<hook>"\$HOME/\.memwiki/bin/hook"|'(?:[^']|'\\'')+') \] && (?:exec )?(?P=hook) """
    r"""(?P<host>\w+) (?P<event>\w+)(?:; exit 0|(?:;| \|\|) echo '\{\}')"""
)

# What else has run the hook: older and shorter forms, and the command line's own verb. Only whole commands count.
_WORD = r"""(?:"[^"]+"|'(?:[^']|'\\'')+'|[^\s"';&|<>()]+)"""
_OLDER = re.compile(
    rf"(?:h=(?P<set>{_WORD}); ?)?(?:\[ -x {_WORD} \] && )?(?:exec )?(?P<program>{_WORD})(?P<module> -m memwiki)?"
    rf"(?P<verb> hook)? (?P<host>\w+) (?P<event>\w+(?:\.\w+)*)"
    r"(?: 2>/dev/null| >/dev/null| 2>&1)*(?:(?:;| \|\|) (?:exit 0|true|:|echo '\{\}'))*"
)


@dataclass(frozen=True, slots=True)
class Call:
    """A command that runs memwiki's hook: the script as a word of a shell, and what it is told."""

    hook: str
    host: str
    event: str


def call(command: str) -> Call | None:
    """What a registered command calls, in the form of this version or an older one; None for a command of others."""
    if match := OURS.fullmatch(command):
        return Call(match["hook"], match["host"], match["event"])
    match = _OLDER.fullmatch(command)
    if match is None:
        return None
    word = match["set"] if match["program"] in ('"$h"', "$h") and match["set"] else match["program"]
    program = script(word)
    if match["verb"]:
        interpreter = match["module"] and program.name.startswith("python")
        hook = DEFAULT if program.name == "memwiki" or interpreter else ""
    else:
        hook = quoted(program) if program.is_absolute() and program.parts[-3:] == (".memwiki", "bin", "hook") else ""
    return Call(hook, match["host"], match["event"]) if hook else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One of memwiki's handlers in a settings file. `hook` is the script it runs; `path` leads to it in the tree."""

    event: str
    hook: str
    value: Any
    path: tuple[str | int, ...]


def settings_file(name: str, project: Path | None = None, folder: Path | None = None) -> Path:
    """Where host `name` keeps its hooks: in a project, or for the user in the settings folder `folder` (None: the one
    that this environment names).
    """
    where = place(name)
    return project / where.project if project is not None else (folder or settings_folder(name)) / where.file


def settings_folder(name: str) -> Path:
    """The host's folder with its settings for the user, as this environment names it: absolute."""
    where = place(name)
    folder = where.folder
    own, shared = os.environ.get(where.variable, ""), os.environ.get("XDG_CONFIG_HOME", "")
    if shared and folder.startswith(".config/"):
        own = own or str(Path(shared, folder.removeprefix(".config/")))
    return expanded(own) if own else user_folder() / folder


def quoted(path: Path) -> str:
    """A path as one word of a shell."""
    return "'" + str(path).replace("'", "'\\''") + "'"


def hook_word(home: Home) -> str:
    """The hook script as it stands in a registered command: by `$HOME` where it is there, else its quoted path."""
    if home.path == user_folder() / ".memwiki":
        return DEFAULT
    return quoted(home.bin / "hook")


def wanted(name: str, home: Home) -> dict[str, Any]:
    """The host's event -> the handler that belongs there, from `hooks/<host>.json`."""
    document = registration(name)
    handlers = {}
    for event, groups in document["hooks"].items():
        handler = groups[0]["hooks"][0] if "hooks" in groups[0] else groups[0]
        key = "command" if "command" in handler else "bash"
        handlers[event] = {**handler, key: handler[key].replace(DEFAULT, hook_word(home))}
    return handlers


def registration(name: str) -> Any:
    """`hooks/<host>.json` as it ships."""
    return json.loads(resource(f"hooks/{name}.json").read_text("utf-8"))


def flat(name: str) -> bool:
    """Whether the host lists handlers directly under an event, not in groups."""
    return "hooks" not in next(iter(registration(name)["hooks"].values()))[0]


def owned(name: str) -> bool:
    """Whether what is registered are files of memwiki's own (see `owned`), not entries in a settings file."""
    return not place(name).file.endswith(".json")


def events(name: str) -> list[str]:
    """The host's own names of the events that memwiki registers, in order."""
    return list(host(name).events) if name == "opencode" else list(registration(name)["hooks"])


def script(word: str) -> Path:
    """The program that a word of a shell names on this machine: quoted or not, below the user's home or not."""
    text = word[1:-1].replace("'\\''", "'") if word[:1] == "'" else word.strip('"')
    for start in ("$HOME/", "${HOME}/", "~/"):
        if word[:1] != "'" and text.startswith(start):
            return user_folder() / text.removeprefix(start)
    return Path(text)


def is_of(hook: str, home: Home) -> bool:
    """Whether the script that a hook word names is the one of `home`, by whatever path."""
    return os.path.realpath(script(hook)) == os.path.realpath(home.bin / "hook")


def entries(root: Node, name: str) -> Iterator[Entry]:
    """All handlers of memwiki's in a settings file, whatever home they name, in order."""
    for event, command, handler, path in _handlers(root):
        found = call(command)
        if found is not None and found.host == name:
            yield Entry(event, found.hook, handler, path)


def others(root: Node, name: str) -> dict[str, list[str]]:
    """Other tools' commands on the events that memwiki listens to: command -> events."""
    found: dict[str, list[str]] = {}
    listened = events(name)
    for event, command, _, _ in _handlers(root):
        if command and event in listened and call(command) is None:
            found.setdefault(command, []).append(event)
    return found


def _handlers(root: Node) -> Iterator[tuple[str, str, Any, tuple[str | int, ...]]]:
    """(event, command or "", handler, where it stands) of all handlers in a settings file, in order."""
    hooks = root.value.get("hooks") if isinstance(root.value, dict) else None
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            inner = group.get("hooks") if isinstance(group, dict) else None
            found = (
                [((), group)] if not isinstance(inner, list) else [(("hooks", k), one) for k, one in enumerate(inner)]
            )
            for path, handler in found:
                command = handler.get("command", handler.get("bash")) if isinstance(handler, dict) else None
                yield event, command if isinstance(command, str) else "", handler, ("hooks", event, at, *path)


def without(text: str, name: str, home: Home) -> str:
    """`text` without the handlers of `home`; groups, lists and sections that this empties are removed, too."""
    comments = place(name).comments
    while text.strip(_BLANK):
        root = parse(text, comments=comments)
        found = [entry for entry in entries(root, name) if is_of(entry.hook, home)]
        if not found:
            return text
        text = _cut(text, root, found[-1].path, comments)
    return text


def _cut(text: str, root: Node, path: tuple[str | int, ...], comments: bool) -> str:
    """Cut what `path` leads to, or the highest thing above it that would be left with nothing in it."""
    chain = [_at(root, path[:depth]) for depth in range(len(path))]
    depth = len(path)
    while depth > 1:
        holder = chain[depth - 1]
        if path[depth - 1] == "hooks" and not set(holder.keys) <= {"hooks", "matcher"}:
            depth += 1  # somebody's group: it keeps its list, empty
            break
        if path[depth - 1] != "hooks" and len(holder.items) > 1:
            break
        depth -= 1
    step = path[depth - 1]
    holder = chain[depth - 1]
    index = step if isinstance(step, int) else len(holder.keys) - 1 - holder.keys[::-1].index(step)
    return cut(text, holder, index, comments=comments)


def with_ours(text: str, name: str, home: Home) -> str:
    """`text` with each wanted handler exactly once; those already right stay where they are: Codex trusts by place.

    Ours from this home, or from one that is gone, are replaced in place or cut; everything else keeps its bytes. Raises
    Broken, also where the file's own shape leaves no place for hooks.
    """
    comments, handlers = place(name).comments, wanted(name, home)
    if name == "codex" and text.startswith("\ufeff"):
        raise Broken("a byte order mark, which this agent does not read", 1)
    document = registration(name)
    lists = {event: _listed(groups[0], handlers[event]) for event, groups in document["hooks"].items()}
    if not text.strip(_BLANK):
        return text + json.dumps({**document, "hooks": lists}, indent=2, ensure_ascii=False) + "\n"
    done: list[str] = []
    while True:
        root = parse(text, comments=comments)
        _check(text, root, handlers)
        left = [entry for entry in entries(root, name) if _own(entry, home)][len(done) :]
        if not left:
            break
        entry = left[0]
        if entry.event not in handlers or entry.event in done:
            text = _cut(text, root, entry.path, comments)
            continue
        if entry.value != handlers[entry.event]:
            text = replaced(text, _at(root, entry.path), handlers[entry.event])
        done.append(entry.event)
    return _completed(text, name, {event: listed for event, listed in lists.items() if event not in done})


def _completed(text: str, name: str, missing: Mapping[str, list[Any]]) -> str:
    """`text` with the missing events' lists, and with what the host wants around them."""
    comments = place(name).comments
    root = parse(text, comments=comments)
    if "version" in registration(name) and root.get("version") is None:
        text = appended(text, root, 1, "version", comments=comments)
        root = parse(text, comments=comments)
    if missing and root.get("hooks") is None:
        return appended(text, root, missing, "hooks", comments=comments)
    for event, listed in missing.items():
        hooks = _at(parse(text, comments=comments), ("hooks",))
        groups = hooks.get(event)
        if groups is None:
            text = appended(text, hooks, listed, event, comments=comments)
        else:
            text = appended(text, groups, listed[0], comments=comments)
    return text


def _own(entry: Entry, home: Home) -> bool:
    """Whether the entry is this home's, or of a home that is no more."""
    return is_of(entry.hook, home) or not os.path.exists(script(entry.hook))


def _listed(shipped: Any, handler: Any) -> list[Any]:
    """An event's list: the handler, in a group as it ships (which may have a matcher) where the host wants one."""
    return [{**shipped, "hooks": [handler]}] if "hooks" in shipped else [handler]


def _at(root: Node, path: tuple[str | int, ...]) -> Node:
    for step in path:
        node = root.get(step) if isinstance(step, str) else root.items[step]
        assert node is not None
        root = node
    return root


def _check(text: str, root: Node, handlers: Mapping[str, Any]) -> None:
    """Refuse a file that is no object, or whose `hooks` are not what hosts read.

    A switch among the hooks (Gemini once had `enabled` there) is not ours to judge.
    """
    as_object(root, text)
    hooks = root.get("hooks")
    if hooks is None:
        return
    as_object(hooks, text, "hooks")
    for event, listed in zip(hooks.keys, hooks.items, strict=True):
        if not isinstance(listed.value, list) and (event in handlers or not isinstance(listed.value, bool)):
            raise Broken(f"the hooks of {event} are not a list", line_of(text, listed.start))
