"""A change to memory that an agent asks for: a candidate like a dream's, for the person to decide, and never more."""

import time
from dataclasses import dataclass, replace

from ..candidates.candidate import Candidate
from ..candidates.ledger import Run
from ..candidates.message import SUBJECT, new_run_id
from ..candidates.runs import write
from ..candidates.states import find
from ..candidates.tombstone import normalised
from ..capture.private import without_injected, without_private
from ..dream.apply import proposals
from ..dream.decided import Decided, decided
from ..dream.edits import Edit, Op
from ..dream.gates import MARKUP, MAX_LINES, MAX_STATEMENT, Accepted
from ..dream.notes import Notes
from ..dream.words import flat, statement
from ..errors import MemwikiError
from ..journal.redaction import find_secrets
from ..text import one_line
from ..vault.git import Git
from ..vault.note import TYPES
from ..vault.tree import Tree
from ..visible import refuse_hidden

ENGINE = "mcp"  # in the ledger: what made the run
CONFIDENCE = 0.5  # an agent's word, with no quote of the person's behind it
MOST_WAITING = 100  # candidates that wait for the person, beyond which an agent may not add more


@dataclass(frozen=True, slots=True)
class Request:
    """What an agent wants: `add` statements (one a line), `replace` the lines `old`, or `delete` them or the note.

    `agent` is the name that the client gives itself. The other fields are those of a dream's edit.
    """

    op: Op
    path: str
    why: str
    text: str = ""
    old: str = ""
    type: str = "fact"
    title: str = ""
    description: str = ""
    agent: str = ""


def request(git: Git, tree: Tree, machine: str, wanted: Request) -> tuple[Candidate, bool]:
    """Make a candidate of it on a dream branch of its own; (the candidate, False), or (one that says it already, True).

    The author is memwiki, not the person; the work tree is not touched. MemwikiError for a secret, a path that leaves
    the vault, lines that are not in the note, what memory says already, and what the person has refused before.
    """
    edit = _edit(wanted)
    notes = Notes(git, tree, git.tip())
    place = notes.place(edit.path if edit.op == "add" else _named(edit.path, notes, tree))
    edit = replace(edit, path=place)
    _fits(edit, notes)
    edit = _subject(_whole_lines(edit, notes))
    waiting, refused = decided(git)
    for one in refused:
        if one.covers(edit, ()):
            raise MemwikiError(
                f"The person decided against that before ({one.id}, {one.state}).",
                "Leave it; if they have changed their mind, `memwiki review add` is theirs to use.",
            )
    same = next((one.id for one in waiting if _says(one, edit)), "")
    if same:
        return find(git, same), True
    if len(waiting) >= MOST_WAITING:
        raise MemwikiError(f"{len(waiting)} candidates wait for the person.", "Ask them to run `memwiki review` first.")
    made, unfit = proposals([Accepted(edit, ())], notes, time.strftime("%Y-%m-%d"))
    if unfit:
        raise MemwikiError(
            unfit[0].reason, _unsaved(edit.path, notes, tree) or "Read the note again and give whole lines."
        )
    if not made or (edit.op == "add" and all(notes.says(line, edit.path) for line in edit.text.split("\n"))):
        raise MemwikiError(f"Memory says that already, in {_where(edit, notes)}.", "There is nothing to do.")
    (candidate,) = write(git, machine, Run(new_run_id(), ENGINE, base=notes.base), made)
    return candidate, False


def _edit(wanted: Request) -> Edit:
    """The request as an edit, cleaned; MemwikiError for what no note may hold."""
    if wanted.type not in TYPES:
        raise MemwikiError(f"{wanted.type!r} is no type of note.", f"Use one of {', '.join(TYPES)}.")
    refuse_hidden("\n".join((wanted.path, wanted.text, wanted.why, wanted.title, wanted.description, wanted.agent)))
    given = {name: _seen(getattr(wanted, name)) for name in ("text", "old", "why", "title", "description")}
    text = given["text"]
    if wanted.op != "delete" and not text.strip():
        words = "Nothing is left of it without private text." if wanted.text.strip() else "The text is empty."
        raise MemwikiError(words, "Say what to remember, or use `forget` to take something out.")
    if wanted.old.strip() and not given["old"].strip():  # else the whole note would go
        raise MemwikiError("The line to take out is private.", "Leave it to the person.")
    if not given["why"].strip():
        raise MemwikiError("The reason is missing.", "Say in `why` what the person said or what happened.")
    if wanted.op == "add":
        text = "\n".join(flat(statement(line)) for line in text.splitlines() if statement(line))
    _clean("\n".join((wanted.path, *given.values())), text, statements=wanted.op == "add")
    agent = one_line(wanted.agent, 40) or "an agent"
    return Edit(
        op=wanted.op,
        path=wanted.path,
        text=text,
        type=wanted.type,
        subject="",
        why=f"Asked for by {agent} over MCP, not distilled from what the person said:\n{given['why'].strip()}",
        confidence=CONFIDENCE,
        source="turn",
        quotes=(),
        old=given["old"].strip("\r\n"),
        title=given["title"],
        description=given["description"],
    )


