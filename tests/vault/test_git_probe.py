"""What is wrong with a vault's git is found before anything is paid for, and said with its remedy."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from vaults import Vault

from memwiki.errors import MemwikiError
from memwiki.vault import commits
from memwiki.vault.git import Git
from memwiki.vault.landing import change
from memwiki.vault.probe import file_system

CASES = Path(__file__).parents[1] / "cases"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


def set_up(case: str, top: Path, *args: str) -> None:
    """Build a case's state with its own script."""
    subprocess.run(["bash", str(CASES / case / "setup.sh"), str(top), *args], check=True, capture_output=True)


def messages(git: Git) -> str:
    """All findings as one text."""
    return "\n".join(f"{found.level}: {found.message} {found.remedy}" for found in git.findings())


def test_a_healthy_vault_has_nothing_to_say(vault: Vault) -> None:
    before = sorted(vault.top.rglob("*.lock")), vault.sh("git for-each-ref")
    vault.git.probe()
    assert vault.git.findings() == []
    assert (sorted(vault.top.rglob("*.lock")), vault.sh("git for-each-ref")) == before


def test_case_30_a_fresh_lock_stops_at_once(tmp_path: Path) -> None:
    top = tmp_path / "vault"
    set_up("30-git-stale-index-lock", top, "fresh")
    git = Git(top)
    begin = time.monotonic()
    with pytest.raises(MemwikiError, match=r"index\.lock is \d s old"):
        git.probe()
    assert time.monotonic() - begin < 5 and (top / ".git/index.lock").exists()
    (top / ".git/index.lock").unlink()
    git.probe()


def test_case_30_a_stale_lock_is_named_with_the_command_and_never_removed(tmp_path: Path) -> None:
    top = tmp_path / "vault"
    set_up("30-git-stale-index-lock", top, "stale")
    git = Git(top)
    lock = top / ".git/index.lock"
    with pytest.raises(MemwikiError, match="2 h old") as caught:
        git.probe()
    assert f"rm '{lock}'" in caught.value.remedy
    with pytest.raises(MemwikiError, match="2 h old"):
        change(git, {"x.md": b"x\n"}, "Blocked", author="A <a@example.com>")
    assert "2 h old" in messages(git) and lock.exists()
    assert git.files("main") and git.is_memory()  # reading works


def test_case_33_without_an_identity_the_probe_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "vault"
    set_up("33-git-no-identity", top)
    monkeypatch.setenv("HOME", f"{top}.home")
    git = Git(top)
    git.probe()
    assert git.identity() is None
    assert "git does not know who you are" in messages(git) and "user.email" in messages(git)
    # The environment counts, as it does for git: both halves, or not at all.
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Env")
    assert git.identity() is None
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "env@example.com")
    assert git.identity() == "Env <env@example.com>"


def processes() -> str:
    """Every process's command line."""
    return subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout


def test_case_34_signing_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "vault"
    set_up("34-git-gpgsign-hang", top, "sleep")
    monkeypatch.setenv("HOME", f"{top}.home")
    # A second name for `sleep`, to find this very process afterwards.
    signer = Path(f"{top}.home/fakegpg")
    signer.write_text("#!/bin/sh\nexec sleep 599.875\n")
    state = sorted((path, path.stat().st_mtime_ns) for path in top.rglob("*") if "objects" not in path.parts)
    assert commits.SIGNING_SECONDS <= 30  # a run signs its probe first, and stops there
    monkeypatch.setattr(commits, "SIGNING_SECONDS", 3.0)
    begin = time.monotonic()
    with pytest.raises(MemwikiError, match="timed out after 3 s") as caught:
        Git(top).probe()
    assert time.monotonic() - begin <= 60
    assert "`memwiki config set vault.sign never`" in caught.value.remedy
    assert "sleep 599.875" not in processes() and str(signer) not in processes()
    assert state == sorted((path, path.stat().st_mtime_ns) for path in top.rglob("*") if "objects" not in path.parts)


