"""What a person should look at before they approve a candidate, computed from its commit and this machine's journal.

Nothing that a commit says of itself counts: a dream branch can come from anywhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..candidates.candidate import Candidate, State
from ..candidates.ledger import runs
from ..candidates.shape import shapes
from ..candidates.states import all_texts
from ..candidates.tombstone import normalised
from ..dream.support import FEW, Source, Standing, lost, standing, unsaid
from ..dream.words import statement
from ..journal.sessions import Journal
from ..text import counted, one_line
from ..vault.frontmatter import parse
from ..vault.git import Git
from ..vault.note import TYPES, Note
from ..visible import hidden
from .sources import sources

_NAMED = 3  # identifiers that a flag names
_FIELDS = ("title", "description", "type", "tags", "applies_to", "pin", "created", "extra")
_USUAL = frozenset({"title", "description", "type", "tags", "created"})  # what a dream sets in a new note
_LANDED: tuple[State, ...] = ("approved", "edited")
_RESTS: Mapping[Standing, str] = {
    Standing.WEAK: "have few words in common with what they rest on",
    Standing.AGENT: "rest on the agent's words",
    Standing.FOREIGN: "rest on what a tool or a page says",
    Standing.NOTHING: "rest on no words that it quotes",
}


def flags(git: Git, journal: Journal, machine: str, chosen: Sequence[Candidate]) -> dict[str, tuple[str, ...]]:
    """Candidate -> one sentence for each thing to look at; () when there is none.

    A candidate with a fault has that as its only flag; what is memory has none. What was added by hand on this machine
    needs no quotes.
    """
    texts = all_texts(git, chosen)
    there = sources(journal, chosen)
    by_hand = {one for run in (runs(git, machine) if machine else ()) if run.engine == "manual" for one in run.commits}
    moved = _moved(git, chosen)
    found: dict[str, tuple[str, ...]] = {}
    for one in chosen:
        if one.state in _LANDED:
            found[one.id] = ()
            continue
        if one.fault or one.id not in texts:
            found[one.id] = (one.fault or "Its text is missing from the vault's git.",)
            continue
        before, after = (None if data is None else parse(one.path, data) for data in texts[one.id])
        rests_on = [there[evidence] for evidence in one.evidence if evidence in there]
        own = one.id in by_hand and one.id not in moved
        found[one.id] = (
            *(["Its commit is not the one that was proposed."] if one.id in moved else []),
            *([] if own else _evidence(one, rests_on)),
            *([] if own or not rests_on else _added(before, after, rests_on)),
            *_removed(before, after, rests_on, own=own),
            *_frontmatter(before, after),
            *(["It holds invisible characters."] if after and any(hidden(after.text)) else []),
        )
    return found


def _moved(git: Git, chosen: Sequence[Candidate]) -> frozenset[str]:
    """Candidates whose commit changes something else than the one that this repository's ledger has."""
    asked = [one for one in chosen if one.proposed not in ("", one.commit)]
    known = shapes(git, [name for one in asked for name in (one.commit, one.proposed)])
    changes = {name: shape.changes for name, shape in known.items()}
    return frozenset(one.id for one in asked if changes.get(one.commit) != changes.get(one.proposed, ()))


def _evidence(one: Candidate, rests_on: Sequence[Source]) -> Iterator[str]:
    missing = len(one.evidence) - len(rests_on)
    if not one.evidence:
        yield "It quotes nothing that was said."
    elif missing:
        yield f"{missing} of the {counted(len(one.evidence), 'quote')} that it rests on {_is(missing)} not found here."


def _added(before: Note | None, after: Note | None, rests_on: Sequence[Source]) -> Iterator[str]:
    """What the quotes do not carry of the lines that come."""
    added = _lines(after, before)
    kinds = Counter(standing(line, rests_on) for line in added)
    for kind, words in _RESTS.items():
        if kinds[kind]:
            yield f"{kinds[kind]} of the {counted(len(added), 'line')} that it adds {words}."
    known = f"{before.text}\n{before.path}" if before else after.path if after else ""
    heads = [after.title, after.description, *after.tags] if after and before is None else []
    names = [name for line in (*added, *heads) for name in unsaid(line, rests_on, known)]
    if names:
        shown = ", ".join(one_line(name, 60) for name in list(dict.fromkeys(names))[:_NAMED])
        yield f"What it rests on does not name {shown}."


def _removed(before: Note | None, after: Note | None, rests_on: Sequence[Source], *, own: bool) -> Iterator[str]:
    """What goes: more lines than come, or lines that nobody spoke of."""
    added, removed = _lines(after, before), _lines(before, after)
    if before is not None and after is None:
        if len(removed) > FEW:
            yield f"It deletes the whole note of {counted(len(removed), 'line')}."
    elif len(removed) - len(added) > FEW:
        yield f"It removes {counted(len(removed), 'line')} and adds {len(added)}."
    unspoken = [] if own else lost(removed, added, rests_on)
    if unspoken:
        yield f"Nothing that it quotes is about {counted(len(unspoken), 'line')} that it removes."


def _frontmatter(before: Note | None, after: Note | None) -> Iterator[str]:
    """What changes in how a note is found and given."""
    if after is None:
        return
    if before is not None:
        names = [name for name in _FIELDS if _own(before, name) != _own(after, name)]
        if names:
            yield f"It changes the note's frontmatter ({', '.join(names)})."
    else:
        names = [name for name in _FIELDS if name not in _USUAL and getattr(after, name)]
        if names:
            yield f"It makes a note with {', '.join(names)} in its frontmatter."
    if after.type and after.type not in TYPES and (before is None or before.type != after.type):
        yield f"Its type {one_line(after.type, 40)!r} is not one of memwiki's."


def _own(note: Note, name: str) -> object:
    """A field as the frontmatter has it: a title that stands in for a missing one changes with the body."""
    if name in ("title", "description"):
        head = note.text[: len(note.text) - len(note.body)]
        return next((line for line in head.splitlines() if line.startswith(f"{name}:")), "")
    return getattr(note, name)


def _lines(note: Note | None, other: Note | None) -> list[str]:
    """The statements of `note` that `other` does not have, as often as they are missing there."""
    mine, theirs = (
        Counter(normalised(line) for line in (one.body if one else "").splitlines() if statement(line))
        for one in (note, other)
    )
    return list((mine - theirs).elements())


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
