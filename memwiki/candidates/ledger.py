"""The ledgers: what each finished run read and proposed, as its `run.json` says.

A ledger can come from another machine, so each field is checked: one of a wrong kind counts as empty.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..text import one_line
from ..vault.git import Git
from . import message
from .candidate import Evidence
from .damage import piecewise, present

LEDGERS = "refs/memwiki/runs"
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_MOST_EVENTS = 10**12  # what no session has


@dataclass(frozen=True, slots=True)
class Run:
    """One batch: `spans` are the events it read, session key -> (first, last), numbered as in the journal.

    `base` is the commit its notes were read from ("": the tip when it is written); `usage` are the counts and the cost
    of its model calls; `seen_again` maps a pending candidate of an earlier run to the new evidence for it. `machine`,
    `at` (UTC), `candidates` (ids) and `commits` (id -> the commit that proposed it) are filled in when it is written.
    """

    id: str
    engine: str
    model: str = ""
    base: str = ""
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    usage: Mapping[str, int | float] = field(default_factory=dict)
    seen_again: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    machine: str = ""
    at: str = ""
    candidates: tuple[str, ...] = ()
    commits: Mapping[str, str] = field(default_factory=dict)


def runs(git: Git, machine: str = "") -> list[Run]:
    """Every run of every ledger that is here, no-op runs too, the newest first; what is not such JSON is left out.

    With `machine`, those that this repository's own ledger of that machine has: a remote's can claim to be any.
    """
    patterns = (f"{LEDGERS}/{machine}",) if machine else (f"{LEDGERS}/", "refs/remotes/*/memwiki/runs/*")
    refs = git.run("for-each-ref", "--format=%(refname)", *patterns).text.split()
    names = sorted({name for ref in refs for name in _chain(git, ref)})
    blobs = list(present(git, [f"{name}:run.json" for name in names]).values())
    texts = piecewise(lambda some: dict(zip(some, git.blobs(some), strict=True)), blobs)
    found = (_run(data) for data in texts.values())
    return sorted((run for run in found if run is not None), key=lambda run: (run.at, run.id), reverse=True)


def _chain(git: Git, ref: str) -> list[str]:
    """The ledger's own commits; those that can be read, where an object is missing."""
    return git.run("rev-list", "--first-parent", "--min-parents=2", ref, "--", ok=(0, 128)).text.split()


def _run(data: bytes) -> Run | None:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not message.is_run(_text(record, "run")):
        return None
    commits = dict(_commits(record.get("candidates")))
    base, at = _text(record, "base"), _text(record, "at")
    return Run(
        id=record["run"],
        engine=one_line(_text(record, "engine"), 40),
        model=one_line(_text(record, "model"), 80),
        base=base if _COMMIT.fullmatch(base) else "",
        spans=dict(_spans(record.get("spans"))),
        usage=dict(_usage(record.get("usage"))),
        seen_again=dict(_seen_again(record.get("seen_again"))),
        machine=one_line(_text(record, "machine"), 64),
        at=at if _TIME.fullmatch(at) else "",
        candidates=tuple(commits),
        commits=commits,
    )


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def _commits(listed: object) -> Iterator[tuple[str, str]]:
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and message.is_id(_text(one, "id")) and _COMMIT.fullmatch(_text(one, "commit")):
            yield one["id"], one["commit"]


def _spans(spans: object) -> Iterator[tuple[str, tuple[int, int]]]:
    for key, span in spans.items() if isinstance(spans, dict) else ():
        match span:
            case [int(first), int(last)] if 1 <= first <= last <= _MOST_EVENTS:
                yield key, (first, last)


def _usage(usage: object) -> Iterator[tuple[str, int | float]]:
    for key, value in usage.items() if isinstance(usage, dict) else ():
        if isinstance(value, int | float) and isfinite(value):
            yield key, value


def _seen_again(again: object) -> Iterator[tuple[str, tuple[Evidence, ...]]]:
    for one, lines in again.items() if isinstance(again, dict) else ():
        if message.is_id(one) and isinstance(lines, list):
            found = (message.evidence_of(line) for line in lines if isinstance(line, str))
            yield one, tuple(evidence for evidence in found if evidence)
