"""Notes that memwiki made are written one way; in any other note only the named lines change."""

import difflib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.vault.frontmatter import block_of, parse
from memwiki.vault.write import KEYS, add_lines, canonical, splice_key, splice_lines

CASES = Path(__file__).parent.parent / "cases"
HUMAN = (CASES / "22-fm-roundtrip-human-note" / "vault" / "human.md").read_bytes().decode()
CRLF = (CASES / "22-fm-roundtrip-human-note" / "vault" / "crlf.md").read_bytes().decode()


def fields(text: str) -> dict[str, Any]:
    note = parse("x.md", text.encode())
    assert note.problem is None
    known = {key: getattr(note, key) for key in KEYS}
    return {**known, **note.extra, "pin": note.pin}


def changed(old: str, new: str) -> tuple[list[str], list[str]]:
    """Removed and added lines, ends included."""
    a, b = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (old, new))
    diff = list(difflib.ndiff(a, b))
    return [line[2:] for line in diff if line[0] == "-"], [line[2:] for line in diff if line[0] == "+"]


# -- canonical


def test_keys_come_in_order_and_empty_ones_are_left_out() -> None:
    text = canonical(
        {
            "zeta": 1,
            "created": "2026-11-30",
            "type": "fact",
            "tags": ["b", "a: b", "2"],
            "pin": False,
            "title": "1.10",
            "description": 'say "no": # yes',
            "applies_to": ["*.ts"],
            "empty": [],
        },
        "First. Second one.\r\n",
    )
    assert text == (
        '---\ntitle: "1.10"\ndescription: "say \\"no\\": # yes"\ntype: fact\ntags: [b, "a: b", "2"]\n'
        'applies_to: ["*.ts"]\ncreated: 2026-11-30\nzeta: 1\n---\nFirst.\nSecond one.\n'
    )


def test_without_fields_there_is_no_block() -> None:
    assert canonical({}, "\n\nText.\n\n") == "Text.\n"
    assert canonical({"title": ""}, "") == ""


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("Use pnpm. Never npm! Why? Lockfiles.", "Use pnpm.\nNever npm!\nWhy?\nLockfiles.\n"),
        ("- one. two.\n- three", "- one. two.\n- three\n"),
        ("Use a tool, e.g. pnpm, etc. as it is.", "Use a tool, e.g. pnpm, etc. as it is.\n"),
        ("Version 1.2 of a.b is out.", "Version 1.2 of a.b is out.\n"),
        ("Run `a. B` first. Then stop.", "Run `a. B` first.\nThen stop.\n"),
        ("No stop\nSecond line", "No stop\nSecond line\n"),
        ("See 1. - not a list", "See 1. - not a list\n"),
        ("```\nOne. Two.\n```\n", "```\nOne. Two.\n```\n"),
        ("| a. B | c |\n|--|--|", "| a. B | c |\n|--|--|\n"),
        ("# Head. Line", "# Head. Line\n"),
        ("pnpmを使う。npmは使わない。", "pnpmを使う。\nnpmは使わない。\n"),
        ("(One. Two.) Three.", "(One. Two.)\nThree.\n"),
    ],
)
def test_one_statement_a_line(body: str, written: str) -> None:
    assert canonical({}, body) == written
    assert canonical({}, written) == written


@pytest.mark.parametrize("body", ["---\ntitle: second\n---\ntext", "---\nnever closed", "\n---\na: b\n---\n"])
def test_a_body_that_would_be_read_as_frontmatter_is_refused(body: str) -> None:
    with pytest.raises(MemwikiError, match="safely"):
        canonical({}, body)


