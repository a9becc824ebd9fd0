"""Whether a ranked note is worth the agent's attention: rules first, then a likelihood; silence is the default.

The weights come from a logistic regression on the visible half of the public sets; `docs/recall.md` has the figures.
"""

from math import log

from .analysis import analyse, runs
from .rank import Query, Ranked
from .words import COMMON, GENERIC

LEAST = -1.9  # likelihood (log odds) from which a note is injected
LEAST_RARE = -2.2  # the same where one rare word carries it
# Function words of the one language here that writes every noun with a capital.
_GERMAN = frozenset(
    ("der", "das", "und", "ist", "nicht", "ein", "eine", "einen", "wir", "ich", "für", "dem", "wie", "mit")
)
_SHARE = 0.7  # of the best note's score


def generic(stem: str) -> bool:
    """Whether the stem says nothing about which note is meant: coding talk, thanks, Japanese and Korean endings."""
    endings = any("\u3040" <= char <= "\u309f" for char in stem) or stem[-1] in "해하요을를은는니다"
    return endings or f" {stem} " in GENERIC


def judge(query: Query, ranked: list[Ranked], most: int) -> list[tuple[str, float | None]]:
    """Of each of the `most` best notes why it is out ("": it is in), and its likelihood (None where a rule decided).

    After the first that is out, all are.
    """
    verdicts: list[tuple[str, float | None]] = []
    asked, unknown = len({stem for stem in query.stems if not generic(stem)}), _unknown_name(query)
    for place, one in enumerate(ranked[:most]):
        best, tenth = ranked[0].score, ranked[9].score if len(ranked) > 9 else 0.0
        specific = [stem for stem in one.matched if stem in query.stems and not generic(stem)]
        several = query.content >= 3 and (len(specific) >= 2 or _titled(query, one))
        why, likelihood = "", None
        if one.score < _SHARE * best:
            why = f"scores under {_SHARE:.0%} of the best note"
        elif not several and (2 * len(specific) < asked or not any(_rare(query, stem) for stem in specific)):
            why = "too few words match, and none of them is rare enough"
        else:
            likelihood = -7.267 + 0.293 * one.score / log(query.notes) + 3.717 * (one.score - tenth) / best
            likelihood += 1.259 * one.gram_mass / query.gram_mass - 2.163 * unknown + 0.604 * (place == 0)
            likelihood += 1.213 * one.in_head + 0.465 * _pairs(query, one)
            if likelihood < (LEAST if several else LEAST_RARE):
                why = f"is less likely than {LEAST if several else LEAST_RARE}"
        if verdicts and verdicts[-1][0]:
            why = why or "a better note is out"
        verdicts.append((why, likelihood))
    return verdicts


def _titled(query: Query, one: Ranked) -> bool:
    """Whether the prompt holds all words of the note's title, two at least: common ones together name a note, too."""
    words = set(analyse(one.note.field(4))[0])
    return len(words) >= 2 and words <= one.matched


def _rare(query: Query, stem: str) -> bool:
    """Whether one matched stem alone can carry an injection: in few notes of this vault, no common word, no scrap."""
    notes, live = query.found[stem][0], query.live
    few = notes <= max(2, live // 50) and notes <= max(1, live // 2)
    scrap = len(stem) < (2 if runs(stem[0]) else 4 if stem.isdecimal() else 3)
    return few and not scrap and f" {stem} " not in COMMON


def _pairs(query: Query, one: Ranked) -> int:
    """How many neighbours of the prompt stand in the note in that order, at most two words apart; 4 count."""
    found, words = 0, one.note.stems[1:].split("; ")
    for first, second in zip(query.stems, query.stems[1:], strict=False):
        if first != second and first in one.matched and second in one.matched and found < 4:
            found += any(second in words[i + 1 : i + 4] for i, word in enumerate(words) if word == first)
    return found


def _unknown_name(query: Query) -> bool:
    """Whether a capitalised word that opens no sentence is in no note: the prompt is about something else."""
    names = query.names if _GERMAN.isdisjoint(query.text.split()) else ()
    return any((analyse(name)[0] or [""])[0] in query.unknown for name in names)
