"""Names that memwiki may give to notes, and places it may write to."""

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.text import folded
from memwiki.vault.paths import MAX_COMPONENT, MAX_PATH, checked, inside, is_conflict_copy, is_note, namespace, slugged

CASES = Path(__file__).parent.parent / "cases"
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}


@pytest.mark.parametrize(
    ("path", "note"),
    [
        ("a.md", True),
        ("tools/日本語 ノート.md", True),
        ("a/myreadme.md", True),
        ("README.md", False),
        ("tools/readme.md", False),
        ("tools/Readme.md", False),
        (".memwiki/rejected/x.md", False),
        ("a/.trash/x.md", False),
        ("a/.x.md", False),
        ("a.markdown", False),
        ("", False),
        (".md", False),
    ],
)
def test_what_is_a_note(path: str, note: bool) -> None:
    assert is_note(path) is note


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("profile/me.md", "profile"),
        ("tools/js/pnpm.md", "tools"),
        ("project/shop.md", "project/shop"),
        ("project/shop/a/b.md", "project/shop"),
        ("persona/ana/x.md", "persona/ana"),
        ("profile.md", ""),
        ("x.md", ""),
        ("other/tools/x.md", ""),
    ],
)
def test_whom_a_note_is_for(path: str, whose: str) -> None:
    assert namespace(path) == whose


def holds(path: str) -> None:
    """What every path that memwiki makes must be."""
    assert path == unicodedata.normalize("NFC", path) and path.endswith(".md") and is_note(path)
    assert len(path.encode()) <= MAX_PATH
    for part in path.split("/"):
        assert 0 < len(part.encode()) <= MAX_COMPONENT
        assert not set(part) & set('<>:"|?*\\') and all(ord(char) >= 32 for char in part)
        assert not part.startswith(".") and part[-1] not in ". "
        assert part.split(".")[0].rstrip().lower() not in RESERVED


def proposed() -> list[str]:
    answer = json.loads((CASES / "27-names-long-reserved" / "llm-response.json").read_text())
    return [edit["path"] for edit in json.loads(answer["content"][0]["text"])["edits"]]


def test_case_27_every_proposed_name_becomes_one_that_works_everywhere() -> None:
    paths = proposed()
    made = [slugged(path) for path in paths]
    for path in made:
        holds(path)
        assert checked(path) == path and slugged(path) == path
    assert len({folded(path) for path in made}) == len(paths) == 13
    assert made == [slugged(path) for path in paths]
    assert "tools/emoji 👩‍👩‍👧‍👦 family.md" in made and "tools/no-extension.md" in made


@pytest.mark.parametrize(
    "path",
    ["", "/etc/x.md", "a/../b.md", "..", "a//b.md", "a/./b.md", "a/", ".git/hooks/x.md", "a/.git/x.md", ".memwiki/x.md",
     "..\\..\\x.md", "a\\..\\b.md", "README.md", "tools/readme", "d/" * 130 + "x.md"],
)  # fmt: skip
def test_names_that_are_refused(path: str) -> None:
    with pytest.raises(MemwikiError):
        slugged(path)
    with pytest.raises(MemwikiError):
        checked(path)


@pytest.mark.parametrize(
    "path",
    ["aux.md", "tools/COM1.x.md", "nul .md", "a:b.md", "a?.md", "x .md", "x..md", " x.md", "a\nb.md", "a\x7fb.md",
     "git~1.md", "GIT~2/x.md", "a\u202eb.md", "\ud800.md", "a" * 118 + ".md", "調" * 40 + ".md", "a.txt", "a.MD",
     "con/x.md", "a\\b.md"],
)  # fmt: skip
def test_names_that_only_the_mapping_takes(path: str) -> None:
    with pytest.raises(MemwikiError):
        checked(path)
    holds(slugged(path))


PART = st.one_of(
    st.text(alphabet=st.characters(blacklist_characters="/"), min_size=1, max_size=12),
    st.sampled_from(
        ["con", "AUX", "a:b", "a?b", "a-b", "x.", "x", "x ", "é", "e\u0301", "ß", "ss", "git~1", "y" * 130, "語" * 50]
    ),
)
PATHS = st.lists(PART, min_size=1, max_size=3).map("/".join)