SCALARS = st.one_of(
    st.text(max_size=20).filter(lambda text: text.encode("utf-8", "replace").decode() == text),
    st.sampled_from(
        ["yes", "~", "null", "1.10", "- a", "a: b", "#c", "[x]", "2026-11-30", "'", '"', "a #b", "é\u2028", "*x", "&y"]
    ),
)
LISTS = st.lists(
    SCALARS.map(lambda text: " ".join(text.split()).strip("#").strip()).filter(bool), max_size=3, unique=True
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "title": SCALARS,
        "description": SCALARS,
        "type": SCALARS,
        "tags": LISTS,
        "applies_to": LISTS,
        "pin": st.booleans(),
        "created": SCALARS,
        "other key": st.one_of(SCALARS, st.integers(), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)),
        "map": st.dictionaries(SCALARS, SCALARS, max_size=2),
    },
)
PROSE = st.lists(
    st.sampled_from(
        ["One. Two.", "- a", "", "```", "# H", "text", "    code. More.", "| x. Y |", "a\u2028b. C", "---", "日本。語"]
    ),
    max_size=6,
).map("\n".join)


@settings(max_examples=300, deadline=None)
@given(FIELDS, PROSE)
def test_canonical_of_what_was_parsed_round_trips(wanted: dict[str, Any], body: str) -> None:
    try:
        text = canonical(wanted, body)
    except MemwikiError:
        assume(False)
    note = parse("x.md", text.encode())
    assert note.problem is None
    for key, value in wanted.items():
        if key in ("tags", "applies_to"):
            assert list(getattr(note, key)) == [item.strip() for item in value]
        elif key in ("created", "type"):
            assert getattr(note, key) == value.strip()
        elif key in ("title", "description") and value.strip():
            assert getattr(note, key).rstrip("…") in " ".join(value.split())
        elif key == "pin":
            assert note.pin == value
        elif key not in KEYS and value not in ("", {}):
            assert note.extra[key] == value or str(note.extra[key]) == str(value)
    assert canonical(wanted, note.body) == text


# -- one key


def test_case_22_one_key_is_one_line() -> None:
    new = splice_key(HUMAN, "status", "final")
    assert changed(HUMAN, new) == (["status: draft\n"], ["status: final\n"])
    new = splice_key(CRLF, "status", "final")
    assert changed(CRLF, new) == (["status: draft\r\n"], ["status: final\r\n"])
    assert new.count("\r\n") == new.count("\n")


@pytest.mark.parametrize(
    ("key", "value", "removed", "added"),
    [
        (
            "title",
            "Deploy: it's",
            "title:   'Deploy: how'   # keep quotes\n",
            "title:   'Deploy: it''s'   # keep quotes\n",
        ),
        ("zeta", 2, "zeta: 1\n", "zeta: 2\n"),
        ("tags", ["one", "two", "a, b"], "tags: [ one,two ]\n", 'tags: [one, two, "a, b"]\n'),
        ("pin", True, "", "pin: true\n"),
        ("alpha", None, "alpha: 2\n", ""),
        ("copy", "x", "copy: *b\n", "copy: x\n"),
    ],
)
def test_a_key_changes_in_its_own_style(key: str, value: Any, removed: str, added: str) -> None:
    new = splice_key(HUMAN, key, value)
    assert changed(HUMAN, new) == ([removed] if removed else [], [added] if added else [])
    assert new.endswith("body without final newline")


def test_folded_text_becomes_one_line_and_its_neighbours_stay() -> None:
    new = splice_key(HUMAN, "summary", "short")
    assert changed(HUMAN, new) == (["summary: >-\n", "  folded text\n", "  over lines\n"], ["summary: short\n"])


@pytest.mark.parametrize("key", ["base", "unknown"])
def test_what_cannot_be_done_safely_is_refused(key: str) -> None:
    text = HUMAN if key == "base" else "# no block\n"
    with pytest.raises(MemwikiError, match="safely"):
        splice_key(text, key, "x")


LIST = "---\ntags:\n  # first ones\n  - a   # why a\n  - 'b'\nother: 1\n---\nbody\n"
PLAIN_LIST = "---\r\ntags:\r\n  - a   # why a\r\n  - 'b'\r\n# about other\r\nother: 1\r\n---\r\nbody"


