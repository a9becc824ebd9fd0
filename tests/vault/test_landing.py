"""Landing into every kind of work tree: what is the person's stays theirs, or nothing changes."""

import subprocess
import threading
import time
from pathlib import Path

import pytest
from vaults import Vault, note, proposal

from memwiki.candidates.states import find
from memwiki.errors import MemwikiError
from memwiki.review.decide import approve
from memwiki.vault import landing, worktree
from memwiki.vault.git import Git
from memwiki.vault.landing import change

SIDE = (
    "git switch -qc side; sed -i 's/line 1/A/' tools/n5.md; git commit -qam A;"
    " git switch -q main; sed -i 's/line 1/B/' tools/n5.md; git commit -qam B;"
)
NEW = note(0, l3="- n0 dream says x")


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


# What the person did -> what must hold afterwards, beside: landed, their work as before, fsck clean.
LANDS = {
    "clean": ("true", ""),
    "other file dirty, one untracked": ("echo mine >> tools/n5.md; echo u > u.md", ""),
    "other file staged and dirty": ("echo mine >> tools/n5.md; git add tools/n5.md; echo more >> tools/n5.md", ""),
    "the note dirty in other lines": ("sed -i 's/n0 line 7/n0 mine/' tools/n0.md", ""),
    "committed in other lines": ("sed -i 's/n0 line 7/n0 human/' tools/n0.md; git commit -qam h", "human"),
    "another branch, dirty": ("git switch -qc wip; echo mine >> tools/n0.md", ""),
    "detached": ("git checkout -q --detach", ""),
    "renamed on main": ("git mv tools/n0.md tools/r.md; git commit -qm mv", "renamed"),
    "autocrlf": ("git config core.autocrlf true; rm tools/*; git checkout -q .", "crlf"),
    "sparse without the note": (
        "mkdir p; echo x > p/x.md; git add -A; git commit -qm p; git sparse-checkout set p",
        "sparse",
    ),
    "skip-worktree with own text": (
        "git update-index --skip-worktree tools/n0.md; sed -i 's/n0 line 7/n0 mine/' tools/n0.md",
        "",
    ),
    "assume-unchanged with own text": (
        "git update-index --assume-unchanged tools/n0.md; sed -i 's/n0 line 7/n0 mine/' tools/n0.md",
        "",
    ),
    "a rebase of another branch elsewhere": (
        f"{SIDE} git worktree add -q ../wt side; cd ../wt; git rebase -q main || true",
        "",
    ),
}


@pytest.mark.parametrize("name", LANDS)
def test_lands(vault: Vault, name: str) -> None:
    script, special = LANDS[name]
    (made,) = vault.dream([0])
    vault.sh(script)
    before = (
        vault.edits(),
        vault.sh("git ls-files -v | grep -v ^H || true"),
        vault.sh("git symbolic-ref -q HEAD || true"),
    )
    here = (vault.top / "tools/n0.md").read_text() if (vault.top / "tools/n0.md").exists() else ""
    tip = vault.git.tip()
    assert approve(vault.git, find(vault.git, made.id)) == vault.git.tip() != tip
    path = "tools/r.md" if special == "renamed" else "tools/n0.md"
    assert vault.read(path) == NEW.replace("n0 line 7", "n0 human" if special == "human" else "n0 line 7")
    after = (
        vault.edits(),
        vault.sh("git ls-files -v | grep -v ^H || true"),
        vault.sh("git symbolic-ref -q HEAD || true"),
    )
    assert after == before
    if special == "crlf":
        assert (vault.top / path).read_bytes() == NEW.replace("\n", "\r\n").encode()
    elif special == "sparse":
        assert not (vault.top / path).exists()
    elif vault.sh("git symbolic-ref -q HEAD || true") == "refs/heads/main":
        ours = here.replace("- n0 line 3", "- n0 dream says x") if here else vault.read(path)
        assert (vault.top / path).read_text() == ours
    else:
        assert (vault.top / path).read_text() == here
    assert vault.fsck() == ""
    assert vault.sh("git log -1 --format='%an|%cn' main") == "memwiki dream|Ada Example"
    assert vault.sh("git for-each-ref refs/heads/dream") == ""


