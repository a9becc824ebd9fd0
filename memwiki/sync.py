"""One pass over everything that is derived: spool to journal, journal and vault to the index, index to `recall.bin`.

The background pass is started by hooks, several times a minute: it takes the lock before it imports anything that
costs, so the many that find it held are gone at once. That is why imports here stand in the functions.
"""

import fcntl
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .config import Config, Home
    from .index.report import SyncReport as SyncReport
    from .index.sqlite import SqliteIndex
    from .journal.drain import Drained
    from .journal.sessions import Journal
    from .vault.git import Git

LIMIT = 60.0  # seconds that a background pass may take
_GRACE = 15  # seconds after which the system ends one that hangs


def sync(
    home: "Home",
    config: "Config",
    git: "Git",
    journal: "Journal",
    index: "SqliteIndex",
    full: bool = False,
    deadline: float | None = None,
) -> "SyncReport":
    """Wait for the lock, then make a whole pass of one's own; `full` builds the index anew.

    `deadline` (time.monotonic) stops it early; the report then says so, and the next pass goes on from there.
    Raises MemwikiError when the vault's git cannot be read; events have been taken up by then.
    """
    from .errors import MemwikiError
    from .files import locked

    report, done = None, False
    try:
        while report is None or (report.complete and (home.locks / "again").exists()):  # once more after letting go
            with locked(home.locks / "sync", wait=float("inf")):
                one = _passes(home, config, git, journal, index, full and report is None, deadline)
            report = one if report is None else report.then(one)
        done = report.complete
    except OSError as error:
        raise MemwikiError(f"The sync could not go on: {error}.", f"Make {home.path} writable, with room.") from error
    finally:
        if not done:
            _let_others_start(str(home.locks))
    return report


def events(home: "Home", config: "Config", journal: "Journal", index: "SqliteIndex", wait: float = 1.0) -> bool:
    """Take up what hooks have left and index it, without a look at the vault; False when a sync is at it already.

    Readers of the journal call it first. `wait` is how many seconds the lock may take.
    """
    from contextlib import ExitStack

    from .errors import MemwikiError
    from .files import locked
    from .index.events import take_in
    from .journal.drain import drain

    again, first = home.locks / "again", True
    while first or again.exists():
        first = False
        with ExitStack() as held:
            try:
                held.enter_context(locked(home.locks / "sync", wait=wait))
            except MemwikiError:
                return False
            # Whoever left it had this as the pass under way. It asks for the vault too, but that waits for the next
            # hook: left there, it would keep hooks from starting one.
            again.unlink(missing_ok=True)
            drain(home, config)
            take_in(index, journal)
    return True


def background(home: "Home | str") -> int:
    """The pass that hooks start: niced, silent, at most 60 seconds. The exit code: 1 when the pass failed.

    One that finds the lock held leaves `lock/again` and goes; the holder passes again while it finds that file, and
    looks once more after letting go. What it did, and why it failed, stands in `log/sync.log`.
    """
    top = home if isinstance(home, str) else str(home.path)
    while (lock := _taken(f"{top}/lock")) is not None:
        code = 1
        try:
            code = _in_background(top)
        finally:
            os.close(lock)
            if code:
                _let_others_start(f"{top}/lock")
        if code:
            return code
        if not os.path.exists(f"{top}/lock/again"):  # noqa: PTH110 - pathlib is dear
            return _graph(top)  # with the lock let go: no sync waits for a server
    return 0


def _let_others_start(locks: str) -> None:
    """After a pass that failed: at the end of a turn no hook starts another while `again` asks this one to go on."""
    from contextlib import suppress

    with suppress(OSError):  # nobody has asked, or nothing can be written here
        os.unlink(f"{locks}/again")  # noqa: PTH108 - pathlib is dear


def _graph(top: str) -> int:
    """The graph's turn of a background pass, within a time of its own; 1 when it failed, which nobody else notices."""
    import signal

    from .config import find_home, load
    from .errors import MemwikiError
    from .index.neo4j.target import target

    home = find_home(top)
    try:
        if target(config := load(home)) is None:
            return 0
        from .graph import BUDGET, keep
        from .index.sqlite import SqliteIndex
        from .journal.sessions import Journal
        from .vault.git import Git

        signal.alarm(int(BUDGET) + _GRACE)
        index, git = SqliteIndex(home.index), Git(config.vault, branch=config.branch)
        report = keep(home, config, git, Journal(home.journal), index, background=True)
        index.close()
    except (MemwikiError, OSError) as error:
        _log(home, f"graph failed: {error}")
        return 1
    if report is not None and (report.events or report.notes or report.candidates or not report.complete):
        words = f"graph: {report.events} events, {report.notes} notes, {report.candidates} candidates"
        _log(home, f"{words}, {report.seconds:.2f} s{'' if report.complete else ', stopped: out of time'}")
    return 0


