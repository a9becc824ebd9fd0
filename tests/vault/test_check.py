"""What doctor says about notes."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.errors import Finding
from memwiki.vault.check import findings
from memwiki.vault.git import Git
from memwiki.vault.tree import Tree

CASES = Path(__file__).parent.parent / "cases"
Plain = Callable[..., str]


@pytest.fixture
def found(tmp_path: Path, git: Plain) -> Callable[..., list[Finding]]:
    top = tmp_path / "vault"

    def check(files: dict[str, str], **options: object) -> list[Finding]:
        for path, text in files.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_bytes(text.encode())
        git(tmp_path, "init", "-q", "-b", "main", str(top))
        return findings(Tree(Git(top)), **options)  # type: ignore[arg-type]

    return check


def test_a_vault_without_faults_has_no_findings(found: Callable[..., list[Finding]]) -> None:
    assert found({"tools/a.md": "---\ntype: fact\n---\n[[b]]\n", "b.md": "x", "README.md": "[[z]]", "n.txt": "x"}) == []


@pytest.mark.parametrize(("case", "paths"), [("18-fm-unparseable-yaml", 5), ("24-fm-duplicates-tabs-bombs", 6)])
def test_case_18_and_24_each_broken_note_is_named_with_its_line(
    found: Callable[..., list[Finding]], case: str, paths: int
) -> None:
    vault = CASES / case / "vault"
    files = {str(file.relative_to(vault)): file.read_bytes().decode() for file in vault.rglob("*.md")}
    named = [finding for finding in found(files) if "frontmatter" in finding.remedy]
    assert len(named) == paths
    for finding in named:
        path, line, reason = finding.message.split(":", 2)
        assert path in files and 1 <= int(line) <= files[path].count("\n") and len(reason) > 5


def test_case_19_a_second_block_is_named(found: Callable[..., list[Finding]]) -> None:
    text = (CASES / "19-fm-no-second-block" / "vault" / "tools" / "b.md").read_text()
    (finding,) = found({"tools/b.md": text})
    assert finding.message == "tools/b.md:5: a second frontmatter block."


def test_case_25_a_collision_is_named_in_both_forms(found: Callable[..., list[Finding]]) -> None:
    (finding,) = found({"tools/re\u0301sume\u0301.md": "a", "tools/r\u00e9sum\u00e9.md": "b"})
    assert r"'tools/re\u0301sume\u0301.md'" in finding.message and r"'tools/r\xe9sum\xe9.md'" in finding.message
    assert (
        len([one for one in found({"Tools/x.md": "a", "tools/X.md": "b"}) if "one on many systems" in one.message]) == 2
    )


def test_case_27_a_reserved_name_is_indexed_and_warned_of(found: Callable[..., list[Finding]]) -> None:
    text = (CASES / "27-names-long-reserved" / "vault" / "tools" / "aux.md").read_text()
    (finding,) = found({"tools/aux.md": text})
    assert "tools/aux.md" in finding.message and "Windows" in finding.message and finding.level == "warning"


def test_case_28_links_are_named_once_each(tmp_path: Path, git: Plain) -> None:
    subprocess.run(["bash", CASES / "28-fs-symlinks" / "setup.sh", tmp_path], check=True)
    git(tmp_path / "vault", "init", "-q", "-b", "main")
    named = [finding.message.split(" ")[0] for finding in findings(Tree(Git(tmp_path / "vault")))]
    assert named == ["linkdir", "tools/b-alias.md", "tools/dangling.md", "tools/link-out.md", "tools/loop"]


def test_foreign_types_and_broken_links_are_counted_once(found: Callable[..., list[Finding]]) -> None:
    files = {f"{n}.md": f"---\ntype: recipe\n---\n[[nowhere]] [[{n}]] [x](gone.md) [[a.pdf]]\n" for n in range(7)}
    kinds, links = found(files)
    assert kinds.message == "The type recipe of 0.md, 1.md, 2.md, 3.md, 4.md and 2 more is none of memwiki's."
    assert links.message.startswith("14 links lead to no note: 0.md:4, 0.md:4, 1.md:4")
    assert {kinds.level, links.level} == {"note"}


@pytest.mark.parametrize(
    ("everywhere", "shop", "lines"), [(5, 0, 0), (0, 5, 0), (3, 3, 1), (6, 0, 1), (6, 6, 1), (0, 6, 1)]
)
def test_too_many_pins(found: Callable[..., list[Finding]], everywhere: int, shop: int, lines: int) -> None:
    pinned = "---\npin: true\n---\nx\n"
    files = {f"tools/{n}.md": pinned for n in range(everywhere)} | {f"project/shop/{n}.md": pinned for n in range(shop)}
    named = found(files | {"project/other/x.md": pinned if everywhere < 5 else "x", "y.md": "y"})
    assert len(named) == lines and all("are pinned" in finding.message for finding in named)


def test_large_notes_and_secrets(found: Callable[..., list[Finding]]) -> None:
    def secrets(text: str) -> list[tuple[int, str]]:
        return [(text[: text.index("SECRET")].count("\n") + 1, "a word")] if "SECRET" in text else []

    secret, large = found({"big.md": "é" * 32769, "s.md": "a\nSECRET\n", "fine.md": "é" * 32768}, secrets=secrets)
    assert secret.message == "s.md:2: this looks like a secret (a word)." and secret.level == "error"
    assert large.message == "big.md has 65,538 bytes, over the limit of 65,536."


def test_case_62_conflict_copies_and_doubles_are_named(found: Callable[..., list[Finding]]) -> None:
    text = "Use pnpm, never npm, to install dependencies in the storefront."
    names = ("pnpm 2", "pnpm (1)", "pnpm-LAPTOP7", "pnpm.Conflict", "pnpm copy")
    files = {f"tools/{name}.md": text.replace("npm,", "yarn,", 1) for name in names}
    files |= {"tools/pnpm.md": text, "tools/pnpm-workspaces.md": "Packages live below packages/, one folder each."}
    copy = "tools/pnpm.sync-conflict-20261120-101112-ABCDEF7.md"
    told = found({**files, copy: text})
    assert [one.message for one in told if one.level == "warning" and "conflict copy" in one.message] == [
        f"{copy} is the conflict copy of a file sync, and no memory."
    ]
    doubles = [one.message.partition(" says")[0] for one in told if "says nearly" in one.message]
    assert sorted(doubles) == sorted(f"tools/{name}.md" for name in names)


def test_an_unresolved_merge_is_named_with_its_line(found: Callable[..., list[Finding]]) -> None:
    told = found(
        {
            "a.md": "one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> other\n",
            "half.md": "one\n=======\nthree\n>>>>>>> other\n",
            "heading.md": "A heading\n=======\n\n> quoted\n",
            "example.md": "    <<<<<<< HEAD\n    =======\n    >>>>>>> other\n",
        }
    )
    assert [one.message for one in told] == [
        "a.md:2: an unresolved merge conflict.",
        "half.md:4: an unresolved merge conflict.",
    ]


def test_case_70_invisible_characters_are_named_with_their_lines(found: Callable[..., list[Finding]]) -> None:
    tags = "".join(chr(0xE0000 + ord(char)) for char in " run evil")
    (finding,) = found(
        {"tools/tag.md": f"# Tag\r\n\r\nWe pin.{tags}\r\none\x1b[2Ktwo\u200b\u200b\n", "b.md": "1\u20443"}
    )
    assert finding.message == (
        "tools/tag.md holds invisible characters (line 3: <tags ' run evil'>; line 4: <U+001B> <U+200B x2>)."
    )
    assert "memwiki show" in finding.remedy


def test_many_invisible_characters_are_one_finding(found: Callable[..., list[Finding]]) -> None:
    (finding,) = found({"a.md": "a\u200bb\n" * 8_000})
    assert finding.message.startswith("a.md holds invisible characters (line 1: <U+200B>;")
    assert finding.message.endswith("; 7995 more lines).")
