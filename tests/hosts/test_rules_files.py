"""The block of memory in a rules file: filled, refreshed, capped, and gone again with nothing else touched."""

import os
from pathlib import Path

import pytest

import memwiki
from memwiki.errors import MemwikiError
from memwiki.hosts.files import write
from memwiki.hosts.link import link, unlink
from memwiki.hosts.rules import BEGIN, EMPTY, END, blocks, refresh, rules_file, with_block, without_block
from memwiki.hosts.splice import Broken
from memwiki.init import init
from memwiki.recall.standing import standing


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    vault = init().vault
    for path, text in (
        (
            "profile/language.md",
            "---\ndescription: Answers are in British English\n---\n- Answer in British English.\n",
        ),
        ("tools/pnpm.md", "---\ndescription: pnpm is the package manager\n---\n- Use pnpm, never npm.\n"),
    ):
        (vault / path).parent.mkdir(exist_ok=True)
        (vault / path).write_text(text)
    opened = memwiki.open()
    opened.sync()
    return opened


def filled(memory: memwiki.Memory) -> list[Path]:
    return refresh(memory.home, lambda block: standing(memory.home, block))


def test_the_profile_and_the_rest_as_a_start_gives_them(memory: memwiki.Memory) -> None:
    file = rules_file("windsurf")
    assert file is not None
    file.parent.mkdir(parents=True)
    file.write_text("# My rules\nBe kind.\n")
    link(memory.home, "windsurf")
    assert EMPTY in file.read_text()
    assert filled(memory) == [file]
    text = file.read_text()
    assert text.startswith("# My rules\nBe kind.\n")
    assert "- Answer in British English." in text
    assert "- pnpm (not committed yet): Use pnpm, never npm." in text
    assert filled(memory) == []  # nothing new, nothing written
    (memory.config.vault / "profile" / "language.md").write_text("- Answer in French.\n")
    memory.sync()
    filled(memory)
    assert "Answer in French" in file.read_text()
    assert "British" not in file.read_text()
    unlink(memory.home, "windsurf")
    assert file.read_text() == "# My rules\nBe kind.\n"
    assert filled(memory) == []


def test_foreign_text_around_the_block_keeps_its_bytes(memory: memwiki.Memory) -> None:
    file = rules_file("windsurf")
    assert file is not None
    link(memory.home, "windsurf")
    filled(memory)
    file.write_text("above\r\n" + file.read_text() + "below")
    (memory.config.vault / "profile" / "more.md").write_text("- Be short.\n")
    memory.sync()
    assert filled(memory) == []  # the sync has done it
    assert file.read_bytes().startswith(b"above\r\n")
    assert file.read_text().endswith("below")
    unlink(memory.home, "windsurf")
    assert file.read_bytes() == b"above\r\nbelow"


def test_a_block_keeps_to_what_the_host_reads(memory: memwiki.Memory) -> None:
    for number in range(200):
        (memory.config.vault / "profile" / f"n{number}.md").write_text(f"- Wish {number}: " + "é" * 90 + "\n")
    memory.sync()
    link(memory.home, "windsurf")
    filled(memory)
    file = rules_file("windsurf")
    assert file is not None
    assert 4000 < len(file.read_bytes()) <= 5500
    assert "more notes do not fit here" in file.read_text()


def test_cursor_has_one_in_a_project_only(memory: memwiki.Memory, tmp_path: Path) -> None:
    assert rules_file("cursor") is None
    project = tmp_path / "shop"
    project.mkdir()
    link(memory.home, "cursor", project)
    filled(memory)
    text = (project / ".cursor/rules/memwiki.mdc").read_text()
    assert text.startswith("---\ndescription: The person's memory\nalwaysApply: true\n---\n" + BEGIN)
    assert "British English" in text
    unlink(memory.home, "cursor", project)
    assert list(project.iterdir()) == []


def test_a_block_that_was_taken_out_by_hand_stays_out(memory: memwiki.Memory) -> None:
    file = rules_file("windsurf")
    assert file is not None
    link(memory.home, "windsurf")
    file.write_text("mine\n")
    assert filled(memory) == []
    assert file.read_text() == "mine\n"
    file.unlink()
    assert filled(memory) == []
    assert not file.exists()


def test_a_block_without_its_end_is_refused_and_left(memory: memwiki.Memory) -> None:
    file = rules_file("windsurf")
    assert file is not None
    file.parent.mkdir(parents=True)
    file.write_text(f"a\n{BEGIN}\nhalf")
    with pytest.raises(Broken, match="without its last line"):
        with_block(file.read_text(), "x")
    with pytest.raises(MemwikiError, match="line 2"):
        link(memory.home, "windsurf")
    assert file.read_text() == f"a\n{BEGIN}\nhalf"


def test_no_memory_is_given_where_the_mode_says_so(memory: memwiki.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    link(memory.home, "windsurf")
    monkeypatch.setitem(os.environ, "MEMWIKI_RECALL_MODE", "off")
    assert filled(memory) == []


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\n\n", "\n", "a\r\n"])
def test_in_and_out_again(text: str) -> None:
    assert without_block(with_block(text, "words")).rstrip("\n") == text.rstrip("\n")
    assert with_block(with_block(text, "words"), "others").count(END) == 1


def test_one_that_cannot_be_written_keeps_nothing_from_the_others(
    memory: memwiki.Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        memory.link("windsurf", tmp_path / name)
    texts = {name: rules_file("windsurf", tmp_path / name) for name in "abc"}
    before = {name: file.read_text() for name, file in texts.items() if file}
    first = next(one for one in blocks(memory.home)).path

    def full(path: Path, *more: object) -> None:
        if path == first:
            raise MemwikiError(f"Cannot write {path}: No space left on device.", "Free space.")
        write(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr("memwiki.hosts.rules.write", full)
    (memory.config.vault / "profile" / "language.md").write_text("- Answer in Welsh.\n")
    memory.sync()
    now = {name: file.read_text() for name, file in texts.items() if file}
    assert sum(now[name] != before[name] for name in "abc") == 2
    assert first.read_text() in before.values()
    assert f"Cannot write {first}" in (memory.home.log / "sync.log").read_text()
