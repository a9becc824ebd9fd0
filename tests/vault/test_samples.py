"""Two real vaults: everything is read, faults are named, and no byte changes."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.vault.check import findings
from memwiki.vault.frontmatter import parse
from memwiki.vault.git import Git
from memwiki.vault.links import Resolver, links_of
from memwiki.vault.tree import Tree

SAMPLES = Path(__file__).parent.parent.parent.parent / "shared" / "samples"
VAULTS = {
    "vault-obsidian": (103, 28),
    "vault-agent-memories": (1026, 1),
}  # files, blocks that do not parse  # an example of a merge conflict that is not indented


@pytest.fixture(params=VAULTS)
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    source = SAMPLES / request.param
    if not source.is_dir():
        pytest.skip("the sample vaults are not beside the checkout")
    return Path(shutil.copytree(source, tmp_path / request.param, copy_function=shutil.copyfile))


def digest(top: Path) -> dict[str, str]:
    return {
        str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in top.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def test_everything_is_read_and_nothing_changes(sample: Path, git: Callable[..., str]) -> None:
    sample.chmod(0o755)
    for path in sample.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    git(sample, "init", "-q", "-b", "main")
    before = digest(sample)
    files, broken = VAULTS[sample.name]
    tree = Tree(Git(sample))
    notes = list(tree.notes())
    readmes = [path for path in sample.rglob("*.md") if path.name.lower() == "readme.md"]
    assert len(notes) == files - len(readmes) and len(notes) == len(tree.paths())
    assert sum(note.problem is not None for note in notes) == broken
    said = findings(tree)
    named = ("Fix the frontmatter", "Resolve it and save the note")
    assert sum(finding.remedy.startswith(named) for finding in said) == broken
    assert digest(sample) == before
    resolver = Resolver(note.path for note in notes)
    meant = [resolver.resolve(link, note.path) for note in notes for link in links_of(note)]
    assert sum(path is not None for path in meant) > 50
    for note in notes:
        data = (sample / note.path).read_bytes()
        assert note.text.encode() == data and parse(note.path, data) == note
        assert note.text.endswith(note.body) and note.text.count("\n") - note.body.count("\n") == note.body_line - 1
