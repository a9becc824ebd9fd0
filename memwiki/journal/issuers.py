"""Forms of issuers' tokens, as data: `issuers.json`, from the rules of betterleaks (`issuers.LICENSE.txt`).

`tools/issuer_forms.py` writes the file. A pattern is compiled when a text first holds one of its literals.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .literals import turns

# Nothing that could belong to the word before: a letter right before is fine only as the end of an escape.
EDGE = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\[[0-9]m)|(?<=\[[0-9]{2}m)|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2}))"
)
_AT_EDGE = re.compile(EDGE)
_SIGNS = str.maketrans("", "", "_-.=+/~:!|%")
_UNBROKEN = re.compile(r"[A-Za-z0-9]{20}")  # no word is as long
_RANDOM = 0.1  # turns a character from which letters and digits are no words


@dataclass(frozen=True, slots=True)
class Form:
    """How one issuer's tokens look; one of `literals` stands in each."""

    kind: str
    literals: tuple[str, ...]
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern of the whole token."""
        return _compiled(self.source)

    def rest(self, token: str) -> str:
        """The token without the literal that it begins with, at most its last 32 characters."""
        head = max((len(literal) for literal in self.literals if token.startswith(literal)), default=0)
        head = head if len(token) >= head + 8 else 0
        return token[head:][-32:]


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{source})[A-Za-z0-9]*+")


@cache
def forms() -> tuple[Form, ...]:
    """Every form of the data file."""
    data = json.loads(Path(__file__).with_name("issuers.json").read_text("utf-8"))
    return tuple(Form(row["kind"], tuple(row["needles"]), row["pattern"]) for row in data["forms"])


@cache
def _literals() -> tuple[tuple[str, Form], ...]:
    return tuple((literal, form) for form in forms() for literal in form.literals)


def issued(text: str, words: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every token in `text` that a form of the data file matches.

    `words` holds at least the words of `text` that are long enough for a token and have a digit.
    """
    if not words:
        return
    for form in dict.fromkeys(form for literal, form in _literals() if literal in words):
        for found in form.pattern.finditer(text):
            if _AT_EDGE.match(text, found.start()) and _is_random(form.rest(found[0])):
                yield *found.span(), form.kind


def _is_random(end: str) -> bool:
    """Whether the end of a token is no words in snake or kebab case."""
    bare = end.translate(_SIGNS)
    return len(set(bare)) >= 5 and (turns(bare) >= _RANDOM or bool(_UNBROKEN.search(end)))
