"""What each session has been given: one file a (host, session, agent) in `delivered/`, lines added by single writes.

A line is `<unix ns> <event> <content hash> <vault commit> <path>`, `-` for a value that is none; event `reset` says
that the session's context was lost, so that what was given before counts no more. Never a word of a prompt.
"""

import posix
import time
from sys import hexversion

_DAYS, _SESSIONS, _AGENTS = 7, 200, 100  # kept: files younger than that, and so many of sessions and of subagents


class Ledger:
    """One session's record: `given` is (path, content hash) since the last reset, `known` whether there is any."""

    def __init__(self, home: str, host: str, session: str, agent: str = "") -> None:
        self.file = f"{home}/delivered/{name_of(host, session, agent)}"
        self.given: set[tuple[str, str]] = set()
        self.known = False
        try:
            with open(self.file, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    _, event, digest, _, path = parsed(line)
                    if event == "reset":
                        self.given.clear()
                    else:
                        self.given.add((path, digest))
                    self.known = True
        except OSError:
            return

    def add(self, event: str, commit: str, notes: list[tuple[str, str]], reset: bool) -> None:
        """Record (path, content hash) of what `event` gave, after a `reset` line where the context is new."""
        now = time.time_ns()
        lines = [f"{now} reset - {commit or '-'} -\n"] if reset else []
        lines += [f"{now} {event} {digest} {commit or '-'} {_escaped(path)}\n" for path, digest in notes]
        if lines:
            fd = posix.open(self.file, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
            try:
                posix.write(fd, "".join(lines).encode("utf-8", "surrogateescape"))
            finally:
                posix.close(fd)


def content_hash(data: bytes) -> str:
    """Hex SHA-256 of a note's file, as the index has it; past hashlib, whose import is dear."""
    try:
        sha = __import__("_sha2" if hexversion >= 0x30C0000 else "_sha256")
    except ImportError:  # a Python built without them
        sha = __import__("hashlib")
    return str(sha.sha256(data).hexdigest())


def name_of(host: str, session: str, agent: str = "") -> str:
    """The file's name: `<host>+<session>` and `+<agent>` for a subagent; `+` is in none of them."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in agent[:80])
    return f"{host}+{session}" + (f"+{plain}" if plain else "")


def parsed(line: str) -> tuple[int, str, str, str, str]:
    """(unix ns, event, content hash, vault commit or "", path) of one line; a damaged one is (0, "", "", "", "")."""
    parts = line.rstrip("\n").split(" ", 4)
    if len(parts) != 5 or not parts[0].isdecimal():
        return 0, "", "", "", ""
    path = "\\".join(piece.replace("\\n", "\n") for piece in parts[4].split("\\\\"))
    return int(parts[0]), parts[1], parts[2], parts[3].strip("-"), path


def purge(home: str) -> None:
    """Drop the records of sessions that are over: older than a week, and beyond the latest 200 (subagents: 100)."""
    dead = time.time() - _DAYS * 86400
    with posix.scandir(f"{home}/delivered") as entries:
        found = sorted(((entry.stat().st_mtime, entry.path) for entry in entries), reverse=True)
    for most, group in (
        (_SESSIONS, [x for x in found if x[1].count("+") < 2]),
        (_AGENTS, [x for x in found if x[1].count("+") > 1]),
    ):
        for place, (age, path) in enumerate(group):
            if place >= most or age < dead:
                posix.unlink(path)


def _escaped(path: str) -> str:
    return path.replace("\\", "\\\\").replace("\n", "\\n")