def test_items_of_a_list_keep_their_lines_and_comments() -> None:
    new = splice_key(PLAIN_LIST, "tags", ["a", "b", "c"])
    assert changed(PLAIN_LIST, new) == ([], ["  - c\r\n"])
    assert changed(PLAIN_LIST, splice_key(PLAIN_LIST, "tags", ["b"])) == (["  - a   # why a\r\n"], [])
    assert fields(splice_key(PLAIN_LIST, "tags", []))["tags"] == ()
    new = splice_key(LIST, "tags", ["a", "b", "c"])
    assert changed(LIST, new) == ([], ["  - c\n"])


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("k:\n  - a\n  # note\n  - b\n", ["b"]),
        ("k:\n  - - a\n    - b\n", ["x"]),
        ("k:\n  - a\n", "x"),
        ("k: {a: 1}\n", "x"),
        ("k: [a, # why\n  b]\n", ["a"]),
        ("k: &x 1\nl: *x\n", "2"),
        ("{k: v}\n", "x"),
    ],
)
def test_values_with_something_to_lose_are_refused(block: str, value: Any) -> None:
    with pytest.raises(MemwikiError, match="safely"):
        splice_key(f"---\n{block}---\nbody\n", "k", value)


@pytest.mark.parametrize("case", ["18-fm-unparseable-yaml", "24-fm-duplicates-tabs-bombs", "19-fm-no-second-block"])
def test_notes_with_a_problem_are_never_edited(case: str) -> None:
    """Cases 18.3, 19.1 and 24.1: the edit is refused with the reason."""
    seen = 0
    for file in (CASES / case / "vault").rglob("*.md"):
        text = file.read_bytes().decode()
        if problem := parse("x.md", text.encode()).problem:
            seen += 1
            word = text.split()[-1]
            for edit in (
                lambda text=text: splice_key(text, "status", "x"),
                lambda text=text, word=word: splice_lines(text, word, "x"),
                lambda text=text: add_lines(text, "x"),
            ):
                with pytest.raises(MemwikiError, match=re.escape(problem.message)):
                    edit()
    assert seen


def test_case_19_an_edit_makes_no_second_block() -> None:
    a, c = ((CASES / "19-fm-no-second-block/vault/tools" / name).read_text() for name in ("a.md", "c.md"))
    new = splice_key(splice_lines(a, "old text", "new text"), "status", "x")
    assert new.count("---\n") == 2 and fields(new)["name"] == "a" and new.endswith("# A\nnew text\n")
    assert add_lines(c, "plus") == "# C\nplain\n\n- plus\n"
    with pytest.raises(MemwikiError):
        splice_key(c, "status", "x")


KEY = st.sampled_from(["title", "status", "tags", "n", "text", "list", "quoted", "none", "new"])
VALUE = st.one_of(SCALARS, st.integers(), st.booleans(), st.lists(SCALARS, max_size=3))
TEMPLATE = (
    "---\n# top\ntitle: 'a'  # t\nstatus: b # s\ntags: [x, y] # g\nn: 1\nquoted: \"q\"\nnone:\n"
    "text: |\n  one\n  two\n\nlist:\n- i\n- j # jj\nlast: z\n---\nbody\n\nend"
)


@settings(max_examples=300, deadline=None)
@given(KEY, VALUE, st.booleans())
def test_a_splice_of_one_key_changes_only_its_lines(key: str, value: Any, crlf: bool) -> None:
    text = TEMPLATE.replace("\n", "\r\n") if crlf else TEMPLATE
    try:
        new = splice_key(text, key, value)
    except MemwikiError:
        assert key == "list" and not isinstance(value, list)
        return
    before, after = fields(text), fields(new)
    before.pop(key, None), after.pop(key, None)
    assert {k: v for k, v in before.items() if k != "description"} == {
        k: v for k, v in after.items() if k != "description"
    }
    removed, added = changed(text, new)
    near = {"text": ("text:", "  one", "  two"), "list": ("list:", "- ")}.get(key, (f"{key}:",))
    assert all(line.startswith(near) for line in removed + added), (removed, added)
    assert new.count("\r\n") == (new.count("\n") if crlf else 0)
    assert text[block_of(text)[1] :] == new[block_of(new)[1] :]


# -- lines


