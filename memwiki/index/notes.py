"""The vault's side of the index: keeps what changed, and resolves links anew where that can matter.

Each batch of notes is one transaction that also notes what it leaves to do (links to resolve, a snapshot to write); the
last one moves the mark of what has been seen. So a pass that is killed anywhere is finished by the next.
"""

import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import islice
from typing import TYPE_CHECKING

from ..recall.disk import digest
from ..vault.git import Git
from .delta import Delta, Seen, delta, with_paths
from .report import OutOfTime
from .sqlite import SqliteIndex

if TYPE_CHECKING:
    from .crew import Batch
    from .sources import Kept, Source

_BATCH = 250  # notes of one transaction


def take_in(index: SqliteIndex, git: Git, deadline: float = float("inf")) -> int:
    """Bring the index in step with memory; the number of notes that were added, changed or removed.

    When the person changes branches meanwhile, it looks again. Raises OutOfTime after `deadline` (time.monotonic).
    """
    changed = 0
    while True:
        before = seen(index)
        now = with_paths(git, delta(git, before), (fault.path for fault in index.faults() if fault.kind == "filter"))
        if before is not None and not now.disk <= set(before.disk):
            # Text on disk is memory only while its branch is checked out: a pass killed here must look at it again.
            with index.transaction():
                _remember(index, replace(before, disk=tuple(sorted(now.disk | set(before.disk)))))
        changed += _pass(index, git, now, deadline)
        if not now.disk or (git.is_memory() and git.tip() == now.seen.commit):
            return changed


def seen(index: SqliteIndex) -> Seen | None:
    """Memory as the last finished pass saw it."""
    kept = index.state("seen")
    return Seen(**{**kept, "disk": tuple(kept["disk"])}) if kept else None


def _remember(index: SqliteIndex, seen: Seen) -> None:
    index.remember("seen", asdict(seen))


def _pass(index: SqliteIndex, git: Git, now: Delta, deadline: float) -> int:
    """One look at one delta."""
    if not (now.whole or now.tree or now.disk or now.gone or index.rows("SELECT 1 FROM stale LIMIT 1")):
        if now.seen != seen(index):
            _remember(index, now.seen)
        return 0
    from .crew import in_turn  # what follows costs 100 ms to import, and most syncs find nothing
    from .sources import shown, sources
    from .store import drop_faults, keep, resolve

    known = _known(index, None if now.whole else {*now.tree, *now.disk, *now.gone})
    changed = 0
    waiting: deque[list[Source]] = deque()
    for rows in in_turn(_batches(sources(git, now, known), known, waiting)):
        batch = waiting.popleft()
        with index.transaction() as db:
            for source, fresh in zip(batch, rows, strict=True):
                changed += keep(db, source, fresh, known.get(source.path))
        if time.monotonic() > deadline:
            raise OutOfTime
    if not changed and now.seen == seen(index) and not index.rows("SELECT 1 FROM stale LIMIT 1"):
        return 0
    with index.transaction() as db:
        if now.whole:
            drop_faults(db, {shown(path) for path in (*now.tree, *now.disk)})
        resolve(db)
        _remember(index, now.seen)
    return changed


def _known(index: SqliteIndex, paths: set[str] | None) -> "dict[str, Kept]":
    """What the index has of `paths`, or of all notes."""
    from .sources import Kept, Stamp, shown

    query = "SELECT path, oid, mtime_ns, size, settled, hash FROM notes"
    if paths is None:
        found = index.rows(query)
    else:
        found = [one for path in paths for one in index.rows(f"{query} WHERE path = ?", (shown(path),))]
    return {path: Kept(oid, Stamp(mtime, size, bool(settled)), hash) for path, oid, mtime, size, settled, hash in found}


def _batches(
    found: "Iterator[Source]", known: "Mapping[str, Kept]", waiting: "deque[list[Source]]"
) -> "Iterator[Batch]":
    """What is to be analysed of each batch: texts that are others than those kept. The batch goes to `waiting`."""
    while batch := list(islice(found, _BATCH)):
        waiting.append(batch)
        yield [_asked(one, known.get(one.path)) for one in batch]


def _asked(source: "Source", known: "Kept | None") -> tuple[str, bytes] | None:
    if source.data is None or (known is not None and known.hash == digest(source.data)):
        return None
    return source.path, source.data
