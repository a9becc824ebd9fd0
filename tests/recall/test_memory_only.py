"""Pending text is never injected, whatever is checked out; a person's own edits are, while the work tree is memory."""

import shutil
from collections.abc import Callable

import pytest
from recall_place import Place, note

OLD = note("The staging proxy listens on port 8443.", "Staging proxy")
NEW = OLD.replace("8443", "9443")
ASK = "which port does the staging proxy use?"


def both(here: Place, session: str) -> str:
    """What a start and a prompt are given together."""
    return here.hook("SessionStart", source="startup", session_id=session) + here.ask(ASK, session=session)


@pytest.fixture
def here(place: Callable[..., Place]) -> Place:
    """A vault with a dream branch that changes one note, and adds one to the profile."""
    made = place({"tools/proxy.md": OLD, "profile/me.md": note("I am Ada.", "Me")})
    made.git("switch", "-qc", "dream/20261130-143205-3f9a")
    made.write("tools/proxy.md", NEW)
    made.write("profile/me.md", note("I am pending.", "Me"))
    made.write("profile/more.md", note("I am pending too.", "More"))
    made.git("add", "--all")
    made.git("commit", "-qm", "Dream")
    made.git("switch", "-q", "main")
    return made


def check(here: Place, session: str) -> None:
    """Memory as main has it, and nothing pending."""
    said = both(here, session)
    assert "8443" in said and "I am Ada." in said
    assert "9443" not in said and "pending" not in said


def test_on_main_a_persons_edit_counts_at_once(here: Place) -> None:
    check(here, "before")
    here.write("tools/proxy.md", OLD.replace("8443", "7443"))
    assert "7443" in both(here, "edited")
    (here.vault / "tools/proxy.md").unlink()
    assert "443" not in both(here, "removed")


def test_a_dream_branch_checked_out_is_not_memory(here: Place) -> None:
    here.git("switch", "-q", "dream/20261130-143205-3f9a")
    check(here, "unsynced")
    here.sync()
    check(here, "synced")


def test_a_detached_head_is_not_memory(here: Place) -> None:
    here.git("switch", "-q", "--detach", "dream/20261130-143205-3f9a")
    check(here, "detached")
    here.git("switch", "-q", "--detach", "main")
    here.write("tools/proxy.md", NEW)
    check(here, "detached-main")


def test_a_rebase_is_not_memory(here: Place) -> None:
    here.write("tools/proxy.md", OLD.replace("8443", "8443 now"))
    here.git("commit", "-qam", "Mine")
    here.sync()
    here.git("rebase", "-q", "dream/20261130-143205-3f9a", check=False)
    assert (here.vault / ".git/rebase-merge").exists() or (here.vault / ".git/rebase-apply").exists()
    check(here, "rebase")
    here.sync()
    check(here, "rebase-synced")


def test_a_merge_with_conflicts_is_not_memory(here: Place) -> None:
    here.write("tools/proxy.md", OLD.replace("8443", "8443 now"))
    here.git("commit", "-qam", "Mine")
    here.sync()
    here.git("merge", "-q", "dream/20261130-143205-3f9a", check=False)
    assert (here.vault / ".git/MERGE_HEAD").exists() and "<<<<<<<" in (here.vault / "tools/proxy.md").read_text()
    check(here, "merge")
    here.sync()
    check(here, "merge-synced")


@pytest.mark.parametrize("verb", ["cherry-pick", "revert"])
def test_a_pick_or_revert_under_way_is_not_memory(here: Place, verb: str) -> None:
    here.write("tools/proxy.md", OLD.replace("8443", "8443 now"))
    here.git("commit", "-qam", "Mine")
    here.sync()
    here.git(verb, "dream/20261130-143205-3f9a", check=False)
    assert (here.vault / ".git" / f"{verb.upper().replace('-', '_')}_HEAD").exists()
    check(here, verb)


def test_a_bisect_is_not_memory(here: Place) -> None:
    here.git("bisect", "start", "dream/20261130-143205-3f9a", "main", check=False)
    here.git("switch", "-q", "main", check=False)
    here.write("profile/me.md", note("I am pending.", "Me"))
    check(here, "bisect")


def test_conflict_marks_left_by_a_stash_are_not_given(here: Place) -> None:
    here.write("tools/proxy.md", OLD.replace("8443", "9443"))
    here.git("stash", "-q")
    here.write("tools/proxy.md", OLD.replace("8443", "8443 now"))
    here.git("commit", "-qam", "Mine")
    here.sync()
    here.git("stash", "pop", check=False)
    assert "<<<<<<<" in (here.vault / "tools/proxy.md").read_text() and not (here.vault / ".git/MERGE_HEAD").exists()
    check(here, "stash")


def test_a_git_file_instead_of_a_folder_is_followed(here: Place) -> None:
    kept = here.home.path / "git-of-vault"
    shutil.move(here.vault / ".git", kept)
    (here.vault / ".git").write_text(f"gitdir: {kept}\n")
    here.git("config", "core.worktree", str(here.vault))
    here.sync()
    here.write("tools/proxy.md", OLD.replace("8443", "7443"))
    assert "7443" in both(here, "moved")
    here.git("checkout", "-q", "tools/proxy.md")
    here.git("switch", "-q", "dream/20261130-143205-3f9a")
    check(here, "moved-dream")


def test_a_vault_that_is_gone_is_served_from_the_snapshot(here: Place) -> None:
    shutil.rmtree(here.vault)
    check(here, "gone")
