"""Notes behind a git filter: read in plain text, stored through the filter, never in the clear."""

import base64
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from vaults import MACHINE, Vault, note, proposal

from memwiki.candidates.states import candidates, find
from memwiki.errors import MemwikiError
from memwiki.journal.sessions import Journal
from memwiki.review.decide import approve, reject
from memwiki.review.proposed import proposed
from memwiki.review.revert import revert
from memwiki.review.why import why
from memwiki.vault import filters
from memwiki.vault.tree import Tree

Run = Callable[..., "subprocess.CompletedProcess[str]"]
# What git-crypt does, as two lines of shell: the stored text is unreadable, and a text that is not stored so passes.
CLEAN = "printf 'SEALED\\n'; base64 | tr -d '\\n'; echo"
SMUDGE = 'read -r head; if [ "$head" = SEALED ]; then base64 -d; else printf "%s\\n" "$head"; cat; fi'


def sealed(text: str) -> bytes:
    """What git stores of `text`."""
    return b"SEALED\n" + base64.b64encode(text.encode()) + b"\n"


def stored(vault: Vault, rev: str) -> bytes:
    """A blob as git has it."""
    return vault.git.run("cat-file", "blob", rev).out


def set_up(vault: Vault, smudge: str = SMUDGE, clean: str = CLEAN) -> None:
    """Name the filter's programs in the vault's git config."""
    for name, script in (("clean", clean), ("smudge", smudge)):
        program = vault.top.with_name(f"{name}.sh")
        program.write_text(f"{script}\n", "utf-8")
        vault.sh(f"git config filter.seal.{name} 'sh {program}'")


