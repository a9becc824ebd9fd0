"""Links between notes: where they stand in a note, and which note each one means.

`[[target]]`, `[[target#heading]]`, `[[target|text]]`, embeds `![[target]]`, and markdown links and link definitions
with a relative path to a `.md` file. Code and HTML blocks hold no links.
Properties in frontmatter hold wikilinks, as in Obsidian.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from ..text import folded
from .code import in_code
from .frontmatter import block_of
from .note import Note
from .paths import is_note

Kind = Literal["wiki", "embed", "markdown"]
_Found = tuple[int, str, Kind, str]  # where the target starts, the target, kind and text of a link

_WIKI = re.compile(r"\[\[([^\[\]|#\n]*?)(?:#[^\[\]|\n]*?)?(?:\\?\|([^\[\]\n]*))?\]\]")
_INLINE = re.compile(r"\]\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))")
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:[ \t]*(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_LONGEST_TEXT = 1000  # characters between a markdown link's brackets
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a note. `target` is the path as written, without heading; `text` what a reader sees, or "".

    `line` counts from 1 in the file. `start` and `end` are where the target stands in the note's `text`, in characters.
    """

    target: str
    line: int
    kind: Kind
    text: str
    start: int
    end: int


def links_of(note: Note) -> tuple[Link, ...]:
    """The links of `note`, in the order in which they stand; those to its own headings and to the web left out."""
    text = note.text
    offset = len(text) - len(note.body)
    found = sorted(_links(text, offset, len(text)))
    if found:
        code = in_code(note.body, [start - offset for start, *_ in found])
        found = [link for link, hidden in zip(found, code, strict=True) if not hidden]
    if offset and note.problem is None:
        found = [*_wikilinks(text, *block_of(text)), *found]
    links = []
    line, at = 1, 0
    for start, target, kind, words in found:
        line, at = line + text.count("\n", at, start), start
        links.append(Link(target, line, kind, words, start, start + len(target)))
    return tuple(links)


def _links(text: str, start: int, end: int) -> Iterator[_Found]:
    yield from _wikilinks(text, start, end)
    if text.find("](", start, end) >= 0:
        for match in _INLINE.finditer(text, start, end):
            opening = text.rfind("[", max(start, match.start() - _LONGEST_TEXT), match.start())
            if opening >= 0:
                yield from _relative(match, text[opening + 1 : match.start()])
    if text.find("]:", start, end) >= 0:
        for match in _DEFINITION.finditer(text, start, end):
            yield from _relative(match, "")


def _wikilinks(text: str, start: int, end: int) -> Iterator[_Found]:
    if text.find("[[", start, end) < 0:
        return
    for match in _WIKI.finditer(text, start, end):
        target = match[1].strip()
        before = text[match.start() - 1 : match.start()]
        if target and before != "\\":
            kind: Kind = "embed" if before == "!" else "wiki"
            yield match.start(1) + match[1].index(target), target, kind, (match[2] or "").strip()


def _relative(match: re.Match[str], words: str) -> Iterator[_Found]:
    """The link to the destination that `match` found, if that is a relative path to a markdown file."""
    group = 1 if match[1] is not None else 2
    target = match[group].partition("#")[0].partition("?")[0]
    if target.lower().endswith(".md") and not _SCHEME.match(target):
        yield match.start(group), target, "markdown", words


class Resolver:
    """Knows the vault's note paths and says which of them a link means. Names are compared NFC and case-folded."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_path: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            key = folded(path)
            self._by_path.setdefault(key, []).append(path)
            self._by_name.setdefault(key.rpartition("/")[2], []).append(path)

    def same(self, path: str) -> tuple[str, ...]:
        """The notes whose path equals `path` after folding: none, one, or a collision."""
        return tuple(self._by_path.get(folded(path), ()))

    def named(self, name: str) -> tuple[str, ...]:
        """The notes whose file name is `name`, `.md` included."""
        return tuple(self._by_name.get(folded(name), ()))

    def resolve(self, link: Link, from_path: str) -> str | None:
        """The note that `link`, standing in the note `from_path`, means; None when there is none or it is not unique.

        A wikilink means the exact path below the vault, else one in the same folder, else a unique name. A markdown
        link is relative to its note's folder, or to the vault when it begins with `/`.
        """
        if link.kind == "markdown":
            target = _joined(from_path, unquote(link.target))
            return self._one(target) if target else None
        name = link.target[:-3] if link.target.lower().endswith(".md") else link.target
        if name.startswith(("./", "../")):
            target = _joined(from_path, f"{name}.md")
            return self._one(target) if target else None
        name = f"{name.removeprefix('/')}.md"
        for path in (name, posixpath.join(posixpath.dirname(from_path), name)):
            if self.same(path):
                return self._one(path)
        found = self.named(name) if "/" not in name else ()
        return found[0] if len(found) == 1 else None

    def is_broken(self, link: Link, from_path: str) -> bool:
        """Whether `link` should lead to a note and does not.

        A wikilink with a file ending of its own (`[[plan.pdf]]`) and a markdown link that leaves the vault or leads to
        a README are not ours to judge.
        """
        if self.resolve(link, from_path) is not None:
            return False
        if link.kind == "markdown":
            target = _joined(from_path, unquote(link.target))
            return bool(target) and is_note(target)
        return not _ENDING.search(link.target) or link.target.lower().endswith(".md")

    def _one(self, path: str) -> str | None:
        found = self.same(path)
        if path in found:
            return path
        return found[0] if len(found) == 1 else None


def _joined(from_path: str, target: str) -> str:
    """`target` as seen from the folder of `from_path`, as a path below the vault; "" when it leads out of it."""
    base = "" if target.startswith("/") else posixpath.dirname(from_path)
    path = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
    return "" if path.startswith("..") else path
