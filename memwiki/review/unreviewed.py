"""Notes that nobody has reviewed, to be decided on like candidates: what an agent wrote into the vault by itself."""

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import MemwikiError
from ..files import write_atomic
from ..index.notes import seen
from ..index.provenance import CONFIRMED, Kind, unreviewed
from ..vault.commits import commit, store, tree_of, tree_with
from ..vault.entries import entries, uncommitted
from ..vault.git import Git
from ..vault.landing import change, land
from ..vault.paths import inside
from ..vault.tree import Tree

if TYPE_CHECKING:
    from ..rooms import Rooms

WHY = {"agent": "An agent's tool wrote this into the vault.", "open": "This is not committed yet."}


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """A note that waits to be confirmed. `id` stands for its path and text, so an answer is about what was shown.

    `old` is the text before (None: there was no note), `new` the text as it is now (None: the note was removed).
    """

    id: str
    path: str
    kind: Kind
    old: bytes | None
    new: bytes | None


def waiting(rooms: "Rooms") -> list[Unreviewed]:
    """What agents wrote, by path; where `recall.unreviewed` is `hold`, what is only not committed, too."""
    memory = seen(rooms.index)
    if memory is None:
        return []
    everything = rooms.config.get("recall.unreviewed") == "hold"
    found = unreviewed(rooms.index, rooms.git, memory)
    return [_one(rooms.git, path, kind) for path, kind in sorted(found.items()) if everything or kind == "agent"]


def confirm(git: Git, one: Unreviewed) -> str:
    """Make it memory that the person has reviewed, in one commit; its hash."""
    blob = store(git, one.new) if one.new is not None else git.zero
    message = f"Confirm {one.path}\n\n{CONFIRMED}: {blob} {one.path}\n"

    def build(tip: str) -> str:
        tree = tree_with(git, tree_of(git, tip), {one.path: blob if one.new is not None else None})
        return commit(git, tree, [tip] if tip else [], message, author=git.person())

    return land(git, build, message.split("\n", 1)[0])


def refuse(rooms: "Rooms", one: Unreviewed, why: str = "") -> str:
    """Bring back the text before; the commit that does, "" where none was needed. What goes is kept in the backup.

    MemwikiError for a person's own edit, which is theirs to undo.
    """
    if one.kind != "agent":
        raise MemwikiError(f"{one.path} is your own edit.", f"`git restore {one.path}` in the vault undoes it.")
    if one.new is not None:
        rooms.home.backup.mkdir(mode=0o700, exist_ok=True)
        write_atomic(rooms.home.backup / f"refused-{one.id}.md", one.new)
    if one.path not in uncommitted(rooms.git, one.path):
        return change(rooms.git, {one.path: one.old}, f"Refuse {one.path}\n\n{why}".strip() + "\n")
    file = inside(rooms.git.top, one.path)
    if one.old is None:
        file.unlink()
    else:
        write_atomic(file, one.old)
    return ""


def _one(git: Git, path: str, kind: Kind) -> Unreviewed:
    new = Tree(git).data(path) if path in Tree(git).paths() else None
    old = _before(git, path)
    name = hashlib.sha256(path.encode("utf-8", "surrogateescape") + b"\0" + (new or b"")).digest()
    return Unreviewed(base64.b32encode(name)[:8].decode().lower(), path, kind, old, new)


def _before(git: Git, path: str) -> bytes | None:
    """The note as it was before: the committed text of an edit, else that before the last commit that touched it."""
    tip = git.tip()
    if path not in uncommitted(git, path):
        tip = git.run("log", "-1", "--format=%P", tip, "--", path).line.partition(" ")[0]
    stored = entries(git, tip, [path]) if tip else {}
    return next(iter(git.blobs([stored[path][1]]))) if path in stored else None