def add_filter(vault: Vault) -> None:
    """Put the notes behind the filter, committed as a person would."""
    set_up(vault)
    (vault.top / ".gitattributes").write_text("tools/** filter=seal diff=seal\n", "utf-8")
    vault.sh("git add --renormalize .; git add -A; git commit -qm sealed")


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault with tools/** behind a filter, unlocked."""
    made = Vault(tmp_path / "vault")
    add_filter(made)
    assert stored(made, "main:tools/n0.md") == sealed(note(0))
    return made


def test_case_63_what_is_approved_passes_the_filter_on_every_branch(vault: Vault) -> None:
    (one,) = vault.dream([0])
    wanted = note(0, l3="- n0 dream says x")
    assert stored(vault, f"dream/{one.run}:tools/n0.md") == sealed(wanted)
    shown = proposed(vault.git, Journal(vault.top.with_name("journal")), MACHINE, one)
    assert (shown.old, shown.new) == (note(0), wanted)
    assert len(shown.units) == 1
    approve(vault.git, one)
    assert stored(vault, "main:tools/n0.md") == sealed(wanted)
    assert (vault.top / "tools/n0.md").read_text("utf-8") == wanted
    assert vault.sh("git status --porcelain") == ""
    assert find(vault.git, one.id).state == "approved"
    assert Tree(vault.git).read("tools/n0.md").text == wanted
    revert(vault.git, find(vault.git, one.id))
    assert stored(vault, "main:tools/n0.md") == sealed(note(0))


def test_an_edited_candidate_is_told_from_one_that_was_approved_as_it_was(vault: Vault) -> None:
    first, second = vault.dream([0, 1])
    approve(vault.git, first, note(0, l3="- my own words"))
    assert find(vault.git, first.id).state == "edited"
    assert stored(vault, "main:tools/n0.md") == sealed(note(0, l3="- my own words"))
    approve(vault.git, find(vault.git, second.id))
    assert find(vault.git, second.id).state == "approved"


def test_two_changes_of_one_note_are_merged_in_plain_text(vault: Vault) -> None:
    (one,) = vault.dream([0])
    (vault.top / "tools/n0.md").write_text(note(0, l7="- n0 by hand"), "utf-8")
    vault.sh("git commit -qam mine")
    approve(vault.git, one)
    assert stored(vault, "main:tools/n0.md") == sealed(note(0, l3="- n0 dream says x", l7="- n0 by hand"))
    (two,) = vault.dream([1])
    (vault.top / "tools/n1.md").write_text(note(1, l7="- n1 not committed"), "utf-8")
    approve(vault.git, two)
    assert (vault.top / "tools/n1.md").read_text("utf-8") == note(1, l3="- n1 dream says x", l7="- n1 not committed")
    assert stored(vault, "main:tools/n1.md") == sealed(note(1, l3="- n1 dream says x"))


def test_a_change_that_came_in_without_its_trailer_is_recognised_by_its_text(vault: Vault) -> None:
    (one,) = vault.dream([0])
    (vault.top / "tools/n0.md").write_text(note(0, l3="- n0 dream says x"), "utf-8")
    vault.sh("git commit -qam 'my own words'")
    assert [found.state for found in candidates(vault.git) if found.id == one.id] == ["approved"]


def test_what_was_proposed_before_the_filter_does_not_land_in_the_clear(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "vault")
    (one,) = vault.propose(proposal(9, note(9), path="tools/new.md"))
    add_filter(vault)
    approve(vault.git, one)
    assert stored(vault, "main:tools/new.md") == sealed(note(9))
    assert vault.sh("git status --porcelain") == ""


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        ("git config --remove-section filter.seal", "not set up here"),
        ("git config filter.seal.clean /does/not/exist", "could not be stored"),
        ("git config filter.seal.clean false", "could not be stored"),
        ("git checkout -q -b other; git rm -q .gitattributes; git commit -qm none", "on main and not on what"),
    ],
)
def test_nothing_is_stored_where_the_filter_cannot_be_used(vault: Vault, break_it: str, words: str) -> None:
    (one,) = vault.dream([0])
    vault.sh(break_it)
    refs = vault.sh("git for-each-ref")
    index = vault.sh("git ls-files -s")
    with pytest.raises(MemwikiError, match=words):
        approve(vault.git, one, note(0, l3="- my secret words"))
    with pytest.raises(MemwikiError, match=words):
        vault.propose(proposal(1, note(1, l3="- my secret words")))
    assert vault.sh("git for-each-ref") == refs
    assert vault.sh("git ls-files -s") == index
    assert (vault.top / "tools/n0.md").read_text("utf-8") == note(0)
    assert vault.sh("git grep -c 'secret words' $(git rev-list --all)", check=False) == ""


def test_rejecting_works_while_the_notes_are_locked(vault: Vault) -> None:
    (one,) = vault.dream([0])
    vault.sh("git config --remove-section filter.seal")
    reject(vault.git, [one], "no")
    assert find(vault.git, one.id).state == "rejected"


def test_a_filter_that_fails_on_a_note_keeps_nothing_from_the_others(vault: Vault) -> None:
    set_up(vault, smudge=f"text=$({SMUDGE}); case $text in *n2*) exit 7;; esac; printf '%s\\n' \"$text\"")
    vault.sh("echo plain > plain.md; git add -A; git commit -qm plain")
    notes = {one.path: one for one in Tree(vault.git).notes()}
    assert notes["plain.md"].text == "plain\n"
    assert notes["tools/n3.md"].text == note(3)
    broken = notes["tools/n2.md"]
    assert broken.body == ""
    assert broken.problem is not None
    assert "passes the git filter seal, which fails" in broken.problem.message
    with pytest.raises(MemwikiError, match="which fails"):
        Tree(vault.git).read("tools/n2.md")


def test_a_filter_that_never_answers_is_stopped(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "_SECONDS", 0.5)
    set_up(vault, smudge="sleep 600", clean="sleep 600")
    texts = list(vault.git.texts(sorted(vault.git.files("main").items())))
    assert sum("did not finish" in text.sealed for text in texts) == 1
    assert len([text for text in texts if text.sealed]) == 6
    with pytest.raises(MemwikiError, match="did not finish"):
        filters.clean(vault.git, "tools/n0.md", "words")


@pytest.mark.parametrize("name", ["tools/two words.md", "tools/naïve.md", "tools/ lead.md"])
def test_names_with_blanks_and_letters_of_any_kind_pass_too(vault: Vault, name: str) -> None:
    (vault.top / name).write_text("words\n", "utf-8")
    vault.sh("git add -A; git commit -qm named")
    assert stored(vault, f"main:{name}") == sealed("words\n")
    assert Tree(vault.git).read(name).text == "words\n"


LOCKED = b"\0GITCRYPT\0" + bytes(range(64))
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [(LOCKED, "is encrypted by git-crypt"), (POINTER, "is a Git LFS pointer")],
    ids=["git-crypt", "LFS"],
)
def test_a_locked_note_is_no_memory_until_its_text_is_there(
    run: Run, git: Callable[..., str], home: Path, data: bytes, words: str
) -> None:
    run("init")
    vault = home / ".memwiki/vault"
    (vault / ".gitattributes").write_text("tools/** filter=seal -text\n", "utf-8")
    (vault / "tools/locked.md").write_bytes(data)
    (vault / "open.md").write_text("The open note.\n", "utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "locked")
    assert f"tools/locked.md: {words}" in run("sync").stdout
    assert "locked" not in run("list").stdout
    said = run("doctor", check=False).stdout
    assert "filter seal, which is not set up here" in said
    assert words in said
    # Unlocked: the config changes and the text is there, without a commit and without a changed file.
    program = home / "smudge.sh"
    program.write_text("cat >/dev/null; echo 'The text that was locked.'\n", "utf-8")
    git(vault, "config", "filter.seal.smudge", f"sh {program}")
    git(vault, "config", "filter.seal.clean", "cat")
    run("sync")
    assert "locked" in run("list").stdout
    assert "The text that was locked." in run("show", "tools/locked").stdout


def test_doctor_names_a_program_that_is_missing_and_a_filter_that_works(vault: Vault) -> None:
    def found() -> list[str]:
        return [f"{one.level} {one.message}" for one in vault.git.findings() if "filter" in one.message]

    assert found() == ["note 6 notes of the vault pass the git filter seal: memwiki reads and stores them through it."]
    vault.sh("git config filter.seal.clean 'seal-of-nobody clean'")
    assert found() == [
        "error 6 notes of the vault pass the git filter seal, whose program seal-of-nobody was not found."
    ]


def test_why_finds_where_a_line_behind_a_filter_comes_from(vault: Vault, tmp_path: Path) -> None:
    (one,) = vault.dream([0])
    approve(vault.git, one)
    (origin,) = why(vault.git, Journal(tmp_path / "journal"), "tools/n0.md", 7)
    assert (origin.text, origin.candidate and origin.candidate.id) == ("- n0 dream says x", one.id)
