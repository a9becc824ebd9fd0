"""Private and injected spans."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.capture.private import without_injected, without_private
from tests.conftest import CASES

CASE = CASES / "53-private-tags"
PROMPTS = (CASE / "prompts.txt").read_text("utf-8").splitlines()
EXPECTED = json.loads((CASE / "expect.json").read_text("utf-8"))


@pytest.mark.parametrize(("prompt", "kept"), list(zip(PROMPTS, EXPECTED, strict=True)))
def test_case_53_private_tags(prompt: str, kept: str) -> None:
    left = without_private(prompt)
    assert "SECRET" not in left
    if kept.startswith("*"):  # the case leaves open how much of the rest stays
        assert left.strip() in ("end", "")
    else:
        assert left.strip() == kept.strip()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a < private >S</ private > b", "a  b"),
        ("a <private\nnote=1\n>S</private\n> b", "a  b"),
        ("a <private S</private> b", "a  b"),  # a tag without its `>`
        ("a <private", "a "),
        ("a <privateer> b", "a <privateer> b"),
        ("x < y and y > z", "x < y and y > z"),
        ("İ <private>S</private> İ", "İ  İ"),  # a letter that lower() makes longer
        ("</private></private>a", "a"),
    ],
)
def test_tags_that_are_written_oddly(text: str, kept: str) -> None:
    assert without_private(text) == kept


@given(
    st.lists(
        st.sampled_from(
            ["<private>", "</private>", "<PRIVATE x='1'>", "</Private >", "<memwiki>", "<", ">", "a ", "é"]
        ),
        max_size=12,
    )
)
def test_nothing_inside_an_open_tag_survives(parts: list[str]) -> None:
    marked, depth, kept = [], 0, []
    for number, part in enumerate(parts):
        lowered = part.lower()
        depth += lowered.startswith("<private") - (lowered.startswith("</private") and depth > 0)
        word = f"[{number}]"
        marked.append(part + word)
        if not depth:
            kept.append(word)
    left = without_private("".join(marked))
    inside = {f"[{n}]" for n in range(len(parts))} - set(kept)
    assert not any(word in left for word in inside)
    assert "".join(word for word in kept if word in left) == "".join(kept)


def test_injected_blocks_and_the_hosts_own_wrappers_go() -> None:
    text = (
        'before <memwiki note="x">- tools/pnpm: use pnpm\n<memwiki>inner</memwiki></memwiki> and '
        "<system-reminder>be kind</system-reminder><hook_context>c</hook_context>"
        "<hook_prompt id='1'>p</hook_prompt> after"
    )
    assert without_injected(text) == "before  and  after"
    assert without_injected("kept <memwiki cut off in the mid") == "kept "
    assert without_injected("<private>stays for the other function</private>").startswith("<private>")
