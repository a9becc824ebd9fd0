"""Histories that were rewritten or cut, and objects that are lost: review, why and dream go on with what there is."""

import shutil
from pathlib import Path

import pytest
from vaults import Vault, note

from memwiki.candidates.candidate import State
from memwiki.candidates.states import candidates, find, findings
from memwiki.dream.decided import decided
from memwiki.dream.edits import Edit
from memwiki.errors import MemwikiError
from memwiki.review.decide import approve, reject
from memwiki.review.revert import revert
from memwiki.vault.git import Git

REWRITE = """
git filter-branch -f --index-filter 'git rm -q --cached --ignore-unmatch slip.md' -- --all >/dev/null 2>&1
git for-each-ref --format='%(refname)' refs/original | xargs -n1 git update-ref -d
git reflog expire --expire=now --all; git gc -q --prune=now
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault whose second commit is a slip, with one candidate in each state."""
    vault = Vault(tmp_path / "vault")
    vault.sh("echo secret >slip.md; git add -A; git commit -qm slip; git rm -q slip.md; git commit -qm 'take it out'")
    made = vault.dream(range(5), run="r")
    approve(vault.git, find(vault.git, made[0].id))
    approve(vault.git, find(vault.git, made[1].id), note(1, l3="- my words"))
    reject(vault.git, [find(vault.git, made[2].id)], "private")
    approve(vault.git, find(vault.git, made[3].id))
    revert(vault.git, find(vault.git, made[3].id))
    return vault


def states(git: Git) -> dict[str, State]:
    return {one.id: one.state for one in candidates(git)}


def again(number: int) -> Edit:
    """The edit that the candidate for note `number` came from."""
    return Edit("add", f"tools/n{number}.md", f"n{number} dream says x", "fact", "", "", 0.8, "turn", ())


def lose(git: Git, name: str) -> None:
    """Delete one object, as a damaged disk does."""
    git.run("unpack-objects", "-q", input=b"", ok=(0, 128))
    path = git.common_dir / "objects" / name[:2] / name[2:]
    path.unlink()


def test_case_65_a_rewritten_history_keeps_every_state(vault: Vault) -> None:
    before = states(vault.git)
    assert sorted(before.values()) == ["approved", "edited", "pending", "rejected", "reverted"]
    vault.sh(REWRITE)
    git = Git(vault.top)
    assert states(git) == before
    _, refused = decided(git)
    assert any(one.covers(again(2), find(git, one.id).evidence) for one in refused), "it is not proposed again"
    (waiting,) = (one for one in candidates(git) if one.state == "pending")
    approve(git, waiting)
    assert find(git, waiting.id).state == "approved" and findings(git) == []


def test_case_65_a_proposal_that_is_lost_is_named_and_the_others_go_on(vault: Vault) -> None:
    """What a rewrite empties is dropped by `git filter-repo`: the ledger names it, and no commit has it."""
    made = vault.dream([5], run="other")
    vault.sh("git branch -qD dream/other; git update-ref -d refs/heads/dream/other")
    ledger = vault.git.commit_of("refs/memwiki/runs/0a1b2c3d")
    tree = vault.git.run("rev-parse", f"{ledger}^{{tree}}").line
    parent = vault.git.run("rev-parse", f"{ledger}^1").line
    new = vault.git.run("commit-tree", tree, "-p", parent, "-p", vault.git.tip(), input=b"Dream other\n").line
    vault.git.run("update-ref", "refs/memwiki/runs/0a1b2c3d", new)
    vault.sh("git reflog expire --expire=now --all; git gc -q --prune=now")
    git = Git(vault.top)
    assert made[0].id not in states(git) and len(states(git)) == 5
    (found,) = findings(git)
    assert made[0].id in found.message and found.remedy


@pytest.mark.parametrize("what", ["text", "folder", "commit"])
def test_a_lost_object_costs_its_own_candidate_only(vault: Vault, what: str) -> None:
    made = vault.dream([5], run="other")[0]
    names = {"text": f"{made.commit}:{made.path}", "folder": f"{made.commit}:tools", "commit": made.commit}
    lose(vault.git, vault.git.run("rev-parse", names[what]).line)
    found = states(vault.git)
    assert len(found) >= 5 and "approved" in found.values()
    decided(vault.git)
    assert made.id in findings(vault.git)[0].message
    if what == "text":
        one = find(vault.git, made.id)
        assert "missing" in one.fault
        with pytest.raises(MemwikiError, match="missing"):
            approve(vault.git, one)
    pending = next(one for one in candidates(vault.git) if one.state == "pending" and not one.fault)
    approve(vault.git, pending)
    assert find(vault.git, pending.id).state == "approved"


def test_a_lost_commit_of_memory_ends_the_history_there(vault: Vault) -> None:
    oldest = vault.git.run("rev-list", "--max-parents=0", "main").line
    lose(vault.git, oldest)
    assert "pending" in states(Git(vault.top)).values()
    assert findings(Git(vault.top))[0].level == "error"


@pytest.mark.parametrize("options", ["--depth=3 --no-single-branch", "--filter=blob:none"])
def test_a_clone_that_has_not_got_everything(vault: Vault, tmp_path: Path, options: str) -> None:
    vault.sh("git config uploadpack.allowFilter true")
    clone = tmp_path / "clone"
    vault.sh(f"git clone -q {options} file://{vault.top} {clone}")
    vault.sh("git fetch -q origin '+refs/memwiki/*:refs/memwiki/*'", cwd=clone)
    shutil.move(vault.top, tmp_path / "out of reach")
    git = Git(clone)
    found = states(git)
    assert len(found) >= 1 and set(found.values()) <= {
        "pending",
        "approved",
        "edited",
        "rejected",
        "reverted",
        "dropped",
    }
    decided(git)
    findings(git)


def test_an_approve_while_a_dream_branch_is_rebased_leaves_the_rebase_whole(vault: Vault) -> None:
    """git moves the branch at the end of a rebase, and refuses where somebody else has moved it."""
    made = vault.dream([4, 5], run="two")
    vault.sh("git switch -q dream/two; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i main 2>/dev/null")
    approve(vault.git, find(vault.git, made[1].id))
    assert find(vault.git, made[1].id).state == "approved"
    vault.sh("git rebase --continue 2>&1")
    assert vault.git.run("log", "--format=%s", "main..dream/two").text.splitlines()[-1] == "Note 4: a dream line"


def test_an_approve_while_memory_is_rebased_is_refused(vault: Vault) -> None:
    (made,) = vault.dream([5], run="one")
    vault.sh("git checkout -q main; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i HEAD~1 2>/dev/null")
    before = vault.sh("git for-each-ref")
    with pytest.raises(MemwikiError, match="rebase"):
        approve(vault.git, find(vault.git, made.id))
    assert vault.sh("git for-each-ref") == before
