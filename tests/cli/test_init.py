"""`memwiki init`: a new vault, a folder of notes, a repository; what it refuses and what it names."""

import json
import os
import shutil
import subprocess
import sys
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
    assert shown.count("tools/one.md") == shown.count("tools/two.md") == shown.count("Fix the frontmatter") == 1


# Runs `init` after an audit hook has been set that kills the process at its n-th step to the outside.
KILLED = """
import os, sys
folder, when = sys.argv[1:]
from memwiki.init import init
import git.cmd, memwiki.sync, memwiki.passes, memwiki.index.store, memwiki.index.upkeep
count = 0
def step(event, args):
    global count
    made = event in ("subprocess.Popen", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "shutil.copyfile")
    if made or (event == "open" and isinstance(args[1], str) and args[1][0] in "wax"):
        count += 1
        if count == int(when):
            os.kill(os.getpid(), 9)
sys.addaudithook(step)
init(folder or None)
print(count)
"""


def killed_at(step: int, folder: str = "") -> int:
    """Run `init` and kill it at a step (0: not); the number of steps, 0 when it was killed."""
    command = [sys.executable, "-c", KILLED, folder, str(step)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -9), done.stderr
    return int(done.stdout) if done.returncode == 0 else 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["new", "adopted", "unborn"])
