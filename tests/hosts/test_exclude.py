"""Generated files in a project: git is not offered them, by the repository's own list of ignored files."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Git = Callable[..., str]
SALARY = "salary is 5000"


@pytest.fixture
def started(run: Run, home: Path) -> Run:
    """A home with a vault whose profile is private."""
    run("init")
    (home / ".memwiki" / "vault" / "profile" / "me.md").write_text(f"I am Ana, my {SALARY}.\n")
    run("sync")
    return run


@pytest.fixture
def shop(tmp_path: Path, git: Git) -> Path:
    folder = tmp_path / "shop [1]"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "start")
    return folder


def listed(folder: Path) -> str:
    return (folder / ".git" / "info" / "exclude").read_text()


@pytest.mark.parametrize("host", ["cursor", "windsurf", "cline", "claude", "opencode", "kiro", "codex", "devin"])
def test_case_69_generated_files_are_not_offered_to_git(started: Run, shop: Path, git: Git, host: str) -> None:
    before = listed(shop)
    said = started("link", host, "--project", str(shop)).stdout
    assert "git" not in said.replace(".github", "")
    started("sync")
    texts = [file.read_text() for file in shop.rglob("*") if file.is_file() and ".git" not in file.parts]
    assert texts
    assert (host in ("cursor", "windsurf", "cline")) == any(SALARY in text for text in texts)
    git(shop, "add", "-A")
    assert git(shop, "status", "--porcelain") == ""
    assert not (shop / ".gitignore").exists()
    assert "ignored by git" not in started("doctor", check=False).stdout
    started("unlink", host, "--project", str(shop))
    assert listed(shop) == before
    assert [file.name for file in shop.iterdir()] == [".git"]


def test_a_file_that_is_tracked_or_taken_is_named(started: Run, shop: Path, git: Git) -> None:
    rules = shop / ".cursor" / "rules" / "memwiki.mdc"
    rules.parent.mkdir(parents=True)
    rules.write_text("---\nalwaysApply: true\n---\n")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "rules")
    said = started("link", "cursor", "--project", str(shop)).stdout
    assert f"{rules} is tracked by git" in said
    found = json.loads(started("doctor", "--json", check=False).stdout)["findings"]
    mine = [one for one in found if "tracked by git" in one["message"]]
    assert [one["message"] for one in mine] == [f"{rules} is tracked by git, so commits publish it."]
    assert "git rm --cached" in mine[0]["remedy"]
    git(shop, "rm", "-q", "--cached", str(rules))
    assert "by git" not in started("doctor", check=False).stdout
    (shop / ".gitignore").write_text("!/.cursor/rules/*\n")  # it wins over the list
    assert "is not ignored by git" in started("doctor", check=False).stdout
    assert (shop / ".gitignore").read_text() == "!/.cursor/rules/*\n"


def test_a_settings_file_of_the_team_stays_tracked(started: Run, shop: Path, git: Git) -> None:
    team = shop / ".cursor" / "hooks.json"
    team.parent.mkdir()
    team.write_text('{"version": 1}\n')
    said = started("link", "cursor", "--project", str(shop)).stdout
    assert "hooks.json is" not in said.replace("hooks.json now", "")
    assert git(shop, "status", "--porcelain").strip() == "?? .cursor/"
    assert "hooks.json" not in listed(shop)


def test_worktrees_share_the_list_and_keep_their_own_lines(started: Run, shop: Path, git: Git, tmp_path: Path) -> None:
    (shop / ".git" / "info" / "exclude").unlink()
    (shop / ".git" / "info").rmdir()
    tree = tmp_path / "tree"
    git(shop, "worktree", "add", "-q", str(tree))
    inner = shop / "packages" / "web"
    inner.mkdir(parents=True)
    for folder in (shop, tree, inner):
        started("link", "windsurf", "--project", str(folder))
    started("sync")
    for folder in (shop, tree):
        assert git(folder, "status", "--porcelain") == ""
    started("unlink", "windsurf", "--project", str(shop))
    assert git(tree, "status", "--porcelain") == ""
    assert git(shop, "status", "--porcelain") == ""
    started("unlink", "all")
    assert listed(shop) == ""


def test_lines_of_others_and_a_second_link_keep_the_list_as_it_is(started: Run, shop: Path) -> None:
    exclude = shop / ".git" / "info" / "exclude"
    exclude.write_text("*.log\nlast line")
    for _ in range(2):
        started("link", "cursor", "--project", str(shop))
        assert exclude.read_text().startswith("*.log\nlast line\n# memwiki: files of")
        assert exclude.read_text().count("memwiki.mdc") == 1
    exclude.write_text(exclude.read_text() + "*.tmp\n")
    started("link", "cline", "--project", str(shop))
    started("unlink", "cursor", "--project", str(shop))
    assert "mdc" not in exclude.read_text()
    assert "/.cline/rules/memwiki.md\n" in exclude.read_text()
    started("unlink", "cline", "--project", str(shop))
    assert exclude.read_text() == "*.log\nlast line\n*.tmp\n"


def test_without_a_repository_there_is_no_list(started: Run, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    started("link", "cursor", "--project", str(tmp_path / "plain"))
    assert sorted(file.name for file in (tmp_path / "plain").iterdir()) == [".cursor"]
    assert "by git" not in started("doctor", check=False).stdout


def test_a_list_that_cannot_be_written_is_said_and_the_link_stands(started: Run, shop: Path) -> None:
    exclude = shop / ".git" / "info" / "exclude"
    exclude.unlink()
    os.mkfifo(exclude)
    said = started("link", "cursor", "--project", str(shop), timeout=30).stdout
    assert f"Cannot read {exclude}: It is a FIFO, not a regular file" in said
    assert "cursor" in started("unlink", "all", timeout=30).stdout


def test_another_repository_in_the_environment_is_not_asked(started: Run, shop: Path, tmp_path: Path, git: Git) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    started("link", "cursor", "--project", str(shop), env={"GIT_DIR": str(other / ".git")})
    assert "memwiki" in listed(shop)
    assert "memwiki" not in listed(other)
