"""What `memwiki doctor` says about notes: what cannot be read, will break elsewhere, or is against the format."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import Finding, MemwikiError
from ..text import folded
from ..visible import hidden, named
from .filters import UNLOCK
from .links import Resolver, links_of
from .note import TYPES, Note
from .paths import MAX_NOTE, checked, namespace

if TYPE_CHECKING:
    from .tree import Skipped, Tree

MAX_PINS = 5
_SHOWN = 5  # names in one sentence
_SAME = 0.8  # share of the words in common from which a note may be a copy of another
# Names (folded, without .md) that a copy gets: "name 2", "name (1)", "name-LAPTOP7", "name.Conflict", "name copy".
_COPY = re.compile(r"(?P<name>.+?)(?: \d{1,3}| \(\d{1,3}\)|-[^/\s-]+|\.conflict\d*| \(?copy(?: \d+)?\)?)")


def findings(tree: "Tree", secrets: Callable[[str], Iterable[tuple[int, str]]] | None = None) -> list[Finding]:
    """All findings over memory's notes, worst first. `secrets` finds (line, kind) of secrets in a text."""
    notes = list(tree.notes())
    resolver = Resolver(note.path for note in notes)
    found = [
        *_unread(notes),
        *(finding for note in notes for finding in _of(note, secrets)),
        *_collisions(resolver, notes),
        *_pins(notes),
        *_foreign(notes),
        *_broken(resolver, notes),
        *_doubles(notes),
        *(_skipped(skip) for skip in tree.skipped()),
    ]
    order = ("error", "warning", "note")
    return sorted(found, key=lambda finding: order.index(finding.level))


def _unread(notes: Iterable[Note]) -> Iterator[Finding]:
    """Notes without a readable text, by the reason: there may be thousands in a locked vault."""
    reasons: dict[str, list[str]] = {}
    for note in notes:
        if note.problem and not note.problem.line:
            reasons.setdefault(note.problem.message, []).append(note.path)
    for reason, paths in reasons.items():
        yield _finding(f"{_some(paths)} {reason}.", UNLOCK)


def _of(note: Note, secrets: Callable[[str], Iterable[tuple[int, str]]] | None) -> Iterator[Finding]:
    if note.problem and note.problem.line:
        yield _finding(
            f"{_shown(note.path)}:{note.problem.line}: {note.problem.message}.",
            note.problem.remedy,
        )
    size = len(note.text.encode("utf-8", "replace"))
    if size > MAX_NOTE:
        yield _finding(f"{_shown(note.path)} has {size:,} bytes, over the limit of {MAX_NOTE:,}.", "Split the note.")
    yield from _hidden(note)
    try:
        checked(note.path)
    except MemwikiError as error:
        yield _finding(f"{error.message[:-1]}: a clone on Windows or macOS may fail.", "Rename it with `memwiki mv`.")
    for line, kind in secrets(note.text) if secrets else ():
        yield _finding(
            f"{_shown(note.path)}:{line}: this looks like a secret ({kind}).",
            "Take it out; until then the note is neither injected nor sent to a model.",
            "error",
        )


def _hidden(note: Note) -> Iterator[Finding]:
    """Invisible characters, each line of the note once with what stands there."""
    text = note.text.removeprefix("\ufeff")
    runs: dict[int, list[str]] = {}
    line, seen = 1, 0
    for start, run in hidden(text):
        line += text.count("\n", seen, start)
        seen = start
        runs.setdefault(line, []).append(named(run))
    if runs:
        places = [f"line {number}: {' '.join(names[:_SHOWN])}" for number, names in runs.items()]
        more = f"; {len(places) - _SHOWN} more lines" if len(places) > _SHOWN else ""
        yield _finding(
            f"{_shown(note.path)} holds invisible characters ({'; '.join(places[:_SHOWN])}{more}).",
            "Remove them where they are not yours; `memwiki show` makes them visible, and agents get the note without.",
        )


def _collisions(resolver: Resolver, notes: Iterable[Note]) -> Iterator[Finding]:
    for key in dict.fromkeys(folded(note.path) for note in notes):
        same = resolver.same(key)
        if len(same) > 1:
            names = " and ".join(path if path.isascii() else f"{path} ({path!a})" for path in same)
            yield _finding(
                f"These paths are one on many systems: {names}.",
                "Merge them into one note; edits are refused until then.",
            )


def _doubles(notes: Iterable[Note]) -> Iterator[Finding]:
    """Notes named like the copy of another, with nearly its text: iCloud, Google Drive and OneDrive make such."""
    by_name = {folded(note.path.removesuffix(".md")): note for note in notes}
    for name, note in by_name.items():
        copied = _COPY.fullmatch(name)
        first = by_name.get(copied["name"]) if copied else None
        if first is not None and _alike(first.body, note.body):
            yield _finding(
                f"{_shown(note.path)} says nearly what {_shown(first.path)} says; a file sync may have made it.",
                "Compare the two and delete the one that you do not need.",
            )


def _alike(one: str, other: str) -> bool:
    """Whether two texts share four of five words, each counted as often as it stands there."""
    mine, theirs = Counter(one.split()), Counter(other.split())
    return (mine & theirs).total() * 2 >= _SAME * (mine.total() + theirs.total()) > 0


def _skipped(skip: "Skipped") -> Finding:
    return _finding(f"{_shown(skip.path)} is {skip.reason}.", skip.remedy, "warning" if skip.remedy else "note")


def _pins(notes: Iterable[Note]) -> Iterator[Finding]:
    pins = Counter(namespace(note.path).partition("project/")[2] for note in notes if note.pin)
    everywhere = pins.pop("", 0)
    counts = {f"in project/{project}": count + everywhere for project, count in pins.items()}
    for where, count in ({"for every project": everywhere} if everywhere > MAX_PINS else counts).items():
        if count > MAX_PINS:
            yield _finding(
                f"{count} notes are pinned {where}; {MAX_PINS} are given in full.",
                "Take `pin` out of the least needed.",
            )


def _foreign(notes: Iterable[Note]) -> Iterator[Finding]:
    types: dict[str, list[str]] = {}
    for note in notes:
        if note.type and note.type not in TYPES:
            types.setdefault(note.type, []).append(note.path)
    for name, paths in types.items():
        yield _finding(
            f"The type {name} of {_some(paths)} is none of memwiki's.", f"Its types are {', '.join(TYPES)}.", "note"
        )


def _broken(resolver: Resolver, notes: Iterable[Note]) -> Iterator[Finding]:
    places = [
        f"{note.path}:{link.line}" for note in notes for link in links_of(note) if resolver.is_broken(link, note.path)
    ]
    if places:
        number = "1 link leads" if len(places) == 1 else f"{len(places)} links lead"
        yield _finding(f"{number} to no note: {_some(places)}.", "`memwiki show NOTE` lists a note's.", "note")


def _some(names: list[str]) -> str:
    shown = ", ".join(map(_shown, names[:_SHOWN]))
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _shown(path: str) -> str:
    return path if path.isprintable() else ascii(path)


def _finding(message: str, remedy: str, level: str = "warning") -> Finding:
    return Finding("vault", message, remedy, level)
