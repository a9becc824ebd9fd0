"""A folder's project, compared with what git itself says."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.capture.project import folders, project_of
from tests.conftest import CASES

Git = Callable[..., str]


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    """What the case's setup.sh builds."""
    folder = tmp_path / "repositories"
    subprocess.run(
        ["bash", str(CASES / "13-project-worktree" / "setup.sh"), str(folder)], check=True, capture_output=True
    )
    return folder


def test_case_13_project_worktree(repositories: Path, git: Git) -> None:
    wanted = json.loads((CASES / "13-project-worktree" / "dirs.json").read_text("utf-8"))
    keys = {name: project_of(str(repositories / name))[0] for names in wanted.values() for name in names}
    assert {keys[name] for name in wanted["same"]} == {"example.com/team/acme"}
    assert keys["elsewhere/main"] == "example.com/other/acme"
    assert keys["noremote"].startswith("local/noremote-")
    assert keys["noremote"] == project_of(str(repositories / "noremote"))[0]
    assert project_of(str(repositories / "wt-a"))[1:] == (str(repositories / "wt-a"), "feat-a")
    assert project_of(str(repositories / "nested/wt-b"))[1:] == (str(repositories / "nested/wt-b"), "feat-b")
    assert project_of(str(repositories / "main/src/deep"))[1:] == (str(repositories / "main"), "main")
    git(repositories / "main", "worktree", "remove", "--force", str(repositories / "wt-a"))
    assert project_of(str(repositories / "main"))[0] == keys["wt-a"]


def test_case_13_5_no_git_process_is_run(repositories: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nsleep 5\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    started = time.monotonic()
    assert project_of(str(repositories / "main"))[0]
    assert time.monotonic() - started < 1.0


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:Acme/Shop.git",
        "ssh://git@github.com:2222/acme/shop.git",
        "https://ada:token@github.com:8443/acme/shop/",
        "https://github.com/acme//shop.git",
        "git://GitHub.com/acme/shop",
        "github.com:acme/shop",
    ],
)
def test_one_remote_in_many_spellings(tmp_path: Path, git: Git, address: str) -> None:
    git(tmp_path, "init", "-q", "r")
    git(tmp_path / "r", "remote", "add", "origin", address)
    assert project_of(str(tmp_path / "r"))[0] == "github.com/acme/shop"


def test_the_only_remote_counts_whatever_its_name(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "r")
    git(tmp_path / "r", "remote", "add", "upstream", "https://example.com/a/b")
    assert project_of(str(tmp_path / "r"))[0] == "example.com/a/b"
    git(tmp_path / "r", "remote", "add", "fork", "https://example.com/c/b")
    assert project_of(str(tmp_path / "r"))[0] == "example.com/a/b", "upstream is whose fork it is"
    git(tmp_path / "r", "remote", "rename", "upstream", "mirror")
    assert project_of(str(tmp_path / "r"))[0].startswith("local/r-")
    git(tmp_path / "r", "remote", "add", "origin", "https://example.com/d/b")
    assert project_of(str(tmp_path / "r"))[0] == "example.com/d/b"


def test_worktrees_of_a_repository_without_remote_share_its_key(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "r")
    git(tmp_path / "r", "commit", "-q", "--allow-empty", "-m", "0")
    git(tmp_path / "r", "worktree", "add", "-q", "../w")
    git(tmp_path, "clone", "-q", "--bare", "r", "bare.git")
    git(tmp_path / "bare.git", "remote", "remove", "origin")
    git(tmp_path / "bare.git", "worktree", "add", "-q", "../v")
    key = project_of(str(tmp_path / "r"))[0]
    assert key.startswith("local/r-")
    assert project_of(str(tmp_path / "w"))[0] == key
    assert project_of(str(tmp_path / "v"))[0].startswith("local/bare-")


def test_a_clone_of_a_folder_is_that_folders_project(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "r")
    git(tmp_path / "r", "commit", "-q", "--allow-empty", "-m", "0")
    git(tmp_path, "clone", "-q", "r", "c")
    git(tmp_path, "clone", "-q", f"file://{tmp_path}/r", "d")
    git(tmp_path / "c", "remote", "set-url", "origin", "../r")
    assert {project_of(str(tmp_path / name))[0] for name in "rcd"} == {project_of(str(tmp_path / "r"))[0]}


def test_a_submodule_is_its_own_project(tmp_path: Path, git: Git) -> None:
    for name in ("outer", "inner"):
        git(tmp_path, "init", "-q", name)
        git(tmp_path / name, "commit", "-q", "--allow-empty", "-m", "0")
        git(tmp_path / name, "remote", "add", "origin", f"https://example.com/team/{name}")
    allow = ("-c", "protocol.file.allow=always")
    git(tmp_path / "outer", *allow, "submodule", "add", "-q", str(tmp_path / "inner"), "lib")
    git(tmp_path / "outer" / "lib", "remote", "set-url", "origin", "https://example.com/team/inner")
    assert project_of(str(tmp_path / "outer" / "lib"))[:2] == (
        "example.com/team/inner",
        str(tmp_path / "outer" / "lib"),
    )
    assert project_of(str(tmp_path / "outer"))[0] == "example.com/team/outer"


def test_odd_configs_and_folders(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "-b", "feat/ä", "r")
    with (tmp_path / "r/.git/config").open("a", encoding="utf-8") as config:
        config.write(
            '; [remote "origin"]\n\t[REMOTE "origin"] # mine\n'
            '\tURL = "https://example.com/a/b" ; x\n[core]\n\turl = no\n'
        )
    assert project_of(str(tmp_path / "r") + "/") == ("example.com/a/b", str(tmp_path / "r"), "feat/ä")
    (tmp_path / "r/.git/HEAD").write_text("0" * 40 + "\n")
    assert project_of(str(tmp_path / "r"))[2] == ""
    for nowhere in (str(tmp_path), str(tmp_path / "gone" / "deep"), "relative", "", "/"):
        assert project_of(nowhere) == ("", "", "")
    (tmp_path / "empty" / ".git").mkdir(parents=True)  # no repository: git walks on, too
    assert project_of(str(tmp_path / "empty")) == ("", "", "")


@pytest.mark.parametrize(
    ("key", "folder"),
    [
        ("github.com/acme/shop", "acme-shop"),
        ("gitlab.com/group/sub/shop", "sub-shop"),
        ("local/shop-1a2b3c4d", "local-shop-1a2b3c4d"),
        ("example.com/~ada/.dot files", "-ada-.dot-files"),
        ("git.example.com/straße/日本", "straße-日本"),
    ],
)
def test_the_notes_folder_follows_from_the_key(key: str, folder: str) -> None:
    assert folders(key)[0] == folder
