"""How many notes hold each 4-gram. A piece's notes are the bits of a number, a gram's those of all its pieces.

Many notes are counted by workers, while the one who asked goes on with something else.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial

from ..recall.analysis import grams
from .crew import Crew, processors

_AT_ONCE = 2000  # notes that are counted together; more would take more memory and save no time


@contextmanager
def counting(folds: list[str]) -> Iterator[Callable[[], Counter[str]]]:
    """Begin to count; what is yielded waits for the counts. `folds` are the notes' pieces, see `Analysis`."""
    parts = [folds[start : start + _AT_ONCE] for start in range(0, len(folds), _AT_ONCE)]
    with ExitStack() as held:
        if len(parts) > 1 and processors() > 1:
            crew = held.enter_context(Crew(min(processors() - 1, len(parts))))  # one is busy with the rest
            answers = [crew.give(_counted, part).result for part in parts]
        else:
            answers = [partial(_counted, part) for part in parts]
        yield lambda: sum((answer() for answer in answers), Counter[str]())


def _counted(folds: list[str]) -> Counter[str]:
    holders: dict[str, int] = {}  # piece -> the notes that have it, each a bit
    for number, fold in enumerate(folds):
        bit = 1 << number
        for piece in set(fold.split("$")):
            holders[piece] = holders.get(piece, 0) | bit
    held: defaultdict[str, int] = defaultdict(int)
    for piece, bits in holders.items():
        for gram in _grams(piece):
            held[gram] |= bits
    return Counter({gram: bits.bit_count() for gram, bits in held.items()})


@lru_cache(1 << 16)
def _grams(piece: str) -> tuple[str, ...]:
    """The grams of what stands between two `$`: a run, a word after `^`, or a run with a word after it."""
    run, _, word = piece.partition("^")
    return tuple(grams([part for part in (run, f"^{word}$" if word else "") if part]))
