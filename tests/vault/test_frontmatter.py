"""Notes are read strictly, completely and without an error, whatever their bytes are."""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.vault.frontmatter import parse
from memwiki.vault.note import Note, Problem

CASES = Path(__file__).parent.parent / "cases"


def note(text: str, path: str = "tools/pnpm.md") -> Note:
    return parse(path, text.encode())


def from_case(case: str) -> dict[str, Note]:
    (folder,) = CASES.glob(f"{case}-*")
    vault = folder / "vault"
    return {
        str(file.relative_to(vault)): parse(str(file.relative_to(vault)), file.read_bytes())
        for file in vault.rglob("*.md")
    }


def test_a_whole_note() -> None:
    read = note(
        "---\ntitle: pnpm\ndescription: use pnpm,\n  not npm\ntype: preference\ntags: [js, '#web']\n"
        "applies_to:\n- '*.ts'\npin: true\ncreated: 2026-11-30\nrating: 7\n---\n# Other\n\nUse pnpm.\n"
    )
    assert (read.title, read.description, read.type) == ("pnpm", "use pnpm, not npm", "preference")
    assert (read.tags, read.applies_to, read.pin, read.created) == (("js", "web"), ("*.ts",), True, "2026-11-30")
    assert read.extra == {"rating": 7}
    assert (read.body, read.body_line, read.problem) == ("# Other\n\nUse pnpm.\n", 13, None)
    assert read.card == "tools/pnpm.md: use pnpm, not npm"


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        ("", "pnpm", "pnpm"),
        ("---\ntitle: T\n---\n# H\n\nBody. More.\n", "T", "T"),
        ("# The *heading*\n\nBody. More.\n", "The heading", "The heading"),
        ("```sh\n# no heading\n```\n\nThe first. The second.\n", "pnpm", "The first."),
        ("Title\n=====\n\ntext\n", "Title", "Title"),
        ("- Use pnpm, e.g. pnpm dlx. Never npm.\n- Other\n", "pnpm", "Use pnpm, e.g. pnpm dlx."),
        ("パッケージはpnpm。npmは使わない。\n", "pnpm", "パッケージはpnpm。"),
        ("See [[tools/npm|npm]] and [docs](https://x.y/z).\n", "pnpm", "See npm and docs."),
        ("---\ntype: fact\n---\n" + "word " * 60, "pnpm", ("word " * 32).strip()[:158].rstrip() + "…"),
        ("<private>\n# Boat\nA boat.\n</private>\nIn May.\n", "pnpm", "In May."),
        ("---\ntitle: A <private>boat</private>\ndescription: <private>boat\n---\nIn May.\n", "A", "A"),
        ("---\ntitle:\ndescription: ''\n---\n| a | b |\n|---|---|\n", "pnpm", "pnpm"),
    ],
)
def test_what_stands_in_for_title_and_description(text: str, title: str, description: str) -> None:
    read = note(text)
    assert read.title == title
    assert len(read.description) <= 160
    assert read.description.rstrip("…").startswith(description.rstrip("…")[:100])


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("1.10", "1.10"),
        ("1.5", "1.5"),
        ("007", "007"),
        ("yes", "yes"),
        ("true", "true"),
        ("2026-13-45", "2026-13-45"),
        ("2026-11-30 10:00:00 +25:99", "2026-11-30 10:00:00 +25:99"),
        ("12:30", "12:30"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        (".nan", ".nan"),
        ("9" * 5000, "9" * 159 + "…"),
        ("null", ""),
        ("~", ""),
        ("[a, b]", "a, b"),
        ("{a: b}", ""),
    ],
)
def test_odd_scalars_stay_as_they_were_written(value: str, read: str) -> None:
    parsed = note(f"---\ntitle: {value}\nkept: {value}\n---\n")
    assert parsed.problem is None
    assert parsed.title == (read or "pnpm")
    json.dumps(parsed.extra["kept"], allow_nan=False)


def test_a_foreign_type_is_kept_as_it_is() -> None:
    assert note("---\ntype: recipe\n---\n").type == "recipe"
    assert note("---\ntype: ['[[Cities]]', b]\n---\n").type == "[[Cities]], b"
    assert note("---\ntype: []\n---\n").type == ""


