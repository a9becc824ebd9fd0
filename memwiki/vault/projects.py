"""Whose notes each folder below `project/` holds: by the vault's `.memwiki/projects.toml`, else by its name."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..capture.project import folders, normal

PATH = ".memwiki/projects.toml"
ALIAS = "alias"  # the table of projects that have changed their key


@dataclass(frozen=True, slots=True)
class Table:
    """What the file says: a folder below `project/` -> the keys of its projects, and which keys are one project."""

    folders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()  # (key, the key that the project had before)

    def same(self, key: str) -> tuple[str, ...]:
        """All keys of the project `key`, those that it had first in front."""
        found = [key]
        for one in found:  # grows meanwhile: an alias of an alias
            found += [other for pair in self.aliases if one in pair for other in pair if other not in found]
        later = {project for project, _ in self.aliases}
        return tuple(sorted(found, key=later.__contains__))


def parsed(data: bytes) -> Table:
    """The table in the file's bytes: folders with their keys, and `[[alias]]` with `project` and `was`, a key each.

    ValueError for anything else.
    """
    found = tomllib.loads(data.decode("utf-8"))
    aliases = found.pop(ALIAS, [])
    if isinstance(aliases, list) and all(isinstance(one, str) for one in aliases):  # a folder of that name
        found, aliases = found | {ALIAS: aliases} if aliases else found, []
    if not isinstance(aliases, list):
        raise ValueError("an [[alias]] has `project` and `was`, a key each")
    for keys in found.values():
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise ValueError("a folder's value is a list of project keys")
    pairs = []
    for alias in aliases:
        was = alias.get("was") if isinstance(alias, dict) else None
        if not isinstance(was, str) or not isinstance(alias.get("project"), str) or len(alias) != 2:
            raise ValueError("an [[alias]] has `project` and `was`, a key each")
        pairs.append((normal(alias["project"]), normal(was)))
    return Table({folder: tuple(map(normal, keys)) for folder, keys in found.items()}, tuple(pairs))


class Folders:
    """The owner of each folder: who the table names, else the first of the `known` keys whose name fits.

    `known` are the keys that events were logged for, the earliest first. A folder that neither accounts for belongs to
    any project whose short name it has.
    """

    def __init__(self, table: Table, known: Iterable[str] = ()) -> None:
        self.table = table
        self.owners: dict[str, tuple[str, ...]] = {}
        for folder, keys in table.folders.items():
            self.owners[folder.lower()] = tuple(dict.fromkeys(one for key in keys for one in table.same(key)))
        for key in map(normal, known):
            for folder in folders(key):
                self.owners.setdefault(folder, table.same(key))

    def of(self, key: str) -> str:
        """The folder below `project/` for new notes of the project `key`."""
        key = normal(key)
        recorded = [folder for folder, keys in self.table.folders.items() if set(keys) & set(self.table.same(key))]
        if recorded:
            return recorded[0]
        return next(one for name in self.table.same(key) for one in folders(name) if self._has(key, one))

    def _has(self, key: str, folder: str) -> bool:
        return key in self.owners.get(folder, (key,))
