"""The text of an injection, for any notes and any limit."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.capture.private import without_injected
from memwiki.recall.render import CLOSING, GUIDE, OPENING, Item, render

BODIES = st.text("ab é✓\n<>/memwiki", max_size=400)


@st.composite
def items(draw: st.DrawFn) -> list[Item]:
    """Up to twelve notes with bodies of any size."""
    found = []
    for number in range(draw(st.integers(0, 12))):
        body = draw(BODIES) * draw(st.sampled_from([1, 1, 20]))
        words = draw(st.text("abc é", max_size=60))
        found.append(
            Item(f"n/{number}.md", draw(st.sampled_from(["", "fact"])), words, body, str(number), draw(st.booleans()))
        )
    return found


@given(items(), st.integers(0, 9500), st.booleans(), st.integers(0, 12), st.lists(st.text("abc é", max_size=80)))
def test_an_injection_keeps_its_limit_and_cuts_nothing(
    every: list[Item], limit: int, guided: bool, most: int, last: list[str]
) -> None:
    ends = [f"{line}.\n" for line in last]
    notes, cards = every[:most], every[most:]
    text, whole = render(notes, limit, GUIDE if guided else "", cards, len(last), ends)
    assert len(text.encode()) <= limit
    if text and "\n## " not in text and "\n- " not in text and GUIDE not in text and " more notes" not in text:
        assert without_injected(f"a{text}b") == "ab"
        text = text.replace("<memwiki>\n", OPENING)
    if not text:
        assert whole == []
        return
    assert text.startswith(OPENING) and text.endswith(CLOSING) and without_injected(f"a{text}b") == "ab"
    inside = text.removeprefix(OPENING).removesuffix(CLOSING)
    given = {item.path for item in whole}
    neat = [(item, item.body.replace("<", "[") if "<" not in inside else item.body) for item in notes]
    assert all(body.rstrip("\n") in inside for item, body in neat if item.path in given)
    carded = [item.path for item in every if item.path not in given and f"\n- {item.path}: " in text]
    left = [item.path for item in every if item.path not in given]
    assert carded == left[: len(carded)]
    if len(left) > len(carded) and whole + carded:
        assert f"\n{len(left) - len(carded) + len(last)} more notes do not fit here.\n" in text
    shown = [end for end in ends if inside.endswith(end)][-1:]
    assert not ends or limit < 9000 or shown == ends[-1:]


def test_pinned_bodies_go_before_cards_and_small_ones_before_large() -> None:
    large = Item("profile/a.md", "", "A", "x" * 900, "1")
    small = Item("profile/b.md", "", "B", "y" * 100, "2")
    pinned = Item("tools/p.md", "", "P", "z" * 700, "3", True)
    text, whole = render([pinned, large, small], 1200)
    assert [item.path for item in whole] == ["tools/p.md", "profile/b.md"]
    assert "- profile/a.md: A\n" in text


def test_everything_fits_when_it_just_fits() -> None:
    notes = [Item(f"n{n}.md", "", "x", "y" * 100, str(n)) for n in range(5)]
    text, whole = render(notes, 10_000)
    assert len(whole) == 5
    assert render(notes, len(text.encode()))[0] == text
    assert len(render(notes, len(text.encode()) - 1)[1]) < 5


def test_nothing_to_say_is_nothing() -> None:
    assert render([], 9500) == ("", [])
    assert render([Item("n.md", "", "x", "body", "1")], 20) == ("", [])
