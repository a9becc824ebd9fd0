"""Dream branches kept equal to what is still pending, so that a plain `git merge` never brings in what was decided."""

from ..candidates.history import authorship, bodies, is_checked_out
from ..candidates.message import ids
from ..candidates.runs import BRANCHES
from ..candidates.states import candidates
from ..vault.commits import commit, three_way, tree_of
from ..vault.git import Git


def tidy(git: Git, run: str) -> bool:
    """Replay the pending commits of `dream/<run>` on its base, or delete the branch when none is left.

    Left alone, with False: a branch that is checked out or locked, or on which a person has stacked what does not
    replay. The next decision on the run tidies it.
    """
    ref = f"{BRANCHES}/{run}"
    tip = git.commit_of(ref)
    if not tip or is_checked_out(git, ref):
        return False
    waiting = {one.id for one in candidates(git, only={"pending"})}
    base = git.run("merge-base", git.ref, tip, ok=(0, 1)).line
    if not base:
        return False
    names = git.run("rev-list", "--reverse", "--topo-order", f"{base}..{tip}", "--").text.split()
    said = bodies(git, names)
    new = base
    for name in names:
        named = ids(said[name][1])
        if named and not waiting & set(named):
            continue
        replayed = _replayed(git, name, new, said[name][1])
        if not replayed:
            return False
        new = replayed
    if new == tip != base:
        return False
    step = f"update {ref} {new} {tip}\n" if new != base else f"delete {ref} {tip}\n"
    done = git.run("update-ref", "-m", "memwiki: what is still pending", "--stdin", input=step.encode(), ok=(0, 128))
    return done.code == 0


def _replayed(git: Git, name: str, onto: str, body: str) -> str:
    """The commit `name` on `onto` (itself where it stands there already); "" when it does not fit or is a merge."""
    made = authorship(git, name)
    if made.parents == (onto,):
        return name
    if len(made.parents) != 1:
        return ""
    merged = three_way(git, made.parents[0], tree_of(git, onto), tree_of(git, name))
    if merged.conflicts:
        return ""
    return commit(git, merged.tree, [onto], body, author=made.author, author_date=made.date, committer=made.committer)
