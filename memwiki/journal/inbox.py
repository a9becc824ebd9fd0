"""The spool as the drain finds it: what is whole, what a killed hook left, and what waits."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from ..capture.spool import split

ADOPT = 60.0  # seconds after which a whole payload that was never renamed is taken for its dead hook
DROP = 3600.0  # seconds after which what a killed hook left is dropped


@dataclass(frozen=True, slots=True)
class Item:
    """A whole spool file."""

    path: Path
    mtime_ns: int
    size: int

    @property
    def id(self) -> str:
        """`<mtime_ns>-<name>`: names repeat, since they are process ids."""
        return f"{self.mtime_ns}-{self.path.name}"


@dataclass(frozen=True, slots=True)
class Inbox:
    """Whole files in the order in which they were written; counts of adopted, dropped and unfinished ones."""

    items: tuple[Item, ...]
    adopted: int = 0
    dropped: int = 0
    unfinished: int = 0


def look(folder: Path) -> Inbox:
    """The spool, changing nothing."""
    whole, temporary, empty = _listed(folder)
    names = {path.name for path, _ in empty}
    return Inbox(_sorted(whole), unfinished=len(names | {path.name[1:] for path, _ in temporary}))


def collect(folder: Path, now: float) -> Inbox:
    """The spool, after what killed hooks left (at `now`, seconds) has been adopted or dropped."""
    whole, temporary, empty = _listed(folder)
    adopted = dropped = unfinished = 0
    gone: set[str] = set()  # names that are settled: a reservation is no second loss
    for path, state in temporary:
        name, age = path.name[1:], now - state.st_mtime
        if age > ADOPT and _is_payload(path):
            final = _finished(path)
            if final:
                whole.append((final, state))
                adopted += 1
        elif age > DROP:
            path.unlink(missing_ok=True)
            (folder / name).unlink(missing_ok=True) if _is_empty(folder / name) else None
            dropped += 1
        else:
            unfinished += 1
        gone.add(name)
    for path, state in empty:
        if path.name in gone:
            continue
        if now - state.st_mtime > DROP and _is_empty(path):
            path.unlink(missing_ok=True)
            dropped += 1
        else:
            unfinished += 1
    return Inbox(_sorted(whole), adopted, dropped, unfinished)


_Found = list[tuple[Path, os.stat_result]]


def _listed(folder: Path) -> tuple[_Found, _Found, _Found]:
    """Whole files, unfinished ones, reservations."""
    whole: _Found = []
    temporary: _Found = []
    empty: _Found = []
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return whole, temporary, empty
    for entry in entries:
        try:
            state = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue  # its hook has just renamed it
        if entry.is_file(follow_symlinks=False):
            group = temporary if entry.name.startswith(".") else whole if state.st_size else empty
            group.append((Path(entry.path), state))
    return whole, temporary, empty


def _sorted(whole: _Found) -> tuple[Item, ...]:
    items = (Item(path, state.st_mtime_ns, state.st_size) for path, state in whole)
    return tuple(sorted(items, key=lambda item: (item.mtime_ns, item.path.name)))


def _is_payload(path: Path) -> bool:
    """Whether the file is a header and one whole JSON object."""
    try:
        return isinstance(json.loads(split(path.read_bytes())[3].decode("utf-8-sig", "replace")), dict)
    except (OSError, ValueError, RecursionError):
        return False


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return False


def _finished(path: Path) -> Path | None:
    """Rename as the hook would have; None when it did so itself meanwhile. Never over another payload."""
    final = path.with_name(path.name[1:])
    while final.exists() and not _is_empty(final):
        final = final.with_name(final.name + "x")
    try:
        return path.rename(final)
    except FileNotFoundError:
        return None
