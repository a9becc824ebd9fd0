"""Locks that a killed landing of memwiki's left are cleared; everybody else's stay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from vaults import Vault, note

from memwiki.candidates.states import find
from memwiki.errors import MemwikiError
from memwiki.review.decide import approve
from memwiki.vault import landing

# An approval that is killed together with its git children while they hold the index and the branch.
KILLED = f"""
import os, pathlib, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from kills import processes
from memwiki.candidates.states import find
from memwiki.review.decide import approve
from memwiki.vault import worktree
from memwiki.vault.git import Git
top = pathlib.Path(sys.argv[1])
def stage(work, wanted):
    (top / ".git/index.lock").touch()
    for pid in [*(pid for pid in processes(top) if pid != os.getpid()), os.getpid()]:
        os.kill(pid, signal.SIGKILL)
worktree.stage = stage
git = Git(top)
approve(git, find(git, sys.argv[2]))
"""
LOCKS = [".git/HEAD.lock", ".git/index.lock", ".git/refs/heads/main.lock"]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setattr(landing, "PATIENCE", 0.2)
    monkeypatch.setattr(landing.land, "__kwdefaults__", {"patience": 0.2})
    return Vault(tmp_path / "vault")


def locks(vault: Vault) -> list[str]:
    return sorted(str(path.relative_to(vault.top)) for path in vault.top.glob(".git/**/*.lock"))


def killed(vault: Vault) -> str:
    """A candidate whose approval was killed."""
    (one,) = vault.dream([0])
    done = subprocess.run([sys.executable, "-c", KILLED, str(vault.top), one.id], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert locks(vault) == LOCKS
    return one.id


def test_the_locks_of_a_killed_landing_are_cleared_by_the_next(vault: Vault) -> None:
    id = killed(vault)
    approve(vault.git, find(vault.git, id))
    assert locks(vault) == []
    assert vault.read("tools/n0.md") == note(0, l3="- n0 dream says x")
    assert vault.sh("git status --porcelain") == ""


def test_a_dream_clears_them_too(vault: Vault) -> None:
    killed(vault)
    vault.git.probe()
    assert locks(vault) == []


def test_a_lock_from_before_or_long_after_the_kill_is_a_persons(vault: Vault) -> None:
    id = killed(vault)
    for lock, seconds in zip(LOCKS, (-30, 30, 30), strict=True):
        now = (vault.top / lock).stat().st_mtime
        os.utime(vault.top / lock, (now + seconds, now + seconds))
    with pytest.raises(MemwikiError, match=r"\.lock"):
        approve(vault.git, find(vault.git, id))
    assert locks(vault) == LOCKS


def test_a_lock_stays_while_any_git_runs_in_the_vault(vault: Vault) -> None:
    id = killed(vault)
    other = subprocess.Popen(["git", "cat-file", "--batch"], cwd=vault.top / "tools", stdin=subprocess.PIPE)
    try:
        with pytest.raises(MemwikiError, match=r"\.lock"):
            approve(vault.git, find(vault.git, id))
        assert locks(vault) == LOCKS
    finally:
        assert other.stdin is not None
        other.stdin.close()
        other.wait()


def test_a_persons_lock_is_never_removed(vault: Vault) -> None:
    (one,) = vault.dream([0])
    (vault.top / ".git/index.lock").touch()
    with pytest.raises(MemwikiError, match=r"index\.lock"):
        approve(vault.git, one)
    assert locks(vault) == [".git/index.lock"]
