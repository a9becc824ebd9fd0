"""Reading a repository in which objects are missing: what cannot be read is left out, and the rest is read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ..vault.git import Git
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


def present(git: Git, names: Sequence[str]) -> dict[str, str]:
    """Those of `names` (objects, or `COMMIT:PATH`) that are here -> their objects, in one process where git can.

    Of a partial clone whose remote is out of reach, that is what it has fetched.
    """
    try:
        return _present(git, {}, names)
    except GitError:
        return piecewise(partial(_present, git, {"GIT_NO_LAZY_FETCH": "1"}), names)


def _present(git: Git, env: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    asked = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    done = git.run("cat-file", "--batch-check=%(objectname)", input=asked, env=env) if names else None
    lines = done.text.splitlines() if done else []
    # git says "<name> missing" for what is not here.
    return {name: line for name, line in zip(names, lines, strict=True) if line.isalnum()}