def test_an_init_killed_anywhere_is_finished_by_the_next(kind: str, run: Run, git: Git, home: Path) -> None:
    vault = home / "Notes" if kind != "new" else home / ".memwiki/vault"

    def set_up() -> None:
        for folder in (home / ".memwiki", home / "Notes"):
            shutil.rmtree(folder, ignore_errors=True)
        if kind != "new":
            (vault / "deep").mkdir(parents=True)
            (vault / "deep/one.md").write_text("The staging server is hugo.\n", "utf-8")
            (vault / "picture.png").write_bytes(b"\x89PNG")
        if kind == "unborn":
            git(vault, "init", "-q", "-b", "trunk")

    folder = "" if kind == "new" else str(vault)
    set_up()
    steps = killed_at(0, folder)
    assert steps > 15
    wanted = git(vault, "ls-tree", "-r", "HEAD"), git(vault, "log", "--format=%s"), git(vault, "status", "--porcelain")
    for step in range(1, steps + 1, steps // 8):  # of some 50 steps; each costs two runs
        set_up()
        assert killed_at(step, folder) == 0
        assert killed_at(0, folder), f"step {step}"
        found = (
            git(vault, "ls-tree", "-r", "HEAD"),
            git(vault, "log", "--format=%s"),
            git(vault, "status", "--porcelain"),
        )
        assert found == wanted, f"step {step}"
        assert not list(vault.glob(".git/**/*.lock"))
    assert json.loads(run("list", "--json").stdout)["notes"] == [] or kind != "new"
    assert "nothing to do" in run("init").stdout


def left(home: Path) -> list[str]:
    """Everything below the user's home."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if "/.git/" not in f"{path}/")


NO_KEY = "git config --global commit.gpgsign true; git config --global gpg.program false"
REFUSALS = {
    "bare": ("git init -q --bare v", "Clone it"),
    "bare by its config": ("git init -q v; git -C v config core.bare true", "Clone it"),
    "detached": ("git init -q v; cd v; git commit -q --allow-empty -m x; git checkout -q --detach", "git switch main"),
    "in a rebase": (
        "git init -q v; cd v; for n in 1 2; do echo $n > a.md; git add .; git commit -qm $n; done;"
        " GIT_SEQUENCE_EDITOR=true git rebase -q -i --exec false HEAD~1 || true",
        "Finish or abort it",
    ),
    "no key to sign with": (f"mkdir v; {NO_KEY}", "vault.sign never"),
    "unborn and no key": (f"git init -q v; {NO_KEY}", "vault.sign never"),
    "a .git file that points nowhere": ("mkdir v; echo 'gitdir: /does/not/exist' > v/.git", "git worktree repair"),
    "a .git folder without HEAD": ("git init -q v; cd v; git commit -q --allow-empty -m x; rm .git/HEAD", ".git/HEAD"),
    "the home is in it": ("git init -q .", "MEMWIKI_HOME"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_what_init_refuses_is_left_as_it_was(case: str, run: Run, home: Path) -> None:
    script, remedy = REFUSALS[case]
    subprocess.run(["sh", "-ec", script], cwd=home, check=True, capture_output=True)
    before = left(home)
    refused = run("init", str(home if case == "the home is in it" else home / "v"), check=False)
    assert (refused.returncode, remedy in refused.stderr) == (1, True), refused.stderr
    assert left(home) == before
    if case == "unborn and no key":
        assert subprocess.check_output(["git", "-C", str(home / "v"), "status", "--porcelain"]) == b""


@pytest.mark.parametrize("state", ["unborn", "staged", "empty", "a worktree", "a merge", "hooks"])
def test_repositories_as_they_come_work(state: str, run: Run, git: Git, home: Path) -> None:
    vault = home / "wiki"
    vault.mkdir()
    git(vault, "init", "-q", "-b", "trunk")
    if state != "empty":
        (vault / "one.md").write_text("The staging server is hugo.\n", "utf-8")
    if state in ("a worktree", "a merge"):
        git(vault, "add", "-A")
        git(vault, "commit", "-qm", "mine")
    if state == "staged":
        (vault / "draft.txt").write_text("mine\n", "utf-8")
        git(vault, "add", "draft.txt")
    if state == "a worktree":
        git(vault, "worktree", "add", "-q", "-b", "notes", str(home / "tree"))
        vault = home / "tree"
    if state == "a merge":
        git(vault, "branch", "side")
        git(vault, "merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "side")
    if state == "hooks":
        (vault / ".git/hooks/pre-commit").write_text("#!/bin/sh\nexit 1\n", "ascii")
        (vault / ".git/hooks/pre-commit").chmod(0o755)
    run("init", str(vault))
    assert run("config", "get", "vault.branch").stdout.strip() == git(vault, "symbolic-ref", "--short", "HEAD").strip()
    assert git(vault, "log", "--format=%s").splitlines()[-1] in ("mine", "Adopt 1 notes", "Start the vault")
    if state == "staged":
        assert git(vault, "status", "--porcelain") == "A  draft.txt\n?? one.md\n"
    elif state != "a merge":
        assert git(vault, "status", "--porcelain") == ""
    found = [note["path"] for note in json.loads(run("list", "--json").stdout)["notes"]]
    assert found == ([] if state == "empty" else ["one.md"])
    run("dream", "--engine", "rules", check=state != "a merge")


def test_a_folder_that_has_only_a_readme_keeps_it(run: Run, git: Git, home: Path) -> None:
    notes = home / "Notes"
    notes.mkdir()
    (notes / "README.md").write_text("My own words.\n", "utf-8")
    run("init", str(notes))
    assert (notes / "README.md").read_text("utf-8") == "My own words.\n"


def _obsidian(home: Path) -> Path:
    """A person's vault: notes of theirs, what Obsidian keeps in folders that its settings name, and one for agents."""
    notes = home / "Notes"
    for path in (
        *("Work/deploys.md", "Work/servers.md", "Work/Private/salary.md", "Recipes/soup.md", "inbox.md"),
        *("tools/git.md", "Bits/weekly form.md", "Log/monday.md", "Work/2026-11-30.md", "Templates/meeting.md"),
    ):
        (notes / path).parent.mkdir(parents=True, exist_ok=True)
        (notes / path).write_text(f"- The zebra of {path} is striped.\n", "utf-8")
    settings = notes / ".obsidian"
    settings.mkdir()
    (settings / "templates.json").write_text('{"folder": "Bits"}', "utf-8")
    (settings / "daily-notes.json").write_text('{"folder": "Log/", "format": "dddd"}', "utf-8")
    (settings / "app.json").write_text("{not JSON", "utf-8")
    return notes


def _zebras(run: Run) -> dict[str, str]:
    """Path -> why, of the notes that a prompt about zebras finds; nobody's project is asked in."""
    notes = json.loads(run("recall", "zebra striped", "--json").stdout)["notes"]
    return {note["path"]: note["why"] for note in notes}


def test_a_vault_of_a_person_gives_agents_its_rooms_only_and_counts_the_rest(run: Run, home: Path) -> None:
    notes = _obsidian(home)
    done = run("init", str(notes)).stdout
    assert "     3  Work/\n" in done and "     1  Recipes/\n" in done and "1  notes in no folder" in done
    assert "Bits/" not in done and "Log/" not in done and "Templates/\n" not in done
    assert "memwiki config set recall.folders 'Work, ...'" in done
    why = _zebras(run)
    assert {path for path, reason in why.items() if reason != "is outside recall.folders"} == {"tools/git.md"}
    assert len(why) == 10
    assert len(json.loads(run("search", "zebra", "--limit", "20", "--json").stdout)["results"]) == 10
    assert json.loads(run("init", "--json").stdout)["folders"] == {"Work": 3, "": 1, "Recipes": 1}


def test_folders_are_named_and_excluded_and_some_are_never_given(run: Run, home: Path) -> None:
    run("init", str(_obsidian(home)))
    given = {
        "Work, !Work/Private": {"Work/deploys.md", "Work/servers.md", "tools/git.md"},
        "*": {
            *("Work/deploys.md", "Work/servers.md", "Work/Private/salary.md"),
            *("Recipes/soup.md", "inbox.md", "tools/git.md"),
        },
        "*.md, Log, !tools": {"inbox.md"},
        "": {"tools/git.md"},
    }
    for folders, paths in given.items():
        run("config", "set", "recall.folders", folders)
        why = _zebras(run)
        assert {path for path, reason in why.items() if reason != "is outside recall.folders"} == paths, folders


def test_a_note_saved_later_is_given_by_its_folder(run: Run, home: Path) -> None:
    notes = _obsidian(home)
    run("init", str(notes))
    run("config", "set", "recall.folders", "Work, !profile/private*")
    for path in ("Work/new.md", "Recipes/new.md", "profile/new.md", "profile/private.md"):
        (notes / path).parent.mkdir(exist_ok=True)
        (notes / path).write_text(f"- The zebra of {path} is striped.\n", "utf-8")
    start = run("recall", "--start").stdout  # before any sync
    assert "profile/new.md" in start and "private" not in start
    run("sync")
    run("recall", "zebra")  # a sync that has nothing to do
    why = _zebras(run)
    assert why["Recipes/new.md"] == why["profile/private.md"] == "is outside recall.folders"
    assert "is outside recall.folders" not in (why["Work/new.md"], why["profile/new.md"])
    (notes / "Recipes/new.md").write_text("- The zebra of Recipes is still striped.\n", "utf-8")
    run("sync")
    assert _zebras(run)["Recipes/new.md"] == "is outside recall.folders"
    assert "private" not in run("recall", "--start").stdout


def test_a_vault_that_memwiki_made_gives_its_general_notes_and_so_does_its_clone(
    run: Run, git: Git, home: Path
) -> None:
    run("init")
    vault = home / ".memwiki" / "vault"
    (vault / "zebra.md").write_text("- The zebra is striped.\n", "utf-8")
    git(vault, "add", ".")
    git(vault, "commit", "-qm", "note")
    git(home, "clone", "-q", str(vault), str(home / "clone"))
    second = {"MEMWIKI_HOME": str(home / "second")}
    said = json.loads(run("init", str(home / "clone"), "--json", env=second).stdout)
    assert (said["kind"], said["folders"]) == ("repository", {})
    for env in ({}, second):
        notes = json.loads(run("recall", "zebra striped", "--json", env=env).stdout)["notes"]
        assert [note["why"] for note in notes] != ["is outside recall.folders"]


def test_the_stream_measures_ranking_whatever_is_given(run: Run, home: Path) -> None:
    run("init", str(_obsidian(home)))
    asked = json.dumps({"query": "zebra of Recipes soup striped", "k": 3}) + "\n"
    found = json.loads(run("recall", "--stream", input=asked).stdout)["results"]
    assert found[0]["path"] == "Recipes/soup.md"
