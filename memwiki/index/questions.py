"""What only a graph answers well: what a note has led to, what belongs to it, what a session was given, and a picture.

Each walks over a few plain facts, which any index can tell; so every index gives the same answers.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Protocol

from .protocol import GivenRow

STEPS = 8  # how far a transitive answer goes; each is a session that was given what an earlier one had led to


@dataclass(frozen=True, slots=True)
class Rest:
    """That a candidate for the note `path` rests on words of a session: which event, and whether it is memory now."""

    candidate: str
    path: str
    state: str
    landed: bool
    session: str
    event: str


@dataclass(frozen=True, slots=True)
class Card:
    """A note as it is now: its title and the hash of its text."""

    title: str
    hash: str


class Facts(Protocol):
    """The plain facts. Sessions are the journal's, subagents' with them; an empty collection asks for nothing."""

    def given_of(self, paths: Collection[str]) -> list[GivenRow]:
        """When any of these notes was given, and to whom."""
        ...

    def given_to(self, sessions: Collection[str]) -> list[GivenRow]:
        """What any of these sessions was given."""
        ...

    def resting_on(self, sessions: Collection[str]) -> list[Rest]:
        """Candidates that rest on words of these sessions."""
        ...

    def rests_of(self, paths: Collection[str]) -> list[Rest]:
        """What candidates for these notes rest on."""
        ...

    def linked(self, paths: Collection[str]) -> list[tuple[str, str]]:
        """Links (from, to) that begin or end at one of these notes."""
        ...

    def tagged(self, path: str) -> list[tuple[str, str]]:
        """(tag, note) of every note that shares a tag with this one, itself included."""
        ...

    def cards(self, paths: Collection[str] | None = None) -> Mapping[str, Card]:
        """These notes, or all, as they are now; those that are gone are left out."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
    """A session that was given the note (`step` 1), or a note that rests on one that was (2 and more).

    `via` is the note it was given, `at` when first (UTC), `times` how often.
    """

    session: str
    step: int
    via: str
    at: str
    times: int


@dataclass(frozen=True, slots=True)
class Resting:
    """A candidate that rests on a session of that step; `note` is its note's path, `landed` whether it is memory."""

    candidate: str
    note: str
    state: str
    landed: bool
    session: str
    step: int


@dataclass(frozen=True, slots=True)
class Touched:
    """A note of memory that rests on a session of that step."""

    path: str
    title: str
    step: int
    sessions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a note has led to: sessions that were given it, and what rests on those, step by step."""

    path: str
    sessions: tuple[Reached, ...]
    candidates: tuple[Resting, ...]
    notes: tuple[Touched, ...]


def impact(facts: Facts, path: str, hashes: Collection[str] | None = None, steps: int = STEPS) -> Impact:
    """What the note at `path` has led to, one step and transitively; everything at the first step it is reached.

    `hashes` restricts the first step to sessions that were given a text with one of these hashes.
    """
    sessions: dict[str, Reached] = {}
    candidates: dict[str, Resting] = {}
    notes: dict[str, tuple[int, set[str]]] = {}
    front: set[str] = {path}
    for step in range(1, steps + 1):
        gifts = [gift for gift in facts.given_of(front) if step > 1 or hashes is None or gift.hash in hashes]
        fresh = {key: _reached(key, step, some) for key, some in _by_session(gifts).items() if key not in sessions}
        sessions |= fresh
        front = set()
        for rest in sorted(facts.resting_on(fresh.keys()), key=lambda rest: (rest.session, rest.candidate)):
            one = Resting(rest.candidate, rest.path, rest.state, rest.landed, rest.session, step)
            candidates.setdefault(rest.candidate, one)
            if not rest.landed or rest.path == path:
                continue
            if rest.path not in notes:
                front.add(rest.path)
            first, found = notes.setdefault(rest.path, (step, set()))
            if first == step:
                found.add(rest.session)
        if not front:
            break
    cards = facts.cards(notes.keys())
    touched = [
        Touched(name, cards[name].title if name in cards else "", step, tuple(sorted(found)))
        for name, (step, found) in notes.items()
    ]
    return Impact(
        path,
        tuple(sorted(sessions.values(), key=lambda one: (one.step, one.at, one.session))),
        tuple(sorted(candidates.values(), key=lambda one: (one.step, one.session, one.candidate))),
        tuple(sorted(touched, key=lambda one: (one.step, one.path))),
    )


def _by_session(gifts: Iterable[GivenRow]) -> dict[str, list[GivenRow]]:
    found: dict[str, list[GivenRow]] = defaultdict(list)
    for gift in gifts:
        found[gift.session].append(gift)
    return found


def _reached(key: str, step: int, gifts: list[GivenRow]) -> Reached:
    first = min(gifts, key=lambda gift: (gift.at, gift.path))
    return Reached(key, step, first.path, first.at, len(gifts))


@dataclass(frozen=True, slots=True)
class Related:
    """A note that belongs to another: `links` is "out", "back", "both" or ""; `score` orders one answer only."""

    path: str
    title: str
    links: str
    tags: tuple[str, ...]
    sessions: int
    score: float


def related(facts: Facts, path: str, limit: int = 20) -> list[Related]:
    """Notes that are linked with the one at `path`, share tags with it, or were given to or learnt in its sessions."""
    links: dict[str, set[str]] = defaultdict(set)
    for source, target in facts.linked([path]):
        if source != target:
            links[target if source == path else source].add("out" if source == path else "back")
    tags: dict[str, list[str]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for tag, other in facts.tagged(path):
        sizes[tag] += 1
        if other != path:
            tags[other].append(tag)
    shared: dict[str, set[str]] = defaultdict(set)
    mine = {gift.session for gift in facts.given_of([path])}
    mine |= {rest.session for rest in facts.rests_of([path]) if rest.landed}
    for session, other in [(gift.session, gift.path) for gift in facts.given_to(mine)] + [
        (rest.session, rest.path) for rest in facts.resting_on(mine) if rest.landed
    ]:
        if other != path:
            shared[other].add(session)
    cards = facts.cards(links.keys() | tags.keys() | shared.keys())
    found = []
    for other, card in cards.items():
        # A tag that many notes carry says little, and so does one more session beside many.
        score = 2.0 * len(links[other]) + sum(1 / log2(sizes[tag] + 1) for tag in tags[other])
        score += log2(1 + len(shared[other])) if shared[other] else 0.0
        kind = "both" if len(links[other]) == 2 else next(iter(links[other]), "")
        found.append(Related(other, card.title, kind, tuple(sorted(tags[other])), len(shared[other]), round(score, 3)))
    return sorted(found, key=lambda one: (-one.score, one.path))[:limit]


@dataclass(frozen=True, slots=True)
class Given:
    """One note that a session was given; `now` is what became of that text: "same", "changed" or "gone"."""

    at: str
    agent: str
    path: str
    title: str
    hash: str
    commit: str
    now: str


def given(facts: Facts, session: str) -> list[Given]:
    """What a session and its subagents were given, oldest first."""
    gifts = sorted(facts.given_to([session]), key=lambda gift: (gift.at, gift.path))
    cards = facts.cards({gift.path for gift in gifts})
    return [
        Given(
            gift.at,
            gift.agent,
            gift.path,
            cards[gift.path].title if gift.path in cards else "",
            gift.hash,
            gift.commit,
            "gone" if gift.path not in cards else "same" if cards[gift.path].hash == gift.hash else "changed",
        )
        for gift in gifts
    ]