@pytest.mark.parametrize(
    ("tags", "read"),
    [("a, b", ("a", "b")), ("'#a b'", ("a", "b")), ("[a, null, a, 1.0]", ("a", "1.0")), ("{a: 1}", ())],
)
def test_tags_in_any_form(tags: str, read: tuple[str, ...]) -> None:
    assert note(f"---\ntags: {tags}\n---\n").tags == read


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        ("aliases: [CI, build farm]", ("CI", "build farm")),
        ("aliases:\n  - CI\n  - build farm\n  - 7", ("CI", "build farm", "7")),
        ("aliases: CI, build farm ,", ("CI", "build farm")),
        ("alias: CI", ("CI",)),
        ("alias: CI\naliases: [farm, CI, NO, null, '']", ("farm", "CI", "NO")),
        ("aliases: <private>Bob</private>", ()),
        ("aliases: {a: 1}", ()),
        ("title: null", ("null",)),
        ("title: ~", ("~",)),
        ("title:", ()),
    ],
)
def test_case_79_aliases_in_any_form(lines: str, read: tuple[str, ...]) -> None:
    assert note(f"---\n{lines}\n---\n").aliases == read


def test_case_18_unparseable_yaml_is_named_with_its_line_and_the_body_stays() -> None:
    notes = from_case("18")
    lines = {path: read.problem.line for path, read in notes.items() if read.problem}
    assert lines == {
        "tools/colon.md": 2,
        "tools/winpath.md": 3,
        "tools/star.md": 2,
        "tools/wikilist.md": 4,
        "tools/unclosed.md": 1,
    }
    assert sorted(f"MARK-{n}" for n in range(1, 8)) == sorted(
        next(word for word in read.body.split() if word.startswith("MARK-")) for read in notes.values()
    )
    assert notes["tools/good2.md"].title == "Quoted: fine"


def test_case_19_a_second_block_is_a_problem_and_stays_in_the_body() -> None:
    notes = from_case("19")
    assert notes["tools/b.md"].problem == Problem(5, "a second frontmatter block")
    assert "ZULU explains b" in notes["tools/b.md"].body
    assert notes["tools/a.md"].problem is None and notes["tools/a.md"].description == "what A explains"
    assert notes["tools/c.md"].problem is None and notes["tools/c.md"].title == "C"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n---\ntitle: late\n---\nbody\n", 2),
        ("---\n---\nbody\n", 1),
        ("---\n# only a comment\n---\nbody\n", 1),
        ("---\nbody\n", 1),
        ("---", 1),
        ("---\na: 1\n---\n\n\n---\nb: [[x]]y\nlist:\n- 1\n---\nbody\n", 6),
        ("---\r\na: 1\r\n---\r\n---\r\nb: 1\r\n---\r\nbody\r\n", 4),
        ("---\na: 1\n--- b\n---\nbody\n", 3),
        ("---\na: \x07\n---\nbody\n", 2),
        ("---\na: *a\n---\nbody\n", 2),
        ("---\na: &a [*a]\n---\nbody\n", 2),
        ("---\n? [a]\n: 1\n---\nbody\n", 2),
        ("---\n<<: 1\n---\nbody\n", 2),
    ],
)
def test_other_blocks_that_are_refused(text: str, line: int) -> None:
    read = note(text)
    assert read.problem is not None and read.problem.line == line, read.problem
    assert "body" in read.body or "body" not in text


@pytest.mark.parametrize(
    "text",
    [
        "----\ntitle: a banner\n----\nbody\n",
        "--- \ntitle: no fence\n---\nbody\n",
        "text\n---\nb: 1\n---\nbody\n",
        "---\na: 1\n---\n---\n\nprose between: rules\nand more\n\n---\nbody\n",
        "\ufeff---\na: 1\n---\nbody\n",
        "---\na: 1\n---",
    ],
)
def test_what_is_no_problem(text: str) -> None:
    read = note(text)
    assert read.problem is None
    assert "body" in read.body or "body" not in text


def test_prose_between_two_rules_is_body() -> None:
    read = note("---\n\n# Heading\n\nprose\n\n---\n\nmore\n")
    assert read.problem is not None and read.title == "Heading"
    assert "prose" in read.body and "more" in read.body


def test_text_that_is_not_utf8_is_named_by_line() -> None:
    read = parse("a.md", b"fine\nna\xefve\n")
    assert read.problem == Problem(2, "a byte that is not UTF-8") and "ve" in read.body
    wide = parse("a.md", "# Wide\n\ntext\n".encode("utf-16"))
    assert wide.problem is not None and wide.title == "Wide"


def test_case_24_duplicates_tabs_tags_and_templates() -> None:
    notes = from_case("24")
    problems = {path.removesuffix(".md"): read.problem for path, read in notes.items()}
    assert problems["dup"] == Problem(4, "the key 'title' is there twice")
    assert problems["tab"] == Problem(4, "a tab cannot indent YAML")
    assert problems["tagged"] is not None and problems["tagged"].line == 2
    assert not Path("/tmp/memwiki-pwned").exists()
    assert problems["template"] is not None and "{{...}}" in problems["template"].message
    assert problems["merge"] is None and notes["merge.md"].extra == {"base": {"x": 1}, "x": 1}
    assert notes["merge.md"].title == "Merge"
    for name, body in (("dup", "DUPBODY"), ("tab", "TABBODY"), ("tagged", "TAGBODY"), ("template", "TPLBODY")):
        assert notes[f"{name}.md"].body == f"{body}\n"
        assert notes[f"{name}.md"].title == name  # nothing of the block is used


