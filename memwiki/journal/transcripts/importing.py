"""`import --queue`: the transcripts that wait, read, cleaned and merged into the journal one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...config import Config, Home
from ...errors import MemwikiError
from ...files import locked
from ..counts import note
from ..intake import Intake
from ..lines import Damage
from ..sessions import Journal
from .merge import cleaned, merge
from .queue import Waiting, remove, waiting
from .source import Gone, read


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one transcript: events that were new and that were known, records that are no events by kind, and
    damaged places. `why` it was not taken, "" when it was.
    """

    session: str
    transcript: str
    new: int = 0
    known: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    damage: tuple[Damage, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Imports:
    """All of them, the latest first, and how many transcripts wait still."""

    transcripts: tuple[Imported, ...]
    waiting: int

    @property
    def new(self) -> int:
        """Events that were new."""
        return sum(one.new for one in self.transcripts)


def import_queue(home: Home, config: Config, journal: Journal, *, limit: int = 0, dry_run: bool = False) -> Imports:
    """Take in the `limit` latest transcripts that wait (0: all). They leave the queue, save those that are too large,
    which do not count.

    With `dry_run` the journal and the queue stay as they are, save for what hooks left. Sources are never changed, and
    nothing becomes memory: a dream reads the events like any others.
    """
    done, taken = [], 0
    for one in waiting(home):
        if limit and taken == limit:
            break
        found, settled = _import(home, config, journal, one, dry_run)
        taken += settled
        if settled and not dry_run:
            remove(home, one)
        done.append(found)
    return Imports(tuple(done), len(waiting(home)))


def _import(home: Home, config: Config, journal: Journal, one: Waiting, dry_run: bool) -> tuple[Imported, bool]:
    """What became of it, and whether it is done with."""
    session = one.session.partition("/")[2]
    try:
        transcript = read(one.transcript, one.host, session, int(config.get("capture.transcript_bytes")))
    except MemwikiError as error:
        why = f"{error.message} {error.remedy}".strip()
        return Imported(one.session, one.transcript, why=why), isinstance(error, Gone)
    intake = Intake(home, config)
    events = cleaned(intake, one.session, one.root, transcript.entries, one.at)
    with locked(home.locks / "sync", wait=90.0, busy="A sync is running"):
        merged = merge(home, config, journal, one.session, events, dry_run=dry_run)
    for failure in intake.failures:
        note(home, failure)
    done = Imported(
        one.session, one.transcript, merged.new, merged.known, transcript.left_out, transcript.damage, merged.why
    )
    return done, True
