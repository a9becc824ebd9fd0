"""A person's decisions: approve a candidate (as it is, reworded, or some of its lines), or refuse it.

Each lands as one commit of the person's on memory's branch and keeps whatever they have staged or not yet committed.
Done again after a kill, each ends well.
"""

from collections.abc import Collection, Iterable, Sequence

from ..candidates import tombstone
from ..candidates.candidate import Candidate
from ..candidates.history import authorship, bodies, body_of
from ..candidates.lines import deltas
from ..candidates.message import ids, plain, read, subject_of, text_of
from ..candidates.shape import shapes
from ..candidates.states import texts
from ..errors import MemwikiError
from ..text import folded, one_line
from ..vault.commits import commit as write_commit
from ..vault.commits import loose, three_way, tree_of, tree_with
from ..vault.entries import FILE, changes
from ..vault.filters import clean, cleaned
from ..vault.frontmatter import parse
from ..vault.git import Git
from ..vault.landing import land
from ..vault.note import TYPES
from ..vault.paths import checked, is_note
from ..vault.write import as_ended
from .draft import MARK, Draft, as_proposed, draft
from .tidy import tidy
from .units import units, with_units


def approve(
    git: Git,
    candidate: Candidate,
    text: str | None = None,
    lines: Collection[int] | None = None,
    *,
    base: str = "",
    commit: str = "",
) -> str:
    """Bring a candidate into memory: as it is, with `text` as the whole note, or with only the units in `lines`.

    The commit's hash; where it is memory already, that with which it became so, or the tip's.

    `text` and `lines` are about the note as `draft` showed it at the commit `base` ("": for a text as it was proposed,
    for lines as it is now). `commit` is the candidate's commit that was shown ("": whatever it is now). Units not taken
    leave a tombstone. Raises MemwikiError, and has changed nothing, when git does not know the person, main or
    uncommitted work has the same lines changed, or the change would not be the one that was shown.
    """
    person = git.person()
    if candidate.state in ("approved", "edited"):
        tidy(git, candidate.run)
        return candidate.landed
    _refuse_faulty(git, candidate, commit)
    if base:
        _refuse_foreign_base(git, base)
    elif lines is not None:
        _refuse_renumbered(git, candidate)
    whole = text is None and lines is None
    # A text without its base was written on the proposal; on any other it could take back what main says since.
    shown = as_proposed(git, candidate) if text is not None and not base else draft(git, candidate, base)
    _refuse_strangers(git, shown)
    wanted = shown.new if text is None else as_ended(text, shown.old or shown.new or "")
    refused: dict[str, str | None] = {}
    if lines is not None:
        wanted = with_units(shown.old, shown.new, lines)
        refused = _refused_units(git, candidate, shown, lines)
    changed = wanted != shown.new
    if shown.conflict and not changed:
        raise _conflict(shown.path, candidate.id)
    if wanted is not None and any(line.startswith(MARK) for line in wanted.split("\n")):
        raise MemwikiError("The text still has conflict markers.", "Choose one side of each and try again.")
    if text is not None and not text.strip():
        raise MemwikiError("The text is empty.", f"Refuse it with `memwiki review reject {candidate.id}`.")
    problem = parse(shown.path, wanted.encode("utf-8", "surrogateescape")).problem if changed and wanted else None
    if problem is not None:
        raise MemwikiError(f"Line {problem.line} of the text: {problem.message}", "Fix the frontmatter and try again.")
    _refuse_type(candidate, shown, wanted)
    if whole:
        _refuse_unseen(git, candidate, shown)
    tree = shown.tree
    if changed:
        blob = None if wanted is None else clean(git, shown.path, wanted)
        tree = tree_with(git, tree, {shown.path: blob})
    body = _message(git, candidate) + (f"Memwiki-Edited: {person}\n" if changed else "")
    made = authorship(git, candidate.commit)

    def build(tip: str) -> str:
        if _landed_since(git, candidate.id, shown.base, tip):
            return ""
        ours = tree_of(git, tip)
        merged = three_way(git, shown.base, ours, tree)
        if merged.conflicts:
            raise _conflict(shown.path, candidate.id)
        stones = _stones(git, tip, [candidate.id])
        new = tree_with(git, merged.tree, {**cleaned(git, ours, merged.tree), **stones, **refused})
        return "" if new == ours else write_commit(git, new, [tip], body, author=made.author, author_date=made.date)

    done = land(git, build, f"approve {candidate.id}")
    tidy(git, candidate.run)
    return done or git.tip()


