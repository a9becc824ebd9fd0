"""A candidate is decided line by line."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.review.units import units, with_units, words

OLD = "# Git\n\n- squash before merging\n- never force-push\n- sign commits\n"


def test_a_changed_line_and_an_added_one_are_two_units() -> None:
    new = "# Git\n\n- squash before merging\n- never force-push to main\n- sign commits\n- branch from main\n"
    found = units(OLD, new)
    assert [(unit.number, unit.line, unit.removed, unit.added) for unit in found] == [
        (1, 4, ("- never force-push",), ("- never force-push to main",)),
        (2, 6, (), ("- branch from main",)),
    ]
    assert with_units(OLD, new, {1}) == OLD.replace("force-push", "force-push to main")
    assert with_units(OLD, new, {2}) == OLD + "- branch from main\n"


def test_a_new_notes_frontmatter_comes_with_the_first_line_taken() -> None:
    new = "---\ntitle: Git\ntype: fact\n---\n\n- one\n- two\n"
    assert [unit.added for unit in units(None, new)] == [("- one",), ("- two",)]
    assert with_units(None, new, {2}) == "---\ntitle: Git\ntype: fact\n---\n\n- two\n"
    assert with_units(None, new, set()) is None


def test_a_deletion_can_be_refused_line_by_line() -> None:
    assert [unit.removed for unit in units("a\nb\n", None)] == [("a",), ("b",)]
    assert with_units("a\nb\n", None, {1}) == "b\n"
    assert with_units("a\nb\n", None, {1, 2}) is None


def test_line_ends_of_the_note_are_kept() -> None:
    assert with_units("a\r\nb\r\n", "a\r\nb\r\nc\r\nd\r\n", {2}) == "a\r\nb\r\nd\r\n"


def test_words_are_compared_inside_a_line() -> None:
    pieces = words("- use npm for installs", "- use pnpm for installs")
    assert pieces == [("same", "- use "), ("removed", "npm "), ("added", "pnpm "), ("same", "for installs")]


LINES = st.lists(st.sampled_from(["- a", "- b", "- c", "", "text", "# head"]), max_size=8)


@given(LINES, LINES)
def test_taking_all_gives_the_new_text_and_none_the_old(old: list[str], new: list[str]) -> None:
    before, after = "".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new)
    found = units(before, after)
    if found:
        assert with_units(before, after, {unit.number for unit in found}) == after
    assert with_units(before, after, set()) == before
