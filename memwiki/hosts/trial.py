"""Registered commands, run for `doctor` as their host would run them: each must reach memwiki and say nothing odd.

A command is taken as it stands in the settings file and run by the host's shell, in a project's folder, with a payload
of that host's. Its event is then taken out of the spool; `lock/sync` is held meanwhile, so that no drain is faster.
Were `doctor` killed in between, the drain would drop the event, by its session.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwuid
from typing import Any

from ..config import Home
from ..errors import Finding
from ..files import locked, user_folder
from ..text import one_line
from . import codec, host
from .foreign import started
from .places import place
from .programs import SYNC
from .registration import Entry, call, owned, script

SESSION = "memwiki-doctor"  # of the events that trials make
_WAIT = 60.0  # seconds for the lock: what a background sync may take
_SECONDS = 5.0  # that a command may take where its settings name no time
_SILENCE = "Let the start files of your shell (BASH_ENV, ~/.zshenv, ~/.profile) print nothing where nobody types."
_HEADER = 8192  # bytes that the line before a payload may have: it names a folder
_BY_HAND = "Run it by hand, as it stands there, with `{}` for its input, to see why."


@dataclass(frozen=True, slots=True)
class Linked:
    """One linked place: the host, its settings file or hooks folder, the project ("" for all), our handlers there.

    `settings` is the user's settings folder, also for a project.
    """

    host: str
    path: Path
    project: str
    mine: tuple[Entry, ...]
    settings: Path

    @property
    def folder(self) -> Path:
        """Where its host would run: the project, else where `doctor` stands."""
        return Path(self.project) if self.project else here()


def here() -> Path:
    """The folder in which `doctor` stands; the person's own where that is gone, or closed."""
    try:
        return Path.cwd()
    except OSError:
        return user_folder()


def findings(home: Home, places: Sequence[Linked]) -> Iterator[Finding]:
    """What is wrong with the commands of each place.

    Of those that differ in their event only, two are run: one that stores, and one that may be answered. Raises
    MemwikiError when a sync takes longer than a minute, or when the home cannot be written.
    """
    if not os.access(home.spool, os.R_OK | os.W_OK | os.X_OK):
        words = f"{home.spool} is missing or cannot be written, so no event is stored."
        yield Finding("hosts", words, "Run `memwiki init`, which makes what is missing, or mend its rights.", "error")
        return
    with locked(home.locks / "sync", wait=_WAIT):
        for where in places:
            for event, command, seconds in _chosen(where):
                if wrong := _tried(home, where, event, command, seconds):
                    words, remedy = wrong
                    yield Finding("hosts", f"{where.path}: the command for {event} {words}.", remedy, "error")
    (home.locks / "again").unlink(missing_ok=True)  # a turn that ended meanwhile asked for a sync: the next starts it


def _chosen(where: Linked) -> Iterator[tuple[str, list[str], float]]:
    """(the host's event, the words of the process, seconds it may take) of each command to run."""
    table = host(where.host)
    asks = (*table.injects, *table.touches, *table.resets)
    kinds: dict[tuple[str, bool], list[tuple[bool, str, list[str], float]]] = {}
    for event, shape, command, seconds in _commands(where):
        if event in table.injects or event not in asks:
            late = table.events.get(event, event) in SYNC  # these would start a sync
            kinds.setdefault((shape, event in asks), []).append((late, event, command, seconds))
    for group in kinds.values():
        _, event, command, seconds = min(group, key=lambda one: one[0])
        yield event, command, seconds


def _commands(where: Linked) -> Iterator[tuple[str, str, list[str], float]]:
    """(event, what it has in common with the others, the words of its process, its seconds) of all that is linked."""
    for entry in where.mine:
        if where.host == "opencode":  # its plugin spawns the script itself
            for event in host(where.host).events:
                yield event, "", [str(script(entry.hook)), where.host, event], _SECONDS
        elif owned(where.host):
            yield entry.event, "", [str(where.path / entry.event)], _SECONDS
        else:
            command = str(entry.value.get("command", entry.value.get("bash")))
            found = call(command)
            shape = command.replace(f" {found.event}", "", 1) if found else command
            shell = place(where.host).run_by.split() or [_own_shell()]
            yield entry.event, shape, [*shell, "-c", command], _seconds(where.host, entry.value)


def _own_shell() -> str:
    """The shell of the account; one that has no entry, as in a container, gets the system's."""
    try:
        return getpwuid(os.getuid()).pw_shell or "/bin/sh"
    except KeyError:
        return "/bin/sh"


