"""Notes, their links and their tags: rows read from `index.db`, and how the graph takes them."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...journal.redaction import redact_text
from ...text import utc
from ...vault.frontmatter import parse
from ...vault.git import Git
from ..analysis import Analysis, analyse_note
from ..sqlite import SqliteIndex
from .rows import digest_of
from .schema import counted
from .shapes import KEY, properties

if TYPE_CHECKING:
    from .connection import Transaction

_COLUMNS = "path, title, description, type, namespace, tags, secret, hash, text, analysis, oid"

_PLACES = """
UNWIND $paths AS path MERGE (m:Memory {path: path}) ON CREATE SET m.absent = true
WITH m WHERE m.digest IS NOT NULL RETURN m.path AS path
"""
_PROPERTIES = "UNWIND $rows AS row MATCH (m:Memory {path: row.path}) SET m = row"
_UNLINK = """
UNWIND $rows AS row MATCH (m:Memory {path: row.path})-[r:LINKS_TO]->(o:Memory) WHERE NOT o.path IN row.links DELETE r
"""
_LINK = """
UNWIND $pairs AS pair MATCH (a:Memory {path: pair[0]}) MATCH (b:Memory {path: pair[1]}) MERGE (a)-[:LINKS_TO]->(b)
"""
_UNTAG = """
UNWIND $rows AS row MATCH (m:Memory {path: row.path})-[r:TAGGED]->(t:Tag) WHERE NOT t.name IN row.tags DELETE r
"""
_TAGS = "UNWIND $names AS name MERGE (:Tag {name: name})"
_TAG = "UNWIND $pairs AS pair MATCH (m:Memory {path: pair[0]}) MATCH (t:Tag {name: pair[1]}) MERGE (m)-[:TAGGED]->(t)"
# What was given to sessions or rests on them is still asked for when the note is gone: its path stays, no word of it.
_REMOVE = """
UNWIND $paths AS path MATCH (m:Memory {path: path}) SET m = {path: path, absent: true}
WITH m OPTIONAL MATCH (m)-[r:LINKS_TO|TAGGED]-() DELETE r
"""
_TIDY = (
    "MATCH (m:Memory) WHERE m.absent AND NOT (m)--() DELETE m",
    "MATCH (t:Tag) WHERE NOT (t)--() DELETE t",
    "MATCH (p:Project) WHERE NOT (p)--() DELETE p",
)


@dataclass(frozen=True, slots=True)
class NoteNode:
    """One note as the graph keeps it; `digest` tells its content from another."""

    properties: dict[str, Any]
    links: tuple[str, ...]
    tags: tuple[str, ...]
    digest: str


def rows(index: SqliteIndex, git: Git, paths: Sequence[str], commits: Mapping[str, tuple[str, int]]) -> list[NoteNode]:
    """The notes of `paths` that are there; `commits` names the last commit of each path and its time."""
    found = []
    for path in paths:
        for row in index.rows(f"SELECT {_COLUMNS} FROM notes WHERE path = ?", (path,)):  # noqa: S608 - our columns
            found.append(_node(index, row, commits.get(path)))
    return found


def _node(index: SqliteIndex, row: Any, commit: tuple[str, int] | None) -> NoteNode:
    path, title, description, type_, namespace, tags, secret, hash, text, packed, oid = row
    analysis = Analysis.unpack(packed)
    if secret:  # a graph may stand on another machine
        text = redact_text(text)
        note = parse(path, text.encode("utf-8"))
        title, description, analysis = note.title, note.description, analyse_note(note)
    words = analysis.stems.replace(";", "").split()
    links = index.rows("SELECT DISTINCT resolved FROM links WHERE source = ? AND resolved IS NOT NULL", (path,))
    broken = index.rows("SELECT line, target FROM links WHERE source = ? AND broken ORDER BY place", (path,))
    names = tuple(dict.fromkeys(tag[:KEY] for tag in json.loads(tags)))
    values = {
        "path": path,
        "title": title,
        "description": description,
        "type": type_,
        "namespace": namespace,
        "tags": names,
        "text": text,
        "hash": hash,
        "secret": bool(secret) or None,
        "broken": [f"{line} {target}" for line, target in broken],
        # Uncommitted text has no commit, even where an earlier one has.
        "commit": commit[0] if commit and oid else None,
        "updated_at": utc(commit[1]) if commit and oid else None,
        "head": analysis.head.replace(";", "").strip(),
        "stems": " ".join(words[: analysis.sizes[0]]),
        "stops": " ".join(words[analysis.sizes[0] :]),
        "fold": analysis.fold,
        "sizes": analysis.sizes,
    }
    outgoing = tuple(sorted(target for (target,) in links))
    props = properties(values)
    props["digest"] = digest_of((*props.values(), outgoing))
    return NoteNode(props, outgoing, names, props["digest"])


async def store(tx: "Transaction", notes: Sequence[NoteNode]) -> None:
    """Store a batch of notes with what they link to and are tagged with."""
    own = [note.properties["path"] for note in notes]
    pairs = sorted([path, link] for path, note in zip(own, notes, strict=True) for link in note.links)
    tags = sorted([tag, path] for path, note in zip(own, notes, strict=True) for tag in note.tags)
    known = {row["path"] for row in await counted(tx, _PLACES, paths=sorted({*own, *(link for _, link in pairs)}))}
    old = [
        {"path": path, "links": note.links, "tags": note.tags}
        for path, note in zip(own, notes, strict=True)
        if path in known
    ]
    await tx.run(_PROPERTIES, rows=[note.properties for note in notes])
    if old:
        await tx.run(_UNLINK, rows=old)
        await tx.run(_UNTAG, rows=old)
    if pairs:
        await tx.run(_LINK, pairs=pairs)
    if tags:
        await tx.run(_TAGS, names=list(dict.fromkeys(tag for tag, _ in tags)))
        await tx.run(_TAG, pairs=[[path, tag] for tag, path in tags])


async def remove(tx: "Transaction", paths: Iterable[str]) -> None:
    """Take notes out; the path alone stays of one that sessions or candidates still speak of."""
    await tx.run(_REMOVE, paths=sorted(paths))


async def tidy(tx: "Transaction") -> None:
    """Remove tags, projects and paths that nothing speaks of any more."""
    for query in _TIDY:
        await counted(tx, query)


def last_commits(git: Git, tip: str, paths: set[str], since: str = "") -> dict[str, tuple[str, int]]:
    """Path -> the last commit on memory's branch that changed it and its time (seconds since the epoch).

    Looked for in `since`..`tip` first, then in all of the branch.
    """
    found: dict[str, tuple[str, int]] = {}
    spans = [f"{since}..{tip}", tip] if since and git.commit_of(since) else [tip]
    for span in spans if tip else ():
        left = paths - found.keys()
        if left:
            found |= {path: commit for path, commit in _walked(git, span) if path in left}
    return found


def _walked(git: Git, span: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Each path once for each commit of `span` that changed it, the oldest first, so that the last one stands."""
    options = ("--first-parent", "--no-renames", "--name-only", "--reverse", "-z", "--format=%x01%H %ct", "--no-color")
    shown = git.run("log", *options, "--no-show-signature", "--no-notes", span, "--", timeout=300).fields
    commit = ("", int(time.time()))
    for word in shown:
        if word.startswith("\x01"):
            name, _, seconds = word[1:].partition(" ")
            commit = (name, int(seconds))
        elif word.lstrip("\n"):
            yield word.lstrip("\n"), commit
