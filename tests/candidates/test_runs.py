"""A run's branch and its ledger move together, and what a killed run left is cleared away."""

import os
import time
from pathlib import Path

import pytest
from vaults import MACHINE, Vault, note, proposal, watermarks

from memwiki.candidates import runs as module
from memwiki.candidates.archive import archive_old
from memwiki.candidates.candidate import Evidence, Proposal
from memwiki.candidates.ledger import Run, runs
from memwiki.candidates.message import evidence_line, evidence_of, plain, read, reverted, values, written
from memwiki.candidates.runs import clear_orphans, write
from memwiki.candidates.states import candidates, find, texts
from memwiki.errors import MemwikiError
from memwiki.review.decide import approve, reject

LEDGER = f"refs/memwiki/runs/{MACHINE}"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def test_what_a_run_leaves(vault: Vault) -> None:
    spans = {"claude/s": (1, 40), "codex/t": (3, 9)}
    usage = {"calls": 2, "cost": 0.25}
    before = vault.edits()
    made = vault.dream(run="20261130-143205-3f9a", spans=spans, model="m", usage=usage)
    assert [one.path for one in made] == [f"tools/n{number}.md" for number in range(4)]
    assert vault.sh("git log --reverse --format=%s main..dream/20261130-143205-3f9a").splitlines() == [
        f"Note {number}: a dream line" for number in range(4)
    ]
    body = vault.sh(f"git log -1 --format=%B {made[0].commit}")
    assert f"Memwiki-Candidate: {made[0].id}\nMemwiki-Run: 20261130-143205-3f9a\nMemwiki-Machine: {MACHINE}" in body
    audit = vault.sh(f"git log -1 --format=%B {LEDGER}")
    assert f"- {made[2].id} Note 2: a dream line" in audit
    assert "Memwiki-Read: claude/s@1..40\nMemwiki-Read: codex/t@3..9" in audit
    assert watermarks(vault.git, MACHINE) == {"claude/s": 40, "codex/t": 9}
    (run,) = runs(vault.git)
    assert (run.id, run.engine, run.model, run.usage, run.spans) == ("20261130-143205-3f9a", "rules", "m", usage, spans)
    assert run.candidates == tuple(one.id for one in made) and run.machine == MACHINE and run.base == vault.git.tip()
    assert vault.edits() == before and vault.fsck() == ""
    assert [one.state for one in candidates(vault.git)] == ["pending"] * 4
    assert texts(vault.git, made[1]) == (note(1), note(1, l3="- n1 dream says x"))
    assert find(vault.git, made[1].id).evidence == (Evidence("claude/s#2", "person", 'said "1"'),)


def test_a_run_that_proposes_nothing_is_in_the_audit(vault: Vault) -> None:
    vault.dream([], spans={"claude/s": (1, 5)})
    vault.dream([], spans={"claude/s": (6, 8), "claude/u": (1, 2)})
    assert vault.sh("git for-each-ref refs/heads/dream") == ""
    assert watermarks(vault.git, MACHINE) == {"claude/s": 8, "claude/u": 2}
    assert [len(run.spans) for run in runs(vault.git)] in ([2, 1], [1, 2])
    subjects = vault.sh(f"git log --first-parent --format=%s {LEDGER}").splitlines()
    assert len(subjects) == 3 and subjects[-1] == "memwiki run ledger" and "0 proposed" in subjects[0]


def test_nothing_moves_when_a_proposal_is_refused(vault: Vault) -> None:
    vault.sh("git init -q -b main ../src; cd ../src; echo i > n.md; git add -A; git commit -qm s; cd ../vault;"
             " git -c protocol.file.allow=always submodule --quiet add ../src sub; git commit -qm sub;"
             " ln -s n0.md tools/link.md; git add -A; git commit -qm link")  # fmt: skip
    before = vault.sh("git for-each-ref"), vault.edits()
    for path in ("../x.md", ".git/x.md", "a/./b.md", "tools", "sub/x.md", "tools/link.md", "tools/n0.md/x.md"):
        with pytest.raises(MemwikiError):
            vault.propose(proposal(1), proposal(2, path=path))
    with pytest.raises(MemwikiError, match="Two candidates"):
        vault.propose(proposal(1), proposal(1))
    assert (vault.sh("git for-each-ref"), vault.edits()) == before
    with pytest.raises(MemwikiError, match="memwiki init"):
        write(vault.git, "", Run("r", "rules"), [])
    vault.git.branch = "none"
    with pytest.raises(MemwikiError, match="no branch none"):
        write(vault.git, MACHINE, Run("r", "rules"), [])


