"""Reading a repository in which objects are missing: what cannot be read is left out, and the rest is read."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ..vault.process import GitError

Item = TypeVar("Item")
Key = TypeVar("Key")
Value = TypeVar("Value")


def piecewise(ask: Callable[[Sequence[Item]], Mapping[Key, Value]], items: Sequence[Item]) -> dict[Key, Value]:
    """What `ask` finds for all items, in one call where git can; where it fails, halves are asked.

    An item on which git fails when asked alone (a lost or damaged object) is left out.
    """
    try:
        return dict(ask(items)) if items else {}
    except GitError:
        if len(items) == 1:
            return {}
    half = len(items) // 2
    return piecewise(ask, items[:half]) | piecewise(ask, items[half:])
