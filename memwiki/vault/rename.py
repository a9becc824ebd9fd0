"""Renaming a note: what the links to it, and its own, have to become."""

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from ..errors import MemwikiError
from .links import Link, Resolver, links_of
from .note import Note
from .paths import checked

if TYPE_CHECKING:
    from .tree import Tree


def renamed(tree: "Tree", old: str, new: str) -> dict[str, bytes | None]:
    """What to write (None: remove) so that the note `old` is called `new` and every link means what it meant.

    Reads the tip of the vault's branch, so that no uncommitted edit gets into the commit. `new` may lack `.md`; one
    that ends in `/` keeps the name. Links keep their form, heading and text; one is touched only when it would lead
    elsewhere. Notes with a problem stay as they are. MemwikiError when `old` is not committed or `new` is taken.
    """
    tip = tree.tip()
    notes = {note.path: note for note in tree.notes(tip)} if tip else {}
    if old not in notes:
        raise MemwikiError(f"{old} is not committed yet.", "Rename the file yourself, or commit it first.")
    target = _target(tree, tip, old, new)
    before = Resolver(notes)
    after = Resolver([target, *(path for path in notes if path != old)])
    changes: dict[str, bytes | None] = {old: None}
    for path, note in notes.items():
        place = target if path == old else path
        text = note.text if note.problem else _rewritten(note, place, old, target, before, after)
        if path == old:
            changes[target] = tree.data(old, tip) if text == note.text else text.encode()
        elif text != note.text:
            changes[path] = text.encode()
    return changes


def _target(tree: "Tree", tip: str, old: str, new: str) -> str:
    if new.endswith("/"):
        new += posixpath.basename(old)
    target = checked(new if new.endswith(".md") else f"{new}.md")
    placed = tree.place(target, tip)
    taken = placed in tree.paths(tip) or placed in tree.paths()
    if taken and placed != old:
        raise MemwikiError(f"There is a note {placed} already.", "Choose another name.")
    return target if placed == old else placed


def _rewritten(note: Note, place: str, old: str, new: str, before: Resolver, after: Resolver) -> str:
    """The text of `note`, which will be at `place`, with the links that would change their meaning written anew."""
    text = note.text
    for link in reversed(links_of(note)):
        meant = before.resolve(link, note.path)
        if meant is None:
            continue
        meant = new if meant == old else meant
        if after.resolve(link, place) != meant:
            written = _relative(link, place, meant) if link.kind == "markdown" else _wiki(link, place, meant, after)
            text = text[: link.start] + written + text[link.end :]
    return text


def _wiki(link: Link, place: str, meant: str, after: Resolver) -> str:
    """The target of a wikilink to `meant`: its name where the link was a name and that is unique, else its path."""
    ending = ".md" if link.target.lower().endswith(".md") else ""
    path = meant.removesuffix(".md") + ending
    name = posixpath.basename(path)
    short = Link(name, link.line, link.kind, link.text, link.start, link.end)
    return name if "/" not in link.target and after.resolve(short, place) == meant else path


def _relative(link: Link, place: str, meant: str) -> str:
    """The target of a markdown link from `place` to `meant`, as a path from the vault where it was one."""
    if link.target.startswith("/"):
        path = f"/{meant}"
    else:
        path = posixpath.relpath(meant, posixpath.dirname(place) or ".")
        if link.target.startswith("./") and not path.startswith("../"):
            path = f"./{path}"
    plain = unquote(link.target) == link.target and not re.search(r"[\s()<>%#?]", path)
    bracketed = " " in link.target  # only `<...>` may hold blanks
    return path if plain or (bracketed and not re.search(r"[<>%#?\n]", path)) else quote(path, safe="/~+@,;=&!$'*")
