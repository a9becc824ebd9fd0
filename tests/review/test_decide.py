"""Approve, edit, take lines, reject, revert, forget, add: what each leaves on main, on the branch, for the next."""

import subprocess
import sys
from pathlib import Path

import pytest
from vaults import MACHINE, Vault, note, proposal, removal

from memwiki.candidates.states import candidates, find
from memwiki.candidates.tombstone import line_key, tombstones
from memwiki.errors import MemwikiError
from memwiki.journal.sessions import Journal
from memwiki.review.add import propose
from memwiki.review.decide import approve, reject
from memwiki.review.draft import draft
from memwiki.review.forget import forget
from memwiki.review.proposed import proposed
from memwiki.review.revert import revert


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def states(vault: Vault) -> dict[str, str]:
    """Candidate id -> state."""
    return {one.id: one.state for one in candidates(vault.git)}


def branch(vault: Vault) -> list[str]:
    """Subjects on the dream branches, oldest first."""
    return vault.sh("git log --reverse --format=%s main.. --branches=dream/*").splitlines()


def test_a_whole_review(vault: Vault) -> None:
    made = vault.dream()
    vault.sh("echo mine >> tools/n5.md; echo mine >> tools/n2.md")
    work = vault.edits()
    landed = approve(vault.git, find(vault.git, made[0].id[:5]))
    approve(vault.git, find(vault.git, made[1].id), note(1, l3="- my words"))
    reject(vault.git, [find(vault.git, made[2].id)], "not a lasting fact\nMemwiki-Candidate: forged")
    assert [states(vault)[one.id] for one in made] == ["approved", "edited", "rejected", "pending"]
    assert branch(vault) == ["Note 3: a dream line"]
    assert vault.edits() == work
    body = vault.sh(f"git log -1 --format=%B {landed}")
    assert body.startswith("Note 0: a dream line\n\nThey said so.\n\nMemwiki-Candidate: ")
    assert 'Memwiki-Evidence: claude/s#1 person "said \\"0\\""' in body and "Memwiki-Confidence: 0.80" in body
    assert "Memwiki-Edited: Ada Example <ada@example.com>" in vault.sh("git log -1 --format=%B main~1")
    assert vault.sh("git log -1 --format='%an|%s' main") == "Ada Example|Reject: Note 2: a dream line"
    rejected = find(vault.git, made[2].id)
    assert rejected.reason == "not a lasting fact\n| Memwiki-Candidate: forged"
    # What is left merges by plain git and brings nothing back.
    vault.sh("git commit -qam mine; git merge -q --no-edit $(git for-each-ref --format='%(refname)' refs/heads/dream)")
    assert "dream" not in vault.read("tools/n2.md") and "dream" in vault.read("tools/n3.md")
    assert set(states(vault).values()) == {"approved", "edited", "rejected"}


def test_out_of_order_and_again(vault: Vault) -> None:
    made = vault.dream()
    first = approve(vault.git, find(vault.git, made[3].id))
    again = approve(vault.git, find(vault.git, made[3].id))
    assert again == first
    assert branch(vault) == [f"Note {number}: a dream line" for number in range(3)]
    assert vault.sh("git log --format=%B main | grep -c Memwiki-Candidate") == "1"


def test_a_stale_candidate_is_not_landed_twice(vault: Vault) -> None:
    """Two reviews hold the same candidate; the second finds it on main, whatever text it wanted."""
    (made,) = vault.dream([0])
    one = find(vault.git, made.id)
    shown = draft(vault.git, one)
    landed = approve(vault.git, one)
    assert approve(vault.git, one, note(0, l6="- other"), base=shown.base) == landed
    assert vault.sh("git log --format=%B main | grep -c Memwiki-Candidate") == "1"


