"""Which notes nobody has reviewed: edits that are not committed, and what an agent wrote or committed itself."""

from datetime import datetime
from typing import TYPE_CHECKING, Literal

from ..text import sha256
from ..vault.entries import entries
from ..vault.git import Git
from ..vault.paths import is_note

if TYPE_CHECKING:
    from .delta import Seen
    from .sqlite import SqliteIndex

Kind = Literal["agent", "open"]  # an agent wrote it; it is not committed yet
CONFIRMED = "Memwiki-Confirmed"  # a trailer: the path and the blob of a note that the person has confirmed
MOST = 1000  # notes that are only not committed: a vault with more is one that its owner never commits
_UNKNOWN = 600.0  # seconds that a command may have taken whose beginning is not known


def unreviewed(index: "SqliteIndex", git: Git, memory: "Seen") -> dict[str, Kind]:
    """Path -> why nobody has reviewed the note. Git is asked only where an agent wrote, and once for what is there."""
    disk = [path for path in memory.disk if is_note(path)]
    rows = index.rows("SELECT path, at, since FROM agent_writes ORDER BY session, n, path")
    known = sha256(repr((memory, rows)))
    kept = index.state("unreviewed") or {}
    if kept.get("known") != known:
        latest: dict[str, str] = {}
        for path, at, _ in rows:
            latest[path] = max(at, latest.get(path, ""))
        windows = [(_seconds(since) or _seconds(at) - _UNKNOWN, _seconds(at)) for path, at, since in rows if not path]
        own = _committed_by_agents(git, memory.commit, windows) if windows and memory.commit else []
        mine = [path for path in disk if path in latest]
        own += [path for path in mine if int(_seconds(latest[path])) >= _last_commit(git, memory.commit, path)]
        kept = {"known": known, "agent": sorted(set(own))}
        index.remember("unreviewed", kept)
    found: dict[str, Kind] = dict.fromkeys(disk, "open") if len(disk) <= MOST else {}
    return found | dict.fromkeys(kept["agent"], "agent")


def _committed_by_agents(git: Git, tip: str, windows: list[tuple[float, float]]) -> list[str]:
    """Notes whose last commit was made by a command of an agent's, and that nobody has confirmed since."""
    earliest = int(min(start for start, _ in windows))
    log = git.run("log", "-z", f"--since=@{earliest}", "--format=%x01%H %ct%x02%B%x02", "--name-only", tip).out
    last: dict[str, bool] = {}
    confirmed: set[tuple[str, str]] = set()
    for one in log.decode("utf-8", "surrogateescape").split("\x01")[1:]:
        head, body, names = one.split("\x02", 2)
        at = int(head.split()[1])
        lines = [line.partition(": ")[2] for line in body.splitlines() if line.startswith(f"{CONFIRMED}: ")]
        confirmed |= {(line.partition(" ")[2], line.partition(" ")[0]) for line in lines}
        agents = "\nMemwiki-" not in body and any(start - 1 <= at <= end for start, end in windows)
        for path in names.strip("\0\n").split("\0"):
            last.setdefault(path, agents)
    mine = [path for path, agents in last.items() if agents and is_note(path)]
    blobs = entries(git, tip, mine)
    return [path for path in mine if path in blobs and (path, blobs[path][1]) not in confirmed]


def _last_commit(git: Git, tip: str, path: str) -> float:
    """When the last commit touched a note (seconds); 0 when none did."""
    return float((git.run("log", "-1", "--format=%ct", tip, "--", path).line if tip else "") or 0)


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0
