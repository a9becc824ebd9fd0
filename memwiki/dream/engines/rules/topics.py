"""What a text is about: stems of its content words, to tell when two texts say the same."""

import re
import unicodedata

from .language import Language

WORD = re.compile(r"[^\W_][\w.+#-]*[^\W_]|[^\W_]")
WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "en", "s", "e", "n")


def topics(text: str, table: Language) -> frozenset[str]:
    """The stems of the words in `text` that carry meaning; of Chinese and Japanese, pairs of characters."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    found: set[str] = set()
    for run in WIDE.findall(text):
        found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    for word in WORD.findall(WIDE.sub(" ", text)):
        if word not in table.stop and (len(word) > 2 or any(sign.isdigit() for sign in word)):
            found.add(stem(word))
    return frozenset(found)


def stem(word: str) -> str:
    """`word` without a common ending, at least four characters of it kept; anything with a digit or dot stays whole."""
    if not word.isalpha():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def likeness(left: frozenset[str], right: frozenset[str]) -> float:
    """How much of the shorter text's topics the longer one holds, 0 to 1."""
    short = min(len(left), len(right))
    return len(left & right) / short if short else 0.0


def akin(left: str, right: str, table: Language) -> bool:
    """Whether two sentences that follow each other go on about the same: a shared stem, or one within the other."""
    ours, theirs = topics(left, table), topics(right, table)
    return bool(ours & theirs) or any(
        min(len(short), len(long)) > 3 and (short in long or long in short) for short in ours for long in theirs
    )
