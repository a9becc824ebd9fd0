"""Fixtures of recall's tests: a memory made of notes."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from recall_place import Place

from memwiki.config import change
from memwiki.init import init


def _made(folder: Path, notes: Mapping[str, str] | Path, start_bytes: int = 0) -> Place:
    vault = folder / "vault"
    vault.mkdir(parents=True)
    if isinstance(notes, Path):
        notes = {str(file.relative_to(notes)): file.read_text("utf-8") for file in notes.rglob("*.md")}
    made = Place(folder / ".memwiki", vault)
    for path, text in notes.items():
        made.write(path, text)
    init(vault, folder / ".memwiki")
    change(made.home, "recall.folders", "*")
    change(made.home, "recall.start_bytes", start_bytes)
    made.home.snapshot.unlink(missing_ok=True)  # a base alone, without the delta of this change
    made.sync()
    return made


@pytest.fixture
def place(home: Path) -> Callable[..., Place]:
    """`place(notes)`: a memory of {path: text} or of a folder's notes, committed and synced.

    Starts give pins and profile alone, unless `start_bytes` says otherwise: what prompts bring is seen better so.
    """
    return lambda notes, start_bytes=0: _made(home, notes, start_bytes)


@pytest.fixture(scope="module")
def module_place(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Place]:
    """The same for a whole module, in folders of their own."""

    def made(notes: Mapping[str, str] | Path) -> Place:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
            return _made(tmp_path_factory.mktemp("memory"), notes)

    return made
