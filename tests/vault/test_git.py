"""Running git: bytes in and out, the right repository, nothing left running."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.errors import MemwikiError
from memwiki.vault import git as module
from memwiki.vault.gc import collect
from memwiki.vault.git import Git
from memwiki.vault.process import LOCAL, GitError

Runner = Callable[..., "subprocess.CompletedProcess[str]"]
Plain = Callable[..., str]


@pytest.fixture
def vault(tmp_path: Path, git) -> Path:
    """A repository with two notes and one commit."""
    top = tmp_path / "vault"
    (top / "tools").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", "vault")
    (top / "tools/pnpm.md").write_bytes(b"---\ntitle: pnpm\n---\n- use pnpm\n")
    (top / "R\u00e9sum\u00e9.md").write_bytes(b"caf\xe9\r\nno newline at the end")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "base")
    return top


def test_bytes_come_back_as_they_are(vault: Path) -> None:
    memory = Git(vault)
    files = memory.files("main")
    assert set(files) == {"tools/pnpm.md", "R\u00e9sum\u00e9.md"}
    assert list(memory.blobs(files.values())) == [(vault / path).read_bytes() for path in files]
    assert memory.blob("main", "R\u00e9sum\u00e9.md") == b"caf\xe9\r\nno newline at the end"
    assert memory.blob("main", "none.md") is None
    with pytest.raises(GitError, match="missing"):
        list(memory.blobs(["0" * 39 + "1"]))


def test_many_objects_at_once(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH", 3)
    name = Git(vault).files("main")["tools/pnpm.md"]
    assert len(list(Git(vault).blobs([name] * 10))) == 10


def test_unborn_tip_and_unknown_revisions(tmp_path: Path, git) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk", "new")
    memory = Git(tmp_path / "new", "trunk")
    assert memory.tip() == "" and memory.commit_of("--all") == "" and memory.commit_of("nothing") == ""
    assert memory.is_memory()


def test_the_variables_of_the_installed_git_are_all_scrubbed(git, tmp_path: Path) -> None:
    assert set(git(tmp_path, "rev-parse", "--local-env-vars").split()) <= set(LOCAL)


def listing(folder: Path) -> dict[str, str]:
    """Every file below `folder` with its hash."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def test_case_37_leaked_variables_point_nowhere(vault: Path, tmp_path: Path, git, monkeypatch) -> None:
    code = tmp_path / "code"
    git(tmp_path, "init", "-q", "-b", "main", "code")
    (code / "x.c").write_text("x\n")
    git(code, "add", "-A")
    git(code, "commit", "-qm", "base")
    before = listing(code)
    leaked = {
        "GIT_DIR": f"{code}/.git",
        "GIT_INDEX_FILE": f"{code}/.git/index",
        "GIT_WORK_TREE": str(code),
        "GIT_OBJECT_DIRECTORY": f"{code}/.git/objects",
        "GIT_COMMON_DIR": f"{code}/.git",
        "GIT_PREFIX": "src/",
        "GIT_NAMESPACE": "other",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": str(code),
    }
    for name, value in leaked.items():
        monkeypatch.setenv(name, value)
    memory = Git(vault)
    assert memory.dir == vault / ".git" and "tools/pnpm.md" in memory.files(memory.tip())
    memory.probe()
    assert not set(leaked) & set(os.environ)
    assert listing(code) == before


def test_a_vault_without_its_git_is_not_taken_for_the_repository_around_it(vault: Path) -> None:
    (vault / "tools/inner").mkdir()
    with pytest.raises(GitError, match="not a git repository") as caught:
        Git(vault / "tools/inner").run("status")
    assert "memwiki init" in caught.value.remedy
    with pytest.raises(GitError) as caught:
        Git(vault / "gone").run("status")
    assert "vault.path" in caught.value.remedy


def test_no_git_at_all(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(vault))
    with pytest.raises(MemwikiError, match="git was not found"):
        Git(vault).run("status")


def test_out_of_time_ends_the_whole_group(vault: Path, tmp_path: Path, git) -> None:
    marker = tmp_path / "pid"
    git(vault, "config", "alias.hang", f"!trap '' TERM; sleep 600 & echo $! > '{marker}'; wait; wait; wait")
    begin = time.monotonic()
    with pytest.raises(GitError, match="was stopped") as caught:
        Git(vault).run("hang", timeout=0.5)
    assert caught.value.code == -1 and time.monotonic() - begin < 20
    assert not alive(int(marker.read_text()))


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet reaped does not."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(done.stdout.strip()) and not done.stdout.strip().startswith("Z")


