"""From a note's bytes to what the index keeps of it; depends on nothing but the bytes."""

import json
from dataclasses import dataclass
from urllib.parse import unquote

from ..journal.redaction import find_secrets
from ..recall.disk import digest
from ..vault.frontmatter import parse
from ..vault.links import Link, links_of
from ..vault.paths import MAX_NOTE, namespace
from ..visible import without_hidden
from .analysis import analyse_note
from .names import kept, name_of
from .protocol import Fault


@dataclass(frozen=True, slots=True)
class Row:
    """Columns of `notes` from title to namespace, tags, pin and secret; the text, its analysis, hash, links and faults.

    `links` are (line, kind, target, words, name).
    """

    path: str
    head: tuple[str, str, str, str]
    tags: tuple[str, ...]
    pin: bool
    secret: bool
    hash: str
    text: str
    analysis: bytes
    links: tuple[tuple[int, str, str, str, str], ...]
    faults: tuple[Fault, ...]

    @property
    def columns(self) -> tuple[object, ...]:
        """In the order of the table: path to analysis."""
        tags = json.dumps(self.tags, ensure_ascii=False)
        return (self.path, *self.head, tags, self.pin, self.secret, self.hash, self.text, self.analysis)


def row_of(path: str, data: bytes) -> Row:
    """All that is kept of the note in `data`; over 64 KiB its beginning, to the last whole line."""
    faults = []
    shown = data
    if len(data) > MAX_NOTE:
        shown = data[: data.rfind(b"\n", 0, MAX_NOTE) + 1] or data[:MAX_NOTE].decode("utf-8", "ignore").encode()
        faults.append(Fault(path, 0, "size", f"is {len(data)} bytes; the first {len(shown)} are indexed"))
    note = parse(path, shown)
    if note.problem is not None:
        faults.append(Fault(path, note.problem.line, "frontmatter", note.problem.message))
    secrets = find_secrets(without_hidden(note.text))  # as it is given: a hidden character splits no secret
    faults += [Fault(path, line, "secret", f"holds what looks like a secret ({kind})") for line, kind in secrets]
    return Row(
        path=path,
        head=(kept(note.title), kept(note.description), kept(note.type), namespace(path)),
        tags=tuple(kept(tag) for tag in note.tags),
        pin=note.pin,
        secret=bool(secrets),
        hash=digest(data),
        text=note.text,
        analysis=analyse_note(note).pack(),
        links=tuple(
            (link.line, link.kind, kept(link.target), kept(link.text), name_of(_target(link)))
            for link in links_of(note)
        ),
        faults=tuple(faults),
    )


def _target(link: Link) -> str:
    return unquote(link.target) if link.kind == "markdown" else link.target