def test_a_branch_named_dream_stops_the_run_and_not_the_ledger_alone(vault: Vault) -> None:
    vault.sh("git branch dream")
    with pytest.raises(MemwikiError):
        vault.dream(spans={"claude/s": (1, 5)})
    assert watermarks(vault.git, MACHINE) == {}


def test_the_proposal_stands_on_the_base_that_was_read(vault: Vault) -> None:
    """Main moved while the model thought: the branch stays on its base, and approving merges."""
    base = vault.git.tip()
    vault.sh("sed -i 's/n0 line 7/HUMAN-LINE-77/' tools/n0.md; git rm -q tools/n5.md; git commit -qam human")
    (made,) = vault.dream([0], base=base)
    assert "HUMAN" not in vault.sh(f"git show {made.commit}")
    approve(vault.git, find(vault.git, made.id))
    assert vault.read("tools/n0.md") == note(0, l3="- n0 dream says x", l7="- HUMAN-LINE-77")
    assert not (vault.top / "tools/n5.md").exists()


def test_case_38_a_run_leaves_the_work_tree_alone(vault: Vault) -> None:
    vault.sh("echo HUMAN-LINE-77 >> tools/n0.md; echo new > tools/new.md; rm tools/n1.md; git add tools/n0.md")
    before = vault.edits(), (vault.top / ".git/index").read_bytes()
    made = vault.dream(spans={"claude/s": (1, 2)})
    assert (vault.edits(), (vault.top / ".git/index").read_bytes()) == before
    assert all("HUMAN" not in vault.sh(f"git show {one.commit}") for one in made)
    assert watermarks(vault.git, MACHINE) == {"claude/s": 2}


def test_seen_again_counts(vault: Vault) -> None:
    (made,) = vault.dream([0])
    again = Evidence("codex/u#4", "person", "as I said")
    vault.dream([], seen_again={made.id: (again,)})
    one = find(vault.git, made.id)
    assert one.seen == 2 and one.evidence[-1] == again


def test_every_proposal_outlives_its_branch(vault: Vault) -> None:
    made = vault.dream(run="r")
    vault.sh("git branch -D dream/r; git reflog expire --expire=now --all; git gc -q --prune=now; git pack-refs --all")
    assert {one.state for one in candidates(vault.git)} == {"dropped"}
    assert texts(vault.git, find(vault.git, made[0].id))[1] == note(0, l3="- n0 dream says x")
    vault.dream([4])
    assert len(runs(vault.git)) == 2


def test_orphans_and_stale_locks_are_cleared_and_only_they(vault: Vault) -> None:
    kept = vault.dream(run="kept")
    orphan = vault.dream(run="orphan")
    vault.sh(f"git update-ref {LEDGER} {LEDGER}~1")  # as if killed between the two refs
    vault.sh("git branch dream/mine main; git branch dream/other kept-none 2>/dev/null || true")
    lock = vault.top / f".git/{LEDGER}.lock"
    branch_lock = vault.top / ".git/refs/heads/dream/kept.lock"
    foreign = vault.top / ".git/refs/heads/main.lock"
    for path in (lock, branch_lock, foreign):
        path.touch()
        os.utime(path, (time.time() - 3600, time.time() - 3600))
    stray = vault.top / "tools/.memwiki-abc~"
    stray.write_text("half")
    removed = clear_orphans(vault.git, MACHINE)
    assert sorted(removed) == sorted([str(lock), str(branch_lock), "refs/heads/dream/orphan"])
    assert foreign.exists() and not stray.exists()
    foreign.unlink()
    branches = vault.sh("git for-each-ref --format='%(refname:short)' refs/heads/dream").splitlines()
    assert branches == ["dream/kept", "dream/mine"]
    assert {one.id for one in candidates(vault.git)} == {one.id for one in kept} and orphan
    assert clear_orphans(vault.git, MACHINE) == []


