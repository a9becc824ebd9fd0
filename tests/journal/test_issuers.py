"""Tokens of every form in the data file, bare in prose, coded and broken over lines; made at run time."""

import base64
import json
import random
import string
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from memwiki.journal.issuers import Form, forms
from memwiki.journal.redaction import redact, redact_text

ALPHANUMERIC = string.ascii_letters + string.digits
CATEGORIES = {
    sre.CATEGORY_DIGIT: string.digits,
    sre.CATEGORY_WORD: ALPHANUMERIC + "_",
    sre.CATEGORY_SPACE: " ",
}
PROSE = ("The new one is {} by the way.", "{}", "I put {} into the vault", "| {} |", "see `{}`", "path/{}", "\\n{}\\n")


def letters(items: list[tuple[Any, Any]]) -> str:
    """The characters of a class in a parsed pattern."""
    chosen = ""
    for name, value in items:
        if name is sre.LITERAL:
            chosen += chr(value)
        elif name is sre.RANGE:
            chosen += "".join(map(chr, range(value[0], value[1] + 1)))
        elif name is sre.CATEGORY:
            chosen += CATEGORIES[value]
    return chosen


def made(tree: Any, chance: random.Random) -> str:
    """A random text that a parsed pattern matches."""
    text = ""
    for name, value in tree:
        if name is sre.LITERAL:
            text += chr(value)
        elif name is sre.IN:
            text += chance.choice(letters(value))
        elif name is sre.ANY:
            text += "."
        elif name in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
            least, most, body = value
            most = min(int(most), least + 8)
            text += "".join(made(body, chance) for _ in range(chance.randint(least, most)))
        elif name is sre.SUBPATTERN:
            text += made(value[3], chance)
        elif name is sre.BRANCH:
            text += made(chance.choice(value[1]), chance)
    return text


def leaks(secret: str, text: str) -> bool:
    """Whether some twelve characters of `secret` stand in `text`."""
    return any(secret[i : i + 12] in text for i in range(max(1, len(secret) - 11)))


def test_there_are_as_many_forms_as_betterleaks_has() -> None:
    assert len(forms()) > 200


@pytest.mark.parametrize("form", forms(), ids=lambda form: f"{form.kind} {form.literals[0]}")
def test_a_token_of_each_form_bare_in_prose(form: Form) -> None:
    chance = random.Random(form.source)
    tree = _parser.parse(form.source)
    missed = []
    for _ in range(20):
        secret = made(tree, chance)
        while not any(c.isdigit() for c in secret) and form.kind != "huggingface":
            secret = made(tree, chance)
        clean = redact_text(chance.choice(PROSE).format(secret))
        missed += [secret] if leaks(secret, clean) else []
        assert redact_text(clean) == clean
    assert len(missed) <= 1, missed  # a random text may look like words


def issued(chance: random.Random) -> str:
    """A token of an issuer that tells apart nothing but its beginning."""
    return "gh" + "p_" + "".join(chance.choices(ALPHANUMERIC, k=30)) + "A1b2C3"


def test_base64_of_a_text_with_a_token() -> None:
    chance = random.Random(1)
    for text in ("{}", "token={}", "export X={}\nexport Y=1\n", '{{"a": ["{}"]}}'):
        for code in (base64.b64encode, base64.urlsafe_b64encode, lambda raw: base64.b64encode(base64.b64encode(raw))):
            coded = code(text.format(issued(chance)).encode()).decode()
            assert not leaks(coded.rstrip("="), redact_text(f"data: {coded}\n")), text
    for plain in (
        b"an ordinary sentence, and some more of it",
        b"\x89PNG\r\n\x1a\n" * 20,
        b"password: see the wiki page",
    ):
        coded = base64.b64encode(plain).decode()
        assert redact_text(f"x {coded} y") == f"x {coded} y"


@pytest.mark.parametrize(
    "line_break",
    ["\n", "\r\n", "\\\n", "\n    ", "\n> ", '"\n    "', "' +\n    '", '" \\\n  "', "\\n"],
)
def test_tokens_broken_over_lines(line_break: str) -> None:
    chance = random.Random(line_break)
    for place in range(9, 34):
        secret = issued(chance)
        first, second = secret[:place], secret[place:]
        clean = redact_text(f"'{first}{line_break}{second}' and then\nthe text goes on, as texts do")
        assert not any(leaks(part, clean) for part in (first, second) if len(part) >= 12), place
        assert clean.endswith("and then\nthe text goes on, as texts do")
    tokens = [issued(chance) for _ in range(3)]
    clean = redact("\n".join(tokens))
    assert len(set(clean.split("\n"))) == 3  # each has its own mark
    assert json.dumps(clean).count("[redacted:github") == 3


def test_the_line_after_a_token_stays() -> None:
    for after in ("user1234 logged in", "and more", "build-2024-11-02 passed", "src/main.py:12", "deploy()", "4096"):
        text = f"token: {issued(random.Random(after))}\n{after}"
        assert redact_text(text).endswith(f"\n{after}")
