"""A memory as `memwiki init` makes it, with a new vault."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.app import Memory, open_memory
from memwiki.init import init


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The memory of the throw-away home."""
    init()
    with open_memory() as opened:
        yield opened


@pytest.fixture
def prompt(memory: Memory) -> Callable[..., None]:
    """`prompt(words, session="s1")`: one prompt of Claude Code into the spool."""

    def spool(words: str, session: str = "s1", native: str = "UserPromptSubmit", **more: object) -> None:
        memory.append(
            "claude", native, {"session_id": session, "cwd": "/", "hook_event_name": native, "prompt": words, **more}
        )

    return spool
