"""Who makes a pass over everything that is derived, and when: in the foreground, for a reader, in the background.

The background pass is started by hooks, several times a minute: it takes the lock before it imports anything that
costs, so the many that find it held are gone at once. That is why imports here stand in the functions.
"""

import fcntl
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .config import Config, Home
    from .errors import MemwikiError
    from .index.report import SyncReport as SyncReport
    from .index.sqlite import SqliteIndex
    from .journal.sessions import Journal
    from .rooms import Rooms

LIMIT = 60.0  # seconds that a background pass may take
_EVENTS = 10.0  # seconds that a reader of the journal takes up events
_NOTES = 2.0  # seconds that a reader waits for notes that were saved just now
_GRACE = 15  # seconds after which the system ends one that hangs


def sync(rooms: "Rooms", full: bool = False, deadline: float | None = None, wait: float = 90.0) -> "SyncReport":
    """Wait up to `wait` seconds for the lock, then make a whole pass of one's own; `full` rebuilds the index.

    `deadline` (time.monotonic) stops it early; the report then says so, and the next pass goes on from there.
    Raises Busy when another sync holds the lock for longer, which then passes once more; MemwikiError when the vault's
    git cannot be read; events have been taken up by then.
    """
    from .errors import Busy
    from .files import locked
    from .passes import passes

    home, report, done = rooms.home, None, False
    try:
        while report is None or (report.complete and (home.locks / "again").exists()):  # once more after letting go
            with locked(home.locks / "sync", wait=wait, busy="A sync is running"):
                one = passes(rooms, full and report is None, deadline)
            report = one if report is None else report.then(one)
        done = report.complete
    except Busy:
        (home.locks / "again").touch(mode=0o600)
        done = True
        raise
    except OSError as error:
        raise _stuck(home, error) from error
    finally:
        if not done:
            _remove(str(home.locks / "again"))
    return report


def _stuck(home: "Home", error: OSError) -> "MemwikiError":
    from .errors import MemwikiError

    return MemwikiError(f"The sync could not go on: {error}.", f"Make {home.path} writable, with room.")


def events(config: "Config", journal: "Journal", index: "SqliteIndex", wait: float = 1.0) -> bool:
    """Take up what hooks have left and index it, without a look at the vault; False when a sync is at it already.

    Readers of the journal call it first. `wait` is how many seconds the lock may take. Raises MemwikiError where what
    hooks have left cannot be taken up.
    """
    from contextlib import ExitStack

    from .errors import MemwikiError
    from .files import locked
    from .index.events import take_in
    from .index.sqlite import Damaged
    from .journal.drain import drain
    from .passes import examine

    home, first = config.home, True
    again = home.locks / "again"
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
            try:
                drain(home, config, time.monotonic() + _EVENTS)
                examine(index)
                take_in(index, journal, config.vault)
                index.seal()
            except Damaged:
                index.discard("damaged")
            except OSError as error:
                raise _stuck(home, error) from error
            if index.rebuilt and home.snapshot.exists():  # the notes have to come back, too
                _rebuild(config, journal, index)
    return True


def _rebuild(config: "Config", journal: "Journal", index: "SqliteIndex") -> None:
    from .passes import passes
    from .rooms import Rooms
    from .vault.git import Git

    passes(Rooms(config, Git.of(config), journal, index), False, None)