PROGRAMS = (
    "core.fsmonitor",
    "core.editor",
    "sequence.editor",
    "core.pager",
    "pager.log",
    "core.sshCommand",
    "core.askPass",
    "credential.helper",
    "diff.external",
    "diff.words.textconv",
    "diff.words.command",
    "interactive.diffFilter",
    "gpg.program",
    "core.alternateRefsCommand",
    "core.gitProxy",
    "uploadpack.packObjectsHook",
)


def test_no_program_of_the_config_runs_where_nobody_asked(home: Path, run: Runner, git: Plain, tmp_path: Path) -> None:
    """A pass in the background, and every reader, starts git and nothing that a config names."""
    run("init")
    vault, ran = home / ".memwiki/vault", tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$NAME $0 $*" >> {ran}\nexit 1\n', "ascii")
    program.chmod(0o755)
    (vault / ".gitattributes").write_text("*.md diff=words\n", "ascii")
    (vault / "tools/pnpm.md").write_text("- Use pnpm, never npm, in the storefront.\n", "utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "mine")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "pre-auto-gc",
    ):
        (hooks / name).symlink_to(program)
    for key in PROGRAMS:
        git(vault, "config", key, str(program))
    git(vault, "config", "core.hooksPath", str(hooks))
    git(vault, "config", "log.showSignature", "true")
    git(vault, "config", "gc.auto", "1")
    text = tmp_path / "new.md"
    text.write_text("- Use pnpm, never npm, in the storefront.\n- pnpm dlx runs a package once.\n", "utf-8")
    for command in (
        ("sync", "--background"),
        ("sync", "--full"),
        ("status",),
        ("doctor",),
        ("review", "add", "tools/pnpm", "--text", str(text), "--why", "more"),
        ("review", "list", "--state", "all"),
        ("show", "tools/pnpm"),
        ("why", "tools/pnpm:1"),
        ("dream", "--engine", "rules"),
    ):
        run(*command, check=False)
        assert not ran.exists(), f"{command}: {ran.read_text()}"


def test_nothing_asks_and_no_hook_runs(vault: Path, tmp_path: Path, git) -> None:
    for name in ("reference-transaction", "post-index-change", "pre-commit"):
        hook = vault / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\nexit 1\n")
        hook.chmod(0o755)
    memory = Git(vault)
    memory.run("update-ref", "refs/memwiki/x", memory.tip())
    memory.run("update-index", "-q", "--refresh")
    assert not (tmp_path / "ran").exists()


MERGE = (
    "git switch -qc side; echo a >> tools/pnpm.md; git commit -qam a;"
    " git switch -q main; echo b >> tools/pnpm.md; git commit -qam b;"
)
STATES = {
    "on main": ("true", True, ""),
    "edited, untracked": ("echo x >> tools/pnpm.md; echo u > u.md", True, ""),
    "another branch": ("git switch -qc wip", False, ""),
    "detached": ("git switch -q --detach", False, ""),
    "merge": (f"{MERGE} git merge -q side", False, "a merge"),
    "cherry-pick": (f"{MERGE} git cherry-pick side", False, "a cherry-pick"),
    "revert": (f"{MERGE} git revert --no-edit HEAD~1", False, "a revert"),
    "rebase": (f"{MERGE} git rebase -q side", False, "a rebase"),
    "bisect": ("git bisect start", False, "a bisect"),
    "am": (f"{MERGE} git format-patch -q -1 side; git am -q *.patch", False, "a rebase"),
}


@pytest.mark.parametrize("state", STATES)
def test_when_the_work_tree_is_memory(vault: Path, state: str) -> None:
    script, memory, doing = STATES[state]
    subprocess.run(["sh", "-c", script], cwd=vault, capture_output=True)
    assert (Git(vault).is_memory(), Git(vault).under_way()) == (memory, doing)


def test_git_is_imported_only_when_it_is_called() -> None:
    code = "import sys, pathlib; from memwiki.vault.git import Git; Git(pathlib.Path('.')); print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize(("setting", "packs"), [("", 1), ("gc.auto 0", 0), ("gc.auto 100000", 0)])
def test_git_packs_when_it_is_time(vault: Path, git, setting: str, packs: int, monkeypatch) -> None:
    memory = Git(vault)
    monkeypatch.setattr("memwiki.vault.gc.DEFAULT", "1")
    git(vault, "config", "gc.autoDetach", "false")
    if setting:
        git(vault, "config", *setting.split())
    loose = [b"%d" % n for n in range(3000) if hashlib.sha1(b"blob %d\0%d" % (len(str(n)), n)).hexdigest()[:2] == "17"]
    for data in loose:  # git looks at this one folder to guess how many there are
        memory.run("hash-object", "-w", "--stdin", input=data)
    assert len(loose) > 2
    collect(memory)
    assert len(list((vault / ".git/objects/pack").glob("*.pack"))) == packs