def test_lines_are_replaced_by_whole_lines() -> None:
    text = "---\na: 1\n---\n# T\n- one\n- two\n"
    assert splice_lines(text, "- one", "- uno\n- dos") == "---\na: 1\n---\n# T\n- uno\n- dos\n- two\n"
    assert splice_lines(text, "- one\n- two", "") == "---\na: 1\n---\n# T\n"
    assert splice_lines(text, "one", "uno") == "---\na: 1\n---\n# T\n- uno\n- two\n"


def test_case_22_line_ends_and_a_missing_last_one_stay() -> None:
    assert splice_lines(CRLF, "line one", "line 1\nand more") == CRLF.replace("line one", "line 1\r\nand more")
    new = splice_lines(HUMAN, "body without final newline", "other")
    assert new == HUMAN.replace("body without final newline", "other") and not new.endswith("\n")
    mixed = "a\r\nb\nc\r\n"
    assert splice_lines(mixed, "b", "x\ny") == "a\r\nx\ny\nc\r\n"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("a\nb\na\n", "a", "x"),
        ("a\nb\n", "c", "x"),
        ("a\nb\n", " ", "x"),
        ("---\nk: v\n---\nbody\n", "k: v", "k: w"),
        ("a\nb\n", "a", "---\nk: v\n---"),
        ("a\n---\nb: 1\n---\n", "a", ""),
        ("# T\n", "# T", "---\nnever"),
    ],
)
def test_lines_that_are_not_there_once_or_would_make_a_block_are_refused(text: str, old: str, new: str) -> None:
    with pytest.raises(MemwikiError, match="safely"):
        splice_lines(text, old, new)


@pytest.mark.parametrize(
    ("text", "lines", "result"),
    [
        ("# T\n\n* a\n* b\n", "c\n- d", "# T\n\n* a\n* b\n* c\n* d\n"),
        ("1. a\n2. b", "c\nd", "1. a\n2. b\n3. c\n4. d"),
        ("- a\n  more of a\n\n  still\n\n\n", "b", "- a\n  more of a\n\n  still\n- b\n\n\n"),
        ("Prose.\r\n", "a", "Prose.\r\n\r\n- a\r\n"),
        ("", "a", "- a\n"),
        ("---\na: 1\n---\n", "---", "---\na: 1\n---\n- ---\n"),
        ("---\na: 1\n---", "x", "---\na: 1\n---\n- x"),
        ("- a\n", "## New\n\ntext", "- a\n\n## New\n\ntext\n"),
    ],
)
def test_statements_are_added_to_the_last_list(text: str, lines: str, result: str) -> None:
    assert add_lines(text, lines) == result
    assert add_lines(text, lines.split("\n")) == result


@pytest.mark.parametrize("text", ["```\nopen\n", "~~~ x\n```\n", "<!-- open\n"])
def test_nothing_is_added_inside_open_code(text: str) -> None:
    with pytest.raises(MemwikiError, match="never closed"):
        add_lines(text, "x")


LINES = st.lists(
    st.sampled_from(
        ["- a", "- b", "text", "", "---", "k: v", "```", "# H", "1. x", "  in", "\ttab", "é\u2028x", "> q"]
    ),
    max_size=8,
)


@settings(max_examples=300, deadline=None)
@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_an_edit_of_the_body_leaves_the_block_to_the_byte(
    body: list[str], new: list[str], end: str, final: bool, framed: bool
) -> None:
    head = f"---{end}title:   'x' # c{end}k: [ 1,2 ]{end}---{end}" if framed else ""
    text = head + end.join(body) + (end if final else "")
    for edit in (lambda: add_lines(text, new), lambda: splice_lines(text, body[0], "\n".join(new))):
        try:
            done = edit()
        except (MemwikiError, IndexError):
            continue
        assert done.startswith(head) and block_of(done) == block_of(text)
        assert parse("x.md", done.encode()).problem is None
        assert done.count("\r\n") == (done.count("\n") if "\r\n" in text else 0)
        removed, _ = changed(text, done)
        assert len(removed) <= 1 and done.count("\n") >= text.count("\n") - 1
