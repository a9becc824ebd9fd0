"""What each session has been given: one file a (host, session, agent) in `delivered/`, lines added by single writes.

A line is `<unix ns> <event> <content hash> <vault commit> <path>`, `-` for a value that is none; event `reset` says
that the session's context was lost, so that what was given before counts no more. Never a word of a prompt.
"""

import posix
import time
from sys import hexversion

_DAYS, _SESSIONS = 7, 200  # kept: the records of so many days, and of so many sessions


class Ledger:
    """One session's record: `given` is (path, content hash) since the last reset, `known` whether there is any."""

    def __init__(self, home: str, host: str, session: str) -> None:
        self.file = f"{home}/delivered/{host}+{session}"  # `+` is in neither
        self.given: set[tuple[str, str]] = set()
        try:
            with open(self.file, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                lines = [parsed(line) for line in file]
        except OSError:
            lines = []
        self.known = bool(lines)
        for _, event, digest, _, path in lines:
            if event == "reset":
                self.given.clear()
            self.given.add((path, digest))

    def add(self, event: str, commit: str, notes: list[tuple[str, str]], reset: bool) -> None:
        """Record (path, content hash) of what `event` gave, after a `reset` line where the context is new."""
        now = time.time_ns()
        lines = [f"{now} reset - {commit or '-'} -\n"] if reset else []
        lines += [f"{now} {event} {digest} {commit or '-'} {path}\n" for path, digest in notes]
        if lines:
            file = posix.open(self.file, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
            posix.write(file, "".join(lines).encode("utf-8", "surrogateescape"))
            posix.close(file)


def content_hash(data: bytes) -> str:
    """Hex SHA-256 of a note's file, as the index has it; past hashlib, whose import is dear."""
    try:
        sha = __import__("_sha2" if hexversion >= 0x30C0000 else "_sha256")
    except ImportError:  # a Python built without them
        sha = __import__("hashlib")
    return str(sha.sha256(data).hexdigest())


def parsed(line: str) -> tuple[int, str, str, str, str]:
    """(unix ns, event, content hash, vault commit or "", path) of one line; a damaged one is (0, "", "", "", "")."""
    parts = line.rstrip("\n").split(" ", 4)
    if len(parts) != 5 or not parts[0].isdecimal():
        return 0, "", "", "", ""
    return int(parts[0]), parts[1], parts[2], parts[3].strip("-"), parts[4]


def purge(home: str) -> None:
    """Drop the records of sessions that are over: those older than a week, and those beyond the latest 200."""
    oldest = time.time() - _DAYS * 86400
    try:
        with posix.scandir(f"{home}/delivered") as entries:
            found = sorted(((entry.stat().st_mtime, entry.path) for entry in entries), reverse=True)
        for place, (at, path) in enumerate(found):
            if place >= _SESSIONS or at < oldest:
                posix.unlink(path)
    except FileNotFoundError:  # another session that starts just now does the same
        return
