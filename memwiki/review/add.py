"""A change that a person proposes by hand: a candidate like any other, for a review by someone else or later."""

from ..candidates.candidate import Candidate, Proposal
from ..candidates.ledger import Run
from ..candidates.message import new_run_id
from ..candidates.runs import write
from ..errors import MemwikiError
from ..vault.frontmatter import parse
from ..vault.git import Git
from ..vault.note import TYPES
from ..vault.paths import MAX_NOTE, checked
from ..vault.write import as_ended
from ..visible import refuse_hidden


def propose(git: Git, machine: str, path: str, text: str, why: str = "") -> Candidate:
    """Make a candidate of `text` as the whole note `path`, on a dream branch of its own, by the person.

    MemwikiError when the text changes nothing, is empty, over 64 KiB, holds invisible characters, or has
    frontmatter that cannot be read.
    """
    refuse_hidden("\n".join((path, text.removeprefix("\ufeff"), why)))
    person = git.person()
    tip = git.tip()
    old = git.blob(tip, path) if tip else None
    path = path if old is not None else checked(path)
    text = as_ended(text, old.decode("utf-8", "surrogateescape")) if old is not None else text
    data = text.encode("utf-8", "surrogateescape")
    note = parse(path, data)
    if not text.strip():
        raise MemwikiError("The text is empty.", f"Remove a note with `memwiki forget {path}`.")
    if data == old:
        raise MemwikiError(f"{path} says that already.", "Change the text first.")
    if len(data) > MAX_NOTE:
        raise MemwikiError(f"A note has at most {MAX_NOTE // 1024} KiB.", "Split it into several notes.")
    if note.problem:
        raise MemwikiError(f"{path} line {note.problem.line}: {note.problem.message}.", "Mend it and try again.")
    if note.type and note.type not in TYPES:
        raise MemwikiError(f"{note.type} is no type of note.", f"Use one of {', '.join(TYPES)}.")
    proposal = Proposal(
        path=path,
        text=text,
        subject=f"{'Change' if old is not None else 'Add'} {path.removesuffix('.md')}: {note.title}",
        why=why,
        type=note.type or "fact",
        source="manual",
        confidence=1.0,
    )
    (made,) = write(git, machine, Run(new_run_id(), "manual", base=tip), [proposal], author=person)
    return made
