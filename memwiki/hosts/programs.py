"""What hosts run: `bin/` in the home, rendered from `hooks/`; rewritten when memwiki or its interpreter has changed."""

import marshal
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import memwiki

from ..config import Home
from ..errors import MemwikiError
from ..files import read_regular, write_atomic
from . import HERE, NAMES, host

ROOMS = ("hosts", "capture", "recall")
COLD = {
    "hosts": (
        "programs",
        "registration",
        "splice",
        "everywhere",
        "exclude",
        "files",
        "foreign",
        "link",
        "parts",
        "places",
        "plugin",
        "records",
        "rule_files",
        "rules",
        "servers",
        "survey",
        "switches",
        "trial",
        "trust",
    ),
    "recall": ("explain", "rulebook", "standing"),
}

SYNC = ("SessionStart", "Stop", "SessionEnd")  # after these the spool is drained


def resource(name: str) -> Path:
    """A file or folder that ships with memwiki (`hooks/hook`, `vault-template`): in the wheel, else in the checkout."""
    package = Path(memwiki.__file__).parent
    for place in (package / "data" / name, package.parent / name):
        if place.exists():
            return place
    raise MemwikiError(f"memwiki's installation lacks {name}.", "Install memwiki anew.")


def install(home: Home, *, anew: bool = False) -> bool:
    """Bring `bin/` up to date; whether anything was written. Cheap when nothing has changed: some file times are read.

    `anew` writes it in any case: that is for one that is damaged, which is not looked for here (see `works`).

    Raises MemwikiError when the home cannot be written.
    """
    hot, wanted = _wanted(home)
    if not anew and current(home):
        return False
    try:
        home.bin.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomic(hot, compiled())
        for path, text in wanted.items():
            write_atomic(path, text.encode("utf-8", "surrogateescape"), 0o700)
            path.chmod(0o700)
        for other in home.bin.glob("hot-*"):
            if other != hot:
                other.unlink()
    except OSError as error:
        raise MemwikiError(
            f"Cannot write {home.bin}: {error.strerror}.", "Free space or mend its rights, then run `memwiki doctor`."
        ) from error
    return True


def current(home: Home) -> bool:
    """Whether `bin/` is what this memwiki, on this Python, would write."""
    hot, wanted = _wanted(home)
    return hot.exists() and all(_same(path, text) for path, text in wanted.items())


def _wanted(home: Home) -> tuple[Path, dict[Path, str]]:
    """The file of compiled modules, and the texts of the two programs."""
    stamp = _stamp()
    hot = home.bin / f"hot-{sys.implementation.cache_tag}"
    return hot, {home.bin / name: rendered(home, name, stamp) for name in ("launch", "hook")}


def rendered(home: Home, name: str, stamp: str) -> str:
    """`hooks/hook` or `hooks/launch` with this home and these interpreters in it."""
    text = resource(f"hooks/{name}").read_text("utf-8")
    for mark, value in (("HOME", str(home.path)), ("PYTHON", interpreter()), ("MEMWIKI", sys.executable)):
        text = text.replace(f"'@{mark}@'", shlex.quote(value)).replace(f'"@{mark}@"', repr(value))
    for mark, patterns in _patterns().items():
        text = text.replace(f"'@{mark}@'", " | ".join(patterns))
    return text.replace("@VERSION@", stamp)


def _patterns() -> dict[str, list[str]]:
    """What the script has to know of the hosts' tables, as patterns of its `case`: `<host>.<native event>`, or events.

    ASK: a Python answers. TOUCH: it does so while there are notes that belong to paths. EMPTY: the script itself
    answers `{}`. SYNC, by event: a turn or session begins or ends. TURN, too: a turn ends. HERE: hosts of which only
    the folder in which they run hooks tells the project.
    """
    found: dict[str, list[str]] = {"ASK": [], "TOUCH": [], "EMPTY": [], "SYNC": [], "TURN": []}
    found["HERE"] = list(HERE)
    for name in NAMES:
        table = host(name)
        found["ASK"] += [f"{name}.{event}" for event in (*table.injects, *table.resets)]
        found["TOUCH"] += [f"{name}.{event}" for event in table.touches]
        found["EMPTY"] += [f"{name}.{event}" for event in table.empty]
        ours = {**{event: event for event in SYNC}, **table.events}
        found["SYNC"] += [native for native, event in ours.items() if event in SYNC]
        found["TURN"] += [native for native, event in ours.items() if event == "Stop"]
    return {mark: list(dict.fromkeys(patterns)) for mark, patterns in found.items()}  # the fewer, the faster


def interpreter() -> str:
    """The Python that hooks start: the one behind the virtual environment, which outlives it."""
    return str(getattr(sys, "_base_executable", "") or sys.executable)


def hot_modules() -> Iterator[tuple[str, bool, Path]]:
    """(name, whether a package, source file) of every module that a hook may import."""
    package = Path(memwiki.__file__).parent
    yield "memwiki", True, package / "__init__.py"
    for room in ROOMS:
        yield f"memwiki.{room}", True, package / room / "__init__.py"
        for path in sorted((package / room).glob("*.py")):
            if path.stem not in ("__init__", *COLD.get(room, ())):
                yield f"memwiki.{room}.{path.stem}", False, path


def compiled() -> bytes:
    """All hot modules as `launch` reads them, without docstrings and asserts; each is unmarshalled when imported."""
    return marshal.dumps(
        {
            name: (package, marshal.dumps(compile(path.read_bytes(), name, "exec", dont_inherit=True, optimize=2)))
            for name, package, path in hot_modules()
        }
    )


def works(home: Home) -> str:
    """Why `bin/` does not work, or "": the hook, and the modules it needs, are run as a host would."""
    quiet = {**os.environ, "MEMWIKI_DREAM": "1"}
    for command, env in (
        (["/bin/sh", "-c", f"exec {shlex.quote(str(home.bin / 'hook'))} claude Stop"], quiet),
        ([interpreter(), "-I", "-S", str(home.bin / "launch"), "check"], None),
    ):
        try:
            done = subprocess.run(command, env=env, input=b"", capture_output=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode or done.stdout:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            return said[-1] if said else f"it ended with {done.returncode}"
    return ""


def _stamp() -> str:
    """The version and the age of the newest hot source, so that a checkout's edits reach `bin/` too."""
    return f"{memwiki.__version__} ({max(path.stat().st_mtime_ns for _, _, path in hot_modules())})"


def _same(path: Path, text: str) -> bool:
    try:
        return read_regular(path).decode("utf-8", "surrogateescape") == text and os.access(path, os.X_OK)
    except OSError:
        return False