def _refuse_faulty(git: Git, candidate: Candidate, commit: str) -> None:
    """What is approved is what was shown: one change to one note, that of the commit that was shown.

    A decision on another candidate of the branch makes the same commit anew.
    """
    if candidate.fault:
        raise MemwikiError(candidate.fault, f"Reject {candidate.id}, or change its commit on the branch.")
    if commit in ("", candidate.commit):
        return
    names = (commit, candidate.commit)
    known = shapes(git, names)
    changes, words = {name: shape.changes for name, shape in known.items()}, bodies(git, names)
    same = all(name in changes and name in words for name in names)
    if not same or changes[commit] != changes[candidate.commit] or words[commit][1] != words[candidate.commit][1]:
        raise MemwikiError(f"{candidate.id} has changed since it was shown.", "Look at it again, then decide.")


def _refuse_foreign_base(git: Git, base: str) -> None:
    """What was shown was a merge with memory: any other commit would bring in, or take back, what was not shown."""
    commit = git.commit_of(base)
    if not commit or git.run("merge-base", "--is-ancestor", commit, git.ref, ok=(0, 1)).code:
        raise MemwikiError(
            f"{one_line(base, 40)!r} is not a commit of {git.branch}.", "Give the one that `memwiki review show` names."
        )


def _refuse_renumbered(git: Git, candidate: Candidate) -> None:
    """Numbers without the commit that they were shown at are only good where they cannot have changed since."""
    shown, now = as_proposed(git, candidate), draft(git, candidate)
    if units(shown.old, shown.new) != units(now.old, now.new):
        raise MemwikiError(
            f"{now.path} has changed since {candidate.id} was proposed, and so have the numbers of its lines.",
            f"Look at them with `memwiki review show {candidate.id}`, and give the `--base` that it names.",
        )


def _refuse_type(candidate: Candidate, shown: Draft, wanted: str | None) -> None:
    """Types are a closed list; one of the person's own stays where it was."""
    before, after = (parse(shown.path, (text or "").encode("utf-8", "surrogateescape")) for text in (shown.old, wanted))
    if after.type and after.type not in TYPES and after.type != before.type:
        raise MemwikiError(
            f"{one_line(after.type, 40)!r} is not a type of note.",
            f"Use one of {', '.join(TYPES)}: `memwiki review edit {candidate.id}`.",
        )


def _message(git: Git, candidate: Candidate) -> str:
    """The candidate's message with what it says of this candidate; trailers about others are not taken along."""
    found = read(body_of(git, candidate.commit))
    if found is None:
        raise MemwikiError(f"The commit of {candidate.id} no longer names it.", "Look at it again, then decide.")
    return text_of(found)


def _conflict(path: str, id: str) -> MemwikiError:
    return MemwikiError(
        f"{path} has changed in the same lines since {id} was proposed.", f"Settle it with `memwiki review edit {id}`."
    )


def reject(git: Git, chosen: Sequence[Candidate], why: str = "") -> str:
    """Refuse candidates in one commit; its hash, or that of the tip when all of them were refused before.

    Each leaves a tombstone, so that it is not proposed again from the same words, and its commit leaves the branch.
    MemwikiError for one that is memory already.
    """
    person = git.person()
    for one in chosen:
        if one.state in ("approved", "edited"):
            raise MemwikiError(f"{one.id} is memory already.", f"Undo it with `memwiki revert {one.id}`.")
    subject = chosen[0].subject if len(chosen) == 1 else f"{len(chosen)} candidates"
    reason = plain(why)
    body = f"{subject_of(f'Reject: {subject}')}\n\n{reason}{chr(10) * 2 if reason else ''}"
    body += "".join(f"Memwiki-Rejected: {one.id}\n" for one in chosen)
    blobs = {path: blob for one in chosen for path, blob in stone_of(git, one).items()}

    def build(tip: str) -> str:
        ours = tree_of(git, tip)
        tree = tree_with(git, ours, blobs)
        return "" if tree == ours else write_commit(git, tree, [tip], body, author=person)

    done = land(git, build, f"reject {' '.join(one.id for one in chosen)}")
    for run in dict.fromkeys(one.run for one in chosen):
        tidy(git, run)
    return done or git.tip()