def test_case_34_signing_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = tmp_path / "vault"
    set_up("34-git-gpgsign-hang", top, "fail")
    monkeypatch.setenv("HOME", f"{top}.home")
    with pytest.raises(MemwikiError, match="gpg: signing failed: No secret key") as caught:
        Git(top).probe()
    assert "vault.sign never" in caught.value.remedy
    assert "No secret key" in messages(Git(top))
    with pytest.raises(MemwikiError, match="No secret key"):
        change(Git(top), {"x.md": b"x\n"}, "Unsigned?", author="A <a@example.com>")
    # Only the person's own setting turns it off.
    quiet = Git(top, sign=False)
    quiet.probe()
    assert change(quiet, {"x.md": b"x\n"}, "Unsigned", author="A <a@example.com>") == quiet.tip()
    assert "memwiki's are not" in messages(quiet)


def test_commits_are_signed_where_the_person_signs(vault: Vault) -> None:
    vault.sh(
        "ssh-keygen -q -t ed25519 -N '' -f ../key; git config commit.gpgsign true; git config gpg.format ssh;"
        " git config user.signingkey ../key.pub"
    )
    (made,) = vault.dream([0])
    change(vault.git, {"x.md": b"x\n"}, "Signed")
    for name in (made.commit, vault.git.tip(), "refs/memwiki/runs/0a1b2c3d"):
        assert "\ngpgsig " in vault.sh(f"git cat-file commit {name}")
    assert vault.git.findings() == []


