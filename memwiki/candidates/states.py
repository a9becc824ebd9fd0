"""What became of each candidate, from the repository alone, so that plain git and forges are as good as our commands.

The first that fits: reverted, approved or edited (its id is on memory's branch), rejected, forgotten, approved by
content, pending, archived, dropped.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from ..errors import MemwikiError
from ..vault.entries import changes
from ..vault.git import Git
from . import message, tombstone
from .candidate import Candidate, Evidence, State
from .content import Sought, by_content
from .history import History, bodies
from .lines import Delta, deltas
from .runs import candidate_of, records


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a candidate is: its proposal's commit, its paths, the base of its run, and the refs that hold it now."""

    commit: str
    path: str
    old_path: str
    base: str = ""
    pending: bool = False
    archived: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for path in (self.path, self.old_path) if path)


def candidates(git: Git, only: Collection[State] | None = None) -> list[Candidate]:
    """Every candidate that this repository knows of, or those in the states `only`; the oldest first.

    `only` that names no landed state saves comparing every landed commit: pending ones cost a few processes.
    """
    return _Survey(git).candidates(only=only)


def find(git: Git, prefix: str) -> Candidate:
    """The one candidate whose id begins with `prefix`; MemwikiError when there is none or more than one."""
    survey = _Survey(git)
    wanted = prefix.strip().lower()
    ids = [one for one in survey.places if wanted and one.startswith(wanted)]
    if not ids:
        raise MemwikiError(f"There is no candidate {prefix!r}.", "`memwiki review list` shows them.")
    if len(ids) > 1 and wanted not in ids:
        raise MemwikiError(f"{prefix!r} could be {', '.join(sorted(ids)[:8])}.", "Give more letters.")
    return survey.candidates(ids=[wanted] if wanted in ids else ids)[0]


def texts(git: Git, candidate: Candidate) -> tuple[str | None, str | None]:
    """The note before and after the proposal, as whole files; None where there is none (a new note, a removal)."""
    old = git.blob(f"{candidate.commit}^", candidate.old_path or candidate.path)
    new = git.blob(candidate.commit, candidate.path)
    return text_of(old), text_of(new)


def text_of(data: bytes | None) -> str | None:
    """A stored note as text, None where there is none; bytes that are no UTF-8 survive as surrogates."""
    return None if data is None else data.decode("utf-8", "surrogateescape")


