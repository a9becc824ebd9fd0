"""What became of each candidate, from the repository alone, so that plain git and forges are as good as our commands.

The first that fits: reverted, approved or edited (its id is on memory's branch), rejected, forgotten, approved by
content, pending, archived, dropped.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import Finding, MemwikiError
from ..text import counted, one_line
from ..vault.git import Git
from . import message, tombstone
from .candidate import Candidate, Evidence, State
from .content import Sought, by_content
from .damage import piecewise, present
from .history import History, bodies
from .ledger import LEDGERS, runs
from .lines import Delta, deltas
from .runs import candidate_of
from .shape import LOST, Shape, shapes

_NAMED = 8  # candidates that a finding names


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a candidate is: its proposal's commit, the base of its run, and the refs that hold it now.

    `proposed` is the commit that a ledger has for it. `rivals` are other commits on dream branches that claim its id.
    """

    commit: str
    base: str = ""
    pending: bool = False
    archived: bool = False
    proposed: str = ""
    rivals: tuple[str, ...] = ()


def candidates(git: Git, only: Collection[State] | None = None) -> list[Candidate]:
    """Every candidate that this repository knows of, or those in the states `only`; the oldest first.

    `only` that names no landed state saves comparing every landed commit: pending ones cost a few processes.
    """
    return _Survey(git).candidates(only=only)


def findings(git: Git) -> list[Finding]:
    """What `doctor` says where candidates, or a part of the history that tells of them, are gone."""
    survey = _Survey(git)
    found: list[Finding] = []
    if survey.history.is_cut:
        found.append(
            Finding(
                "review",
                f"Commits of {git.branch} are missing from the vault's git, so its history ends early.",
                "Run `git fsck` in the vault, and fetch what is missing from another clone.",
                "error",
            )
        )
    lost = [*sorted(survey.lost), *(one for one, place in survey.places.items() if _is_lost(survey, place))]
    if lost:
        names = f"{', '.join(lost[:_NAMED])}{f' and {len(lost) - _NAMED} more' if len(lost) > _NAMED else ''}"
        found.append(
            Finding(
                "review",
                f"The text of {counted(len(lost), 'candidate')} is gone from the vault's history: {names}.",
                "Fetch `refs/memwiki/*` from a clone that has it, or go on: what is said again is proposed again.",
            )
        )
    return found


def _is_lost(survey: "_Survey", place: "_Place") -> bool:
    return place.pending and survey.shapes[place.commit].fault == LOST


def find(git: Git, prefix: str) -> Candidate:
    """The one candidate whose id begins with `prefix`; MemwikiError when there is none or more than one."""
    wanted = prefix.strip().lower()
    survey = _Survey(git)
    ids = [one for one in survey.places if wanted and one.startswith(wanted)]
    found = survey.candidates(ids=[wanted] if wanted in ids else ids[:1]) if ids else []
    if not found:
        raise MemwikiError(f"There is no candidate {one_line(prefix, 40)!r}.", "`memwiki review list` shows them.")
    if len(ids) > 1 and wanted not in ids:
        raise MemwikiError(f"{wanted!r} could be {', '.join(sorted(ids)[:8])}.", "Give more letters.")
    return found[0]


def texts(git: Git, candidate: Candidate) -> tuple[str | None, str | None]:
    """The note before and after the proposal, as whole files; None where there is none (a new note, a removal)."""
    old = git.blob(f"{candidate.commit}^", candidate.old_path or candidate.path)
    new = git.blob(candidate.commit, candidate.path)
    return text_of(old), text_of(new)