HOSTILE = (
    "merge.verifySignatures true, merge.ff only, merge.conflictStyle diff3, core.safecrlf true, diff.renames false,"
    " merge.renames false, merge.directoryRenames true, index.version 4, feature.manyFiles true, core.splitIndex true,"
    " core.commentChar M, commit.verbose true, commit.cleanup scissors, core.quotePath true,"
    " core.logAllRefUpdates false, receive.denyCurrentBranch refuse, transfer.fsckObjects true, core.abbrev 4,"
    " i18n.commitEncoding latin1, i18n.logOutputEncoding latin1, color.ui always, log.showSignature true, gc.auto 1,"
    " status.showUntrackedFiles no, core.untrackedCache true, trailer.separators =, diff.noprefix true"
)


def test_lands_under_hostile_settings(vault: Vault) -> None:
    for setting in HOSTILE.split(","):
        name, value = setting.split()
        vault.sh(f"git config {name} {value}")
    vault.sh("sed -i 's/n0 line 7/n0 mine/' tools/n0.md")
    made = vault.propose(proposal(0, why="Grüße, 日本"), proposal(1, note(1, l3="- é"), path="tools/é ü.md"))
    for one in made:
        approve(vault.git, find(vault.git, one.id))
    assert (vault.top / "tools/n0.md").read_text() == note(0, l3="- n0 dream says x", l7="- n0 mine")
    assert (vault.top / "tools/é ü.md").read_text() == note(1, l3="- é")
    assert "Grüße, 日本" in vault.sh("git -c i18n.logOutputEncoding=utf-8 log --format=%b main")
    assert [find(vault.git, one.id).state for one in made] == ["approved", "approved"]
    assert find(vault.git, made[0].id).why == "Grüße, 日本"
    assert vault.sh("git diff --cached --name-only; git diff --name-only") == "tools/n0.md" and vault.fsck() == ""


