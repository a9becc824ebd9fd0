"""Which notes an agent's tools wrote, as the journal tells: by tools that edit files, and by shell commands."""

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path, PurePosixPath

from ..hosts.codec import decode
from ..journal.event import Event
from ..journal.view import SHELL, command
from ..recall.paths import KEYS, touched

COMMITS = ""  # the path that stands for commits made in the vault
_READS = re.compile(r"read|list|search|glob|grep|get|view|find|fetch|^ls$", re.IGNORECASE)
_LOOKS = {"cat", "head", "tail", "less", "ls", "tree", "grep", "rg", "find", "wc", "stat", "diff", "cd", "pwd", "echo"}
_GIT_LOOKS = {"log", "show", "diff", "status", "blame", "grep", "ls-files", "rev-parse", "cat-file"}
_GIT_COMMITS = {"commit", "am", "merge", "cherry-pick", "rebase", "revert", "pull"}
_STEPS = re.compile(r"[;|&\n]+")
_ENDS = re.compile(r"[\s'\"`;|&<>()=,]+")


def written(event: Event, vault: Path) -> set[str]:
    """Paths below the top folder `vault` that the event's tool may have written; COMMITS among them for a git commit.

    What a command only names, without looking like one that only reads, counts: a note that did not change is none.
    """
    if event.event != "PostToolUse":
        return set()
    said = decode(event.host, event.native, dict(event.payload), event.root)
    given = said["tool_input"]
    names = given if isinstance(given, dict) else {}
    if isinstance(given, str) or any(key in names for key in SHELL):
        return set(_by_shell(command(given, SHELL), str(said["cwd"]), vault))
    paths = touched(said) + [str(names[key]) for key in KEYS if isinstance(names.get(key), str)]
    if _READS.search(str(said["tool_name"])):
        return set()
    return {inside for path in paths if (inside := _inside(path, str(said["cwd"]), vault))}


def _by_shell(text: str, folder: str, vault: Path) -> Iterator[str]:
    text = text.replace("${HOME}", "~").replace("$HOME", "~").replace("~", str(Path.home()))
    here = folder or "/"
    words = _ENDS.split(text)
    folders = [str(PurePosixPath(here, path)) for before, path in pairwise(words) if before in ("cd", "-C")]
    named = any(name in text for name in (str(vault), os.path.realpath(vault)))
    if not named and not any(_is_in(place, vault) for place in (here, *folders)):
        return
    steps = [step.split() for step in _STEPS.split(text)]
    if ">" not in text and all(map(_only_looks, steps)):
        return
    if any("git" in step and _GIT_COMMITS & set(step) for step in steps):
        yield COMMITS
    for path in words:
        for base in (here, *folders, str(vault)) if path.endswith(".md") else ():
            if inside := _inside(path, base, vault):
                yield inside


def _only_looks(step: list[str]) -> bool:
    """Whether one command of a line only reads."""
    if step[:1] == ["git"]:
        return bool(_GIT_LOOKS & set(step[1:4]))
    return not step or step[0] in _LOOKS


def _is_in(place: str, vault: Path) -> bool:
    return bool(_inside("x", place, vault))


def _inside(path: str, base: str, vault: Path) -> str:
    """`path`, seen from `base`, below the vault; "" when it is elsewhere."""
    place = Path(base, path)
    try:
        return str((place.parent.resolve() / place.name).relative_to(vault.resolve()))
    except (ValueError, OSError, RuntimeError):  # elsewhere, or no path
        return ""