def _taken(folder: str) -> int | None:
    """The lock as an open file; None when another process has it, which then finds `again` in `folder`."""
    lock = os.open(f"{folder}/sync", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for _ in range(2):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Tried again after leaving the file: the holder may have looked for it just before.
            os.close(os.open(f"{folder}/again", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
            continue
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        return lock
    os.close(lock)
    return None


def _in_background(top: str) -> int:
    """One pass for `background`, under its lock."""
    started = time.monotonic()
    os.nice(10)
    import signal

    signal.alarm(int(LIMIT) + _GRACE)  # whatever hangs; a pass may be killed anywhere
    from .config import find_home, load
    from .errors import MemwikiError
    from .index.sqlite import SqliteIndex
    from .journal.sessions import Journal
    from .vault.git import Git

    home = find_home(top)
    try:
        config = load(home)
        index = SqliteIndex(home.index)
        git = Git.of(config)
        report = _passes(home, config, git, Journal(home.journal), index, False, started + LIMIT)
        index.close()
    except (MemwikiError, OSError) as error:
        _log(home, f"failed: {error}")
        return 1
    except Exception:
        import traceback

        _log(home, f"failed: {traceback.format_exc()}")
        return 3
    if report.events or report.notes or report.dropped or report.unsupported or not report.complete:
        words = f"{report.events} events, {report.notes} notes, {report.seconds:.2f} s"
        left = f", {report.dropped} dropped, {report.unsupported} unsupported"
        _log(home, words + left + ("" if report.complete else ", stopped: out of time"))
    return 0


def _log(home: "Home", words: str) -> None:
    """A line in `log/sync.log`; the drain moves log files away when they have grown large."""
    from .text import utc

    with (home.log / "sync.log").open("a", encoding="utf-8", errors="replace") as out:
        out.write(f"{utc()} {words.rstrip()}\n")


def _passes(
    home: "Home",
    config: "Config",
    git: "Git",
    journal: "Journal",
    index: "SqliteIndex",
    full: bool,
    deadline: float | None,
) -> "SyncReport":
    """Passes under the lock until nobody has asked for another; an index that turns out damaged is made anew."""
    from .index.sqlite import Damaged

    again = home.locks / "again"
    total = None
    if full:
        index.discard()
    while total is None or (total.complete and again.exists()):
        again.unlink(missing_ok=True)
        try:
            report = _pass(home, config, git, journal, index, deadline)
        except Damaged:
            index.discard()
            report = _pass(home, config, git, journal, index, deadline)
        total = report if total is None else total.then(report)
    return total


def _pass(
    home: "Home", config: "Config", git: "Git", journal: "Journal", index: "SqliteIndex", deadline: float | None
) -> "SyncReport":
    from .errors import MemwikiError
    from .index import events, notes, upkeep
    from .index.report import OutOfTime, SyncReport

    started = time.monotonic()
    limit = float("inf") if deadline is None else deadline
    taken = changed = 0
    written, complete = False, True
    try:
        drained = _drained(home, config, index, limit)
        taken = events.take_in(index, journal, limit)
        changed = notes.take_in(index, git, limit)
        written = upkeep.write(index, home, config, git)
        if written or config.get("recall.path_rules", host="claude") == "native":  # a person may have removed a file
            fill_rules(home)
    except OutOfTime:
        complete = False
    except (MemwikiError, OSError) as error:
        _remember_failure(index, error)
        raise
    if index.state("failure"):
        index.remember("failure", None)
    os.utime(index.path)  # when the last pass ended
    return SyncReport(
        events=taken,
        sessions=len(drained.sessions) if drained else 0,
        notes=changed,
        snapshot=written,
        adopted=drained.adopted if drained else 0,
        dropped=drained.dropped if drained else 0,
        unsupported=drained.unsupported if drained else 0,
        duplicates=drained.duplicates if drained else 0,
        faults=tuple(index.faults()),
        complete=complete and (drained is None or drained.complete),
        seconds=time.monotonic() - started,
    )


def _drained(home: "Home", config: "Config", index: "SqliteIndex", limit: float) -> "Drained | None":
    """What the drain did; None when hooks have left nothing, not even half a payload: its import costs 40 ms."""
    given = []
    if home.delivered.is_dir():
        given = sorted([entry.name, entry.stat().st_size] for entry in os.scandir(home.delivered))
    if given == index.state("drained") and not os.listdir(home.spool):  # noqa: PTH208 - pathlib lists no faster
        return None
    from .journal.drain import drain

    drained = drain(home, config, limit)
    index.remember("drained", given)
    return drained


def fill_rules(home: "Home") -> None:
    """Refresh what hosts read by themselves: the blocks of those that take nothing from hooks, and Claude's rules."""
    from .hosts import rule_files
    from .hosts.rules import blocks, refresh
    from .recall.rulebook import rules

    try:
        if blocks(home):
            from .recall.standing import standing

            refresh(home, lambda block: standing(home, block))
        rule_files.refresh(home, rules(home))
    except (OSError, ValueError) as error:  # a file of another program's is no reason to leave memory behind
        _log(home, f"a rules file was not refreshed: {error}")


def _remember_failure(index: "SqliteIndex", error: Exception) -> None:
    """Keep for `status` why the pass failed; where not even that can be written, the error itself has to do."""
    from contextlib import suppress

    from .errors import MemwikiError

    said = error if isinstance(error, MemwikiError) else MemwikiError(f"{error}.", "Run `memwiki sync`.")
    with suppress(MemwikiError, OSError):
        index.remember("failure", {"message": said.message, "remedy": said.remedy})