def name_of(path: str) -> str:
    """What two paths must share to become one: the folded name, `.md` or not."""
    return folded(path).removesuffix(".md")


@settings(max_examples=500, deadline=None)
@given(PATHS, PATHS)
def test_the_mapping_is_a_function_and_injective_up_to_folding(a: str, b: str) -> None:
    try:
        made = slugged(a), slugged(b)
    except MemwikiError:
        return
    for path in made:
        holds(path)
        assert slugged(path) == path
    if name_of(a) != name_of(b):
        assert folded(made[0]) != folded(made[1])
    else:
        assert folded(made[0]) == folded(made[1])


def test_case_28_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    subprocess.run(["bash", CASES / "28-fs-symlinks" / "setup.sh", tmp_path], check=True)
    vault = tmp_path / "vault"
    for path in ("tools/link-out.md", "linkdir/x.md", "tools/loop/x.md", "tools/dangling.md", "tools/b-alias.md"):
        with pytest.raises(MemwikiError, match="link"):
            inside(vault, path)
    assert inside(vault, "tools/new.md") == vault / "tools" / "new.md"
    assert inside(tmp_path / "vault-link", "tools/a-real1.md").read_text() == "REAL1\n"


@pytest.mark.parametrize("kind", ["folder", "file", "dangling"])
def test_case_61_a_nested_repository_is_not_written_to(tmp_path: Path, kind: str) -> None:
    inner = tmp_path / "project" / "clone"
    inner.mkdir(parents=True)
    if kind == "folder":
        (inner / ".git").mkdir()
    elif kind == "file":
        (inner / ".git").write_text("gitdir: elsewhere\n")
    else:
        (inner / ".git").symlink_to("nowhere")
    with pytest.raises(MemwikiError, match="another repository"):
        inside(tmp_path, "project/clone/a/n.md")
    assert inside(tmp_path, "project/n.md")


def test_a_file_where_a_folder_is_needed_and_the_other_way_round(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "b.md").mkdir()
    for path in ("a.md/x.md", "b.md"):
        with pytest.raises(MemwikiError):
            inside(tmp_path, path)


def test_a_name_with_invisible_characters_is_not_given_to_a_note() -> None:
    for name in ("tools/a\u200bb.md", "tools/pin\U000e0020\U000e0061.md"):
        with pytest.raises(MemwikiError, match="not every system allows"):
            checked(name)
        made = slugged(name)
        assert made.isascii() and slugged(made) == made
    assert checked("tools/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.md")


COPIES = (
    "pnpm.sync-conflict-20261120-101112-ABCDEF7.md",
    "pnpm.sync-conflict-20150101-120000.md",
    "pnpm_conflict-20170623-100411.md",
    "pnpm (Ana's conflicted copy 2026-11-20).md",
    "pnpm (conflicted copy 2026-11-20 101112).md",
    "pnpm (Ana's conflicted copy 2026-11-20) (1).md",
    "pnpm (Conflicted copy MacBook 202611201011).md",
    "pnpm (In Konflikt stehende Kopie von Ana 2026-11-20).md",
    "pnpm (SFConflict ana@example.com 2026-11-20-10-11-12).md",
    "pnpm(Conflict_ana (Web browser)_2026-11-20-22-50-36).md",
    "pnpm (conflict #2 on 2026-11-20).md",
    "pnpm_Andy-PC_Jan-03-0901-2013_CaseConflict_1.md",
)
NAMES = (
    "how we solve a sync-conflict.md",
    "sync-conflict.md",
    "merge_conflict-resolution.md",
    "the conflicted copy of 2026-11-20.md",
    "notes (conflict on naming).md",
    "conflict_20261120.md",
    "a_b_c_conflict.md",
    "pnpm 2.md",
    "pnpm (1).md",
    "pnpm-LAPTOP7.md",
)


@pytest.mark.parametrize(("name", "copy"), [*((name, True) for name in COPIES), *((name, False) for name in NAMES)])
def test_case_62_only_unmistakable_names_are_conflict_copies(name: str, copy: bool) -> None:
    assert is_conflict_copy(f"tools/{name}") is copy
    assert is_note(f"tools/{name}") is not copy
