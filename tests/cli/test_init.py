"""`memwiki init`: a new vault, a folder of notes, a repository; what it refuses and what it names."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

CASES = Path(__file__).parent.parent / "cases"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
Git = Callable[..., str]


def test_a_new_vault_stands_in_the_home_with_one_commit_by_the_person(run: Run, git: Git, home: Path) -> None:
    said = run("init").stdout
    vault = home / ".memwiki" / "vault"
    assert str(vault) in said
    assert git(vault, "log", "--format=%an|%s").splitlines() == ["Ada Example|Start the vault"]
    assert git(vault, "status", "--porcelain") == ""
    assert "*.md text eol=lf" in (vault / ".gitattributes").read_text("utf-8")
    assert {"profile", "tools", "project"} <= {entry.name for entry in vault.iterdir()}
    assert json.loads(run("list", "--json").stdout) == {"notes": []}
    assert (home / ".memwiki").stat().st_mode & 0o777 == 0o700


def test_init_again_changes_nothing(run: Run, git: Git, home: Path) -> None:
    run("init")
    before = (home / ".memwiki" / "config.toml").read_bytes()
    assert "nothing to do" in run("init").stdout
    assert (home / ".memwiki" / "config.toml").read_bytes() == before
    assert len(git(home / ".memwiki" / "vault", "log", "--format=%h").split()) == 1
    refused = run("init", str(home / "other"), check=False)
    assert refused.returncode == 1
    assert "already has a vault" in refused.stderr
    assert "vault.path" in refused.stderr


def test_a_folder_of_notes_is_adopted_in_one_commit(run: Run, git: Git, home: Path) -> None:
    notes = home / "Notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "a.md").write_bytes(b"# A\r\nwords\r\n")
    (notes / "deep" / "b c.md").write_text("b", "utf-8")
    (notes / "picture.png").write_bytes(b"\x89PNG")
    said = run("init", str(notes)).stdout
    assert "Adopted 2 notes" in said
    assert "1 other files" in said
    assert git(notes, "log", "--format=%an|%s").strip() == "Ada Example|Adopt 2 notes"
    assert git(notes, "ls-files").splitlines() == ["a.md", "deep/b c.md"]
    assert (notes / "a.md").read_bytes() == b"# A\r\nwords\r\n"
    assert not (notes / ".gitattributes").exists()


def test_a_repository_with_uncommitted_work_is_taken_as_it_is(run: Run, git: Git, home: Path) -> None:
    vault = home / "wiki"
    vault.mkdir()
    git(vault, "init", "-q", "-b", "trunk")
    (vault / "one.md").write_text("one\n", "utf-8")
    git(vault, "add", ".")
    git(vault, "commit", "-qm", "mine")
    (vault / "one.md").write_text("one, edited\n", "utf-8")
    (vault / "two.md").write_text("two\n", "utf-8")
    git(vault, "add", "two.md")
    before = git(vault, "status", "--porcelain"), git(vault, "rev-parse", "HEAD")
    said = run("init", str(vault)).stdout
    assert "committed nothing" in said
    assert (git(vault, "status", "--porcelain"), git(vault, "rev-parse", "HEAD")) == before
    assert run("config", "get", "vault.branch").stdout.strip() == "trunk"
    run("sync")
    found = json.loads(run("list", "--json").stdout)["notes"]
    assert [note["path"] for note in found] == ["one.md", "two.md"]


def test_secrets_in_an_adopted_folder_are_named_and_stay_uncommitted(run: Run, git: Git, home: Path) -> None:
    notes = home / "Notes"
    notes.mkdir()
    (notes / "keys.md").write_text("# Keys\n\ntoken: " + "ghp" + "_" + "a1B2c3D4e5" * 3 + "f6G7h8" + "\n", "utf-8")
    (notes / "ok.md").write_text("fine\n", "utf-8")
    said = run("init", str(notes)).stdout
    assert "keys.md:3" in said
    assert git(notes, "ls-files").splitlines() == ["ok.md"]
    assert (notes / "keys.md").exists()


def test_case_61_a_subfolder_of_a_repository_is_refused_with_the_remedy(run: Run, git: Git, tmp_path: Path) -> None:
    place = tmp_path / "code"
    subprocess.run(["sh", str(CASES / "61-git-nested-and-submodule" / "setup.sh"), str(place), "subfolder"], check=True,
                   capture_output=True)  # fmt: skip
    before = git(place, "status", "--porcelain"), git(place, "rev-parse", "HEAD")
    refused = run("init", str(place / "vault"), check=False)
    assert refused.returncode == 1
    assert "subfolder" in refused.stderr
    assert "git init" in refused.stderr
    assert (git(place, "status", "--porcelain"), git(place, "rev-parse", "HEAD")) == before


def test_case_33_init_without_an_identity_commits_as_memwiki(run: Run, git: Git, home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n", "utf-8")
    before = (home / ".gitconfig").read_bytes()
    said = run("init").stdout
    vault = home / ".memwiki" / "vault"
    author = git(vault, "log", "-1", "--format=%an <%ae> %cn <%ce>").strip()
    assert author.startswith("memwiki")
    assert author.count("memwiki") >= 2
    assert "memwiki" in said
    assert (home / ".gitconfig").read_bytes() == before
    assert "user" not in git(vault, "config", "--local", "--list")


def test_case_37_a_leaked_git_environment_reaches_no_other_repository(run: Run, git: Git, tmp_path: Path) -> None:
    subprocess.run(
        ["sh", str(CASES / "37-git-env-leak" / "setup.sh"), str(tmp_path / "d")], check=True, capture_output=True
    )
    code = tmp_path / "d" / "code"
    before = snapshot(code)
    leak = {"GIT_DIR": str(code / ".git"), "GIT_WORK_TREE": str(code), "GIT_INDEX_FILE": str(code / ".git" / "index"),
            "GIT_OBJECT_DIRECTORY": str(code / ".git" / "objects"), "GIT_COMMON_DIR": str(code / ".git"),
            "GIT_PREFIX": "sub/"}  # fmt: skip
    run("init", env=leak)
    run("sync", env=leak)
    run("status", env=leak)
    assert snapshot(code) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("place", ["/", "~"])
def test_a_folder_that_holds_more_than_notes_is_refused(run: Run, place: str, home: Path) -> None:
    (home / "something").touch()
    assert run("init", os.path.expanduser(place), check=False).returncode == 1
    assert not (home / ".git").exists()


def test_doctor_names_a_secret_once_and_a_remedy_once(run: Run, home: Path) -> None:
    run("init")
    vault = home / ".memwiki" / "vault"
    (vault / "tools" / "deploy.md").write_text(f"Use the token gh{'p_'}{'a1B2c3D4e5' * 4}.\n", "utf-8")
    for name in ("one", "two"):
        (vault / "tools" / f"{name}.md").write_text("---\ntitle: {{x}}\n---\nText.\n", "utf-8")
    run("sync")
    shown = run("doctor", check=False).stdout
    assert shown.count("tools/deploy.md") == 1
    assert shown.count("tools/one.md") == shown.count("tools/two.md") == shown.count("Mend the frontmatter") == 1