def notes(rooms: "Rooms", wait: float = 1.0) -> None:
    """Take in notes that were saved since the last pass, so that a reader finds them; events wait for the next pass.

    What takes longer than two seconds is left to the next pass. Raises MemwikiError where the vault's git cannot be
    read, or where a sync, or another user of the index, has been at it for longer than `wait` seconds.
    """
    from contextlib import suppress
    from dataclasses import replace

    from .files import locked
    from .index.report import OutOfTime
    from .index.sqlite import Damaged, SqliteIndex
    from .passes import examine, passes, take_in_notes

    home, index, done = rooms.home, SqliteIndex(rooms.home.index, wait), False
    mine = replace(rooms, index=index)
    with locked(home.locks / "sync", wait=wait, busy="A sync is running"):
        try:
            with suppress(OutOfTime):
                examine(index)
                if not index.rebuilt:
                    take_in_notes(mine, time.monotonic() + _NOTES)
            done = True
        except Damaged:
            index.discard("damaged")
        except OSError as error:
            raise _stuck(home, error) from error
        finally:
            if not done and not index.rebuilt:
                _remove(str(home.locks / "again"))
        if index.rebuilt:
            passes(mine, False, None)
            rooms.index.notice = index.notice
        index.close()
    if (home.locks / "again").exists():  # a hook that came meanwhile has left its pass to this one
        sync(rooms)


def background(home: "Home | str") -> int:
    """The pass that hooks start: niced, silent, at most 60 seconds. The exit code: 1 when the pass failed.

    One that finds the lock held leaves `lock/again` and goes; the holder passes again while it finds that file, and
    looks once more after letting go. Hooks start no other while `lock/pass` stands. What it did, and why it failed,
    stands in `log/sync.log`.
    """
    top = home if isinstance(home, str) else str(home.path)
    again, started = f"{top}/lock/again", f"{top}/lock/pass"
    try:
        while (lock := _taken(f"{top}/lock")) is not None:
            code = 1
            try:
                code = _in_background(top)
            finally:
                os.close(lock)
                _remove(started)
                if code:
                    _remove(again)
            if code:
                return code
            if not os.path.exists(again):  # noqa: PTH110 - pathlib is dear
                return _graph(top)  # with the lock let go: no sync waits for a server
        return 0
    finally:
        _remove(started)


def _remove(path: str) -> None:
    from contextlib import suppress

    with suppress(OSError):  # nobody has left it, or nothing can be written here
        os.unlink(path)  # noqa: PTH108 - pathlib is dear


def _graph(top: str) -> int:
    """The graph's turn of a background pass, within a time of its own; its exit code, which nobody else notices."""
    import signal

    from .config import find_home, load
    from .index.neo4j.target import target

    home = find_home(top)

    def work() -> str:
        if target(config := load(home)) is None:
            return ""
        from .graph import BUDGET, keep
        from .rooms import Rooms

        signal.alarm(int(BUDGET) + _GRACE)
        rooms = Rooms.of(config)
        report = keep(rooms, background=True)
        rooms.index.close()
        if report is None or not (report.events or report.notes or report.candidates or not report.complete):
            return ""
        words = f"{report.events} events, {report.notes} notes, {report.candidates} candidates"
        return f"{words}, {report.seconds:.2f} s{'' if report.complete else ', stopped: out of time'}"

    return _logged(home, work, "graph: ", "graph ")


def _logged(home: "Home", work: "Callable[[], str]", did: str = "", which: str = "") -> int:
    """Do `work`, and log the words it returns, if any, after `did`; or why `which` failed (1), or broke (3)."""
    from .errors import MemwikiError
    from .passes import log

    try:
        words = work()
    except (MemwikiError, OSError) as error:
        log(home, f"{which}failed: {error}")
        return 1
    except Exception:
        import traceback

        log(home, f"{which}failed: {traceback.format_exc()}")
        return 3
    if words:
        log(home, did + words)
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
    from .passes import passes
    from .rooms import Rooms

    home = find_home(top)

    def work() -> str:
        rooms = Rooms.of(load(home))
        report = passes(rooms, False, started + LIMIT)
        rooms.index.close()
        if not (report.events or report.notes or report.dropped or report.unsupported) and report.complete:
            return ""
        words = f"{report.events} events, {report.notes} notes, {report.seconds:.2f} s"
        left = f", {report.dropped} dropped, {report.unsupported} unsupported"
        return words + left + ("" if report.complete else ", stopped: out of time")

    return _logged(home, work)
