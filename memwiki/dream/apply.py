"""From accepted edits to whole note texts: one proposal a note, each changed line its own."""

from collections.abc import Iterable

from ..candidates.candidate import Evidence, Proposal
from ..errors import MemwikiError
from ..text import one_line
from ..vault.frontmatter import parse
from ..vault.paths import MAX_NOTE
from ..vault.write import add_lines, canonical, splice_lines
from .edits import Edit
from .evidence import times_said
from .gates import Accepted, Refused
from .notes import Notes
from .words import statement


def proposals(accepted: Iterable[Accepted], notes: Notes, today: str) -> tuple[list[Proposal], list[Refused]]:
    """One proposal a note, in the order of their first edit, and the edits that could not be made.

    Each text is what stands in git at the run's base with the edits spliced in, never the work tree. `today` is the
    date that new notes are given as `created`.
    """
    by_note: dict[str, list[Accepted]] = {}
    for one in accepted:
        by_note.setdefault(one.edit.path, []).append(one)
    made: list[Proposal] = []
    refused: list[Refused] = []
    for path, edits in by_note.items():
        before = notes.note(path).text if notes.has(path) else None
        text, done = before, []
        for one in edits:
            try:
                text = _changed(text, one.edit, today)
                done.append(one)
            except MemwikiError as error:
                refused.append(Refused(path, one.edit.subject, error.message))
        if done and text != before:
            made.append(_proposal(path, text, done))
    return made, refused


def _changed(text: str | None, edit: Edit, today: str) -> str | None:
    """The note after one edit: None when it is gone. MemwikiError when the edit does not fit the text."""
    if edit.op == "delete":
        if text is None:
            raise MemwikiError("The note is gone already.")
        rest = splice_lines(text, edit.old, "") if edit.old.strip() else ""
        return rest if parse(edit.path, rest.encode("utf-8")).body.strip() else None
    if edit.op == "replace":
        new = splice_lines(text or "", edit.old, edit.text)
    elif text is None:
        new = _new(edit, today)
    else:
        have = {statement(line) for line in text.splitlines()}
        lines = [line for line in edit.text.split("\n") if line not in have]
        new = add_lines(text, lines) if lines else text
    if len(new.encode("utf-8", "surrogatepass")) > MAX_NOTE:
        raise MemwikiError(f"The note would be larger than {MAX_NOTE // 1024} KiB.")
    return new


def _new(edit: Edit, today: str) -> str:
    """A note that memwiki makes: its keys in the usual order, one bullet a statement."""
    lines = edit.text.split("\n")
    name = edit.path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")
    fields = {
        "title": one_line(edit.title, 80) or name[:1].upper() + name[1:],
        "description": one_line(edit.description) or one_line(lines[0]),
        "type": edit.type,
        "tags": [tag for tag in dict.fromkeys(one_line(tag, 40).lstrip("#") for tag in edit.tags) if tag][:8],
        "created": today,
    }
    return canonical(fields, "\n".join(f"- {line}" for line in lines))


def _proposal(path: str, text: str | None, done: list[Accepted]) -> Proposal:
    """One proposal for all edits of a note: evidence joined, the least confidence, the most often it was said."""
    first = done[0].edit
    subject = one_line(first.subject, 72) or f"{'Delete' if text is None else 'Change'} {path}"
    if len(done) > 1:
        more = f" (and {len(done) - 1} more)"
        subject = one_line(subject, 72 - len(more)) + more
    evidence: dict[Evidence, None] = {}
    for one in done:
        evidence |= dict.fromkeys(one.evidence)
    return Proposal(
        path=path,
        text=text,
        subject=subject,
        why="\n".join(dict.fromkeys(one.edit.why.strip() for one in done if one.edit.why.strip())),
        type=first.type,
        source=first.source,
        confidence=min(one.edit.confidence for one in done),
        seen=max(times_said(one.evidence) for one in done),
        evidence=tuple(evidence),
    )
