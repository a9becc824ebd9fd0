"""`memwiki watch`: a pass whenever something changes, so that nothing waits for the next hook or command."""

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from watchfiles import Change, watch

from .config import Config, Home, load
from .errors import MemwikiError
from .files import named_in_git
from .index.protocol import Fault
from .index.report import SyncReport
from .index.sqlite import SqliteIndex
from .journal.sessions import Journal
from .rooms import Rooms
from .sync import sync
from .vault import projects
from .vault.git import Git
from .vault.paths import is_note

_QUIET = 50  # ms without a change before a pass
_LONGEST = 400  # ms of changes without a pause before a pass
_TICK = 1000  # ms between looks at a silent watcher
_IDLE = 30  # ticks after which a pass is made anyway: notices get lost on network file systems and in full queues
_IDLE_POLLING = 2  # the same where files are polled: that does not see an older file take a newer one's place
# What decides in a git folder which text is memory; its objects, logs and locks do not.
_GIT = ("HEAD", "packed-refs", "refs", "reftable", "MERGE_", "CHERRY_PICK_", "REVERT_", "BISECT_START", "rebase-")


class Watch:
    """Follows vault, spool and journal of one home until `stop` is set.

    `told` gets the report of each pass that found something, with new faults only; `failed` each error, after which
    the watch goes on.
    """

    def __init__(
        self,
        home: Home,
        told: Callable[[SyncReport], None],
        failed: Callable[[MemwikiError], None],
        stop: threading.Event | None = None,
    ) -> None:
        self.home, self.told, self.failed = home, told, failed
        self.stop = stop or threading.Event()
        self.index = SqliteIndex(home.index)
        self.known: tuple[Fault, ...] = ()
        self.said = ""

    def run(self) -> None:
        """Watch until `stop` is set or the person interrupts; what the system cannot watch is polled."""
        polling: bool | None = None  # as watchfiles decides, and WATCHFILES_FORCE_POLLING tells it
        try:
            while not self.stop.is_set():
                try:
                    self._follow(polling)
                except (MemwikiError, FileNotFoundError) as error:  # settings are being edited, or the vault is moved
                    self._say(
                        error if isinstance(error, MemwikiError) else MemwikiError(f"{error}.", "Waiting for it.")
                    )
                    self.stop.wait(_TICK / 1000)
                except OSError as error:
                    if polling:
                        remedy = "Run `memwiki sync` instead."
                        raise MemwikiError(f"Nothing can be watched: {error}.", remedy) from error
                    polling = True
        finally:
            self.index.close()

    def turn(self) -> None:
        """One pass, by the settings as they are now. Raises MemwikiError when it fails."""
        config = load(self.home)
        report = sync(Rooms(config, Git.of(config), Journal(self.home.journal), self.index))
        fresh = tuple(fault for fault in report.faults if fault not in self.known)
        self.known, self.said = report.faults, ""
        if report.events or report.notes or fresh:
            self.told(replace(report, faults=fresh))

    def _say(self, error: MemwikiError) -> None:
        """Tell of an error once, however often it comes."""
        if error.message != self.said:
            self.said = error.message
            self.failed(error)

    def _follow(self, polling: bool | None) -> None:
        """Passes until the settings name another vault. Raises MemwikiError when a pass fails."""
        self.turn()
        config = load(self.home)
        places = _places(config, self.home)
        changes = watch(
            *places.folders,
            watch_filter=places.matters,
            debounce=_LONGEST,
            step=_QUIET,
            stop_event=self.stop,
            rust_timeout=_TICK,
            yield_on_timeout=True,
            force_polling=polling,
            ignore_permission_denied=True,
        )
        idle = _IDLE_POLLING if polling or _forced() else _IDLE
        silent = idle  # the first tick makes a pass: something may have changed before the watcher stood
        here = config.vault.stat()
        for found in changes:
            silent = 0 if found else silent + 1
            if found or silent > idle or not os.path.samestat(here, config.vault.stat()):
                silent = 0
                self.turn()
                if load(self.home).vault != config.vault or not os.path.samestat(here, config.vault.stat()):
                    return


class _Places:
    """What is watched, and which changes there matter."""

    def __init__(self, top: Path, git: Path, common: Path, others: tuple[Path, ...]) -> None:
        self.top, self.gits, self.others = top, {git, common}, others
        outside = tuple(folder for folder in sorted(self.gits) if top not in folder.parents)
        self.folders = (top, *outside, *others)

    def matters(self, change: Change, changed: str) -> bool:
        """Whether a pass could find anything in this: not editors' files, git's objects and what memwiki writes."""
        path = Path(changed)
        for git in self.gits:
            if path.is_relative_to(git):
                first = path.relative_to(git).parts[:1]
                return path.suffix != ".lock" and bool(first) and first[0].startswith(_GIT)
        if not path.is_relative_to(self.top):
            # Dot-files there are hooks' unfinished payloads and the journal's own notes.
            return path.name[:1] != "." and any(path.is_relative_to(other) for other in self.others)
        inside = named_in_git(path.relative_to(self.top).as_posix())
        if is_note(inside) or inside == projects.PATH:
            return True
        if inside.startswith(".") or "/." in inside:
            return False
        return change != Change.modified and (change == Change.deleted or path.is_dir())  # a folder came or went


def _forced() -> bool:
    """Whether the person has told watchfiles to poll."""
    return os.environ.get("WATCHFILES_FORCE_POLLING", "").lower() not in ("", "false", "disable", "disabled")


def _places(config: Config, home: Home) -> _Places:
    """What to watch by these settings; the vault is resolved, since notices name real paths."""
    git = Git.of(config)
    others = (home.spool, home.journal)
    return _Places(
        config.vault.resolve(), git.dir.resolve(), git.common_dir.resolve(), tuple(p.resolve() for p in others)
    )