def stone_of(git: Git, one: Candidate) -> dict[str, str | None]:
    """The tombstone of a whole candidate, stored: path -> blob. A function of the texts before and after alone."""
    before, after = (_statements(one.path, text) for text in texts(git, one))
    added = [line for line in after if line not in before]
    removed = [line for line in before if line not in after]
    return _stone(git, one, added, removed)


def _stone(git: Git, one: Candidate, added: list[str], removed: list[str]) -> dict[str, str | None]:
    path = tombstone.path_of(one.id)
    return {path: clean(git, path, tombstone.written(one.id, one.path, one.type, added, removed))}


def _statements(path: str, text: str | None) -> list[str]:
    return parse(path, (text or "").encode("utf-8", "surrogateescape")).body.split("\n")


def _refused_units(git: Git, one: Candidate, shown: Draft, taken: Collection[int]) -> dict[str, str | None]:
    """The tombstone of the units that were not taken; {} when all were."""
    every = units(shown.old, shown.new)
    unknown = sorted(set(taken) - {unit.number for unit in every})
    if unknown or not taken:
        raise MemwikiError(
            f"{one.id} has no line {unknown[0]}." if unknown else "No line was chosen.",
            f"`memwiki review show {one.id}` numbers them.",
        )
    left = [unit for unit in every if unit.number not in taken]
    if not left:
        return {}
    added = [line for unit in left for line in unit.added]
    removed = [line for unit in left for line in unit.removed]
    return _stone(git, one, added, removed)


def _stones(git: Git, tip: str, ids: Iterable[str]) -> dict[str, str | None]:
    """What takes the tombstones of `ids` away, where they stand: approving outlives an earlier refusal."""
    return {path: None for one in ids if git.blob(tip, path := tombstone.path_of(one)) is not None}


def _refuse_strangers(git: Git, shown: Draft) -> None:
    """A candidate changes notes, at names that every system can have, and nothing else: also one from a remote."""
    there = git.files(git.tip())
    names = {folded(path): path for path in there}
    for change in changes(git, tree_of(git, shown.base), shown.tree):
        path = change.path
        if not change.mode.startswith(FILE) or not is_note(path):
            raise MemwikiError(f"The candidate changes {path}, which is not a note.", "Reject it.")
        if path in there:
            continue
        if checked(path) != path or names.get(folded(path), path) != path:
            raise MemwikiError(f"{path} and {names.get(folded(path), checked(path))} are one name.", "Reject it.")


def _refuse_unseen(git: Git, candidate: Candidate, shown: Draft) -> None:
    """A merge driver of the vault's (`*.md merge=union`) never conflicts, and can bring in what nobody was shown."""
    tip = tree_of(git, shown.base)
    if tip == shown.tree:
        return
    after = loose(git, shown.tree, shown.base)
    found = deltas(git, [("", candidate.commit), (shown.base, after)])
    proposed, landing = found[("", candidate.commit)].all(), found[(shown.base, after)].all()
    missing = proposed - landing
    note = {" ".join(line.split()) for line in (shown.old or "").split("\n")}
    if landing <= proposed and all(key[0] == "+" and key[1:] in note for key in missing):
        return  # what is missing is there already
    raise MemwikiError(
        f"{shown.path} has changed, and approving {candidate.id} would now change other lines than it shows.",
        f"Look at the result with `memwiki review edit {candidate.id}`.",
    )


def _landed_since(git: Git, id: str, base: str, tip: str) -> bool:
    """Whether another process has landed the candidate between the two commits."""
    if base == tip:
        return False
    names = git.run("rev-list", tip, f"^{base}", "--").text.split()
    return any(id in ids(body) for _, body in bodies(git, names).values())
