"""A note gets another name, and every link means what it meant."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.errors import MemwikiError
from memwiki.vault.frontmatter import parse
from memwiki.vault.git import Git
from memwiki.vault.landing import change
from memwiki.vault.links import Resolver, links_of
from memwiki.vault.rename import renamed
from memwiki.vault.tree import Tree

Plain = Callable[..., str]
NOTES = {
    "tools/pnpm.md": "---\ntitle: pnpm\n---\nSee [[npm]], [same](npm.md), [up](../profile/me.md) and [[me]].\n",
    "tools/npm.md": '[[pnpm]] [[tools/pnpm]] [[tools/pnpm.md|it]] ![[pnpm#Use]] [x](pnpm.md#use "t") `[[pnpm]]`\r\nend',
    "profile/me.md": "---\nup: '[[pnpm]]'\n---\n[a](../tools/pnpm.md) [b](</tools/pnpm.md>) [](./../tools/pnpm.md)\n",
    "project/shop/x.md": "| [[pnpm\\|p]] |\n\n[r]: ../../tools/pnpm.md\n",
    "bad.md": "---\na: b: c\n---\n[[pnpm]]\n",
    "other.md": "nothing\n",
}


@pytest.fixture
def vault(tmp_path: Path, git: Plain) -> Path:
    top = tmp_path / "vault"
    for path, text in NOTES.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(text.encode())
    git(top, "init", "-q", "-b", "main")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "base")
    return top


def texts(vault: Path, old: str, new: str) -> dict[str, str | None]:
    changes = renamed(Tree(Git(vault)), old, new)
    return {path: None if data is None else data.decode() for path, data in changes.items()}


def meanings(notes: dict[str, str]) -> dict[str, list[str | None]]:
    resolver = Resolver(notes)
    return {
        path: [resolver.resolve(link, path) for link in links_of(parse(path, text.encode()))]
        for path, text in notes.items()
    }


def test_into_another_folder_under_the_same_name(vault: Path) -> None:
    found = texts(vault, "tools/pnpm.md", "project/shop/")
    assert found["tools/pnpm.md"] is None
    assert found["project/shop/pnpm.md"] == (
        "---\ntitle: pnpm\n---\nSee [[npm]], [same](../../tools/npm.md), [up](../../profile/me.md) and [[me]].\n"
    )
    assert found["tools/npm.md"] == (
        "[[pnpm]] [[project/shop/pnpm]] [[project/shop/pnpm.md|it]] ![[pnpm#Use]] "
        '[x](../project/shop/pnpm.md#use "t") `[[pnpm]]`\r\nend'
    )
    assert found["profile/me.md"] == (
        "---\nup: '[[pnpm]]'\n---\n"
        "[a](../project/shop/pnpm.md) [b](</project/shop/pnpm.md>) [](../project/shop/pnpm.md)\n"
    )
    assert found["project/shop/x.md"] == "| [[pnpm\\|p]] |\n\n[r]: pnpm.md\n"
    assert set(found) == {"tools/pnpm.md", "project/shop/pnpm.md", "tools/npm.md", "profile/me.md", "project/shop/x.md"}


@pytest.mark.parametrize(
    "new",
    [
        "tools/p n (p).md",
        "p.md",
        "project/shop/npm",
        "tools/PNPM.md",
        "a/b/c/pnpm.md",
        "profile/日本語.md",
        "tools/me.md",
    ],
)
def test_every_link_means_what_it_meant(vault: Path, new: str) -> None:
    path = new if new.endswith(".md") else f"{new}.md"
    before = {name: text for name, text in NOTES.items() if name != "bad.md"}
    found = texts(vault, "tools/pnpm.md", new)
    after = {**before, **{name: text for name, text in found.items() if text is not None}}
    del after["tools/pnpm.md"]
    expected = {
        path if name == "tools/pnpm.md" else name: [path if meant == "tools/pnpm.md" else meant for meant in meant_by]
        for name, meant_by in meanings(before).items()
    }
    assert meanings(after) == expected
    assert all(
        len(text.split("\n")) == len(before.get(name, NOTES["tools/pnpm.md"]).split("\n"))
        for name, text in after.items()
    )


def test_a_link_that_a_new_name_would_make_ambiguous_gets_its_path(vault: Path, git: Plain) -> None:
    (vault / "other.md").write_text("[[me]]\n")
    git(vault, "commit", "-qam", "link")
    found = texts(vault, "tools/pnpm.md", "tools/me.md")
    assert found["other.md"] == "[[profile/me]]\n"


def test_it_lands_as_one_commit_and_uncommitted_edits_stay_out_of_it(vault: Path, git: Plain) -> None:
    (vault / "other.md").write_text("mine, uncommitted [[pnpm]]\n")
    repository = Git(vault)
    change(repository, renamed(Tree(repository), "tools/pnpm.md", "tools/pm"), "Move it")
    assert git(vault, "status", "--porcelain").split() == ["M", "other.md"]
    assert git(vault, "log", "--format=%s").split("\n")[0] == "Move it"
    assert (vault / "tools" / "pm.md").exists() and not (vault / "tools" / "pnpm.md").exists()
    assert "R" in git(vault, "show", "--name-status", "-M50", "--format=", "HEAD")


def test_bytes_of_a_note_with_a_problem_move_as_they_are(vault: Path, git: Plain) -> None:
    (vault / "latin.md").write_bytes(b"caf\xe9 [[pnpm]]\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "latin")
    changes = renamed(Tree(Git(vault)), "latin.md", "deep/latin.md")
    assert changes == {"latin.md": None, "deep/latin.md": b"caf\xe9 [[pnpm]]\n"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("tools/pnpm.md", "tools/npm", "already"),
        ("tools/pnpm.md", "Tools/NPM.md", "already"),
        ("tools/pnpm.md", "../x", "inside"),
        ("tools/pnpm.md", "tools/aux", "reserve"),
        ("tools/pnpm.md", "README.md", "not the name of a note"),
        ("tools/pnpm.md", "other.md/x", "folder"),
        ("new.md", "y.md", "not committed"),
        ("tools/pnpm.md", "new.md", "already"),
    ],
)
def test_what_is_refused(vault: Path, old: str, new: str, words: str) -> None:
    (vault / "new.md").write_text("untracked\n")
    with pytest.raises(MemwikiError, match=words):
        renamed(Tree(Git(vault)), old, new)