def test_a_young_branch_lock_is_a_persons(vault: Vault) -> None:
    vault.dream(run="r")
    lock = vault.top / ".git/refs/heads/dream/r.lock"
    lock.touch()
    assert clear_orphans(vault.git, MACHINE) == [] and lock.exists()


def test_a_young_ledger_lock_is_waited_for(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEDGER_LOCK_SECONDS", 0.3)
    vault.dream(run="r")
    lock = vault.top / f".git/{LEDGER}.lock"
    lock.touch()
    assert clear_orphans(vault.git, MACHINE) == [str(lock)]
    vault.dream([4])


def test_another_machines_branch_and_a_checked_out_one_are_no_orphans(vault: Vault) -> None:
    write(vault.git, "ffffffff", Run("theirs", "rules"), [proposal(0)])
    vault.sh("git update-ref -d refs/memwiki/runs/ffffffff")
    vault.dream([1], run="r")
    vault.sh(f"git update-ref -d {LEDGER}; git switch -q dream/r")
    assert clear_orphans(vault.git, MACHINE) == []
    assert {one.state for one in candidates(vault.git)} == {"pending"}


def test_two_machines_and_one_remote(vault: Vault, tmp_path: Path) -> None:
    vault.sh(
        "git clone -q --bare . ../hub.git; git remote add origin ../hub.git; git fetch -q; git clone -q ../hub.git ../b"
    )
    other = Vault.__new__(Vault)
    other.top = tmp_path / "b"
    other.git = type(vault.git)(other.top)
    (mine,) = vault.dream([0], run="a", spans={"claude/s": (1, 4)})
    made = write(other.git, "ffffffff", Run("b", "rules"), [proposal(1), proposal(2)])
    vault.sh("git push -q origin dream/a 'refs/memwiki/runs/*:refs/memwiki/runs/*'")
    other.sh("git push -q origin dream/b 'refs/memwiki/runs/*:refs/memwiki/runs/*'")
    vault.sh("git fetch -q origin")
    assert {one.id: one.state for one in candidates(vault.git)} == dict.fromkeys(
        (mine.id, *(one.id for one in made)), "pending"
    )
    approve(vault.git, find(vault.git, made[0].id))
    vault.sh("git push -q origin main")
    other.sh("git pull -q")
    assert find(other.git, made[0].id).state == "approved" and watermarks(other.git, MACHINE) == {}
    # Whoever has no ledger of it knows a landed candidate by its commit.
    vault.sh("git clone -q ../hub.git ../c; cd ../c; git fetch -q")
    third = type(vault.git)(tmp_path / "c")
    assert find(third, made[0].id).state == "approved" and find(third, made[1].id).state == "pending"


def test_archive_and_back(vault: Vault) -> None:
    made = vault.dream(run="r")
    vault.dream([4], run="busy")
    reject(vault.git, [find(vault.git, one.id) for one in candidates(vault.git) if one.run == "busy"], "no")
    assert archive_old(vault.git) == []
    later = time.time() + 31 * 86400
    assert archive_old(vault.git, later) == ["r"]
    assert {find(vault.git, one.id).state for one in made} == {"archived"}
    assert vault.sh("git for-each-ref refs/heads/dream") == ""
    approve(vault.git, find(vault.git, made[0].id))
    vault.sh("git branch -q dream/r refs/memwiki/archive/r")
    assert [find(vault.git, one.id).state for one in made] == ["approved", "pending", "pending", "pending"]
    assert archive_old(vault.git, later) == []  # one of it is decided


@pytest.mark.parametrize("form", ["--object-format=sha256", "--object-format=sha1"])
def test_other_object_formats(tmp_path: Path, git, form: str) -> None:
    git(tmp_path, "init", "-q", "-b", "main", form, "v")
    top = tmp_path / "v"
    (top / "tools").mkdir()
    (top / "tools/n0.md").write_text(note(0))
    git(top, "add", "-A")
    git(top, "commit", "-qm", "base")
    from memwiki.vault.git import Git

    memory = Git(top)
    made = write(memory, MACHINE, Run("r", "rules", spans={"a/b": (1, 2)}), [proposal(0)])
    approve(memory, find(memory, made[0].id))
    assert find(memory, made[0].id).state == "approved"


# -- messages


def test_a_message_and_back() -> None:
    evidence = (
        Evidence("claude/9b-1#12", "person", 'uh, "use pnpm"\nalways\tplease \U0001f600'),
        Evidence("x/y#1", "web", ""),
    )
    made = Proposal(
        "tools/n.md", "x\n", "  Use\npnpm  ", "First.\n\nSecond.", "preference", "explicit", 0.955, 3, evidence
    )
    found = read(written(made, "abcdefgh", "r1", "0a0a0a0a"))
    assert found is not None
    assert (found.id, found.run, found.machine, found.subject, found.why) == (
        "abcdefgh",
        "r1",
        "0a0a0a0a",
        "Use pnpm",
        "First.\n\nSecond.",
    )
    assert (found.type, found.source, found.confidence, found.seen) == ("preference", "explicit", 0.95, 3)
    assert found.evidence == evidence


@pytest.mark.parametrize(
    "text",
    [
        "Memwiki-Candidate: zzzzzzzz",
        "ok\n   Memwiki-Rejected: zzzzzzzz",
        "* Memwiki-Reverted: zzzzzzzz abc",
        '> Memwiki-Evidence: a person "x"',
        "This reverts commit 0123456789012345678901234567890123456789.",
        "well\r\n\tThis reverts commit 0123456.",
        "x\x00\x1b[31m\u202ey",
    ],
)
def test_free_text_cannot_speak_for_memwiki(text: str) -> None:
    body = written(Proposal("n.md", "x", text, text, text, "turn", 0.5), "abcdefgh", "r", "m")
    assert values(body, "Candidate") == ["abcdefgh"] and reverted(body) == []
    assert values(body, "Rejected") == values(body, "Reverted") == values(body, "Evidence") == []
    assert all(char in "\n\t" or char.isprintable() for char in plain(text))


def test_evidence_that_a_person_broke_is_left_out() -> None:
    assert evidence_of("a#1 person unquoted") is None and evidence_of('a#1 god "x"') is None
    assert evidence_of(evidence_line(Evidence("a#1", "tool", "é"))) == Evidence("a#1", "tool", "é")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        "NaN",
        "{}",
        '{"run": 1}',
        '{"run": "../../main"}',
        '{"run": "r", "at": 5, "engine": [], "base": "--all", "machine": {}, "candidates": {}, "spans": [1]}',
        '{"run": "r", "candidates": [1, {}, {"id": "../x", "commit": "main"}, {"id": "abcdefgh", "commit": "HEAD"}]}',
        '{"run": "r", "candidates": [{"id": "abcdefgh", "commit": "%s"}]}' % ("0" * 39 + "1"),
        '{"run": "r", "spans": {"claude/s": [NaN, 1e999], "x": ["1", "2"], "y": [2, 1], "z": [1]}}',
        '{"run": "r", "usage": {"cost": NaN, "calls": "many", "x": 1e999}}',
        '{"run": "r", "seen_again": {"../x": ["y"], "abcdefgh": [1, "claude/s#1 person [[["]}}',
        "[" * 100_000,
        '{"run": "r", "x": %s}' % ("9" * 5000),
        '{"run": "\\ud800"}',
    ],
)
def test_a_ledger_can_say_anything(vault: Vault, text: str) -> None:
    """One comes with every fetch; what it says of a wrong kind counts as nothing."""
    vault.dream([0])
    blob = vault.git.run("hash-object", "-w", "--stdin", input=text.encode()).line
    tree = vault.git.run("mktree", input=f"100644 blob {blob}\trun.json\n".encode()).line
    tip = vault.git.tip()
    made = vault.git.run("commit-tree", tree, "-p", tip, "-p", tip, input=b"Dream r\n").line
    vault.git.run("update-ref", "refs/memwiki/runs/evil", made)
    (own, *others) = sorted(runs(vault.git), key=lambda run: run.machine != MACHINE)
    assert own.machine == MACHINE and all(not (run.spans or run.usage or run.machine) for run in others)
    assert [one.state for one in candidates(vault.git)] == ["pending"]
    assert [run.machine for run in runs(vault.git, MACHINE)] == [MACHINE]
