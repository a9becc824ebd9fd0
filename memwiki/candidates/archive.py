"""Dream branches that nobody has touched for a month step aside; nothing of them is lost.

`git branch dream/RUN refs/memwiki/archive/RUN` brings one back.
"""

import time

from ..vault.git import Git
from .history import is_checked_out
from .ledger import runs
from .runs import BRANCHES
from .states import candidates

ARCHIVE = "refs/memwiki/archive"
DAYS = 30  # without a decision or a newer commit


def archive_old(git: Git, now: float | None = None) -> list[str]:
    """Archive the runs whose branch has no newer commit for 30 days and none of whose candidates is decided.

    `now` is in seconds since the epoch. Returns their ids; a branch that is checked out stays.
    """
    limit = (time.time() if now is None else now) - DAYS * 86400
    lines = git.run("for-each-ref", "--format=%(refname) %(committerdate:unix)", f"{BRANCHES}/").text.splitlines()
    dated = (line.split(" ") for line in lines)
    old = [ref for ref, seconds in dated if seconds.isdecimal() and int(seconds[:15]) < limit]
    if not old:
        return []
    waiting = {one.id for one in candidates(git, only={"pending"})}
    proposed = {run.id: set(run.candidates) for run in runs(git)}
    moved = []
    for ref in old:
        run = ref.removeprefix(f"{BRANCHES}/")
        if run in proposed and proposed[run] <= waiting and not is_checked_out(git, ref):
            _move(git, ref, f"{ARCHIVE}/{run}")
            moved.append(run)
    return moved


def _move(git: Git, old: str, new: str) -> None:
    """git makes new refs before it removes old ones: a kill can leave both, never none."""
    tip = git.commit_of(old)
    made = git.commit_of(new)
    create = "" if made == tip else f"create {new} {tip}\n"
    git.run(
        "update-ref", "-m", "memwiki archive", "--stdin", input=f"start\n{create}delete {old} {tip}\ncommit\n".encode()
    )
