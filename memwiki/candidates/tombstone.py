"""The small file on memory's branch that says a statement was refused, without saying the statement.

`.memwiki/rejected/<candidate>.md`: its bytes are a function of the candidate alone, so that two machines which reject
the same one never conflict. Deleting the file forgets the refusal. The text stays in the ledger: it may be private.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ..text import one_line, sha256
from ..vault.entries import FILE, entries
from ..vault.git import Git
from .damage import piecewise
from .message import is_id

FOLDER = ".memwiki/rejected/"
BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")  # what may stand before a statement


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A refused candidate: `added` and `removed` hold `line_key` of each line it wanted to add or take away."""

    id: str
    path: str
    type: str
    added: frozenset[str]
    removed: frozenset[str]


def line_key(line: str) -> str:
    """Hex SHA-256 of a statement, the same for its bullet, its spacing, its case and its final stop."""
    return sha256(normalised(line))


def normalised(line: str) -> str:
    """A line as statements are compared: no bullet, single blanks, NFC, case-folded, no final stop."""
    return " ".join(unicodedata.normalize("NFC", BULLET.sub("", line)).casefold().split()).rstrip(".;!")


def path_of(candidate: str) -> str:
    """Where the tombstone of a candidate lies."""
    return f"{FOLDER}{candidate}.md"


def written(candidate: str, path: str, kind: str, added: Iterable[str], removed: Iterable[str]) -> bytes:
    """The file for a refused candidate; `added` and `removed` are lines of text, blank ones and fences left out."""
    rows = [f"- added {key}" for key in _keys(added)] + [f"- removed {key}" for key in _keys(removed)]
    head = f"---\nid: {candidate}\npath: {one_line(path)}\ntype: {one_line(kind)}\n---\n"
    return (head + "".join(f"{row}\n" for row in rows)).encode("utf-8", "surrogateescape")


def _keys(lines: Iterable[str]) -> list[str]:
    return sorted({line_key(line) for line in lines if normalised(line).strip("-")})


def tombstones(git: Git) -> dict[str, Tombstone]:
    """All that stand on memory's branch, by candidate id."""
    tip = git.tip()
    if not tip:
        return {}
    there = {
        path.removeprefix(FOLDER).removesuffix(".md"): name
        for path, (mode, name) in entries(git, tip, [FOLDER]).items()
        if mode.startswith(FILE) and path.endswith(".md")
    }
    files = {one: (path_of(one), name) for one, name in there.items() if is_id(one)}
    texts = piecewise(lambda some: dict(zip(some, git.texts(some), strict=True)), list(files.values()))
    data = {one: texts[file].data if file in texts else b"" for one, file in files.items()}
    return {one: _read(one, text.decode("utf-8", "replace")) for one, text in data.items()}


def _read(candidate: str, text: str) -> Tombstone:
    """A person may edit the file: what it lacks is empty, and the id is its name."""
    field = dict(re.findall(r"^(path|type): (.*)$", text, re.MULTILINE))
    rows = re.findall(r"^- (added|removed) ([0-9a-f]{64})$", text, re.MULTILINE)
    return Tombstone(
        candidate,
        field.get("path", ""),
        field.get("type", ""),
        frozenset(key for kind, key in rows if kind == "added"),
        frozenset(key for kind, key in rows if kind == "removed"),
    )
