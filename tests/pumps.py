"""Texts on which a regular expression takes long, made from the expression itself, and how its time grows on them.

For each loop of the parsed expression: what leads to it, then many of what it repeats, then what lets the match fail;
and many of each beginning of the expression, which a search tries again and again. CPU time
counts, so that a busy machine does not matter; a run that takes more than `LIMIT` of CPU time is ended by a signal.
"""

import itertools
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FrameType
from typing import Any

from re import _compiler, _constants as c, _parser  # type: ignore[attr-defined]  # isort: skip

LIMIT = 1.0  # seconds that one run may take
LARGEST = 200_000  # characters
GROWTH = 2.5  # times as long for twice the text
_PUMPS = 40  # of one pattern, at most
_FIRST = 3_000  # characters of the first look
_SUSPECT = 0.0005  # seconds on it: a quadratic loop takes several times that, a linear one less
_FLOOR = 0.01  # seconds below which a ratio says nothing
_ENOUGH = 0.06  # seconds of CPU time that a measure takes
_LOOPS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_COMMON = " a1_\"'-.\n\t:=/A$<>([*`\\é中"
_METHODS: dict[str, Callable[[Any, Any], object]] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "search": lambda pattern, text: pattern.search(text),
    "finditer": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
}


class Slow(Exception):
    """One run took longer than LIMIT."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise Slow


def seconds(run: Callable[[], object], enough: float = 0.0) -> float:
    """CPU seconds of one run, repeated until `enough` are measured; Slow when one takes more than LIMIT.

    A machine's clock of CPU time may tick in hundredths.
    """
    runs, spent = 0, 0.0
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        while not runs or (spent < enough and runs < 500):
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
            start = time.process_time()
            run()
            spent += time.process_time() - start
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            runs += 1
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return spent / runs


def growth(run: Callable[[str], object], text: Callable[[int], str]) -> str:
    """How the time of `run` grows too fast with the length of `text`; "" when it does not.

    Over three doublings at once, so that the noise of one measure counts for little.
    """
    part, whole = text(LARGEST // 8), text(LARGEST)
    size = len(whole)
    try:
        more = seconds(lambda: run(whole))
        if more <= _FLOOR:
            return ""
        more, size = seconds(lambda: run(whole), _ENOUGH), len(part)
        less = seconds(lambda: run(part), _ENOUGH)
    except Slow:
        return f"over {LIMIT:g} s on {size} characters"
    if more <= max(2 * _FLOOR, GROWTH**3 * less):
        return ""
    return (
        f"{(more / less) ** (1 / 3):.1f} times as long for each doubling up to {len(whole)} characters ({more:.3f} s)"
    )


def slow(pattern: "re.Pattern[Any]", methods: Sequence[str] = ("match", "finditer")) -> str:
    """On which text, by which method, `pattern` is not linear; "" when no pump finds any."""
    for method in methods:
        run = partial(_call, pattern, _METHODS[method], isinstance(pattern.pattern, bytes))
        looks = []
        for pump, made in pumps(pattern):
            try:
                looks.append((_look(partial(run, made(_FIRST))), pump, made))
            except Slow:
                return f"{method} of {pump}: over {LIMIT:g} s on {_FIRST} characters"
        looks.sort(key=lambda look: -look[0])
        for _, pump, made in [*looks[:1], *(look for look in looks[1:4] if look[0] > _SUSPECT)]:
            if words := growth(run, made):
                return f"{method} of {pump}: {words}"
    return ""


def _call(pattern: "re.Pattern[Any]", method: Callable[[Any, Any], object], binary: bool, text: str) -> object:
    return method(pattern, text.encode() if binary else text)


def _look(run: Callable[[], object]) -> float:
    """Seconds of one short run, of the fastest of three where it looks long."""
    seconds_of = []
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
        while len(seconds_of) < (3 if seconds_of and seconds_of[0] > _SUSPECT else 1):
            start = time.perf_counter()
            run()
            seconds_of.append(time.perf_counter() - start)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return min(seconds_of)


def pumps(pattern: "re.Pattern[Any]") -> Iterator[tuple[str, Callable[[int], str]]]:
    """(description, text of so many characters) of each pump."""
    tree = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    shape = _Shape(tree, pattern.flags)
    for pairs, afters in ((shape.loops(), ("\x01", "\n!", "b")), (shape.beginnings(), ("", "\x01"))):
        made = [(before, unit, after) for before, unit in pairs for after in afters if unit]
        for before, unit, after in made[:: 1 + len(made) // _PUMPS]:
            yield (
                f"{before!r} + {unit!r} * n + {after!r}",
                lambda size, b=before, u=unit, a=after: b + u * (size // len(u)) + a,
            )


class _Shape:
    """A parsed expression, and texts that parts of it match."""

    def __init__(self, tree: Any, flags: int) -> None:
        self.tree, self.flags = tree, flags & (re.IGNORECASE | re.ASCII | re.DOTALL | re.MULTILINE)
        self.bytes = isinstance(tree.state.str, bytes)
        self.groups: dict[int, str] = {}
        self.letters = list(dict.fromkeys([*self._letters(tree), *(_COMMON if not self.bytes else _COMMON[:-2])]))

    def loops(self) -> list[tuple[str, str]]:
        """(what leads to it, what is repeated) of each loop; a letter or a line end may stand before it."""
        found = (self._loops(self.tree, start) for start in ("", "\n", "a"))
        return [*dict.fromkeys(itertools.chain.from_iterable(found))]

    def beginnings(self) -> list[tuple[str, str]]:
        """("", what is repeated) of each beginning of the whole, as a loop of its own."""
        found = [before + unit for before, unit in self._loops(self.tree, "")]
        for end in range(1, len(self.tree) + 1):
            for one in (self._example(self.tree[:end], 1), self._example(self.tree[:end], 0)):
                found += [one, one + "\n", one + " "]
        return [("", one) for one in dict.fromkeys(found)]

    def _loops(self, items: Any, before: str) -> Iterator[tuple[str, str]]:
        for place, (kind, value) in enumerate(items):
            here = before + self._example(items[:place], 1)
            least = before + self._example(items[:place], 0)
            if kind in _LOOPS:
                _, high, body = value
                if high > 16 or high == c.MAXREPEAT:
                    for unit in self._units(body):
                        yield here, unit
                        if least != here:
                            yield least, unit
                yield from self._loops(body, here)
            else:
                for part in self._parts(kind, value):
                    yield from self._loops(part, here)

    def _parts(self, kind: Any, value: Any) -> list[Any]:
        """The expressions inside one that is no loop."""
        if kind is c.SUBPATTERN:
            return [value[3]]
        if kind is c.BRANCH:
            return list(value[1])
        if kind in (c.ASSERT, c.ASSERT_NOT):
            return [value[1]]
        if kind is c.ATOMIC_GROUP:
            return [value]
        if kind is c.GROUPREF_EXISTS:
            return [part for part in value[1:] if part]
        return []

    def _units(self, body: Any) -> list[str]:
        """What a loop over `body` may repeat: single characters that most loops take, else texts of each branch."""
        if len(body) == 1 and body[0][0] in (c.IN, c.ANY, c.LITERAL, c.NOT_LITERAL):
            return self._taken(body)[:6]
        units = [self._example(body, 1), self._example(body, 2)]
        for kind, value in body:
            for part in self._parts(kind, value):
                units.append(self._example(part, 1))
                units += [self._example(inner, 1) for k, v in part for inner in self._parts(k, v)]
        return [unit for unit in dict.fromkeys(units) if unit][:6]

    def _taken(self, body: Any) -> list[str]:
        """The letters that the one-character expression `body` takes."""
        test = _compiler.compile(_parser.SubPattern(self.tree.state, list(body)), self.flags)
        return [one for one in self.letters if test.fullmatch(one.encode() if self.bytes else one)]

    def _letters(self, items: Any) -> Iterator[str]:
        for kind, value in items:
            if kind in (c.LITERAL,):
                yield chr(value)
            elif kind is c.IN:
                for one, what in value:
                    if one is c.LITERAL:
                        yield chr(what)
                    elif one is c.RANGE:
                        yield chr(what[0])
            elif kind in _LOOPS:
                yield from self._letters(value[2])
            else:
                for part in self._parts(kind, value):
                    yield from self._letters(part)

    def _example(self, items: Any, often: int) -> str:
        """A text that `items` match, loops taken `often` times where they may be."""
        text = ""
        for kind, value in items:
            if kind is c.LITERAL:
                text += chr(value)
            elif kind in (c.IN, c.ANY, c.NOT_LITERAL):
                text += next(iter(self._taken([(kind, value)])), "")
            elif kind in _LOOPS:
                low, high, body = value
                text += "".join(self._example(body, often) for _ in range(min(max(low, often), high, 300)))
            elif kind is c.BRANCH:
                text += self._example(value[1][0], often)
            elif kind is c.SUBPATTERN:
                self.groups[value[0]] = self._example(value[3], often)
                text += self.groups[value[0]]
            elif kind is c.ATOMIC_GROUP:
                text += self._example(value, often)
            elif kind is c.GROUPREF:
                text += self.groups.get(value, "")
        return text