def test_case_24_bombs_and_deep_nesting_are_refused_in_no_time() -> None:
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    notes = from_case("24")
    for name, body in (("bomb.md", "BOMBBODY"), ("deep.md", "DEEPBODY")):
        assert notes[name].problem is not None and notes[name].body == f"{body}\n"
        assert json.dumps(notes[name].extra) == "{}"
    for block in (
        "[" * 50_000,
        "{a: " * 10_000,
        "- " * 30_000,
        "? " * 30_000,
        "\n".join(" " * n + "a:" for n in range(300)),
    ):
        assert parse("x.md", f"---\nd: 1\ne:\n  {block}\n---\nbody\n".encode()).problem is not None
    assert time.monotonic() - started < 1.0  # the case's own bounds: 1 s and 50 MB
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_shared_anchors_are_read() -> None:
    read = note("---\nbase: &b {owner: ana}\ncopy: *b\n---\n")
    assert read.extra == {"base": {"owner": "ana"}, "copy": {"owner": "ana"}}


def test_without_libyaml_the_same_is_read() -> None:
    """The pure Python loader stands in where PyYAML was built without libyaml."""
    code = (
        "import yaml; del yaml.CSafeLoader\n"
        "from memwiki.vault.frontmatter import parse\n"
        "n = parse('a.md', b'---\\ntitle: 1.10\\nlist: [1, x]\\n---\\nb\\n'); print(n.title, n.extra)\n"
        "print(parse('a.md', b'---\\na: 1\\na: 2\\n---\\nb\\n').problem)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert done.stdout.splitlines() == [
        "1.10 {'list': [1, 'x']}",
        "Problem(line=3, message=\"the key 'a' is there twice\")",
    ]


FENCES = st.sampled_from([b"---\n", b"---\r\n", b"--- \n", b"----\n", b"\xef\xbb\xbf---\n", b"...\n", b"```\n", b"\n"])
YAMLISH = st.sampled_from(
    [
        b"title: x\n",
        b"a: &a [1]\n",
        b"b: *a\n",
        b"- x\n",
        b"\tk: v\n",
        b"{{date}}\n",
        b"!!x y\n",
        b"? k\n",
        b"<<: *a\n",
        b"# c\n",
    ]
)
BYTES = st.lists(st.one_of(FENCES, YAMLISH, st.binary(max_size=20)), max_size=12).map(b"".join)


@settings(max_examples=400, deadline=None)
@given(BYTES)
def test_parse_never_raises_and_keeps_every_byte(data: bytes) -> None:
    read = parse("a/b.md", data)
    assert read.title and read.description and len(read.description) <= 160
    ends_in_cr = read.problem is not None and "CR alone" in read.problem.message
    assert ends_in_cr or read.text.endswith(read.body)
    if read.problem is None:
        assert read.text.encode() == data
    else:
        assert 1 <= read.problem.line <= data.count(b"\n") + 1 or data[:2] in (b"\xff\xfe", b"\xfe\xff")
        assert not read.extra and not read.tags and not read.type
    json.dumps(read.extra, allow_nan=False)


BLOCK = "---\ntitle: pnpm\ntags: [js]\n---\nUse pnpm.\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"\ufeff\ufeff{BLOCK}", "two byte order marks"),
        ("\ufeff\ufeffplain\n", "two byte order marks"),
        (f"\u200b{BLOCK}", "U+200B"),
        (f"\ufeff\u200b{BLOCK}", "U+FEFF U+200B"),
        (BLOCK.replace("\n", "\r"), "its lines end in CR alone"),
        (BLOCK.replace("\n", "\r", 3) + "more\n", "its lines end in CR alone"),
    ],
)
def test_an_odd_beginning_is_named_and_read_all_the_same(text: str, words: str) -> None:
    read = note(text)
    assert read.problem is not None
    assert (read.problem.line, words in read.problem.message) == (1, True)
    if "title" in text:
        assert (read.title, read.tags) == ("pnpm", ("js",))
        assert read.body.startswith("Use pnpm.")
    assert read.text == text


@pytest.mark.parametrize("text", [f"\ufeff{BLOCK}", BLOCK.replace("\n", "\r\n"), "one\r\ntwo\n"])
def test_one_byte_order_mark_and_line_ends_of_windows_are_no_fault(text: str) -> None:
    assert note(text).problem is None
