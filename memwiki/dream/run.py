"""One dream: read what is due, have it distilled, gate it, and write it as one run, or leave everything as it was."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from ..candidates.archive import archive_old
from ..candidates.candidate import Evidence
from ..candidates.ledger import Run
from ..candidates.runs import clear_orphans, write
from ..config import Config, Home
from ..errors import MemwikiError
from ..files import locked
from ..journal.sessions import Journal
from ..vault.gc import collect
from ..vault.git import Git
from ..vault.tree import Tree
from . import diary
from .apply import proposals
from .decided import Decided
from .engines import choose, most
from .engines.failure import Failed
from .engines.prices import price_of, tokens
from .gates import Seen
from .prompt import prompt
from .reading import Reading
from .report import DreamFailed, DreamOptions, DreamReport, Estimate, moment
from .turns import Due, batches, spans

__all__ = ["DreamFailed", "DreamOptions", "DreamReport", "dream"]

LIKELY_OUTPUT = 800  # tokens of a usual answer, for an estimate


def dream(home: Home, config: Config, git: Git, journal: Journal, tree: Tree, options: DreamOptions) -> DreamReport:
    """Make one run. Raises MemwikiError when it cannot start, DreamFailed when a batch failed: the rest is kept.

    One dream at a time (the second raises, with the pid of the first). Whatever ends the run, the watermark and the
    candidates move together or not at all, and the work tree is never touched.
    """
    begin = moment(options.since)
    engine = choose(config, options.engine)
    only = journal.resolve(options.session) if options.session else ""
    if options.dry_run:
        return _plan(Reading(home, config, git, tree, journal, engine, options), only, begin)
    with locked(home.locks / "dream", busy="A dream is already running"):
        try:
            clear_orphans(git, config.machine)
            archive_old(git)
            git.probe()
            report = _run(Reading(home, config, git, tree, journal, engine, options), only, begin)
        except MemwikiError as error:
            cause = error.__cause__ if isinstance(error.__cause__, Failed) else error
            waiting = error.report.waiting if isinstance(error, DreamFailed) else None
            diary.note_failure(home, cause, waiting)
            raise
    collect(git)
    return report


def _plan(reading: Reading, only: str, begin: str) -> DreamReport:
    """What a run would read and about what it would cost; nothing is called or written."""
    found = reading.due(only)
    turns = reading.chosen(found, begin)
    estimate = Estimate()
    price = price_of(reading.engine.model)
    for one in batches(turns, reading.options.batch_bytes):
        batch = reading.batch(one, ())
        if not batch.conversations:
            continue
        ceiling = most(reading.engine, batch)
        size = tokens(prompt(batch).size) if reading.engine.name != "rules" else 0
        likely = (size * price.input + LIKELY_OUTPUT * price.output) / 1e6 if price and ceiling else 0.0
        calls = estimate.calls + (reading.engine.name != "rules")
        estimate = Estimate(calls, estimate.input_tokens + size, estimate.cost + likely, estimate.most + ceiling)
    left = sum(turn.events for turn in found.turns) - sum(turn.events for turn in turns)
    return DreamReport(
        run="",
        engine=reading.engine.name,
        model=reading.engine.model,
        spans=spans(turns),
        waiting=left,
        going_on=found.open,
        estimate=estimate,
    )


def _run(reading: Reading, only: str, begin: str) -> DreamReport:
    """Read, distil, gate, write."""
    found = reading.due(only)
    try:
        reading.read(reading.chosen(found, begin))
    except KeyboardInterrupt:  # what is paid for is kept, then the person's wish is done
        _written(reading, found)
        raise
    report = _written(reading, found)
    failure = reading.failure
    if failure is None:
        diary.note_success(reading.home, report.run, report.waiting)
        return report
    waiting = f"{report.waiting} event{'s' if report.waiting != 1 else ''} wait"
    raise DreamFailed(f"{failure.message.removesuffix('.')}; {waiting}.", failure.remedy, report) from failure


def _written(reading: Reading, found: Due) -> DreamReport:
    """The run in git, when anything was read; else nothing."""
    made, unfit = proposals(reading.accepted, reading.notes, time.strftime("%Y-%m-%d"))
    report = DreamReport(
        run="",
        engine=reading.engine.name,
        model=reading.engine.model,
        refused=(*reading.refused, *unfit),
        seen=tuple(reading.seen),
        spans=spans(reading.done),
        usage=reading.usage,
        waiting=sum(turn.events for turn in found.turns) - sum(turn.events for turn in reading.done),
        going_on=found.open,
        notice=reading.notice,
    )
    if not reading.done:
        return report
    run = Run(
        id=reading.id,
        engine=reading.engine.name,
        model=reading.engine.model,
        base=reading.notes.base,
        spans=report.spans,
        usage=asdict(reading.usage),
        seen_again=_again(reading.seen, reading.pending),
    )
    return replace(report, run=reading.id, candidates=write(reading.git, reading.config.machine, run, made))


def _again(seen: Sequence[Seen], pending: Sequence[Decided]) -> Mapping[str, tuple[Evidence, ...]]:
    """Candidate id -> the new evidence for it, of what was said again while it waits."""
    waiting = {one.id for one in pending}
    found: dict[str, tuple[Evidence, ...]] = {}
    for one in seen:
        if one.where in waiting:
            found[one.where] = tuple(dict.fromkeys((*found.get(one.where, ()), *one.evidence)))
    return found
