"""What each session, and each of its subagents, has been given: a file a (host, session, agent) in `delivered/`.

A line is `<unix ns> <event> <content hash> <vault commit> <path>`, `-` for a value that is none. Lines of other kinds
have no path: `reset` (the context is new and got what a start gets, so what was given before counts no more), `lost`
(the context is gone or got nothing, and a start's text is owed), `paid` (it was given), `again` (given before, relevant
again), `task` (the call that started a subagent), `proof:2/14/3` (what a turn came to, with its signature for a hash).
Never a word of a prompt.
"""

import posix
import time
from _io import FileIO

Pairs = list[tuple[str, str]]
_DAYS, _SESSIONS, _AGENTS = 7, 200, 100  # kept: records of so many days, of so many sessions, and of so many subagents


class Ledger:
    """One record, held against other hooks until this process ends: two at once never give the same.

    `given` is (path, content hash) since the context was new; `known`: something was ever given or reset; `lost`: a
    start is owed; `tasks`: the calls that started subagents.
    """

    def __init__(self, home: str, host: str, session: str, agent: str = "", make: bool = True) -> None:
        self.path = f"{home}/delivered/{host}+{session}" + (f"+{agent}" if agent else "")  # `+` is in none of them
        self.given: set[tuple[str, str]] = set()
        self.tasks: set[str] = set()
        self.known = self.lost = self.torn = False
        self.file: FileIO | None = None
        try:
            self._open(posix.O_CREAT if make else 0)
        except FileNotFoundError:
            if make:  # the folder is gone
                raise
        data = (self.file.readall() if self.file else b"").decode("utf-8", "surrogateescape")
        self.torn = data[-1:] not in ("", "\n")
        for _, event, digest, _, path in map(parsed, data.split("\n")):
            self.known = self.known or bool(path) or event in ("reset", "lost", "paid")
            if event in ("reset", "lost"):
                self.given.clear()
                self.lost = event == "lost"
            elif event == "paid":
                self.lost = False
            elif event == "task":
                self.tasks.add(digest)
            elif path:
                self.given.add((path, digest))

    def _open(self, flags: int) -> None:
        flags |= posix.O_RDWR | posix.O_APPEND | posix.O_CLOEXEC
        self.file = FileIO(posix.open(self.path, flags, 0o600), "r+")
        try:
            posix.lockf(self.file.fileno(), posix.F_LOCK, 0)
        except TimeoutError:  # our own deadline
            raise
        except OSError:  # a file system without locks: as good as it gets there
            return

    def add(self, event: str, commit: str, notes: Pairs, marks: Pairs) -> None:
        """Record (path, content hash) of what `event` gave, after `marks`: (kind, hash) of lines without a path.

        One moment, one write; OSError when that fails.
        """
        now = f"{time.time_ns()} "
        lines = [f"{now}{mark} {digest or '-'} {commit or '-'} \n" for mark, digest in marks]
        lines += [f"{now}{event} {digest} {commit or '-'} {path}\n" for path, digest in notes]
        if lines and not self.file:
            self._open(posix.O_CREAT)
        if lines and self.file:
            self.file.write(("\n" * self.torn + "".join(lines)).encode("utf-8", "surrogateescape"))


def parsed(line: str) -> tuple[int, str, str, str, str]:
    """(unix ns, event, content hash, vault commit or "", path) of one line; a damaged one is (0, "", "", "", "")."""
    parts = line.rstrip("\n").split(" ", 4)
    if len(parts) != 5 or not parts[0].isdecimal():
        return 0, "", "", "", ""
    return int(parts[0]), parts[1], parts[2], parts[3].strip("-"), parts[4]


def purge(home: str) -> None:
    """Drop records that are over: older than a week, and beyond the latest 200 sessions and 100 subagents."""
    oldest = time.time_ns() - _DAYS * 86400 * 10**9
    try:
        with posix.scandir(f"{home}/delivered") as entries:
            found = sorted(((entry.stat().st_mtime_ns, entry.path, entry.name) for entry in entries), reverse=True)
        kept = [0, 0]
        for at, path, name in found:
            agent = name.count("+") > 1
            kept[agent] += 1
            if kept[agent] > (_AGENTS if agent else _SESSIONS) or at < oldest:
                posix.unlink(path)
    except FileNotFoundError:  # another session that starts just now does the same
        return
