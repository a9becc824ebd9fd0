"""What each tool answers: short rows, whole lines, at most so many bytes, and nothing that is secret or private."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..capture.private import without_injected
from ..dream.words import statement
from ..errors import MemwikiError
from ..files import locked
from ..journal.recap import tagged
from ..recall.explain import opened, refusal
from ..recall.render import CLOSING, OPENING, size
from ..text import one_line
from ..visible import without_hidden

if TYPE_CHECKING:
    from ..app import Memory
    from ..review.request import Request

ROWS = 8_000  # UTF-8 bytes of an answer made of rows
READ = 24_000  # UTF-8 bytes of a note in one answer: 6,000 to 8,000 tokens, below where hosts begin to warn
HITS = 20  # notes that one search may bring
WAIT = 2.0  # seconds for requests made at the same time: they are written one after the other
NO_MATCH = "No note has these words."
NOT_YET = "The notes are not indexed, so none can be listed; `memwiki sync`, or the next hook, mends that. Ask again."


def search(memory: "Memory", query: str, within: str, type: str, limit: int) -> str:
    """`- path (type): title - the line that fits best`, the best first."""
    limit = max(1, min(limit, HITS))
    found = memory.search(query, within, type, limit)  # first: it takes in what was saved just now
    with opened(memory.home) as snapshot:  # what the search itself goes by, however the database is
        closed = {path for (path, *_) in snapshot.rows("secret")}
    if any(hit.path in closed for hit in found):
        found = [hit for hit in memory.search(query, within, type, limit + len(closed)) if hit.path not in closed]
    rows = [
        f"- {hit.path}{f' ({hit.type})' if hit.type else ''}: {hit.title} - {statement(hit.snippet)}"
        for hit in found[:limit]
    ]
    return _tagged(_fitting(rows, "{} more did not fit: ask for fewer, or within a folder.")) if rows else NO_MATCH


def listed(memory: "Memory", within: str, type: str, after: str) -> str:
    """`- path (type): description`, by path, those after the path `after`; the last line says how to read on."""
    everything = memory.notes(within, type)  # first: it takes in what was saved just now
    closed = {fault.path for fault in memory.index.faults() if fault.kind == "secret"}
    notes = [note for note in everything if note.path not in closed and note.path > after]
    rows, left = [], ROWS - 200
    for note in notes:
        row = f"- {note.path}{f' ({note.type})' if note.type else ''}: {note.description}"
        left -= size(row) + 1
        if left < 0:
            break
        rows.append(row)
    if not rows:
        return "There is no such note." if memory.index.state("seen") else NOT_YET
    if more := len(notes) - len(rows):
        rows.append(f"{more} more: call `list` again with after={notes[-more - 1].path!r}.")
    return _tagged(rows)


def read(memory: "Memory", path: str, line: int) -> str:
    """A note as it stands in memory now, from `line` on, in whole lines up to 24,000 bytes."""
    note = memory.tell(path)
    lines = note.text.splitlines()
    start = max(1, line)
    shown: list[str] = []
    left = READ
    for text in lines[start - 1 :]:
        left -= size(text) + 1
        if left < 0:
            break
        shown.append(text)
    last = start + len(shown) - 1
    if start <= len(lines) and not shown:
        words = f"Line {start} of {note.path} is longer than an answer may be."
        raise MemwikiError(words, f"`search` shows where words stand in it; line={start + 1} reads on behind it.")
    if not shown:
        raise MemwikiError(f"{note.path} has {len(lines)} lines.", "Call `read` again with a smaller line.")
    if last < len(lines):
        shown.append(f"(lines {start} to {last} of {len(lines)}; call `read` again with line={last + 1})")
    return _tagged([f"{note.path}:", *shown])


def asked(memory: "Memory", wanted: "Request") -> str:
    """What became of a request: the candidate that now waits for the person."""
    with locked(memory.home.locks / "request", wait=WAIT, busy="Another agent's request is being written"):
        candidate, known = memory.request(wanted)
    if known:
        return f"Candidate {candidate.id} for {candidate.path} says that already; it waits for the person's review."
    return (
        f"Proposed as candidate {candidate.id} for {candidate.path}. It is not memory yet: "
        f"the person decides with `memwiki review`."
    )


def status(memory: "Memory", host: str, folder: str) -> str:
    """Where things stand, in a few lines; also where nothing is served, and that it is so."""
    found = memory.status()
    project, place = memory.project_folder(folder)
    lines = [
        f"project: {f'{project} (its notes: {place}/)' if project else 'none in this folder'}",
        f"memory: {found.notes} notes, read from the {found.memory or 'vault'}; last sync {found.synced_at or 'never'}",
        f"journal: {found.events} events in {found.sessions} sessions, {found.waiting} not dreamed about yet",
        f"review: {found.pending} candidates wait for the person",
    ]
    refused = refusal(memory.config, host=host, folder=folder)
    lines += [f"served: nothing. {refused}"] if refused else []
    lines += [f"problem: {one_line(problem, 300)}" for problem in found.problems]
    return "\n".join(_fitting(lines, "{} more problems; `memwiki status` shows them."))


def recapped(memory: "Memory", folder: str) -> str:
    """The last three sessions of the project around `folder`."""
    found = memory.recap(folder)
    if not found.text:
        return "There is no earlier session to tell of." if found.project else "This folder is in no repository."
    return tagged(found.text)


def _fitting(rows: Sequence[str], more: str) -> list[str]:
    """As many rows as fit into an answer, and `more` with the number of those that do not."""
    left = ROWS - 200
    kept: list[str] = []
    for row in rows:
        left -= size(row) + 1
        if left < 0:
            return [*kept, more.format(len(rows) - len(kept))]
        kept.append(row)
    return kept


def _tagged(lines: Iterable[str]) -> str:
    """The lines inside the tag that says what they are: what stands in it is never evidence for a dream."""
    text = without_hidden("\n".join(lines))
    if without_injected(text) != text:  # a note that speaks of these tags must not close them
        text = text.replace("<", "[")
    return f"{OPENING}{text}\n{CLOSING}"
