"""What git says of runs and candidates, in the shape that indexes are told."""

from collections.abc import Iterator

from ..candidates.candidate import Candidate
from ..candidates.ledger import runs
from ..candidates.states import candidates
from ..index.origins import CandidateRow, Origins, RunRow
from ..vault.git import Git

_LANDED = ("approved", "edited")


def origins(git: Git) -> Origins:
    """All runs and candidates of the repository, as indexes are told; paths are the notes' of today."""
    found = runs(git)
    machines = {run.id: run.machine for run in found}
    renames = list(_renames(git))
    line = git.run("rev-list", "--first-parent", git.ref, "--").text.split() if renames else []
    place = {name: number for number, name in enumerate(line)}
    return Origins(
        tuple(
            RunRow(run.id, run.engine, run.model, run.at, run.machine, tuple((k, *v) for k, v in run.spans.items()))
            for run in found
        ),
        tuple(_row(one, machines.get(one.run, ""), renames, place) for one in candidates(git)),
    )


def _row(one: Candidate, machine: str, renames: list[tuple[str, str, str]], place: dict[str, int]) -> CandidateRow:
    landed = one.landed if one.state in _LANDED else ""
    path = one.path
    if landed:
        since = place.get(landed, len(place))
        for commit, old, new in renames:
            if path == old and place.get(commit, len(place)) < since:
                path = new
    return CandidateRow(
        id=one.id,
        run=one.run,
        machine=machine,
        state=one.state,
        path=path,
        type=one.type,
        source=one.source,
        confidence=one.confidence,
        seen=one.seen,
        at=one.at,
        subject=one.subject,
        landed=landed,
        evidence=tuple((words.event, words.who, words.quote) for words in one.evidence),
    )


def _renames(git: Git) -> Iterator[tuple[str, str, str]]:
    """(commit, old path, new path) of every rename on memory's branch, the oldest first."""
    if not git.tip():
        return
    options = ("--first-parent", "--reverse", "-M", "--diff-filter=R", "--name-status", "-z", "--format=%x01%H")
    words = iter(git.run("log", *options, "--no-show-signature", "--no-notes", git.ref, "--", timeout=300).fields)
    commit = ""
    for word in words:
        word = word.lstrip("\n")
        if word.startswith("\x01"):
            commit = word[1:]
        elif word:
            yield commit, next(words), next(words)