def test_lines_taken_and_refused(vault: Vault) -> None:
    text = note(0, l1="- one", l3="- three", l5="- five")
    (made,) = vault.propose(proposal(0, text))
    approve(vault.git, find(vault.git, made.id), lines=[1, 3])
    assert vault.read("tools/n0.md") == note(0, l1="- one", l5="- five")
    stone = tombstones(vault.git)[made.id]
    assert stone.added == {line_key("three")} and stone.removed == {line_key("- n0 line 3")}
    assert find(vault.git, made.id).state == "edited"
    with pytest.raises(MemwikiError, match="no line 9"):
        approve(vault.git, vault.dream([1])[0], lines=[9])


def test_lines_are_numbered_as_the_note_is_now(vault: Vault, tmp_path: Path) -> None:
    (made,) = vault.propose(proposal(0, note(0, l1="- one", l5="- five")))
    vault.sh("sed -i 's/n0 line 1/one/' tools/n0.md; git commit -qam h")
    one = find(vault.git, made.id)
    shown = proposed(vault.git, Journal(tmp_path / "journal"), MACHINE, one)
    assert [unit.added for unit in shown.units] == [("- five",)] and shown.moved
    with pytest.raises(MemwikiError, match="numbers of its lines"):
        approve(vault.git, one, lines=[1])  # which may be those that were shown before
    with pytest.raises(MemwikiError, match="not a commit of main"):
        approve(vault.git, one, lines=[1], base=one.commit)
    approve(vault.git, one, lines=[1], base=shown.base)
    assert vault.read("tools/n0.md") == note(0, l1="- one", l5="- five") and tombstones(vault.git) == {}


def test_conflict_offers_an_edit_on_the_note_as_it_is(vault: Vault) -> None:
    (made,) = vault.dream([0])
    vault.sh("sed -i 's/n0 line 3/n0 human/' tools/n0.md; git commit -qam h")
    one = find(vault.git, made.id)
    with pytest.raises(MemwikiError, match="review edit"):
        approve(vault.git, one)
    shown = draft(vault.git, one)
    assert shown.conflict and shown.old == note(0, l3="- n0 human") and "<<<<<<< memory" in (shown.new or "")
    with pytest.raises(MemwikiError, match="conflict markers"):
        approve(vault.git, one, shown.new + "- more\n", base=shown.base)
    with pytest.raises(MemwikiError, match="review edit"):
        approve(vault.git, one, note(0, l3="- n0 both"))  # whoever wrote this has not seen what main says now
    approve(vault.git, one, note(0, l3="- n0 both"), base=shown.base)
    assert vault.read("tools/n0.md") == note(0, l3="- n0 both")
    assert find(vault.git, made.id).state == "edited" and branch(vault) == []


@pytest.mark.parametrize("based", [True, False])
def test_an_edit_keeps_what_was_committed_meanwhile(vault: Vault, based: bool) -> None:
    (made,) = vault.dream([0])
    one = find(vault.git, made.id)
    shown = draft(vault.git, one)
    vault.sh("sed -i 's/n0 line 7/n0 human/' tools/n0.md; git commit -qam h")
    approve(vault.git, one, note(0, l3="- my words"), base=shown.base if based else "")
    assert vault.read("tools/n0.md") == note(0, l3="- my words", l7="- n0 human")


def test_union_merges_are_shown_again(vault: Vault) -> None:
    vault.sh("echo '*.md merge=union' > .gitattributes; git add -A; git commit -qm union")
    (made,) = vault.dream([0])
    vault.sh("sed -i 's/n0 line 3/n0 human/' tools/n0.md; git commit -qam h")
    with pytest.raises(MemwikiError, match="other lines than it shows"):
        approve(vault.git, find(vault.git, made.id))
    assert vault.read("tools/n0.md") == note(0, l3="- n0 human")


def test_a_part_that_is_there_already_is_no_surprise(vault: Vault) -> None:
    (made,) = vault.propose(proposal(0, "- first\n" + note(0) + "- last\n"))
    vault.sh("printf -- '- last\\n' >> tools/n0.md; git commit -qam h")
    approve(vault.git, find(vault.git, made.id))
    assert vault.read("tools/n0.md") == "- first\n" + note(0) + "- last\n"