def all_texts(git: Git, chosen: Sequence[Candidate]) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Candidate -> the note before and after it, as `texts`, in two processes; left out where an object is missing."""
    kept = [one for one in chosen if one.path and not one.fault]
    names = [name for one in kept for name in (f"{one.commit}^:{one.old_path or one.path}", f"{one.commit}:{one.path}")]
    here = present(git, names)
    there = [here.get(name, "") for name in names]
    paths = [path for one in kept for path in (one.old_path or one.path, one.path)]
    files = list(zip(paths, there, strict=True))
    wanted = list(dict.fromkeys(file for file in files if file[1]))
    read = piecewise(lambda some: dict(zip(some, git.texts(some), strict=True)), wanted)
    data = {file: text.data for file, text in read.items()}
    return {
        one.id: (data.get(before), data.get(after))
        for one, before, after in zip(kept, files[::2], files[1::2], strict=True)
        if all(file in data for file in (before, after) if file[1])
    }


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
        self.shapes: dict[str, Shape] = {}
        self.lost: set[str] = set()  # a ledger names them, and no commit that is here has them
        self.places = self._places()

    def _places(self) -> dict[str, _Place]:
        places = self._proposed()
        for refs, pending in (
            (("refs/memwiki/archive/",), False),
            (("refs/remotes/*/dream/*",), True),
            (("refs/heads/dream/",), True),
        ):
            for one, (commit, *others) in self._on(refs).items():
                known = places.get(one) or _Place(commit, base=f"{commit}^")
                places[one] = replace(
                    known,
                    commit=commit if pending else known.commit,
                    pending=known.pending or pending,
                    archived=known.archived or not pending,
                    rivals=tuple(others) if pending else known.rivals,
                )
        held = Counter(commit for commits in self.history.holding.values() for commit in commits)
        for one, (commit, *_) in self.history.holding.items():
            # Landed by another machine, whose ledger is not here, and not in a squash of several.
            if one not in places and self.history.parents[commit] and held[commit] == 1:
                places[one] = _Place(commit, base=f"{commit}^")
        self._learn(place.commit for place in places.values())
        kept = {one: place for one, place in places.items() if place.commit in self.shapes}
        self.lost = (self.lost | places.keys()) - {*kept, *self.tombstones, *self.history.holding}
        return kept

    def _proposed(self) -> dict[str, _Place]:
        """What the ledgers name. Where the history was rewritten, the ids still stand in the new commits."""
        places: dict[str, _Place] = {}
        for run in reversed(runs(self.git)):
            for one, commit in run.commits.items():
                places[one] = _Place(commit, run.base, proposed=commit)
            for one, again in run.seen_again.items():
                self.seen_again[one] = self.seen_again.get(one, ()) + again
        self._learn(place.commit for place in places.values())
        gone = {one for one, place in places.items() if place.commit not in self.shapes}
        if not gone:
            return places
        moved = self._on((f"{LEDGERS}/", "refs/remotes/*/memwiki/runs/*"))
        for one in gone:
            if one in moved:
                commit = moved[one][0]
                places[one] = _Place(commit, base=f"{commit}^", proposed=commit)
            else:
                del places[one]
                self.lost.add(one)
        return places

    def _learn(self, commits: Iterable[str]) -> None:
        """Read the shapes of those commits that are not known yet."""
        self.shapes |= shapes(self.git, [name for name in commits if name not in self.shapes])

    def _on(self, patterns: Iterable[str]) -> dict[str, list[str]]:
        """Candidate -> commits that carry its id and change different things, the newest first.

        They are on the refs that match and not on memory's branch.
        """
        refs = self.git.run("for-each-ref", "--format=%(objectname)", *patterns).text.split()
        tips = list(dict.fromkeys(refs))
        reached = piecewise(self._beyond, tips)
        names = list(dict.fromkeys(name for tip in tips for name in reached.get(tip, ())))
        found: dict[str, list[str]] = {}
        for name, (_, body) in bodies(self.git, names).items():
            for one in message.ids(body):
                found.setdefault(one, []).append(name)
        self._learn(name for some in found.values() if len(some) > 1 for name in some)
        return {one: _different(some, self.shapes) for one, some in found.items()}

    def _beyond(self, tips: Sequence[str]) -> dict[str, list[str]]:
        """Tip -> the commits that it reaches and memory's branch does not, the newest first; the first tip has all."""
        given = "".join(f"{tip}\n" for tip in [*tips, *([f"^{self.history.tip}"] if self.history.tip else [])])
        names = self.git.run("rev-list", "--topo-order", "--ignore-missing", "--stdin", input=given.encode())
        return {tips[0]: names.text.split()}

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
        paths = {one: self.shapes[self.places[one].commit].paths for one, _ in landed}
        together = Counter((brought[one], path) for one, _ in landed for path in paths[one])
        states: dict[str, tuple[State, str]] = {}
        for one, name in landed:
            wanted = found.get(("", self.places[one].commit))
            got = found.get((before[brought[one]], brought[one]))
            shared = any(together[(brought[one], path)] > 1 for path in paths[one])
            # Where a text is lost, that its id is on memory's branch is all that is known.
            verdict = _verdict(wanted, got, paths[one], shared) if wanted and got else "approved"
            states[one] = (verdict, name)
        return states

    def _open(self, ids: list[str]) -> dict[str, tuple[State, str]]:
        """Candidates whose id is nowhere on memory's branch."""
        sought = {
            one: Sought(place.commit, shape.paths, place.base)
            for one in ids
            if (shape := self.shapes[(place := self.places[one]).commit]).paths and not shape.fault
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
            shape = self.shapes[place.commit]
            at, body = read[place.commit]
            words = message.read(body)
            if words is None:
                continue
            again = self.seen_again.get(one, ())
            reason = read[self.history.refusals[one]][1] if one in self.history.refusals else ""
            found.append(
                replace(
                    candidate_of(words, place.commit, shape.path, shape.old_path, at),
                    id=one,
                    state=state,
                    landed=landed,
                    seen=words.seen + len(again),
                    evidence=words.evidence + again,
                    reason=message.reason_of(reason) if state in ("rejected", "forgotten") else "",
                    fault=_claim_fault(body, place) or shape.fault,
                    proposed=place.proposed,
                )
            )
        return sorted(found, key=lambda candidate: candidate.at)


def _different(names: list[str], known: Mapping[str, Shape]) -> list[str]:
    """Of commits with one id, the first one and those that change something else; copies of a commit are one."""
    kept: list[str] = []
    for name in names:
        changes = known[name].changes if name in known else None
        if changes is None or all(known[other].changes != changes for other in kept if other in known):
            kept.append(name)
    return kept


def _claim_fault(body: str, place: _Place) -> str:
    """Why the id of a commit does not say which change is meant."""
    named = message.ids(body)
    if len(named) > 1:
        return f"Its commit names {len(named)} candidates ({', '.join(named[:8])})."
    if place.rivals:
        commits = ", ".join(name[:10] for name in (place.commit, *place.rivals[:4]))
        return f"{len(place.rivals) + 1} commits on dream branches claim its id ({commits})."
    return ""


def _verdict(proposed: Delta, got: Delta, paths: tuple[str, ...], shared: bool) -> State:
    """Approved when the same lines came in, dropped when none did (`merge -s ours`), else edited.

    `shared`: several candidates of one commit changed this note, so each is a part of what came in.
    """
    want = proposed.all()
    here = got.of(paths)
    if (here or got.all()) == want or (shared and want <= here):
        return "approved"
    return "edited" if here or want & got.all() else "dropped"
