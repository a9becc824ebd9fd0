"""Which notes agents may be given: the folders that `recall.folders` names, without what no agent is ever given.

A vault of a person's own holds much that is not for agents. Notes in profile/, tools/ and project/ are for them unless
a pattern excludes them. Elsewhere templates, daily notes, attachments and trash are never given, whatever is named:
Obsidian, Logseq, Foam, Dendron, Joplin and Templater keep these in folders of the names below, or where a vault's own
settings of Obsidian say.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Any

from ..recall.paths import fits
from ..text import folded

ROOMS = ("profile", "tools", "project")
# Folders at any depth, folded. Obsidian's and Templater's users choose their own, so common names stand here, too;
# Logseq has `journals`, `assets` and, for backups, `logseq`; Joplin's export has `_resources`.
_NEVER = frozenset(
    (
        *("template", "templates", "_template", "_templates", "template notes"),
        *("daily", "dailies", "daily notes", "daily-notes", "daily_notes", "dailynotes", "journal", "journals"),
        *("attachment", "attachments", "_attachments", "assets", "_assets", "_resources"),
        *("trash", "_trash", "logseq"),
    )
)
# A note that is named by its day alone, as Obsidian (2026-11-30) and Logseq (2026_11_30) name daily notes.
_DAY = re.compile(r"\d{4}([-_.]?)\d\d\1\d\d\.md")
# Settings of Obsidian below `.obsidian/` that name a folder: file, and the keys that lead to it.
_OBSIDIAN = (
    ("daily-notes.json", ("folder",)),
    ("templates.json", ("folder",)),
    ("app.json", ("attachmentFolderPath",)),
    ("plugins/templater-obsidian/data.json", ("templates_folder",)),
    *(
        ("plugins/periodic-notes/data.json", (period, "folder"))
        for period in ("daily", "weekly", "monthly", "quarterly", "yearly")
    ),
)


@dataclass(frozen=True, slots=True)
class Served:
    """Globs of paths in the vault: `closed` are of folders (folded) that are never given."""

    included: tuple[str, ...]
    excluded: tuple[str, ...]
    closed: tuple[str, ...] = ()

    @classmethod
    def of(cls, folders: str, top: Path) -> "Served":
        """By the value of `recall.folders` (patterns between commas), for the vault at `top`."""
        patterns = [pattern.strip() for pattern in folders.split(",")]
        excluded = [_anchored(pattern[1:]) for pattern in patterns if pattern.startswith("!")]
        included = [_anchored(pattern) for pattern in patterns if not pattern.startswith("!")]
        return cls(
            tuple(glob for glob in included if glob),
            tuple(glob for glob in excluded if glob),
            tuple(sorted({folded(glob) for glob in _of_obsidian(top)})),
        )

    def has(self, path: str) -> bool:
        """Whether agents may be given the note at `path`; where a pattern excludes it, no other one helps."""
        if any(fits([glob], path) for glob in self.excluded):
            return False
        if _in_room(path):
            return True
        return any(fits([glob], path) for glob in self.included) and not self._is_never(path)

    def _is_never(self, path: str) -> bool:
        *folders, name = folded(path).split("/")
        if _DAY.fullmatch(name) or not _NEVER.isdisjoint(folders):
            return True
        return any(fits([glob], folded(path)) for glob in self.closed)


def offered(paths: Iterable[str], top: Path) -> dict[str, int]:
    """The top folders ("" for the notes in none) whose notes agents could be given, and how many notes each has.

    Those beside profile, tools and project, without notes that are never given. The largest folder comes first.
    """
    everything = Served.of("*", top)
    counts = Counter(path.partition("/")[0] if "/" in path else "" for path in paths if _offers(everything, path))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _offers(everything: Served, path: str) -> bool:
    return not _in_room(path) and everything.has(path)


def _in_room(path: str) -> bool:
    room, slash, _ = path.partition("/")
    return bool(slash) and room in ROOMS


def _anchored(pattern: str) -> str:
    """The pattern as a glob that begins at the vault's top: `Work` is the folder there, `**/Work` any of that name."""
    plain = pattern.strip().strip("/")
    return f"/{plain}" if plain else ""


def _of_obsidian(top: Path) -> Iterator[str]:
    """Globs of the folders that the vault's settings of Obsidian name for templates, daily notes and attachments.

    A file that is missing or cannot be read names none. `./NAME` is a folder beside each note.
    """
    for name, keys in _OBSIDIAN:
        value: Any = _json(top / ".obsidian" / name)
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        folder = value.strip() if isinstance(value, str) else ""
        name = escape(folder.removeprefix("./").strip("/"))
        if name and name != ".":
            yield name + "/" if folder.startswith("./") else f"/{name}/"


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):  # Obsidian's own file: nothing of ours depends on it
        return None