def _subject(edit: Edit) -> Edit:
    """The edit with its subject: what it does to which note, and the words it is about."""
    verb = {"add": "Add to", "replace": "Change", "delete": "Delete from" if edit.old else "Delete"}[edit.op]
    what = statement((edit.text or edit.old).strip().split("\n")[0])
    name = edit.path.removesuffix(".md")
    return replace(edit, subject=one_line(f"{verb} {name}{': ' + what if what else ''}", SUBJECT))


def _seen(text: str) -> str:
    """`text` without private spans and without what memwiki itself had injected."""
    return without_injected(without_private(text))


def _clean(everything: str, text: str, *, statements: bool) -> None:
    """MemwikiError for secrets, markup where statements belong, and too much text."""
    secrets = find_secrets(everything)
    if secrets:
        raise MemwikiError(f"It holds what looks like a secret ({secrets[0][1]}).", "Say it without the secret.")
    lines = text.split("\n")
    if len(lines) > MAX_LINES or any(len(line) > MAX_STATEMENT for line in lines):
        raise MemwikiError(
            f"It has more than {MAX_LINES} lines, or one of over {MAX_STATEMENT} characters.",
            "Say less, one short statement a line; memory is for what lasts.",
        )
    if statements and any(MARKUP.match(line) for line in lines):
        raise MemwikiError("It holds a heading, a fence or a rule.", "Send plain statements, one a line.")


def _fits(edit: Edit, notes: Notes) -> None:
    """MemwikiError when the note cannot take such a change."""
    if not notes.has(edit.path):
        if edit.op != "add":
            raise MemwikiError(f"There is no note {edit.path} to change.", "Look for it with `search` or `list`.")
        return
    note = notes.note(edit.path)
    if note.problem:
        words = f"{edit.path} line {note.problem.line}: {note.problem.message}."
        raise MemwikiError(words, "The person has to mend it first.")
    if find_secrets(note.text):
        raise MemwikiError(f"{edit.path} holds what looks like a secret.", "The person has to take it out first.")


def _whole_lines(edit: Edit, notes: Notes) -> Edit:
    """The edit with whole lines where it names a part of them that stands in the note's body exactly once."""
    body = notes.note(edit.path).body if notes.has(edit.path) and edit.old.strip() else ""
    if edit.op == "add" or not body or body.count(edit.old) != 1:
        return edit
    at = body.find(edit.old)
    start, end = body.rfind("\n", 0, at) + 1, at + len(edit.old)
    stop = body.find("\n", end) if "\n" in body[end:] else len(body)
    whole = body[start:stop].rstrip("\r")
    changed = body[start:at] + edit.text + body[end:stop].rstrip("\r") if edit.op == "replace" else ""
    return replace(edit, old=whole, text=changed)


def _named(path: str, notes: Notes, tree: Tree) -> str:
    """The note that is meant by a path or a unique name, among those that are committed."""
    try:
        return tree.resolve(path, notes.base)
    except MemwikiError:
        if unsaved := _unsaved(path, notes, tree):
            raise MemwikiError(f"{path} is not committed yet.", unsaved) from None
        raise


def _unsaved(path: str, notes: Notes, tree: Tree) -> str:
    """What to do when the note on disk is not the one in git: only what is committed can be changed by a candidate."""
    committed = notes.note(path).text if notes.has(path) else ""
    try:
        now = tree.read(tree.resolve(path)).text
    except MemwikiError:
        return ""
    same = now.replace("\r\n", "\n") == committed.replace("\r\n", "\n")
    return "" if same else "The person has edited that note and not committed it yet; ask them to."


def _says(one: Decided, edit: Edit) -> bool:
    """Whether a candidate that waits proposes the same."""
    if edit.op == "delete":
        gone = {normalised(line) for line in edit.old.splitlines() if line.strip()}
        return one.path == edit.path and (gone <= one.removed and not one.added if gone else one.deletes)
    lines = [normalised(line) for line in edit.text.split("\n") if line.strip()]
    return (edit.op == "add" or one.path == edit.path) and all(line in one.added for line in lines)


def _where(edit: Edit, notes: Notes) -> str:
    return notes.says(edit.text.split("\n")[0], edit.path) or edit.path
