"""Reading what is due, batch after batch: model calls, gates and limits."""

from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from ..candidates.ledger import runs
from ..candidates.message import new_run_id
from ..candidates.tombstone import normalised
from ..config import Config, Home
from ..errors import MemwikiError
from ..index.sqlite import SqliteIndex
from ..index.upkeep import known_projects
from ..journal.intake import own_sessions
from ..journal.sessions import Journal
from ..vault.git import Git
from ..vault.tree import Tree
from . import diary
from .decided import decided
from .edits import Batch, Distiller, Edit, Known, Usage
from .engines import most
from .engines.failure import Failed
from .engines.prices import counted
from .gates import Accepted, Gates, Refused, Seen
from .notes import Notes
from .report import DreamOptions
from .turns import Due, Ranges, Turn, batches, conversations, due, first_events, since, split

TOLD = 60  # pending and refused candidates that a distiller is told about, each
_ENDS_RUN = ("rate-limited", "unavailable", "key", "request", "limit")  # the next batch would fail the same way


def read_ranges(git: Git, machine: str) -> Ranges:
    """Session key -> the ranges of events that finished runs of this machine have read."""
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for run in runs(git, machine):
        for key, span in run.spans.items():
            found[key] = (*found.get(key, ()), span)
    return found


@dataclass
class Reading:
    """One run under way: what it works with, and what has come of it so far. Nothing is written."""

    home: Home
    config: Config
    git: Git
    tree: Tree
    journal: Journal
    engine: Distiller
    options: DreamOptions
    id: str = field(default_factory=new_run_id)
    done: list[Turn] = field(default_factory=list)
    accepted: list[Accepted] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    notice: str = ""
    failure: Failed | None = None

    def __post_init__(self) -> None:
        with closing(SqliteIndex(self.home.index)) as index:
            known = known_projects(index)
        self.notes = Notes(self.git, self.tree, self.git.tip(), known)
        self.pending, self.before = decided(self.git)
        self.cards: tuple[Known, ...] = ()

    def due(self, only: str) -> Due:
        """All turns that no finished run has read."""
        read = read_ranges(self.git, self.config.machine)
        return due(self.journal, read, only=only, dropped=own_sessions(self.home))

    def chosen(self, found: Due, begin: str) -> tuple[Turn, ...]:
        """The turns that the options leave, and their cards."""
        turns = since(found.turns, begin)
        turns = first_events(turns, self.options.max_events) if self.options.max_events else turns
        self.cards = tuple(self.notes.cards({self.notes.folder(turn.project) for turn in turns}))
        return turns

    def read(self, turns: Sequence[Turn]) -> None:
        """Batch after batch, until all are read, a limit is reached or a failure would only repeat itself."""
        queue = deque(batches(turns, self.options.batch_bytes))
        left_out: set[str] = set()  # sessions of a failed batch: what comes later in them waits with it
        while queue:
            turns = tuple(turn for turn in queue.popleft() if turn.key not in left_out)
            batch = self.batch(turns, self.accepted)
            if not batch.conversations:
                self.done += turns
                continue
            self.notice = self._limit(batch)
            if self.notice:
                break
            try:
                answer = self.engine.distil(batch)
            except Failed as failure:
                self.usage = self.usage.plus(failure.usage)
                smaller = split(turns) if failure.kind == "too long" else []
                if smaller:
                    queue.extendleft(reversed(smaller))
                    continue
                self._failed(failure)
                left_out |= {turn.key for turn in turns}
                if failure.kind in _ENDS_RUN:
                    break
                continue
            self.usage = self.usage.plus(answer.usage)
            gates = Gates(
                self.notes,
                {one.id: one for talk in batch.conversations for one in talk.excerpts},
                {one.id: talk.folder for talk in batch.conversations for one in talk.excerpts},
                self.pending,
                self.before,
            )
            passed = self._passed(gates, answer.edits)
            self.done += self._taken(turns, passed)
            if self.notice:
                break

    def batch(self, turns: Sequence[Turn], accepted: Sequence[Accepted]) -> Batch:
        """What a distiller is given for these turns; no conversations when nothing in them can be seen."""
        talks = conversations(turns, self.notes.folder)
        if not talks:
            return Batch(())
        whole = self.notes.matter(self.home, talks)
        pending = [one.line for one in self.pending] + [f"{one.edit.path}: {one.edit.text}" for one in accepted]
        refused = [one.line for one in self.before if not one.keys]  # of those others, the words are not known
        return Batch(talks, (*self.cards, *whole), tuple(pending[-TOLD:]), tuple(refused[-TOLD:]))

    def _passed(self, gates: Gates, edits: Sequence[Edit]) -> list[Accepted]:
        """The edits that pass; what is refused and what is known already is noted."""
        passed: list[Accepted] = []
        for edit in edits:
            try:
                one = gates.check(edit)
            except MemwikiError as error:
                self.refused.append(Refused(edit.path, edit.subject, error.message))
                continue
            if isinstance(one, Seen):
                self.seen.append(one)
            else:
                passed.append(one)
        return passed

    def _taken(self, turns: tuple[Turn, ...], passed: Sequence[Accepted]) -> tuple[Turn, ...]:
        """Take edits in until the run has its candidates; the turns that are read by that.

        The turn that the first edit without room rests on, and all after it, stay due. Only when that is the very first
        turn of the run are its surplus edits refused, since no later run would have more room.
        """
        limit = int(self.config.get("dream.max_candidates"))
        place = {excerpt.id: at for at, turn in enumerate(turns) for excerpt in turn.excerpts}
        end = len(turns)
        for at, one in sorted(((max(place[e.event] for e in one.evidence), one) for one in passed), key=lambda x: x[0]):
            if at < end and (self._joins(one) or len({x.edit.path for x in self.accepted}) < limit):
                self._accept(one)
                continue
            self.notice = f"The run has its {limit} candidates (dream.max_candidates)."
            if at == 0 and not self.done:
                self.refused.append(Refused(one.edit.path, one.edit.subject, self.notice))
                end = min(end, 1)
            end = min(end, max(at, 1 if not self.done else 0))
        return turns[:end]

    def _joins(self, new: Accepted) -> bool:
        """Whether an edit needs no candidate of its own: its note has one, or it says what another edit says."""
        return any(one.edit.path == new.edit.path or _same(one, new) for one in self.accepted)

    def _limit(self, batch: Batch) -> str:
        """Which limit the next call would break, in words; "" for none."""
        calls, most_candidates = self.config.get("dream.max_calls"), self.config.get("dream.max_candidates")
        if len({one.edit.path for one in self.accepted}) >= most_candidates:
            return f"The run has its {most_candidates} candidates (dream.max_candidates)."
        if self.usage.calls >= calls:
            return f"The run has made its {calls} model calls (dream.max_calls)."
        budget = self.config.get("dream.max_cost") if self.options.max_cost is None else self.options.max_cost
        ceiling = most(self.engine, batch)
        spent = counted(self.usage)
        if spent + ceiling <= budget:
            return ""
        words = f"The next call may cost up to {ceiling:.2f} USD, and {spent:.2f} of {budget:.2f} USD are spent."
        if not self.usage.calls:
            self.failure = Failed(
                "limit", words, "Raise it with `--max-cost` or dream.max_cost, or choose another model."
            )
        return words

    def _failed(self, failure: Failed) -> None:
        """Keep the first failure, and what the model said, where it said something."""
        if failure.raw or failure.kind in ("refused", "not parseable", "wrong shape"):
            place = diary.keep_words(self.home, self.id, failure.raw)
            words = f"Its own words are in {place}; dream again to try once more."
            failure = Failed(failure.kind, failure.message, words, raw=failure.raw, usage=failure.usage)
        self.failure = self.failure or failure

    def _accept(self, new: Accepted) -> None:
        """Take an edit in; one that says the same as an earlier one of the run adds its evidence to that one."""
        for place, one in enumerate(self.accepted):
            if _same(one, new):
                evidence = tuple(dict.fromkeys((*one.evidence, *new.evidence)))
                self.accepted[place] = replace(one, evidence=evidence)
                return
        self.accepted.append(new)


def _same(one: Accepted, other: Accepted) -> bool:
    """Whether two edits add the same statements, wherever."""
    if one.edit.op != "add" or other.edit.op != "add":
        return False
    first, second = ({normalised(line) for line in x.edit.text.split("\n")} for x in (one, other))
    return first == second