def test_reject_several_in_one_sitting_and_forget_it(vault: Vault) -> None:
    made = vault.dream()
    done = reject(vault.git, [find(vault.git, one.id) for one in made[:2]], "no")
    assert reject(vault.git, [find(vault.git, made[0].id)], "no") == done
    assert vault.sh("git log --format=%s main").splitlines() == ["Reject: 2 candidates", "base"]
    file = vault.top / f".memwiki/rejected/{made[0].id}.md"
    assert "dream says" not in file.read_text() and line_key("- N0  dream says X.") in file.read_text()
    vault.sh(f"git rm -q {file}; git commit -qm forget")
    assert states(vault) == {
        made[0].id: "forgotten",
        made[1].id: "rejected",
        made[2].id: "pending",
        made[3].id: "pending",
    }
    approve(vault.git, find(vault.git, made[2].id))
    with pytest.raises(MemwikiError, match="memory already"):
        reject(vault.git, [find(vault.git, made[2].id)])


def test_approving_what_was_rejected_takes_its_tombstone_away(vault: Vault) -> None:
    (made,) = vault.dream([0])
    reject(vault.git, [find(vault.git, made.id)], "hasty")
    approve(vault.git, find(vault.git, made.id))
    assert states(vault) == {made.id: "approved"} and tombstones(vault.git) == {}


def test_rejections_of_two_machines_merge(vault: Vault) -> None:
    made = vault.dream()
    vault.sh("git clone -q . ../other; cd ../other; git fetch -q origin 'refs/*:refs/*' -u || true")
    other = Vault.__new__(Vault)
    other.top = vault.top.parent / "other"
    other.git = type(vault.git)(other.top)
    reject(vault.git, [find(vault.git, made[0].id)], "mine")
    reject(other.git, [find(other.git, made[0].id), find(other.git, made[1].id)], "theirs, in other words")
    vault.sh("git pull -q --no-rebase --no-edit ../other main")
    assert [states(vault)[one.id] for one in made] == ["rejected", "rejected", "pending", "pending"]


def test_revert_leaves_later_edits_and_a_tombstone(vault: Vault) -> None:
    made = vault.dream()
    approve(vault.git, find(vault.git, made[0].id))
    vault.sh("sed -i 's/n0 line 7/n0 human/' tools/n0.md; git commit -qam h; echo mine >> tools/n5.md")
    revert(vault.git, find(vault.git, made[0].id))
    assert vault.read("tools/n0.md") == note(0, l7="- n0 human") == (vault.top / "tools/n0.md").read_text()
    assert states(vault)[made[0].id] == "reverted" and made[0].id in tombstones(vault.git)
    assert vault.sh("git log -1 --format=%B main").startswith('Revert "Note 0: a dream line"\n\nThis reverts commit ')
    assert vault.edits().startswith("M tools/n5.md")
    assert revert(vault.git, find(vault.git, made[0].id)) == vault.git.tip()  # done again: nothing to do
    approve(vault.git, find(vault.git, made[0].id))
    assert states(vault)[made[0].id] == "approved" and tombstones(vault.git) == {}


def test_revert_of_one_out_of_a_squash(vault: Vault) -> None:
    made = vault.dream(run="r")
    vault.sh("git merge -q --squash dream/r; git commit -q --no-edit; git branch -D dream/r")
    revert(vault.git, find(vault.git, made[1].id))
    assert [states(vault)[one.id] for one in made] == ["approved", "reverted", "approved", "approved"]
    assert vault.read("tools/n1.md") == note(1) and "dream" in vault.read("tools/n2.md")
    vault.sh("git revert --no-edit HEAD")
    assert states(vault)[made[1].id] == "approved"


def test_revert_of_one_out_of_a_merge(vault: Vault) -> None:
    made = vault.dream(run="r")
    vault.sh("git merge -q --no-ff --no-edit dream/r")
    revert(vault.git, find(vault.git, made[1].id))
    assert [states(vault)[one.id] for one in made] == ["approved", "reverted", "approved", "approved"]


