"""The project of a folder through time: what `doctor` finds where its key has changed, and what keeps its notes."""

import os
from collections.abc import Iterator
from pathlib import Path

from .capture.project import folders, normal, project_of, real, remotes
from .errors import Finding, MemwikiError
from .index.sqlite import SqliteIndex
from .index.upkeep import known_projects, present_folders, project_folders
from .rooms import Rooms
from .vault.entries import uncommitted
from .vault.paths import namespace
from .vault.projects import PATH, Folders
from .vault.projects_file import add_alias
from .vault.projects_file import record as record_folder

_SHOWN = 5  # projects whose folder is gone that are offered at once


def alias(rooms: Rooms, was: str, project: str) -> str:
    """Say in the vault that the project `project` had the key `was`; the commit.

    MemwikiError for keys that are none.
    """
    if not project:
        raise MemwikiError("This folder is in no repository, so it is no project.", "Name the project's key, too.")
    was, project = normal(was), normal(project)
    known = project_folders(rooms.index, rooms.git)
    keys = {*known_projects(rooms.index), *(key for keys in known.table.folders.values() for key in keys)}
    if was not in keys or was == project:
        words = f"{was} is this project already" if was == project else f"No events or notes are known of {was}"
        raise MemwikiError(f"{words}.", "`memwiki doctor`, asked in the project's folder, names what it may have been.")
    return add_alias(rooms.git, project, was)


def record(rooms: Rooms, path: str) -> None:
    """Keep in the vault whose folder the note `path` is in, where only this machine's journal says so."""
    folder = namespace(path).partition("project/")[2]
    known = project_folders(rooms.index, rooms.git)
    owners = known.owners.get(folder.lower(), ())
    recorded = {name.lower() for name in known.table.folders}
    if owners and folder.lower() not in recorded and PATH not in uncommitted(rooms.git, PATH):
        record_folder(rooms.git, folder, owners[0])


def findings(rooms: Rooms, folder: str) -> Iterator[Finding]:
    """What is wrong with the project around `folder`, and with folders that two projects could claim."""
    known = project_folders(rooms.index, rooms.git)
    present = set(present_folders(rooms.index))
    yield from _contested(rooms.index, known, present)
    key, top, _ = project_of(folder)
    if key:
        yield from _pointer(known, key, top)
        yield from _earlier(rooms.index, known, present, key, top)


def _contested(index: SqliteIndex, known: Folders, present: set[str]) -> Iterator[Finding]:
    """Folders from before the vault kept whose they are."""
    claims: dict[str, list[str]] = {}
    for key in known_projects(index):
        for name in folders(key):
            claims.setdefault(name, []).append(key)
    recorded = {name.lower() for name in known.table.folders}
    for name in sorted(present & claims.keys() - recorded):
        owner, *others = claims[name]
        if any(other not in known.owners[name] for other in others):
            words = (
                f"project/{name} may hold notes of {' and of '.join(claims[name])}; they are given in the first only."
            )
            yield Finding("project", words, f'Write `"{name}" = ["{owner}"]` into {PATH} in the vault to keep it so.')


def _pointer(known: Folders, key: str, top: str) -> Iterator[Finding]:
    """A `.git` file that leads nowhere: a work tree without its repository, as a container may have it."""
    file = Path(top, ".git")
    if file.is_file() and not Path(top, target := file.read_text("utf-8", "replace")[8:].strip(), "HEAD").exists():
        yield Finding(
            "project",
            f"{file} says `gitdir: {target}`, which is not there, so the project is not known; it counts as {key}.",
            f"Make that folder available here, too; or run `memwiki alias KEY {key}` with the project's own key.",
            "note" if len(known.table.same(key)) > 1 else "warning",
        )


def _earlier(index: SqliteIndex, known: Folders, present: set[str], key: str, top: str) -> Iterator[Finding]:
    """Projects with notes that this one may have been, each with the command that brings them along."""
    same = known.table.same(key)
    mine = {name for name in present if set(same) & set(known.owners.get(name, ()))}
    for old, why in _candidates(index, key, top, bool(mine)).items():
        kept = sorted(name for name in present - mine if old in known.owners.get(name, ()))
        if kept and old not in same:
            yield Finding(
                "project",
                f"The notes in project/{kept[0]} are of {old}, {why}; they are not given here, in {key}.",
                f"If it is the same project, `memwiki alias {old} {key}` brings them along.",
                "note" if mine else "warning",
            )


def _candidates(index: SqliteIndex, key: str, top: str, has_notes: bool) -> dict[str, str]:
    """Keys that the project may have had -> what speaks for that."""
    roots: dict[str, set[str]] = {}
    for old, root in index.rows("SELECT key, root FROM projects GROUP BY key, root ORDER BY max(at) DESC"):
        roots.setdefault(old, set()).add(real(root) if root else "")
    found = {
        old: "which this folder was before"
        for old, places in roots.items()
        if top in places and not any(project_of(place)[0] == old for place in places - {top})
    }
    found |= {old: f"which its remote {name} names" for name, old in remotes(top).items()}
    if not has_notes:
        gone = [
            old for old, places in roots.items() if old.startswith("local/") and not any(map(os.path.isdir, places))
        ]
        found |= {old: "whose folder is gone" for old in gone[:_SHOWN] if old not in found}
    found.pop(key, None)
    return found
