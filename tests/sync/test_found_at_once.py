"""A note that was saved in any editor is found by whoever asks next, without a sync by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from memwiki.app import Memory, open_memory
from memwiki.files import locked
from memwiki.mcp import answers

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def vault(memory: Memory) -> Path:
    """The vault of a memory that was synced before."""
    top = memory.config.vault
    (top / "tools/old.md").write_text("# Old\nThe ferry leaves at noon.\n")
    memory.sync()
    memory.close()
    return top


SAVES: dict[str, Callable[[Path], object]] = {
    "new": lambda top: (top / "tools/lantern.md").write_text("# Lantern\nThe lantern burns paraffin. See [[old]].\n"),
    "in place": lambda top: (top / "tools/old.md").write_text("# Old\nThe lantern burns paraffin. See [[old]].\n"),
    "renamed over": lambda top: (
        (top / ".new~").write_text("# Old\nThe lantern burns paraffin. See [[old]].\n"),
        (top / ".new~").replace(top / "tools/old.md"),
    ),
    "in a new folder": lambda top: (
        (top / "tools/deep").mkdir(),
        (top / "tools/deep/n.md").write_text("The lantern burns paraffin. See [[old]].\n"),
    ),
}


@pytest.mark.parametrize("save", SAVES)
def test_every_reading_verb_finds_what_was_just_saved(vault: Path, run: Run, save: str) -> None:
    SAVES[save](vault)
    path = json.loads(run("search", "paraffin", "--json").stdout)["results"][0]["path"]
    (vault / path).write_text((vault / path).read_text().replace("paraffin", "kerosene"))
    weighed = json.loads(run("recall", "which kerosene burns in the lantern?", "--json").stdout)
    assert path in [note["path"] for note in weighed["notes"]]
    (vault / path).write_text("---\ntitle: Torch\n---\n[[tools/old]]\n")
    assert {row["path"]: row["title"] for row in json.loads(run("list", "--json").stdout)["notes"]}[path] == "Torch"
    assert json.loads(run("show", path, "--json").stdout)["links"] == ["tools/old.md"]
    (vault / path).unlink()
    assert path not in run("list").stdout


def test_agents_find_it_over_mcp_and_no_secret_in_it(vault: Path) -> None:
    (vault / "tools/lantern.md").write_text("# Lantern\nThe lantern burns paraffin.\n")
    token = "ghp_" + "aZ3" * 12
    (vault / "tools/closed.md").write_text(f"# Paraffin store\nThe token is {token}, for paraffin.\n")
    with open_memory() as opened:
        found = answers.search(opened, "paraffin", "", "", 1)
        assert "tools/lantern.md" in found and "closed" not in found
    (vault / "tools/later.md").write_text(f"# Later\nThe token is {token}.\n")
    (vault / "tools/more.md").write_text("# More\n")
    with open_memory() as opened:
        listed = answers.listed(opened, "", "", "")
        assert "tools/more.md" in listed and "later" not in listed


def test_a_reader_does_not_wait_for_a_long_sync(memory: Memory, vault: Path) -> None:
    (vault / "tools/lantern.md").write_text("# Lantern\n")
    with locked(memory.home.locks / "sync"), open_memory() as opened:
        assert [row.path for row in opened.notes("tools")] == ["tools/old.md"]
    with open_memory() as opened:
        assert [row.path for row in opened.notes("tools")] == ["tools/lantern.md", "tools/old.md"]


def test_a_pass_that_a_hook_left_to_a_reader_is_made(
    memory: Memory, vault: Path, prompt: Callable[..., None], run: Run
) -> None:
    prompt("light the lantern")
    (memory.home.locks / "again").touch()
    run("search", "lantern")
    assert not (memory.home.locks / "again").exists()
    assert list(memory.home.spool.iterdir()) == []


def test_a_vault_that_cannot_be_read_leaves_what_is_known(memory: Memory, vault: Path, run: Run) -> None:
    vault.rename(vault.with_name("gone"))
    assert "tools/old.md" in run("search", "ferry").stdout
    assert "tools/old.md" in run("list").stdout