def test_revert_refuses_what_is_not_there_or_has_changed(vault: Vault) -> None:
    made = vault.dream()
    with pytest.raises(MemwikiError, match="is pending"):
        revert(vault.git, made[0])
    approve(vault.git, find(vault.git, made[0].id))
    vault.sh("sed -i 's/dream says x/dream says z/' tools/n0.md; git commit -qam h")
    tip = vault.git.tip()
    with pytest.raises(MemwikiError, match="have changed since"):
        revert(vault.git, find(vault.git, made[0].id))
    assert vault.git.tip() == tip


def test_renames_and_removals_are_candidates_too(vault: Vault) -> None:
    moved, gone = vault.propose(proposal(0, note(0), path="tools/new.md", old_path="tools/n0.md"), removal(1))
    assert find(vault.git, gone.id).state == "pending"
    approve(vault.git, find(vault.git, moved.id))
    approve(vault.git, find(vault.git, gone.id))
    assert sorted(path.name for path in (vault.top / "tools").iterdir()) == [
        "n2.md",
        "n3.md",
        "n4.md",
        "n5.md",
        "new.md",
    ]
    assert states(vault) == {moved.id: "approved", gone.id: "approved"}
    revert(vault.git, find(vault.git, moved.id))
    revert(vault.git, find(vault.git, gone.id))
    assert vault.read("tools/n0.md") == note(0) and vault.read("tools/n1.md") == note(1)
    assert vault.read("tools/new.md") == ""


def test_case_48_removals_are_single_items_and_come_back(vault: Vault) -> None:
    """Six removals in one run are six candidates; nothing leaves memory without a decision on it."""
    made = vault.propose(*(removal(number) for number in range(6)))
    assert sorted(vault.git.files("main")) == [f"tools/n{n}.md" for n in range(6)]
    reject(vault.git, [find(vault.git, made[0].id)], "needed")
    stone = tombstones(vault.git)[made[0].id]
    assert stone.path == "tools/n0.md" and not stone.added and len(stone.removed) == 8
    approve(vault.git, find(vault.git, made[1].id))
    assert sorted(path for path in vault.git.files("main") if path.startswith("tools")) == [
        f"tools/n{n}.md" for n in (0, 2, 3, 4, 5)
    ]
    revert(vault.git, find(vault.git, made[1].id))
    assert vault.read("tools/n1.md") == note(1)


def test_forget(vault: Vault) -> None:
    forget(vault.git, "tools/n0.md", "out of date")
    assert not (vault.top / "tools/n0.md").exists()
    assert vault.sh("git log -1 --format=%B") == "Forget tools/n0.md\n\nout of date"
    vault.sh("git revert --no-edit HEAD")
    assert vault.read("tools/n0.md") == note(0)
    vault.sh("echo mine >> tools/n1.md; echo u > u.md")
    for path in ("tools/n1.md", "u.md"):
        with pytest.raises(MemwikiError, match="not committed"):
            forget(vault.git, path)
    assert "mine" in (vault.top / "tools/n1.md").read_text()


def test_add_by_hand(vault: Vault) -> None:
    made = propose(
        vault.git, MACHINE, "tools/pnpm.md", "---\ntitle: pnpm\ntype: preference\n---\n- Use pnpm.\n", "Agreed."
    )
    one = find(vault.git, made.id)
    assert (one.state, one.source, one.type, one.subject, one.why) == (
        "pending",
        "manual",
        "preference",
        "Add tools/pnpm: pnpm",
        "Agreed.",
    )
    assert vault.sh(f"git log -1 --format=%an {one.commit}") == "Ada Example"
    approve(vault.git, one)
    assert vault.read("tools/pnpm.md").endswith("- Use pnpm.\n")


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("tools/n0.md", note(0), "says that already"),
        ("tools/n0.md", " \n", "empty"),
        ("tools/x.md", "---\ntitle: [\n---\nx\n", "line"),
        ("tools/x.md", "---\ntype: rumour\n---\nx\n", "no type"),
        ("../x.md", "x\n", "stay inside the vault"),
        ("con.md", "x\n", "reserve"),
        ("tools/x.md", "x" * 70_000, "64 KiB"),
    ],
)
def test_add_refuses(vault: Vault, path: str, text: str, words: str) -> None:
    before = vault.sh("git for-each-ref")
    with pytest.raises(MemwikiError, match=words):
        propose(vault.git, MACHINE, path, text)
    assert vault.sh("git for-each-ref") == before