def _seconds(name: str, handler: Mapping[str, Any]) -> float:
    """The time that a handler's settings give it: seconds, or milliseconds in Gemini's `timeout` and `timeout_ms`."""
    for key, unit in (("timeout", 1000 if name == "gemini" else 1), ("timeoutSec", 1), ("timeout_ms", 1000)):
        if isinstance(handler.get(key), int | float):
            return float(handler[key]) / unit
    return _SECONDS


def _tried(home: Home, where: Linked, event: str, command: Sequence[str], seconds: float) -> tuple[str, str] | None:
    """What one command does wrong, as the end of a sentence, and the remedy; None for nothing."""
    env = {key: value for key, value in os.environ.items() if key != "MEMWIKI_DREAM"}
    env |= dict.fromkeys(place(where.host).variables, str(where.folder))
    payload = _payload(where, event)
    try:
        with started(command, where.folder, env) as process:
            out, err = process.communicate(payload, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"does not end within its {seconds:g} s", _BY_HAND
    except OSError as error:
        closed = isinstance(error, PermissionError)
        remedy = f"Run `chmod +x {shlex.quote(command[0])}`, or link it again." if closed else _BY_HAND
        return f"cannot be started: {error.strerror}: {error.filename}", remedy
    finally:
        arrived = _taken_out(home, where.host, payload)
    if process.returncode:
        said = one_line(err.decode("utf-8", "replace").strip().rpartition("\n")[2], 80)
        return f"ends with {process.returncode}{f': {said}' if said else ''}", _BY_HAND
    if not _fits(where.host, event, out):
        return f"prints what {where.host} takes for an answer: {one_line(out.decode('utf-8', 'replace'), 60)}", _SILENCE
    if arrived or home.paused.exists():
        return None
    hook = home.bin / "hook"
    if not hook.exists():
        return f"does nothing: {hook} is gone", f"Run `memwiki link {where.host}`, which writes it anew."
    if not os.access(hook, os.X_OK):
        return f"does nothing: {hook} is not executable", f"Run `chmod +x {shlex.quote(str(hook))}`."
    return "runs, but memwiki does not get the event", _BY_HAND


def _payload(where: Linked, event: str) -> bytes:
    """What that host would send with the event, in a session of our own."""
    table = host(where.host)
    ours = table.events.get(event, event)
    said: dict[str, Any] = {"session": SESSION, "cwd": str(where.folder)}
    if ours == "UserPromptSubmit":
        said["prompt"] = "Which hooks does memwiki doctor try?"
    elif ours == "SessionStart":
        said["source"] = "startup"
    elif "ToolUse" in ours:
        said |= {"tool_name": "Read", "tool_input": {"file_path": "README.md"}}
    payload: dict[str, Any] = {"hook_event_name": event}
    for field, value in said.items():
        *steps, last = table.fields[field][0]
        inner = payload
        for step in steps:
            inner = inner.setdefault(step, {})
        inner[last] = value
    return json.dumps(payload).encode()


def _fits(name: str, event: str, out: bytes) -> bool:
    """Whether the host can take that for an answer of memwiki's: nothing, what it wants for nothing, or its reply."""
    table = host(name)
    if out == codec.encode(name, event, ""):
        return True
    if event not in table.injects:
        return False
    if not table.reply:
        return out.startswith(b"<memwiki")
    form = json.loads(codec.encode(name, event, "x"))
    try:
        said = json.loads(out)
    except ValueError:
        return False
    if not isinstance(said, Mapping):
        return False
    notice = {"systemMessage"} if table.notices else set()
    return said.keys() - notice in (form.keys(), set()) and bool(said)


def _taken_out(home: Home, name: str, payload: bytes) -> bool:
    """Whether the trial's event came into the spool; it is taken out, with what was written down as given."""
    (home.delivered / f"{name}+{SESSION}").unlink(missing_ok=True)
    arrived = False
    for file in [file for file in home.spool.iterdir() if _holds(file, payload)]:
        arrived = arrived or not file.name.startswith(".")
        file.unlink(missing_ok=True)
        (home.spool / file.name.removeprefix(".")).unlink(missing_ok=True)
    return arrived


def _holds(file: Path, payload: bytes) -> bool:
    """Whether a file of the spool holds just that payload: an event that only speaks of one is somebody's."""
    try:
        with file.open("rb") as data:
            data.readline(_HEADER)
            return data.read(len(payload) + 1) == payload
    except OSError:  # another hook gives it the final name just now, or it is of another user's agent
        return False
