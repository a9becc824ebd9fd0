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
_SIGNS = str.maketrans("", "", "_-.=+/~:!|%")
_UNBROKEN = re.compile(r"[A-Za-z0-9]{20}")  # no word is as long
_RANDOM = 0.15  # turns a character from which letters and digits are no words


@dataclass(frozen=True, slots=True)
class Form:
    """How one issuer's tokens look: `literals` in lower case, of which one stands in each."""

    kind: str
    literals: tuple[str, ...]
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern of the whole token."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(rf"{EDGE}(?:{source})[A-Za-z0-9]*+")


@cache
def forms() -> tuple[Form, ...]:
    """Every form of the data file."""
    data = json.loads(Path(__file__).with_name("issuers.json").read_text("utf-8"))
    return tuple(Form(row["kind"], tuple(row["needles"]), row["pattern"]) for row in data["forms"])


def issued(text: str, words: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every token in `text` that a form of the data file matches.

    `words` holds at least the words of `text` that are long enough for a token, in lower case.
    """
    for form in forms():
        if any(literal in words for literal in form.literals):
            for found in form.pattern.finditer(text):
                if _is_random(found[0][-28:]):
                    yield *found.span(), form.kind


def _is_random(end: str) -> bool:
    """Whether the end of a token is no words in snake or kebab case."""
    bare = end.translate(_SIGNS)
    return len(set(bare)) >= 5 and (turns(bare) >= _RANDOM or bool(_UNBROKEN.search(end)))
