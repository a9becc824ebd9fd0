"""What `memwiki doctor` says about files: those of the home, and those in the vault's work tree that are not notes."""

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from .config import Config, Home
from .errors import Finding
from .index import schema
from .index.sqlite import SqliteIndex
from .index.upkeep import written
from .recall.snapshot import Snapshot
from .settings import SECRET_KEYS
from .vault.git import Git

_SHOWN = 5  # names in one sentence
_REBUILDS = "Run `memwiki sync`, which rebuilds it."
_NONE = ".git"  # git's own, which git looks after


def derived(home: Home) -> Iterator[Finding]:
    """Damage to the index and to what hooks read; before anything else opens them, for whoever does replaces them."""
    try:
        damage = schema.damage(home.index, whole=True)
    except sqlite3.Error as error:
        yield Finding("index", f"{home.index} cannot be read: {error}.", f"Run `chmod u+rw '{home.index}'`.", "error")
        return
    if damage:
        yield Finding("index", f"{home.index} is damaged: {damage}.", _REBUILDS, "error")
    if home.index.exists() or home.snapshot.exists():
        fault = _snapshot(home, bool(damage))
        if fault:
            words = f"{home.snapshot} {fault}, so agents may be given nothing."
            yield Finding("index", words, "Run `memwiki sync`, which writes it again.", "error")


def _snapshot(home: Home, damaged: bool) -> str:
    """What is wrong with `recall.bin`; "" for nothing."""
    if not home.snapshot.exists():
        return "is missing"
    if not home.snapshot.stat().st_mode & stat.S_IRUSR:
        return "cannot be read"
    try:
        with closing(Snapshot(str(home.snapshot))) as snapshot:
            for number in range(snapshot.numbers):
                snapshot.note(number)
    except (OSError, ValueError, IndexError, KeyError) as error:
        return f"cannot be read ({error})"
    if damaged:
        return ""
    with closing(SqliteIndex(home.index)) as index:
        return "" if written(index, home.snapshot) else "is not as the last sync wrote it"


def files(home: Home, config: Config, git: Git) -> Iterator[Finding]:
    """Settings that others can read, and entries of home and vault that nothing can read, or that are not files."""
    mode = home.config.stat().st_mode if home.config.exists() else 0
    if mode & 0o077:
        secret = any(config.values.get(key) for key in SECRET_KEYS)
        words = f"{home.config}{', which holds a secret,' if secret else ''} can be read by others."
        yield Finding("home", words, f"Run `chmod 600 '{home.config}'`.", "error" if secret else "warning")
    vault = git.top.resolve()
    for area, top in (("home", home.path.resolve()), ("vault", vault)):
        strange: list[str] = []
        closed: list[str] = []
        for path, mode in _entries(top, vault):
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
                strange.append(str(path))
            elif not stat.S_ISLNK(mode) and not _open(path, mode):
                closed.append(str(path))
        if strange:
            words = f"{_some(sorted(strange))}: not a file, but a pipe, a socket or a device."
            yield Finding(area, words, "Remove it; memwiki passes it over.")
        if closed:
            words = f"{_some(sorted(closed))}: memwiki may not read it."
            yield Finding(area, words, "Run `chmod u+rwX` on it, or `chown` it to yourself.", "error")
    yield from _sparse(git)


def _entries(top: Path, vault: Path) -> Iterator[tuple[Path, int]]:
    """Everything below `top` with its mode, links not followed; the vault only where it is `top` itself."""
    folders = [top]
    while folders:
        try:
            entries = sorted(os.scandir(folders.pop()), key=lambda entry: entry.name)
        except OSError:  # closed, which its own entry has told
            continue
        for entry in entries:
            path = Path(entry.path)
            if entry.name == _NONE or path == vault:
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            yield path, mode
            if stat.S_ISDIR(mode):
                folders.append(path)


def _open(path: Path, mode: int) -> bool:
    """Whether the mode lets its owner read it; root may read everything, but hooks need not run as root."""
    needed = stat.S_IRUSR | stat.S_IXUSR if stat.S_ISDIR(mode) else stat.S_IRUSR
    return mode & needed == needed and os.access(path, os.R_OK)


def _sparse(git: Git) -> Iterable[Finding]:
    lines = git.run("ls-files", "-t", "-z").fields if git.is_memory() else ()
    left = [line[2:] for line in lines if line.startswith("S ") and line.endswith(".md")]
    if left:
        words = f"A sparse checkout leaves out {_some(left)}: the committed text is what agents are given."
        yield Finding("vault", words, "`git sparse-checkout disable` brings the files back.", "note")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown
