"""States are read from the repository alone: what plain git and forges do to a dream branch is recognised."""

from pathlib import Path

import pytest
from vaults import Vault

from memwiki.candidates.candidate import State
from memwiki.candidates.states import candidates

P: State = "pending"
A: State = "approved"
E: State = "edited"
R: State = "reverted"
X: State = "rejected"
D: State = "dropped"

# The run is `r`, so the branch is dream/r: candidates 0 to 3 are dream/r~3 to dream/r. $ID1 is the id of candidate 1.
FORGE = """git merge -q --squash dream/r
{ echo 'Dream r (#12)'; echo; for c in $(git rev-list --reverse main..dream/r); do git log -1 --format='* %s%n%n%b' $c
done; echo '---------'; echo; echo 'Co-authored-by: memwiki dream <dream@memwiki.invalid>'; } | git commit -q -F -
git branch -D dream/r
"""
SAY = "sed -i 's/says x/says Y/' tools/n{}.md"
BOTH = "printf -- '---\\ntitle: n1\\n---\\n- both\\n' > tools/n1.md; git add -A; git commit -q --no-edit"
CASES: dict[str, tuple[str, str | dict[int, State]]] = {
    "untouched": ("true", P),
    "fast-forward merge": ("git merge -q dream/r", A),
    "true merge": ("git merge -q --no-ff --no-edit dream/r", A),
    "merge, then branch -D": ("git merge -q dream/r; git branch -D dream/r", A),
    "branch -D": ("git branch -D dream/r", D),
    "cherry-pick one": ("git cherry-pick dream/r~2", {0: P, 1: A, 2: P}),
    "cherry-pick one, branch -D": ("git cherry-pick dream/r~2; git branch -D dream/r", {0: D, 1: A, 2: D}),
    "cherry-pick -n with an own message": ("git cherry-pick -n dream/r~2; git commit -qm mine", {0: P, 1: A}),
    "cherry-pick -n, edited, own message": (
        f"git cherry-pick -n dream/r~2; {SAY.format(1)}; git commit -qam mine",
        {1: P},
    ),
    "rebase over a newer main, then merge": (
        "echo h >> tools/n5.md; git commit -qam h; git rebase -q main dream/r;"
        " git switch -q main; git merge -q dream/r",
        A,
    ),
    "rebase that drops one, then merge": (
        "git switch -q dream/r; GIT_SEQUENCE_EDITOR='sed -i 2d' git rebase -q -i main; git switch -q main;"
        " git merge -q dream/r; git branch -d dream/r",
        {0: A, 1: D, 2: A},
    ),
    "rebase that drops one": (
        "git switch -q dream/r; GIT_SEQUENCE_EDITOR='sed -i 2d' git rebase -q -i main; git switch -q main",
        {0: P, 1: D, 2: P},
    ),
    "amend on the branch, then merge": (
        f"git switch -q dream/r; {SAY.format(3)}; git commit -qa --amend --no-edit; git switch -q main;"
        " git merge -q dream/r",
        {0: A, 3: E},
    ),
    "amend on main after a cherry-pick": (
        f"git cherry-pick dream/r~3; {SAY.format(0)}; git commit -qa --amend --no-edit",
        {0: E, 1: P},
    ),
    "amend of the message, trailers kept": (
        'git cherry-pick dream/r~3; git commit -q --amend -m "$(git log -1 --format=%B | sed s/^Note/NOTE/)"',
        {0: A},
    ),
    "message rewritten without trailers": (
        "git cherry-pick dream/r~3; git commit -q --amend -m short",
        {0: A, 1: P},
    ),
    "a fix-up commit on the branch, then merge": (
        f"git switch -q dream/r; {SAY.format(1)}; git commit -qam wording; git switch -q main;"
        " git merge -q --no-ff --no-edit dream/r",
        {0: A, 1: E},
    ),
    "squash, git's message": ("git merge -q --squash dream/r; git commit -q --no-edit", A),
    "squash, edited, git's message": (
        f"git merge -q --squash dream/r; {SAY.format(1)}; git commit -qa --no-edit",
        {0: A, 1: E, 2: A},
    ),
    "squash, own message, branch -D": (
        "git merge -q --squash dream/r; git commit -qm 'dreams of monday'; git branch -D dream/r",
        A,
    ),
    "forge squash": (FORGE, A),
    "forge squash, later edit by hand": (f"{FORGE} sed -i 's/says x/Z/' tools/n1.md; git commit -qam later", A),
    "squash, own message, later edit of the line": (
        "git merge -q --squash dream/r; git commit -qm own; git branch -D dream/r;"
        " sed -i 's/says x/Z/' tools/n1.md; git commit -qam later",
        {0: A, 1: A},
    ),
    "forge rebase-merge": (
        "git switch -q --detach main; git cherry-pick main..dream/r; git branch -f main HEAD; git switch -q main;"
        " git branch -D dream/r",
        A,
    ),
    "forge squash of a branch cut to two": (
        f"git switch -q dream/r; git reset -q --hard HEAD~2; git switch -q main; {FORGE}",
        {0: A, 1: A, 2: D, 3: D},
    ),
    "revert": ("git cherry-pick dream/r~2; git revert --no-edit HEAD", {1: R, 0: P}),
    "revert of the revert": (
        "git cherry-pick dream/r~2; git revert --no-edit HEAD; git revert --no-edit HEAD",
        {1: A},
    ),
    "revert of a merge": ("git merge -q --no-ff --no-edit dream/r; git revert -m1 --no-edit HEAD", R),
    "revert of a revert of a merge": (
        "git merge -q --no-ff --no-edit dream/r; git revert -m1 --no-edit HEAD; git revert --no-edit HEAD",
        A,
    ),
    "revert of a squash": (f"{FORGE} git revert --no-edit HEAD", R),
    "revert named by a short hash": (
        "git cherry-pick dream/r~2; git revert -n HEAD;"
        ' git commit -qm "Undo" -m "This reverts commit $(git rev-parse --short HEAD)."',
        {1: R, 0: P},
    ),
    "revert, then approved again": (
        "git cherry-pick dream/r~2; git revert --no-edit HEAD; git cherry-pick dream/r~2",
        {1: A},
    ),
    "undone by hand": (
        "git cherry-pick dream/r~2; sed -i 's/dream says x/line 3/' tools/n1.md; git commit -qam undo",
        {1: A},
    ),
    "reset of main": ("git merge -q dream/r; git reset -q --hard HEAD~4", P),
    "tombstone": (
        "mkdir -p .memwiki/rejected; echo no > .memwiki/rejected/$ID1.md; git add -A; git commit -qm reject",
        {1: X, 0: P},
    ),
    "tombstone gone": (
        "git commit -q --allow-empty -m 'Reject: n1' -m \"Memwiki-Rejected: $ID1\"",
        {1: "forgotten", 0: P},
    ),
    "cherry-pick, conflict settled by hand": (
        f"sed -i 's/n1 line 3/n1 human/' tools/n1.md; git commit -qam h; git cherry-pick dream/r~2 || {{ {BOTH}; }}",
        {1: E, 0: P},
    ),
    "merge, conflict settled by hand": (
        f"sed -i 's/n1 line 3/n1 human/' tools/n1.md; git commit -qam h; git merge dream/r || {{ {BOTH}; }}",
        {0: A, 1: E},
    ),
    "merge -s ours": ("git merge -q -s ours --no-edit dream/r", D),
    "note renamed on main, then cherry-pick": (
        "git mv tools/n1.md tools/r.md; git commit -qm mv; git cherry-pick dream/r~2",
        {1: A, 0: P},
    ),
    "edits elsewhere in the note, then merge": (
        "sed -i 's/n1 line 7/human/' tools/n1.md; git commit -qam h; git merge -q --no-edit dream/r",
        A,
    ),
    "merged into another branch only": ("git switch -qc wip; git merge -q dream/r; git switch -q main", P),
    "archived": ("git update-ref refs/memwiki/archive/r dream/r; git branch -D dream/r", "archived"),
    "on a remote's branch only": ("git update-ref refs/remotes/origin/dream/r dream/r; git branch -D dream/r", P),
    "same change by hand, before": (
        "sed -i 's/n1 line 3/n1 dream says x/' tools/n1.md; git commit -qam h",
        {0: P, 1: A},
    ),
    "hostile settings": (
        "git config diff.orderFile /dev/null; git config trailer.separators =; git config diff.noprefix true;"
        " git config diff.renames copies; git config log.showSignature true; git config diff.external false;"
        " git config color.ui always; git config i18n.logOutputEncoding latin1; git config diff.context 9;"
        " git config diff.mnemonicPrefix true; git config log.decorate full; git config core.pager false;"
        " git cherry-pick dream/r~2",
        {0: P, 1: A},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    script, wanted = CASES[name]
    vault = Vault(tmp_path / "vault")
    made = vault.dream(run="r")
    monkeypatch.setenv("ID1", made[1].id)
    vault.sh(script)
    found = {one.id: one.state for one in candidates(vault.git)}
    expected = dict.fromkeys(range(4), wanted) if isinstance(wanted, str) else wanted
    assert {number: found[made[number].id] for number in expected} == expected
    pending = {one.id for one in candidates(vault.git, only={"pending"})}
    assert pending == {id for id, state in found.items() if state == "pending"}