REFUSED = {
    "the same lines dirty": ("sed -i 's/n0 line 3/n0 mine/' tools/n0.md", "uncommitted edits in the same lines"),
    "the note staged": ("echo mine >> tools/n0.md; git add -A", "staged changes"),
    "the note removed, uncommitted": ("rm tools/n0.md", "not committed"),
    "the same line committed": ("sed -i 's/n0 line 3/n0 human/' tools/n0.md; git commit -qam h", "in the same lines"),
    "the note deleted on main": ("git rm -q tools/n0.md; git commit -qm rm", "in the same lines"),
    "merge": (f"{SIDE} git merge side || true", "A merge is under way"),
    "cherry-pick": (f"{SIDE} git cherry-pick side || true", "A cherry-pick is under way"),
    "revert": (f"{SIDE} git revert --no-edit HEAD~1 || true", "A revert is under way"),
    "rebase of main": (f"{SIDE} git rebase side || true", "rebase of main"),
    "bisect of main": ("git bisect start", "bisect of main"),
    "stale index.lock": ("touch -d '2 hours ago' .git/index.lock", "left behind"),
    "stale lock of main": ("touch -d '2 hours ago' .git/refs/heads/main.lock", "left behind"),
    "folder is a link": ("mv tools ../elsewhere; ln -s ../elsewhere tools", "link"),
    "folder became a repository": ("git init -q tools", "another repository"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_and_changes_nothing(vault: Vault, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landing, "PATIENCE", 0.2)
    script, words = REFUSED[name]
    (made,) = vault.dream([0])
    vault.sh(script)
    locks = sorted(vault.top.glob(".git/**/*.lock"))
    before = vault.edits(), vault.git.tip(), vault.sh("git for-each-ref"), sorted(vault.top.rglob("*.md"))
    with pytest.raises(MemwikiError, match=words):
        approve(vault.git, find(vault.git, made.id))
    after = vault.edits(), vault.git.tip(), vault.sh("git for-each-ref"), sorted(vault.top.rglob("*.md"))
    assert after == before and sorted(vault.top.glob(".git/**/*.lock")) == locks
    assert vault.fsck() == ""


@pytest.mark.parametrize("ignored", [False, True])
def test_a_file_in_the_way_of_a_new_note_stays(vault: Vault, ignored: bool) -> None:
    (made,) = vault.propose(proposal(0, "---\ntitle: new\n---\n- dream\n", path="tools/new.md"))
    if ignored:
        vault.sh("echo tools/new.md >> .git/info/exclude")
    (vault.top / "tools/new.md").write_text("mine\n")
    with pytest.raises(MemwikiError, match="not committed"):
        approve(vault.git, find(vault.git, made.id))
    assert (vault.top / "tools/new.md").read_text() == "mine\n"


def test_main_in_a_linked_work_tree(vault: Vault) -> None:
    (made,) = vault.dream([0])
    vault.sh("git switch -q --detach; git worktree add -q ../wt main; echo mine >> ../wt/tools/n5.md")
    approve(vault.git, find(vault.git, made.id))
    linked = vault.top.parent / "wt"
    assert (linked / "tools/n0.md").read_text() == NEW and "mine" in (linked / "tools/n5.md").read_text()
    assert vault.sh("git status --porcelain", cwd=linked) == "M tools/n5.md"
    assert vault.sh("git status --porcelain") == ""


def test_git_folder_elsewhere(tmp_path: Path, git) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "store"), "notes")
    before = sorted(path.name for path in (tmp_path / "store").iterdir())
    change(Git(tmp_path / "notes"), {"tools/a.md": b"a\n"}, "First")
    assert (tmp_path / "notes/tools/a.md").read_bytes() == b"a\n"
    assert git(tmp_path / "notes", "status", "--porcelain") == ""
    assert sorted(path.name for path in (tmp_path / "store").iterdir()) == sorted([*before, "index", "logs"])


def test_new_files_folders_and_removals(vault: Vault) -> None:
    done = change(vault.git, {"a/b/new.md": b"one\n", "tools/n1.md": b"other\n"}, "Change two")
    assert (vault.top / "a/b/new.md").read_bytes() == b"one\n"
    assert vault.sh("git show --name-status --format=%s%n%an HEAD").split("\n") == [
        "Change two",
        "Ada Example",
        "",
        "A\ta/b/new.md",
        "M\ttools/n1.md",
    ]
    assert change(vault.git, {"a/b/new.md": b"one\n"}, "Nothing") == "" and vault.git.tip() == done
    change(vault.git, {"a/b/new.md": None}, "Remove")
    assert not (vault.top / "a").exists() and vault.edits() == ""


def test_rights_are_kept_and_new_files_take_their_folders(vault: Vault) -> None:
    (vault.top / "tools/n1.md").chmod(0o640)
    (vault.top / "tools").chmod(0o700)
    change(vault.git, {"tools/n1.md": b"other\n", "tools/new.md": b"new\n"}, "Change")
    assert (vault.top / "tools/n1.md").stat().st_mode & 0o777 == 0o640
    assert (vault.top / "tools/new.md").stat().st_mode & 0o777 == 0o600


def test_first_commit_of_an_unborn_branch(tmp_path: Path, git) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "new")
    top = tmp_path / "new"
    (top / "mine.md").write_text("mine\n")
    git(top, "add", "mine.md")
    change(Git(top), {"a.md": b"a\n"}, "First")
    assert git(top, "log", "--format=%s", "--name-only").split() == ["First", "a.md"]
    assert git(top, "status", "--porcelain") == "A  mine.md\n"


