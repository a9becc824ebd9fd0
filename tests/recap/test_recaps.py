"""The recaps that are kept for hooks: of the projects that are given one, read anew only where a session has grown."""

from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.index.recaps import recaps
from memwiki.init import init
from memwiki.journal.recap import recap

SHOP, TILL = "github.com/acme/shop", "github.com/acme/till"


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    init()
    return memwiki.open()


@pytest.fixture
def say(memory: memwiki.Memory, tmp_path: Path, git: Callable[..., str]) -> Callable[[str, str], None]:
    """`say(name, prompt)`: the person types in the project of that name; synced."""

    def said(name: str, prompt: str) -> None:
        folder = tmp_path / name
        if not folder.exists():
            folder.mkdir()
            git(folder, "init", "-q")
            git(folder, "remote", "add", "origin", f"https://github.com/acme/{name}")
        memory.append("claude", "UserPromptSubmit", {"session_id": name, "cwd": str(folder), "prompt": prompt})
        memory.sync()

    return said


def _of(memory: memwiki.Memory) -> dict[str, str]:
    return recaps(memory.index, memory.home, memory.config)


def test_none_unless_asked_for(memory: memwiki.Memory, say: Callable[[str, str], None]) -> None:
    say("shop", "add a discount")
    assert _of(memory) == {}
    memory.set("recall.recap", "start", project=SHOP)
    say("till", "print it")
    assert list(_of(memory)) == [SHOP]
    memory.set("recall.recap", "start", host="codex")
    assert set(_of(memory)) == {SHOP, TILL}


def test_it_is_the_recap_and_follows_the_sessions(memory: memwiki.Memory, say: Callable[[str, str], None]) -> None:
    memory.set("recall.recap", "start")
    say("shop", "add a discount")
    assert _of(memory)[SHOP] == recap(memory.journal, SHOP).text
    say("shop", "and a receipt")
    assert "and a receipt" in _of(memory)[SHOP]


def test_a_project_without_news_is_not_read_again(memory: memwiki.Memory, say: Callable[[str, str], None]) -> None:
    memory.set("recall.recap", "start")
    say("shop", "add a discount")
    before = _of(memory)
    memory.journal.path("claude/shop").unlink()
    assert _of(memory) == before


def test_a_deleted_session_is_told_of_no_more(memory: memwiki.Memory, say: Callable[[str, str], None]) -> None:
    memory.set("recall.recap", "start")
    say("shop", "add a discount")
    assert SHOP in _of(memory)
    memory.delete_session("claude/shop")
    assert _of(memory) == {}
