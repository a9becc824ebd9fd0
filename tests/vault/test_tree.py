"""Which notes are memory: the tip of the branch, and what the person has on disk while that is memory."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.errors import MemwikiError
from memwiki.vault.git import Git
from memwiki.vault.history import history
from memwiki.vault.tree import Tree

CASES = Path(__file__).parent.parent / "cases"
Plain = Callable[..., str]


def write(top: Path, **files: str) -> None:
    for name, text in files.items():
        path = top / name.replace("__", "/").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def top(tmp_path: Path, git: Plain) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write(folder, tools__a_md="A\n", tools__b_md="B\n", README_md="no\n", tools__README_md="no\n", x_md="X\n")
    (folder / "notes.txt").write_text("no\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    return folder


def bodies(tree: Tree, rev: str | None = None) -> dict[str, str]:
    return {note.path: note.body for note in tree.notes(rev)}


def test_memory_is_the_tip_with_what_is_uncommitted(top: Path, git: Plain) -> None:
    tree = Tree(Git(top))
    assert bodies(tree) == {"tools/a.md": "A\n", "tools/b.md": "B\n", "x.md": "X\n"}
    before = tree.paths()
    write(top, tools__a_md="edited\n", new__c_md="C\n", tmp__d_md="ignored\n")
    (top / ".gitignore").write_text("tmp/\n")
    (top / "x.md").unlink()
    assert bodies(tree) == {"new/c.md": "C\n", "tools/a.md": "edited\n", "tools/b.md": "B\n"}
    assert next(tree.notes()).path == "new/c.md"
    assert tree.read("tools/a.md").body == "edited\n" and tree.read("tools/a.md", "HEAD").body == "A\n"
    assert tree.read("x.md", "main").body == "X\n"
    for gone in ("x.md", "tmp/d.md", "README.md", "notes.txt"):
        with pytest.raises(MemwikiError, match="no note"):
            tree.read(gone)
    after = tree.paths()
    assert after["tools/b.md"] == before["tools/b.md"]
    assert after["tools/a.md"] == git(top, "hash-object", "tools/a.md").strip() != before["tools/a.md"]
    assert bodies(tree, "HEAD") == {"tools/a.md": "A\n", "tools/b.md": "B\n", "x.md": "X\n"}


@pytest.mark.parametrize("state", ["other branch", "detached", "merge"])
def test_elsewhere_only_the_tip_is_memory(top: Path, git: Plain, state: str) -> None:
    git(top, "branch", "other")
    write(top, tools__a_md="main\n")
    git(top, "commit", "-qam", "main")
    if state == "detached":
        git(top, "checkout", "-q", "--detach")
    else:
        git(top, "checkout", "-q", "other")
        write(top, tools__a_md="pending\n")
        git(top, "commit", "-qam", "other")
        if state == "merge":
            git(top, "checkout", "-q", "main")
            git(top, "merge", "-q", "other", check=False)
    write(top, tools__b_md="uncommitted\n", new_md="untracked\n")
    tree = Tree(Git(top))
    assert bodies(tree) == {"tools/a.md": "main\n", "tools/b.md": "B\n", "x.md": "X\n"}
    assert tree.read("tools/b.md").body == "B\n"
    with pytest.raises(MemwikiError):
        tree.read("new.md")


def test_an_unborn_vault_has_the_untracked_notes(tmp_path: Path, git: Plain) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "v")
    write(tmp_path / "v", a_md="A\n")
    tree = Tree(Git(tmp_path / "v"))
    assert bodies(tree) == {"a.md": "A\n"} and tree.read("a.md").body == "A\n"
    assert history(Git(tmp_path / "v"), "a.md") == []


def test_a_sparse_checkout_hides_nothing_from_memory(top: Path, git: Plain) -> None:
    git(top, "sparse-checkout", "set", "--no-cone", "/x.md")
    assert not (top / "tools" / "a.md").exists()
    assert set(Tree(Git(top)).paths()) == {"tools/a.md", "tools/b.md", "x.md"}
    assert Tree(Git(top)).read("tools/a.md").body == "A\n"


def test_sha256_repositories_have_their_own_names(tmp_path: Path, git: Plain) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256", "v")
    write(tmp_path / "v", a_md="A\n")
    assert Tree(Git(tmp_path / "v")).paths() == {"a.md": git(tmp_path / "v", "hash-object", "a.md").strip()}


def test_case_28_links_are_not_followed_and_are_named(tmp_path: Path, git: Plain) -> None:
    subprocess.run(["bash", CASES / "28-fs-symlinks" / "setup.sh", tmp_path], check=True)
    vault = tmp_path / "vault"
    git(vault, "init", "-q", "-b", "main")
    wanted = {"tools/a-real1.md": "REAL1\n", "zz/real2.md": "REAL2\n"}
    links = ["linkdir", "tools/b-alias.md", "tools/dangling.md", "tools/link-out.md", "tools/loop"]
    for stage in ("untracked", "tracked"):
        if stage == "tracked":
            git(vault, "add", "-A")
            git(vault, "commit", "-qm", "all")
        for tree in (Tree(Git(vault)), Tree(Git(tmp_path / "vault-link"))):
            assert bodies(tree) == wanted
            assert [skip.path for skip in tree.skipped()] == links
        for path in ("tools/link-out.md", "linkdir/x.md"):
            with pytest.raises(MemwikiError, match=r"link|file"):
                Tree(Git(vault)).place(path)
            with pytest.raises(MemwikiError):
                Tree(Git(vault)).read(path)
    assert (tmp_path / "outside" / "o.md").read_text() == "OUTSIDE secret\n"


def test_a_folder_that_became_a_link_is_not_followed(top: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (top / "tools").rename(outside)
    (top / "tools").symlink_to(outside)
    assert bodies(Tree(Git(top))) == {"x.md": "X\n"}


@pytest.mark.parametrize("state", ["nested", "submodule", "worktree"])
def test_case_61_nested_repositories_are_skipped_and_named(tmp_path: Path, state: str) -> None:
    folder = tmp_path / "d"
    subprocess.run(["bash", CASES / "61-git-nested-and-submodule" / "setup.sh", folder, state], check=True)
    tree = Tree(Git({"worktree": tmp_path / "d-wt", "submodule": folder / "vault"}.get(state, folder), "main"))
    if state == "submodule":
        assert bodies(tree) == {"tools/git.md": "old\n"}
        assert [skip.path for skip in Tree(Git(folder)).skipped()] == ["vault"]
        assert set(Tree(Git(folder)).paths()) == {"profile/me.md", "tools/git.md"}
    else:
        assert set(tree.paths()) == {"profile/me.md", "tools/git.md"}
        assert [skip.path for skip in tree.skipped()] == (["project/clone/"] if state == "nested" else [])
    if state == "nested":
        with pytest.raises(MemwikiError, match="another repository"):
            tree.place("project/clone/x.md")


@pytest.mark.parametrize("quote", ["true", "false"])
def test_case_25_names_of_every_kind_are_read_and_found(tmp_path: Path, git: Plain, quote: str) -> None:
    vault = tmp_path / "vault"
    subprocess.run(["bash", CASES / "25-names-unicode-normal-forms" / "setup.sh", vault], check=True)
    git(vault, "config", "core.quotePath", quote)
    tree = Tree(Git(vault))
    nfd = "tools/re\u0301sume\u0301.md"
    odd = ["link", "café", "日本語 ノート", "🚀 launch", "tab\there", 'quote"d']
    assert set(tree.paths()) == {nfd, *(f"tools/{name}.md" for name in odd)}
    assert tree.resolve("r\u00e9sum\u00e9") == nfd and tree.resolve("tools/RÉSUMÉ.md") == nfd
    assert tree.place("tools/r\u00e9sum\u00e9.md") == nfd
    assert tree.read("tools/tab\there.md").body == "d\n"
    write(vault, tools__résumé_md="second\n")
    with pytest.raises(MemwikiError, match="one name"):
        tree.place("tools/r\u00e9sum\u00e9.md")
    with pytest.raises(MemwikiError, match="could be"):
        tree.resolve("RÉSUMÉ")
    assert tree.resolve("tools/r\u00e9sum\u00e9") == "tools/r\u00e9sum\u00e9.md"


def test_a_name_that_is_no_utf8_is_named(top: Path) -> None:
    with open(os.fsencode(top) + b"/tools/caf\xe9.md", "wb") as out:
        out.write(b"latin\n")
    tree = Tree(Git(top))
    assert "x.md" in tree.paths() and len(tree.paths()) == 3
    assert [skip.reason for skip in tree.skipped()] == ["its name is not UTF-8"]


def test_names_a_person_types(top: Path) -> None:
    write(top, project__shop__a_md="shop\n")
    tree = Tree(Git(top))
    assert tree.resolve("tools/a") == tree.resolve("tools/a.md") == tree.resolve("Tools/A") == "tools/a.md"
    assert tree.resolve("b") == "tools/b.md"
    with pytest.raises(MemwikiError, match=r"could be project/shop/a\.md or tools/a\.md"):
        tree.resolve("a")
    with pytest.raises(MemwikiError) as error:
        tree.resolve("tools/bb")
    assert "tools/b.md" in error.value.remedy
    with pytest.raises(MemwikiError, match="names no commit"):
        tree.resolve("tools/a", "nowhere")


def test_a_new_note_goes_where_its_folder_is(top: Path) -> None:
    tree = Tree(Git(top))
    assert tree.place("TOOLS/new.md") == "tools/new.md"
    assert tree.place("Tools/A.md") == "tools/a.md"
    assert tree.place("other/new.md") == "other/new.md"
    for path in ("x.md/new.md", "X.md/new.md", "notes.txt/new.md"):
        with pytest.raises(MemwikiError, match="folder"):
            tree.place(path)


def test_the_last_commits_of_a_note_follow_its_renames(top: Path, git: Plain) -> None:
    git(top, "config", "log.showSignature", "true")
    git(top, "config", "log.decorate", "full")
    git(top, "mv", "tools/a.md", "tools/z.md")
    git(top, "commit", "-qm", "Rename: a to z")
    write(top, tools__z_md="A\nmore\n")
    git(top, "commit", "-qam", "More | of é")
    found = history(Git(top), "tools/z.md")
    assert [one.subject for one in found] == ["More | of é", "Rename: a to z", "base"]
    assert found[0].commit == git(top, "rev-parse", "HEAD").strip()
    assert found[0].author == "Ada Example" and found[0].at.startswith("20")
    assert [one.subject for one in history(Git(top), "tools/z.md", 1)] == ["More | of é"]


def test_reading_writes_nothing(top: Path, git: Plain) -> None:
    write(top, tools__a_md="edited\n", new_md="n\n")
    state = lambda: sorted((str(path), path.stat().st_mtime_ns) for path in top.rglob("*"))  # noqa: E731
    before = state()
    tree = Tree(Git(top))
    list(tree.notes()), tree.paths(), tree.read("new.md"), tree.skipped(), tree.place("tools/q.md")
    assert state() == before
