"""Dream runs in git: a branch of candidates and the ledger commit that says what was read, moved together.

`refs/heads/dream/<run>` is the base plus one commit per candidate. `refs/memwiki/runs/<machine>` is the ledger: one
commit a run, whose second parent keeps the proposal alive for ever and whose tree holds `run.json`.
"""

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..errors import MemwikiError
from ..text import folded, utc
from ..vault.commits import DREAM, OURS, commit, empty_tree, scratch, store, tree_of
from ..vault.filters import clean
from ..vault.git import Git
from ..vault.worktree import sweep
from . import message
from .candidate import Candidate, Proposal
from .history import bodies, is_checked_out
from .ledger import LEDGERS, Run, runs

BRANCHES = "refs/heads/dream"
LEDGER_LOCK_SECONDS = 10.0  # our own transactions take milliseconds, and memwiki's lock keeps a second one away
BRANCH_LOCK_SECONDS = 60.0  # a person's git may hold one of these


def write(
    git: Git, machine: str, run: Run, proposals: Sequence[Proposal], *, author: str = DREAM
) -> tuple[Candidate, ...]:
    """Make one commit a proposal and move branch and ledger in one transaction: all of it, or nothing.

    A run without proposals gets its ledger commit and no branch. Raises MemwikiError, with nothing moved, when git
    refuses a path, two proposals want one note, or a commit cannot be made.
    """
    base = run.base or git.tip()
    if not base:
        raise MemwikiError(f"There is no branch {git.branch} in the vault yet.", "Run `memwiki init`.")
    if not re.fullmatch(r"[0-9a-z]+", machine):
        raise MemwikiError("This machine has no id yet.", "Run `memwiki init`.")
    run = replace(run, base=base, machine=machine, at=utc(None, "seconds"))
    made = tuple(_commits(git, run, proposals, author))
    run = replace(run, candidates=tuple(one.id for one in made))
    old = git.commit_of(f"{LEDGERS}/{machine}")
    new = _ledger_commit(git, run, made, old)
    lines = ["start"]
    if made:  # the branch first: refs are renamed in this order, and only the ledger makes a run valid
        lines.append(f"create {BRANCHES}/{run.id} {made[-1].commit}")
    lines += [f"update {LEDGERS}/{machine} {new} {old or git.zero}", "prepare", "commit"]
    git.run("update-ref", "-m", f"memwiki run {run.id}", "--stdin", input="".join(f"{x}\n" for x in lines).encode())
    return made


def _commits(git: Git, run: Run, proposals: Sequence[Proposal], author: str) -> Iterator[Candidate]:
    taken: set[str] = set()
    parent = run.base
    committer = git.identity() or OURS
    with scratch(git, tree_of(git, parent)) as index:
        for proposal in proposals:
            paths = {folded(path) for path in (proposal.path, proposal.old_path) if path}
            if paths & taken:
                raise MemwikiError(f"Two candidates of one run change {proposal.path}.", "Make them one candidate.")
            taken |= paths
            blobs: dict[str, str | None] = {proposal.old_path: None} if proposal.old_path else {}
            text = proposal.text
            blobs[proposal.path] = None if text is None else clean(git, proposal.path, text)
            index.put(blobs)
            name = message.new_candidate_id()
            body = message.written(proposal, name, run.id, run.machine)
            parent = commit(git, index.tree(), [parent], body, author=author, committer=committer)
            found = message.read(body)
            assert found is not None
            yield candidate_of(found, parent, proposal.path, proposal.old_path, run.at)


def candidate_of(found: message.Message, commit: str, path: str, old_path: str, at: str) -> Candidate:
    """A pending candidate from its message and its commit."""
    return Candidate(
        id=found.id,
        run=found.run,
        commit=commit,
        state="pending",
        path=path,
        subject=found.subject,
        why=found.why,
        type=found.type,
        source=found.source,
        confidence=found.confidence,
        seen=found.seen,
        evidence=found.evidence,
        project=path.split("/")[1].removesuffix(".md") if path.startswith("project/") else "",
        old_path=old_path,
        at=at,
    )


def _ledger_commit(git: Git, run: Run, made: Sequence[Candidate], old: str) -> str:
    listed = [{"id": one.id, "commit": one.commit, "path": one.path, "old_path": one.old_path} for one in made]
    content = {
        "run": run.id,
        "machine": run.machine,
        "at": run.at,
        "engine": run.engine,
        "model": run.model,
        "base": run.base,
        "spans": {key: list(span) for key, span in run.spans.items()},
        "usage": dict(run.usage),
        "seen_again": {
            one: [message.evidence_line(evidence) for evidence in again] for one, again in run.seen_again.items()
        },
        "candidates": listed,
    }
    blob = store(git, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    tree = git.run("mktree", input=f"100644 blob {blob}\trun.json\n".encode()).line
    body = f"Dream {run.id}: {len(made)} proposed\n\n" + "".join(f"- {one.id} {one.subject}\n" for one in made)
    body += "\n" if made else ""
    body += f"Memwiki-Run: {run.id}\nMemwiki-Machine: {run.machine}\nMemwiki-Engine: {run.engine}\n"
    body += "".join(f"Memwiki-Read: {key}@{first}..{last}\n" for key, (first, last) in run.spans.items())
    # The chain of first parents is the audit, so it starts with a commit of its own.
    first = old or commit(git, empty_tree(git), [], "memwiki run ledger\n", author=DREAM, committer=DREAM)
    return commit(git, tree, [first, made[-1].commit if made else run.base], body, author=DREAM)


def clear_orphans(git: Git, machine: str) -> list[str]:
    """Tidy up after a run that was killed; the caller holds memwiki's own lock. Returns what was removed.

    That is: stale locks of our own refs, temporary files beside notes, and dream branches that no ledger of this
    machine knows (their events are read again). Branches of other machines and checked-out ones stay.
    """
    removed = list(_stale_locks(git))
    sweep(git)
    names = git.run("for-each-ref", "--format=%(refname) %(objectname)", f"{BRANCHES}/").text.splitlines()
    known = {run.id for run in runs(git)}  # read after the branches: a ledger moves last
    for line in names:
        ref, tip = line.split(" ")
        run = ref.removeprefix(f"{BRANCHES}/")
        _, body = bodies(git, [tip]).get(tip, ("", ""))
        if run in known or machine not in message.values(body, "Machine") or is_checked_out(git, ref):
            continue
        git.run("update-ref", "-m", "memwiki: a run that did not finish", "-d", ref, tip)
        removed.append(ref)
    return removed


def _stale_locks(git: Git) -> Iterator[str]:
    """A git killed inside a transaction leaves its lock files. Any other lock is named, never removed."""
    for folder, limit in (("refs/memwiki", LEDGER_LOCK_SECONDS), ("refs/heads/dream", BRANCH_LOCK_SECONDS)):
        for place, _, files in os.walk(git.common_dir / folder):
            for name in files:
                path = os.path.join(place, name)  # noqa: PTH118 - os.walk gives strings
                if name.endswith(".lock") and _gone_after(path, limit):
                    yield path


def _gone_after(path: str, limit: float) -> bool:
    """Wait until a lock of ours is `limit` seconds old (not for one that may be a person's), then remove it."""
    try:
        age = time.time() - os.lstat(path).st_mtime
        if age < limit and limit <= LEDGER_LOCK_SECONDS:
            time.sleep(limit - max(age, 0.0))
        elif age < limit:
            return False
        os.unlink(path)  # noqa: PTH108 - the same string
    except FileNotFoundError:
        return False
    return True