@pytest.mark.parametrize("path", ["../out.md", ".git/x", "sub/../x.md", "tools", "tools/n0.md/x.md", ".GIT/x.md"])
def test_git_refuses_what_we_would(vault: Vault, path: str) -> None:
    before = vault.sh("git for-each-ref"), vault.edits()
    with pytest.raises(MemwikiError):
        change(vault.git, {path: b"x\n"}, "Escape")
    assert (vault.sh("git for-each-ref"), vault.edits()) == before
    assert not (vault.top.parent / "out.md").exists()


def test_case_61_a_nested_repository_is_not_written_into(vault: Vault) -> None:
    vault.sh("mkdir -p project/clone; git init -q project/clone")
    before = sorted(vault.top.rglob("project/**/*"))
    with pytest.raises(MemwikiError, match="another repository"):
        change(vault.git, {"project/clone/x.md": b"x\n"}, "Inside")
    vault.sh(
        "git init -q -b main ../src; cd ../src; echo i > n.md; git add -A; git commit -qm s; cd ../vault;"
        " git -c protocol.file.allow=always submodule --quiet add ../src sub; git commit -qm sub"
    )
    with pytest.raises(MemwikiError):
        change(vault.git, {"sub/x.md": b"x\n"}, "Inside")
    change(vault.git, {"project/x.md": b"x\n"}, "Beside")
    assert sorted(path for path in vault.top.rglob("project/**/*") if path.name != "x.md") == before
    assert vault.sh("git ls-tree -r HEAD project").split()[0] == "100644"


def test_an_editor_that_saves_meanwhile_is_not_overwritten(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look at the file and the write are apart: what was saved between them is merged in, or refused."""
    real = worktree.stage
    saved = []

    def stage(work, wanted):
        real(work, wanted)
        if not saved:
            saved.append((vault.top / "tools/n0.md").write_text(note(0, l7="- n0 mine")))

    monkeypatch.setattr(worktree, "stage", stage)
    (made,) = vault.dream([0])
    approve(vault.git, find(vault.git, made.id))
    assert (vault.top / "tools/n0.md").read_text() == note(0, l3="- n0 dream says x", l7="- n0 mine")
    assert vault.read("tools/n0.md") == NEW


def test_files_come_back_when_one_cannot_be_written(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    real = worktree.write_atomic
    calls = []

    def write(path, data, mode=0o600):
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(path, data, mode)

    monkeypatch.setattr(worktree, "write_atomic", write)
    before = vault.edits(), vault.git.tip()
    with pytest.raises(OSError, match="No space"):
        change(vault.git, {"tools/n0.md": b"a\n", "tools/n1.md": b"b\n"}, "Two")
    assert (vault.edits(), vault.git.tip()) == before


def test_waits_for_a_git_at_work(vault: Vault) -> None:
    lock = vault.top / ".git/index.lock"
    lock.touch()
    timer = threading.Timer(0.6, lock.unlink)
    timer.start()
    assert change(vault.git, {"a.md": b"a\n"}, "Patient") == vault.git.tip()


def test_a_person_committing_all_the_time_loses_nothing(vault: Vault) -> None:
    """`git commit -a` in a loop beside landings: every line of both arrives, none in the other's commit."""
    script = (
        'for k in $(seq 1 40); do echo "- human $k" >> tools/n5.md; git commit -qam "human $k" || true; done;'
        " git commit -qam rest || true"
    )
    person = subprocess.Popen(["sh", "-c", script], cwd=vault.top, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    landed = []
    while person.poll() is None and len(landed) < 12:
        number = len(landed)
        landed.append(change(vault.git, {f"new/{number}.md": b"- dream\n"}, f"dream {number}"))
        time.sleep(0.02)
    person.wait()
    assert all((vault.top / f"new/{number}.md").exists() for number in range(len(landed)))
    text = (vault.top / "tools/n5.md").read_text()
    assert [k for k in range(1, 41) if f"- human {k}\n" not in text] == []
    assert vault.sh("git log --format= --name-only --grep=human -- new") == ""
    assert vault.sh("git status --porcelain") == "" and vault.fsck() == ""
