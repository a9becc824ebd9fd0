"""What a candidate's commit changes, read from the commit itself: a message or a ledger can say anything.

A candidate is one change to one note, so that its decision is about all that it changes. A commit of another shape has
a fault: it is shown with it, and can be rejected and nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ..errors import MemwikiError
from ..vault.entries import LINK, REPOSITORY
from ..vault.git import Git
from ..vault.paths import checked, is_note
from .damage import piecewise, present

_NONE, _PLAIN = "000000", "100644"  # modes: there is no file; a file that is not executable
LOST = "Its text is missing from the vault's git."
_NAMED = 5  # paths that a fault names


@dataclass(frozen=True, slots=True)
class Changed:
    """One path that a commit changes: (mode, object) of it before and after; mode 000000: there is none."""

    path: str
    before: tuple[str, str]
    after: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Shape:
    """What one commit changes. `path` is the note after it (for a removal: before it), `old_path` is set for a rename.

    `fault` is a sentence that says why the commit is not one change to one note; "" when it is one.
    """

    changes: tuple[Changed, ...]
    path: str
    old_path: str
    fault: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The names of the note, the new one first."""
        return tuple(path for path in (self.path, self.old_path) if path)


def shapes(git: Git, commits: Iterable[str]) -> dict[str, Shape]:
    """Commit -> its shape, in a few processes for all; a commit that is not here, or cannot be read, is left out."""
    parents = _parents(git, list(dict.fromkeys(commits)))
    asked = [(name, *parents[name][:1]) for name in parents]
    found = piecewise(partial(_changes, git), asked)
    here = frozenset(present(git, sorted({blob for some in found.values() for blob in _objects(some)})))
    return {name: _shape(parents[name], some, here) for name, some in found.items()}


def _parents(git: Git, commits: list[str]) -> dict[str, list[str]]:
    """Commit -> its parents, for those that are here."""
    if not commits:
        return {}
    asked = "".join(f"{name}\n" for name in commits).encode()
    options = ("--no-walk=unsorted", "--ignore-missing", "--parents", "--stdin")
    lines = git.run("rev-list", *options, input=asked).text.splitlines()
    return {name: parents for name, *parents in (line.split(" ") for line in lines)}


def _changes(git: Git, asked: Sequence[tuple[str, ...]]) -> dict[str, tuple[Changed, ...]]:
    """(commit, its first parent, if any) -> the paths in which the two differ."""
    words = "".join(f"{' '.join(names)}\n" for names in asked).encode()
    options = ("--stdin", "--always", "--root", "-r", "-z", "--raw", "--no-renames")
    fields = iter(git.run("diff-tree", *options, input=words).fields)
    found: dict[str, list[Changed]] = {}
    current: list[Changed] = []
    for field in fields:
        if field.startswith(":"):
            mode_before, mode_after, before, after, _ = field[1:].split(" ")
            current.append(Changed(next(fields), (mode_before, before), (mode_after, after)))
        else:
            current = found.setdefault(field, [])
    return {name: tuple(changes) for name, changes in found.items()}


def _objects(changes: Iterable[Changed]) -> Iterator[str]:
    """The objects that hold the texts before and after; a nested repository's are elsewhere."""
    for one in changes:
        yield from (name for mode, name in (one.before, one.after) if mode not in (_NONE, REPOSITORY))


def _shape(parents: list[str], changes: tuple[Changed, ...], here: frozenset[str]) -> Shape:
    kept = [one for one in changes if one.after[0] != _NONE]
    gone = [one for one in changes if one.after[0] == _NONE]
    renamed = len(kept) == len(gone) == 1 and kept[0].before[0] == _NONE
    path = next((one.path for one in (*kept, *gone)), "")
    old_path = gone[0].path if renamed else ""
    fault = _history_fault(parents) or _extent_fault(changes, renamed)
    fault = fault or next((words for one in changes if (words := _path_fault(one))), "")
    if not fault and not here.issuperset(_objects(changes)):
        fault = LOST
    return Shape(changes, path, old_path, fault)


def _history_fault(parents: list[str]) -> str:
    if not parents:
        return "Its commit has no parent, so what it changes is not known."
    return "Its commit is a merge." if len(parents) > 1 else ""


def _extent_fault(changes: tuple[Changed, ...], renamed: bool) -> str:
    if not changes:
        return "Its commit changes nothing."
    if len(changes) == 1 or renamed:
        return ""
    names = ", ".join(readable(one.path) for one in changes[:_NAMED])
    more = f" and {len(changes) - _NAMED} more" if len(changes) > _NAMED else ""
    return f"Its commit changes {len(changes)} files ({names}{more}), and a candidate is one note."


def _path_fault(change: Changed) -> str:
    """Why one path cannot be a candidate's."""
    name = readable(change.path)
    before, after = change.before[0], change.after[0]
    if not is_note(change.path):
        return f"Its commit changes {name}, which is not a note."
    if LINK in (before, after) or REPOSITORY in (before, after):
        return f"Its commit changes {name}, which is {'a link' if LINK in (before, after) else 'a repository'}."
    if after not in (_NONE, before) and (before, after) != (_NONE, _PLAIN):
        return f"Its commit changes the permissions of {name}."
    if "\n" in change.path:
        return f"The name {name} has a line break in it."
    if before != _NONE:
        return ""
    try:
        usual = checked(change.path)
    except MemwikiError as error:
        return error.message
    except UnicodeEncodeError:
        return f"The name {name} is not valid UTF-8."
    return "" if usual == change.path else f"The name {name} is not in the Unicode form NFC."


def readable(path: str) -> str:
    """A path for an error: one that a terminal could not print, or would act on, is escaped."""
    return path if path.isprintable() else ascii(path)
