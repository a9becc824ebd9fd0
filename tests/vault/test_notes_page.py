"""docs/notes.md says what the code does."""

import re
from pathlib import Path

from memwiki.vault.block import MAX_DEPTH, MAX_VALUES
from memwiki.vault.check import MAX_PINS
from memwiki.vault.frontmatter import parse
from memwiki.vault.note import TYPES
from memwiki.vault.paths import MAX_COMPONENT, MAX_NOTE, MAX_PATH
from memwiki.vault.write import KEYS, canonical

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "notes.md").read_text("utf-8")
TEMPLATE = ROOT / "vault-template"


def rows(heading: str) -> list[list[str]]:
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_table_of_types_is_the_codes() -> None:
    assert rows("Types") == [[f"`{name}`", meaning] for name, meaning in TYPES.items()]


def test_the_table_of_keys_is_in_the_order_of_the_writer() -> None:
    assert [row[0] for row in rows("Format")] == [f"`{key}`" for key in KEYS]


def test_the_limits_are_the_codes() -> None:
    limits = {name: text for name, text in rows("Limits")}  # noqa: C416
    assert limits["a note"].startswith(f"{MAX_NOTE // 1024} KiB")
    assert limits["pinned notes in a project"] == str(MAX_PINS)
    assert f"at most {MAX_PATH} bytes below the vault and {MAX_COMPONENT} for each part" in PAGE
    assert f"more than {MAX_DEPTH} levels, or {MAX_VALUES:,} values" in PAGE


def test_the_example_notes_are_as_memwiki_would_write_them() -> None:
    for page in (PAGE, (TEMPLATE / "README.md").read_text("utf-8")):
        (example,) = re.findall(r"^```markdown\n(---\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
        note = parse("tools/pnpm.md", example.encode())
        assert note.problem is None and note.type in TYPES
        fields = {"title": note.title, "description": note.description, "type": note.type, "tags": list(note.tags)}
        assert canonical(fields, note.body) == example


def test_the_template_holds_no_memory() -> None:
    files = {str(path.relative_to(TEMPLATE)) for path in TEMPLATE.rglob("*") if path.is_file()}
    assert files == {
        ".gitattributes", ".gitignore", "README.md", "profile/README.md", "project/README.md", "tools/README.md"
    }  # fmt: skip
    assert (TEMPLATE / ".gitattributes").read_text() == "*.md text eol=lf\n"