class _Survey:
    """One reading of the repository."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self.history = History(git)
        self.tombstones = tombstone.tombstones(git)
        self.seen_again: dict[str, tuple[Evidence, ...]] = {}
        self.places = self._places()

    def _places(self) -> dict[str, _Place]:
        places: dict[str, _Place] = {}
        for record, _ in sorted(records(self.git), key=lambda found: (str(found[0].get("at")), found[0]["run"])):
            for one in record.get("candidates", ()):
                places[one["id"]] = _Place(one["commit"], one["path"], one.get("old_path", ""), record.get("base", ""))
            for one, lines in record.get("seen_again", {}).items():
                again = tuple(evidence for line in lines if (evidence := message.evidence_of(line)))
                self.seen_again[one] = self.seen_again.get(one, ()) + again
        for refs, pending in (
            (("refs/memwiki/archive/",), False),
            (("refs/remotes/*/dream/*",), True),
            (("refs/heads/dream/",), True),
        ):
            for one, commit in self._on(refs).items():
                known = places.get(one) or _Place(commit, *self._paths(commit), base=f"{commit}^")
                places[one] = replace(
                    known,
                    commit=commit if pending else known.commit,
                    pending=known.pending or pending,
                    archived=known.archived or not pending,
                )
        held = Counter(commit for commits in self.history.holding.values() for commit in commits)
        for one, (commit, *_) in self.history.holding.items():
            # Landed by another machine, whose ledger is not here, and not in a squash of several.
            if one not in places and self.history.parents[commit] and held[commit] == 1:
                places[one] = _Place(commit, *self._paths(commit), base=f"{commit}^")
        return places

    def _on(self, patterns: Iterable[str]) -> dict[str, str]:
        """Candidate -> its commit, on the refs that match and not on memory's branch."""
        tips = self.git.run("for-each-ref", "--format=%(objectname)", *patterns).text.split()
        if not tips:
            return {}
        given = "".join(f"{tip}\n" for tip in [*tips, *([f"^{self.history.tip}"] if self.history.tip else [])])
        names = self.git.run("rev-list", "--reverse", "--topo-order", "--stdin", input=given.encode()).text.split()
        found = {}
        for name, (_, body) in bodies(self.git, names).items():
            for one in message.values(body, "Candidate"):
                found[one] = name
        return found

    def _paths(self, commit: str) -> tuple[str, str]:
        """(path, old path) of a commit that no ledger here describes."""
        found = changes(self.git, f"{commit}^", commit)
        kept = [change.path for change in found if change.after != self.git.zero]
        gone = [change.path for change in found if change.after == self.git.zero]
        if kept:
            return kept[0], gone[0] if gone else ""
        return (gone[0] if gone else ""), ""

    def candidates(
        self, *, ids: Collection[str] | None = None, only: Collection[State] | None = None
    ) -> list[Candidate]:
        chosen = list(self.places) if ids is None else [one for one in self.places if one in ids]
        states: dict[str, tuple[State, str]] = {}  # id -> state, the commit on memory's branch that holds it
        landed: list[tuple[str, str]] = []
        open_ones: list[str] = []
        for one in chosen:
            held = self.history.holding.get(one, [])
            live = [name for name in held if not self.history.undone(name, one)]
            if held and not live:
                states[one] = ("reverted", held[0])
            elif live:
                landed.append((one, live[0]))
            elif one in self.tombstones:
                states[one] = ("rejected", "")
            elif one in self.history.refusals:
                states[one] = ("forgotten", "")
            elif only is None or self._could_be(one) & set(only):
                open_ones.append(one)
        if only is None or {"approved", "edited", "dropped"} & set(only):
            states |= self._compared(landed)
        states |= self._open(open_ones)
        wanted = [one for one in chosen if one in states and (only is None or states[one][0] in only)]
        return self._described({one: states[one] for one in wanted})

    def _could_be(self, one: str) -> set[State]:
        place = self.places[one]
        return {"approved", "pending" if place.pending else "archived" if place.archived else "dropped"}

    def _compared(self, landed: Iterable[tuple[str, str]]) -> dict[str, tuple[State, str]]:
        """Landed candidates: is what came in what was proposed?"""
        landed = list(landed)
        brought = {one: self.history.brought[name] for one, name in landed}
        before = {name: next(iter(self.history.parents[name]), "") for name in brought.values()}
        asked = {(before[name], name) for name in brought.values()}
        found = deltas(self.git, [*asked, *(("", self.places[one].commit) for one, _ in landed)])
        together = Counter((brought[one], path) for one, _ in landed for path in self.places[one].paths)
        states: dict[str, tuple[State, str]] = {}
        for one, name in landed:
            place = self.places[one]
            got = found[(before[brought[one]], brought[one])]
            shared = any(together[(brought[one], path)] > 1 for path in place.paths)
            states[one] = (_verdict(found[("", place.commit)], got, place.paths, shared), name)
        return states

    def _open(self, ids: list[str]) -> dict[str, tuple[State, str]]:
        """Candidates whose id is nowhere on memory's branch."""
        sought = {
            one: Sought(place.commit, place.paths, place.base) for one in ids if (place := self.places[one]).paths
        }
        content = by_content(self.git, self.history, sought)
        states: dict[str, tuple[State, str]] = {}
        for one in ids:
            place = self.places[one]
            if one in content:
                states[one] = ("approved", content[one])
            else:
                states[one] = ("pending" if place.pending else "archived" if place.archived else "dropped", "")
        return states

    def _described(self, states: dict[str, tuple[State, str]]) -> list[Candidate]:
        refusals = [self.history.refusals[one] for one in states if one in self.history.refusals]
        read = bodies(self.git, [*(self.places[one].commit for one in states), *refusals])
        found = []
        for one, (state, landed) in states.items():
            place = self.places[one]
            at, body = read[place.commit]
            words = message.read(body)
            if words is None:
                continue
            again = self.seen_again.get(one, ())
            reason = read[self.history.refusals[one]][1] if one in self.history.refusals else ""
            found.append(
                replace(
                    candidate_of(words, place.commit, place.path, place.old_path, at),
                    id=one,
                    state=state,
                    landed=landed,
                    seen=words.seen + len(again),
                    evidence=words.evidence + again,
                    reason=message.reason_of(reason) if state in ("rejected", "forgotten") else "",
                )
            )
        return sorted(found, key=lambda candidate: candidate.at)


def _verdict(proposed: Delta, got: Delta, paths: tuple[str, ...], shared: bool) -> State:
    """Approved when the same lines came in, dropped when none did (`merge -s ours`), else edited.

    `shared`: several candidates of one commit changed this note, so each is a part of what came in.
    """
    want = proposed.all()
    here = got.of(paths)
    if (here or got.all()) == want or (shared and want <= here):
        return "approved"
    return "edited" if here or want & got.all() else "dropped"
