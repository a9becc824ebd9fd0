"""What linking a host means: the files it touches, and for each how memwiki's part gets in and out again.

A settings file has entries of ours among others'; a plugin or an executable is a file of ours as a whole.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..config import Home
from . import registration as reg
from .programs import resource
from .rules import rules_file, with_block, without_block
from .servers import server_file, with_server, without_server

_PLUGIN = 'join(homedir(), ".memwiki", "bin", "hook")'  # how `hooks/opencode.js` finds the hook as it ships
_CURSOR = "---\ndescription: The person's memory\nalwaysApply: true\n---\n"  # what makes a rule one that always counts
_HEAD = "#!/bin/sh\n# Written by `memwiki link`; `memwiki unlink` removes it. It hands the event to memwiki's hook.\n"


class Taken(Exception):
    """A file that memwiki would write is somebody else's."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file. `put` makes its text the linked one (Broken, Taken), `take` the text without us, None for no file."""

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str | None]
    mode: int = 0o644
    optional: bool = False  # not made by `link`: only looked at when unlinking
    unmarked: bool = False  # nothing in it tells which home it is of


def parts(
    home: Home, name: str, project: Path | None = None, mcp: bool = False, folder: Path | None = None
) -> list[Part]:
    """The files that linking `name` touches, for the user or in one project; the first is where its hooks are.

    `mcp`: with memwiki's server; taking out looks for it in any case. `folder` is the user's settings folder.
    """
    path = reg.settings_file(name, project, folder)
    if reg.owned(name):
        found = [_whole(file, text, home) for file, text in whole_files(home, name, path).items()]
    else:
        found = [Part(path, lambda text: reg.with_ours(text, name, home), lambda text: reg.without(text, name, home))]
    rules = rules_file(name, project, folder)
    if rules is not None:
        head = _CURSOR if rules.suffix == ".mdc" else ""
        found.append(
            Part(
                rules,
                lambda text: with_block(text, head=head),
                lambda text: _left(without_block(text), head),
                unmarked=True,
            )
        )
    servers = server_file(name, project, folder)
    if servers is None:
        return found
    first = found[0]
    if servers == first.path:  # one file, so one part
        put, take = first.put, first.take
        found[0] = Part(
            servers,
            lambda text: with_server(put(text), name, home) if mcp else put(text),
            lambda text: without_server(take(text) or "", name, home),
        )
    else:
        found.append(
            Part(
                servers,
                lambda text: with_server(text, name, home) if mcp else text,
                lambda text: without_server(text, name, home),
                optional=not mcp,
            )
        )
    return found


def recorded(home: Home, name: str, path: Path) -> Part:
    """The part that a linked file is where no settings folder leads to it: a plugin's, or a list of servers."""

    def take(text: str) -> str:
        if path.suffix != ".json":
            return text
        return without_server(reg.without(text, name, home), name, home)

    return Part(path, lambda text: text, take, optional=True)


def _left(text: str, head: str) -> str | None:
    """What is left of a rules file without the block: no file where only its beginning, or nothing, is."""
    return None if text in (head, "") else text


def whole_files(home: Home, name: str, place: Path) -> dict[Path, str]:
    """The files of ours that the host runs, and their texts, in its plugin file or hooks folder `place`."""
    word = reg.hook_word(home)
    if name == "opencode":
        text = resource("hooks/opencode.js").read_text("utf-8")
        return {place: text if word == reg.DEFAULT else text.replace(_PLUGIN, json.dumps(str(reg.script(word))))}
    commands = {event: listed[0]["command"] for event, listed in reg.registration(name)["hooks"].items()}
    return {place / event: f"{_HEAD}{one.replace(reg.DEFAULT, word)}\n" for event, one in commands.items()}


def ours(text: str) -> bool:
    """Whether a whole file's text is memwiki's, of any version or home."""
    return "memwiki link" in text[:400]


def hook_of(text: str) -> str:
    """The hook script that a whole file of ours runs, as a word of a shell; "" when it cannot be told."""
    if _PLUGIN in text:
        return reg.DEFAULT
    match = re.search(r"^const hook = (\".*\")$", text, re.MULTILINE)
    command = reg.OURS.search(text)
    return reg.quoted(Path(json.loads(match[1]))) if match else command["hook"] if command else ""


def _whole(path: Path, wanted: str, home: Home) -> Part:
    def put(text: str) -> str:
        if text and not ours(text):
            raise Taken(f"{path} is not memwiki's and stays as it is: that event is not captured.")
        if _anothers(text, home):
            raise Taken(f"{path} is another memwiki home's, {reg.script(hook_of(text)).parent.parent}, and stays so.")
        return wanted

    return Part(path, put, lambda text: text if _anothers(text, home) or not ours(text) else None, 0o755)


def _anothers(text: str, home: Home) -> bool:
    """Whether a whole file is of another home that is still there."""
    word = hook_of(text) if ours(text) else ""
    return word != "" and not reg.is_of(word, home) and os.path.exists(reg.script(word))
