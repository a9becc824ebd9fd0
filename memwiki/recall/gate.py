"""Whether a ranked note is worth the agent's attention: rules first, then a likelihood; silence is the default.

The weights come from a logistic regression on the visible half of the public sets; `docs/recall.md` has the figures.
"""

from math import log

from .analysis import analyse, runs
from .rank import Query, Ranked
from .words import COMMON, GENERIC

LEAST = -1.9  # likelihood (log odds) from which a note is injected
LEAST_RARE = -2.2  # the same where one rare word carries it
_SHARE = 0.7  # of the best note's score


class Verdict:
    """What the gate says of one note: `why` is "" when it is in; `likelihood` is None when a rule left it out."""

    __slots__ = ("likelihood", "why")

    def __init__(self, why: str, likelihood: float | None = None) -> None:
        self.why, self.likelihood = why, likelihood


def generic(stem: str) -> bool:
    """Whether the stem says nothing about which note is meant: coding talk, thanks, Japanese and Korean endings."""
    return (
        f" {stem} " in GENERIC or any("\u3040" <= char <= "\u309f" for char in stem) or stem[-1] in "해하요을를은는니다"
    )


def judge(query: Query, ranked: list[Ranked], most: int) -> list[Verdict]:
    """A verdict on each of the `most` best notes; after the first that is out, all are."""
    if not ranked:
        return []
    best, tenth = ranked[0].score, ranked[9].score if len(ranked) > 9 else 0.0
    verdicts: list[Verdict] = []
    unknown = _unknown_name(query)
    asked = len({stem for stem in query.stems if not generic(stem)})
    for place, one in enumerate(ranked[:most]):
        specific = [stem for stem in one.matched if not generic(stem)]
        several = query.content >= 3 and len(specific) >= 2
        if one.score < _SHARE * best:
            verdict = Verdict(f"scores under {_SHARE:.0%} of the best note")
        elif not several and (2 * len(specific) < asked or not any(_rare(query, stem) for stem in specific)):
            verdict = Verdict("too few words match, and none of them is rare enough")
        else:
            least = LEAST if several else LEAST_RARE
            likelihood = (
                -7.267
                + 0.293 * one.score / log(query.notes)
                + 3.717 * (one.score - tenth) / best
                + 1.259 * one.gram_mass / query.gram_mass
                - 2.163 * unknown
                + 0.604 * (place == 0)
                + 1.213 * one.in_head
                + 0.465 * _pairs(query, one)
            )
            verdict = Verdict("" if likelihood >= least else f"is less likely than {least}", likelihood)
        if verdicts and verdicts[-1].why and not verdict.why:
            verdict = Verdict("a better note is out", verdict.likelihood)
        verdicts.append(verdict)
    return verdicts


def _rare(query: Query, stem: str) -> bool:
    """Whether one matched stem alone can carry an injection: in few notes of this vault, no common word, no scrap."""
    notes, live = query.found[stem][0], query.live
    few = notes <= max(2, live // 50) and notes <= max(1, live // 2)
    return few and f" {stem} " not in COMMON and len(stem) > (1 if runs(stem[0]) else 2)


def _pairs(query: Query, one: Ranked) -> int:
    """How many neighbours of the prompt stand in the note in that order, at most two words apart; 4 count."""
    found, words = 0, one.note.stems[1:].split("; ")
    for first, second in zip(query.stems, query.stems[1:], strict=False):
        if first != second and first in one.matched and second in one.matched and found < 4:
            found += any(second in words[i + 1 : i + 4] for i, word in enumerate(words) if word == first)
    return found


def _unknown_name(query: Query) -> bool:
    """Whether a capitalised word that opens no sentence is in no note: the prompt is about something else."""
    before = "."
    for word in query.text.split():
        name = word.strip("\"'`()[]{}<>,;*_").split("'")[0].rstrip(".!?:")
        if len(name) > 1 and name[0].isupper() and name.isalpha() and before not in ".!?:":
            stems = analyse(name)[0]
            if stems and stems[0] not in query.found:
                return True
        before = word[-1]
    return False
