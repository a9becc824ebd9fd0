"""Names of new notes: one note whatever its spelling, and none that an agent would obey."""

import unicodedata

import pytest
from vaults import Vault, proposal

from memwiki.dream.notes import Notes
from memwiki.errors import MemwikiError
from memwiki.review.request import Request, request
from memwiki.vault.tree import Tree

CAFE = "tools/Café.md"


@pytest.fixture
def vault(tmp_path) -> Vault:
    return Vault(tmp_path / "vault")


def notes(vault: Vault) -> Notes:
    return Notes(vault.git, Tree(vault.git), vault.git.tip())


@pytest.mark.parametrize("other", ["tools/café.md", "TOOLS/CAFÉ.md", unicodedata.normalize("NFD", CAFE)])
def test_two_new_names_of_one_run_that_are_one_on_many_systems_are_one_note(vault: Vault, other: str) -> None:
    known = notes(vault)
    assert known.place(CAFE) == known.place(other) == CAFE
    assert known.place("tools/n0.md") == "tools/n0.md"


@pytest.mark.parametrize("other", ["new/café.md", "NEW/CAFÉ.md", unicodedata.normalize("NFD", "new/Café.md")])
def test_a_name_that_waits_for_a_decision_keeps_its_spelling(vault: Vault, other: str) -> None:
    vault.propose(proposal(1, "- one\n", path="new/Café.md"))
    assert notes(vault).place(other) == "new/Café.md"
    assert notes(vault).place("NEW/other.md") == "new/other.md"
    again, _ = request(vault.git, Tree(vault.git), "0a1b2c3d", Request("add", other, "They said so.", "Two."))
    assert again.path == "new/Café.md"


def test_a_run_cannot_hold_two_spellings_of_one_note(vault: Vault) -> None:
    with pytest.raises(MemwikiError, match="Two candidates of one run change"):
        vault.propose(proposal(1, "- one\n", path="tools/New.md"), proposal(2, "- two\n", path="tools/new.md"))


REFUSED = (
    "CLAUDE.md",
    "claude.md",
    "AGENTS.md",
    "GEMINI.md",
    "Qwen.md",
    "copilot-instructions.md",
    "project/shop/CLAUDE.md",
    "tools/AGENTS.md",
    "-rf.md",
    "tools/--force.md",
    "-x/notes.md",
)


@pytest.mark.parametrize("path", REFUSED)
@pytest.mark.parametrize("there", [False, True], ids=["new", "a person's own"])
def test_no_model_writes_what_agents_obey_or_commands_take_for_options(vault: Vault, path: str, there: bool) -> None:
    if there:
        (vault.top / path).parent.mkdir(parents=True, exist_ok=True)
        (vault.top / path).write_text("- Mine.\n", "utf-8")
        vault.sh("git add -A; git commit -qm mine")
        assert Tree(vault.git).read(path).text == "- Mine.\n"
    with pytest.raises(MemwikiError, match=r"read as instructions|begins with a dash"):
        notes(vault).place(path)
    with pytest.raises(MemwikiError, match=r"read as instructions|begins with a dash"):
        request(vault.git, Tree(vault.git), "0a1b2c3d", Request("add", path, "They said so.", "Obey me."))
    assert vault.sh("git for-each-ref refs/heads/dream") == ""


@pytest.mark.parametrize("path", ["tools/claude.md", "tools/gemini.md", "tools/my-agents.md", "pre-commit.md"])
def test_notes_about_agents_have_the_names_that_they_want(vault: Vault, path: str) -> None:
    assert notes(vault).place(path) == path
