"""Links between notes: where they stand in a note, and which note each one means.

`[[target]]`, `[[target#heading]]`, `[[target|text]]`, embeds `![[target]]`, and markdown links and link definitions
with a relative path to a `.md` file. Code and HTML blocks hold no links; markdown-it-py says where they are.
Properties in frontmatter hold wikilinks, as in Obsidian.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..text import folded
from .frontmatter import block_of
from .note import Note
from .paths import is_note

Kind = Literal["wiki", "embed", "markdown"]

_WIKI = re.compile(r"(?<!\\)(!?)\[\[([^\[\]|#\n]*?)(?:#[^\[\]|\n]*?)?(?:\\?\|([^\[\]\n]*))?\]\]")
_INLINE = re.compile(r"\]\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))")
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:[ \t]*(?:<([^<>\n]*)>|(\S+))", re.MULTILINE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_BLOCKS = MarkdownIt("commonmark")
_CODE_HINTS = ("`", "~~~", "\n    ", "\t", "<")
_LINE_END = re.compile(r"\r\n?|\n")


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
    if "[[" not in text and "](" not in text and "]:" not in text:
        return ()
    block = block_of(text) if note.problem is None else (0, 0)
    found = [_wiki(match, text) for match in _WIKI.finditer(text, *block) if match[2].strip()] if block[1] else []
    offset = len(text) - len(note.body)
    if _scan(text, offset, len(text), code_spans=False):  # only now is it worth knowing where code is
        for start, end in _prose(note.body):
            found += _scan(text, offset + start, offset + end)
    return tuple(found)


def _scan(text: str, start: int, end: int, *, code_spans: bool = True) -> list[Link]:
    """The links between two places of `text` that belong to one run of prose; those in code spans are left out."""
    found: list[Link] = []
    code = [span.span() for span in _CODE_SPAN.finditer(text, start, end)] if code_spans else []
    for match in _WIKI.finditer(text, start, end):
        if match[2].strip():
            found.append(_wiki(match, text))
    for pattern in (_INLINE, _DEFINITION):
        for match in pattern.finditer(text, start, end):
            group = 1 if match[1] is not None else 2
            target = match[group].partition("#")[0].partition("?")[0]
            opening = text.rfind("[", start, match.start())
            if (
                target.lower().endswith(".md")
                and not _SCHEME.match(target)
                and (opening >= 0 or pattern is _DEFINITION)
            ):
                at, label = match.start(group), text[opening + 1 : match.start()] if pattern is _INLINE else ""
                line = text.count("\n", 0, at) + 1
                found.append(Link(target, line, "markdown", label, at, at + len(target)))
    kept = [link for link in found if not any(a <= link.start < b for a, b in code)]
    return sorted(kept, key=lambda link: link.start)


def _wiki(match: re.Match[str], text: str) -> Link:
    target = match[2].strip()
    start = match.start(2) + len(match[2]) - len(match[2].lstrip())
    line = text.count("\n", 0, start) + 1
    return Link(target, line, "embed" if match[1] else "wiki", (match[3] or "").strip(), start, start + len(target))


def _prose(body: str) -> Iterator[tuple[int, int]]:
    """From where to where `body` is prose, in characters: paragraphs, headings and link definitions."""
    if not body.startswith("    ") and not any(hint in body for hint in _CODE_HINTS):
        yield 0, len(body)
        return
    tokens: list[Token] = []
    found: dict[str, Any] = {}
    _BLOCKS.block.parse(_LINE_END.sub("\n", body), _BLOCKS, found, tokens)
    starts = [0, *(end.end() for end in _LINE_END.finditer(body)), len(body)]
    ranges = [token.map for token in tokens if token.type == "inline" and token.map]
    ranges += [definition["map"] for definition in found.get("references", {}).values()]
    ranges += [definition["map"] for definition in found.get("duplicate_refs", ())]
    for first, last in sorted((first, last) for first, last in ranges):
        yield starts[first], starts[min(last, len(starts) - 1)]


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