@pytest.mark.parametrize(
    "script",
    [
        "mkdir -p .github; echo x > .github/x.yml",
        "ln -s /etc/passwd tools/link.md",
        "echo x > tools/N0.md",
        "echo x > 'tools/con.md'",
    ],
)
def test_a_branch_that_changes_more_than_notes_is_refused(vault: Vault, script: str) -> None:
    """A dream branch may come from a remote, with anything added to its commits."""
    (made,) = vault.dream([0], run="r")
    vault.sh(f"git switch -q dream/r; {script}; git add -A; git commit -q --amend --no-edit; git switch -q main")
    tip = vault.git.tip()
    with pytest.raises(MemwikiError):
        approve(vault.git, find(vault.git, made.id))
    assert vault.git.tip() == tip


def test_a_locked_branch_is_tidied_later(vault: Vault) -> None:
    made = vault.dream(run="r")
    lock = vault.top / ".git/refs/heads/dream/r.lock"
    lock.touch()
    approve(vault.git, find(vault.git, made[3].id))
    assert vault.git.commit_of("refs/heads/dream/r") == made[3].commit
    lock.unlink()
    approve(vault.git, find(vault.git, made[2].id))
    assert branch(vault) == ["Note 0: a dream line", "Note 1: a dream line"]


def test_tidy_leaves_a_branch_that_is_checked_out(vault: Vault) -> None:
    made = vault.dream(run="r")
    vault.sh("git switch -q dream/r")
    approve(vault.git, find(vault.git, made[0].id))
    assert vault.sh("git log --format=%s -1; git status --porcelain") == "Note 3: a dream line"
    assert states(vault)[made[0].id] == "approved"


def test_case_33_a_person_without_a_name_decides_nothing(vault: Vault, home: Path) -> None:
    made = vault.dream()
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    later = vault.dream([5])
    tip = vault.git.tip()
    for decide in (
        lambda: approve(vault.git, find(vault.git, made[0].id)),
        lambda: reject(vault.git, [find(vault.git, made[0].id)]),
        lambda: forget(vault.git, "tools/n0.md"),
        lambda: propose(vault.git, MACHINE, "x.md", "x\n"),
    ):
        with pytest.raises(MemwikiError, match="does not know who you are") as caught:
            decide()
        assert "user.email" in caught.value.remedy
    assert vault.git.tip() == tip
    assert vault.sh(f"git log -1 --format='%an|%cn' {later[0].commit}") == "memwiki dream|memwiki"
    assert (home / ".gitconfig").read_text() == "[user]\n\tuseConfigOnly = true\n"


def test_four_reviews_at_once(vault: Vault) -> None:
    """Separate processes approve different candidates of one run: all land, each once."""
    made = vault.dream()
    code = """import sys, pathlib
from memwiki.vault.git import Git
from memwiki.candidates.states import find
from memwiki.review.decide import approve
git = Git(pathlib.Path(sys.argv[1]))
approve(git, find(git, sys.argv[2]))"""
    started = [subprocess.Popen([sys.executable, "-c", code, str(vault.top), one.id]) for one in made]
    assert [process.wait() for process in started] == [0] * 4
    assert states(vault) == dict.fromkeys((one.id for one in made), "approved")
    assert vault.sh("git log --format=%B main | grep -c Memwiki-Candidate") == "4"
    assert vault.edits() == "" and vault.fsck() == ""
    for one in made:  # whoever came last may have left the branch to us
        approve(vault.git, find(vault.git, one.id))
    assert branch(vault) == []


def test_prefixes(vault: Vault) -> None:
    made = vault.dream()
    assert find(vault.git, made[0].id.upper()).id == made[0].id
    with pytest.raises(MemwikiError, match="no candidate"):
        find(vault.git, "0")
    with pytest.raises(MemwikiError, match="no candidate"):
        find(vault.git, "")