SIDE = (
    "git switch -qc side; echo a >> tools/n0.md; git commit -qam a;"
    " git switch -q main; echo b >> tools/n0.md; git commit -qam b;"
)
FOUND = {
    "a branch named dream": ("git branch dream", "git branch -m dream old-dream", True),
    "merge": (f"{SIDE} git merge -q side || true", "A merge is under way", True),
    "rebase": (f"{SIDE} git rebase -q side || true", "A rebase is under way", True),
    "hooks": (
        "echo x > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
        "do not run your git hooks (pre-commit)",
        False,
    ),
    "hooks elsewhere": (
        "mkdir ../h; echo x > ../h/commit-msg; chmod +x ../h/commit-msg; git config core.hooksPath ../h",
        "do not run your git hooks (commit-msg)",
        False,
    ),
    "partial": ("git config extensions.partialClone origin; git config remote.origin.url x", "partial clone", False),
    "stale lock of a ref": ("touch -d '3 days ago' .git/packed-refs.lock", "3 days old", False),
    "no such branch": ("git branch -m main trunk", "There is no branch main", False),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(vault: Vault, name: str) -> None:
    script, words, stops = FOUND[name]
    vault.sh(script)
    assert words in messages(vault.git)
    if stops:
        with pytest.raises(MemwikiError):
            vault.git.probe()
    else:
        vault.git.probe()


def test_shallow_clone(vault: Vault, tmp_path: Path) -> None:
    vault.sh(f"git commit -q --allow-empty -m two; git clone -q --depth 1 file://{vault.top} {tmp_path}/shallow")
    git = Git(tmp_path / "shallow")
    assert "shallow clone" in messages(git)
    assert change(git, {"x.md": b"x\n"}, "Works") == git.tip()


def test_old_git(vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin/git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'git version 2.34.1'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    assert "git version 2.34.1 is too old. Install git 2.38 or newer." in messages(vault.git)


def test_no_repository_and_a_bare_one(tmp_path: Path, git) -> None:
    (tmp_path / "plain").mkdir()
    assert "memwiki init" in messages(Git(tmp_path / "plain"))
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    assert "bare repository" in messages(Git(tmp_path / "bare.git"))


def test_another_owner(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")  # git's own switch: only root could give a folder away
    assert "safe.directory" in messages(vault.git)
    with pytest.raises(MemwikiError, match="dubious ownership"):
        vault.git.probe()


def test_read_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to everybody else
        monkeypatch.setenv("HOME", folder)
        shutil.copy(home / ".gitconfig", folder)
        vault = Vault(Path(folder, "vault"))
        assert vault.git.findings() == []
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", str(NOBODY), folder], check=True)
        subprocess.run(["chmod", "-R", "a-w", str(vault.top / ".git")], check=True)

        def check() -> None:
            assert "cannot be written" in messages(vault.git)
            with pytest.raises(MemwikiError, match="ermission"):
                vault.git.probe()

        unprivileged(check)
        subprocess.run(["chmod", "-R", "u+w", str(vault.top / ".git")], check=True)


NOBODY = 65534  # the user who owns nothing, on every Unix


def unprivileged(check: Callable[[], None]) -> None:
    """Run `check` in a child process that is not root, who may write everywhere."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            check()
            code = 0
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_file_systems(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\nserver:/x /mnt/net nfs4 rw 0 0\nC: /mnt/c 9p rw 0 0\n"
        "//host/x /mnt/my\\040share cifs rw 0 0\n"
    )
    assert file_system(Path("/mnt/net/vault"), mounts) == "nfs4"
    assert file_system(Path("/mnt/network"), mounts) == "ext4"
    assert file_system(Path("/mnt/c/notes"), mounts) == "9p"
    assert file_system(Path("/mnt/my share/notes"), mounts) == "cifs"
    assert file_system(Path("/home"), tmp_path / "none") == ""


def test_a_file_system_that_cannot_lock_is_named(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memwiki.vault.probe.file_system", lambda path: "nfs4")
    assert "nfs4 file system, where locks cannot be trusted" in messages(vault.git)


@pytest.mark.parametrize("state", ["submodule", "worktree"])
def test_case_61_a_git_file_leads_to_the_right_repository(tmp_path: Path, state: str, git) -> None:
    """In a submodule or a linked work tree only that repository changes."""
    top = tmp_path / "outer"
    set_up("61-git-nested-and-submodule", top, state)
    vault, branch = (top / "vault", "main") if state == "submodule" else (Path(f"{top}-wt"), "wt")
    memory = Git(vault, branch)
    before = git(top, "rev-parse", "HEAD"), git(top, "ls-files", "-s"), (top / ".git/HEAD").read_bytes()
    done = change(memory, {"tools/new.md": b"new\n"}, "In the vault", author="A <a@example.com>")
    assert git(vault, "rev-parse", branch).strip() == done and (vault / "tools/new.md").read_bytes() == b"new\n"
    assert git(vault, "status", "--porcelain") == ""
    assert (git(top, "rev-parse", "HEAD"), git(top, "ls-files", "-s"), (top / ".git/HEAD").read_bytes()) == before
    assert memory.is_memory()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("git checkout -q --detach", "no branch is checked out, so what you save or commit here does not count"),
        ("git checkout -q --detach; mkdir .jj", "jj bookmark set main"),
        ("git checkout -q -b other", "other is checked out"),
        ("git branch -m main trunk", "There is no branch main, so memory is empty"),
        ("git merge -q --no-commit --no-ff -s ours side", "A merge is under way in the vault, so memory is the tip"),
    ],
)
def test_case_83_doctor_says_whose_text_serves(vault: Vault, script: str, words: str) -> None:
    vault.sh("git checkout -q -b side; git commit -q --allow-empty -m side; git checkout -q main")
    assert vault.git.findings() == []
    vault.sh(script)
    assert words in messages(vault.git)


@pytest.mark.parametrize(
    "content", ["", "\\0\\0\\0\\0", "0123456789abcdef\\n", "1111111111111111111111111111111111111111\\n"]
)
def test_broken_refs_are_named(vault: Vault, content: str) -> None:
    vault.sh(f"git branch side; printf '{content}' > .git/refs/heads/side")
    assert "The ref refs/heads/side is broken" in messages(vault.git)
    vault.sh("rm .git/refs/heads/side")
    assert vault.git.findings() == []


def test_a_broken_branch_of_memory_is_named_and_not_called_missing(vault: Vault) -> None:
    tip = vault.sh("git rev-parse main")
    vault.sh(": > .git/refs/heads/main")
    assert "error: The branch main is broken, so memory is empty." in messages(vault.git)
    vault.sh(f"echo {tip} > .git/refs/heads/main")
    assert vault.git.findings() == []


def test_a_git_folder_that_is_damaged_is_not_called_missing(vault: Vault) -> None:
    vault.sh(": > .git/HEAD")
    assert "Its .git is damaged: look at .git/HEAD" in messages(vault.git)
