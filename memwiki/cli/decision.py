"""The user decides about memory: in an agent's shell memwiki asks the user, or refuses."""

import sys
from typing import TYPE_CHECKING

from ..errors import MemwikiError
from ..hosts.shells import agent
from .output import confirmed, memory

if TYPE_CHECKING:
    from ..app import Memory


def decided_by_person() -> "Memory":
    """The memory of this machine, for a verb that decides what is in it.

    In an agent's shell the user is asked on the terminal first. MemwikiError where there is no terminal or the answer
    is no, unless `review.agents` is `allow`.
    """
    opened = memory()
    if opened.config.get("review.agents") == "ask":
        ask_person()
    return opened


def ask_person() -> None:
    """Ask the user to confirm a command that an agent runs; MemwikiError unless they say yes."""
    name = agent()
    if not name:
        return
    if not sys.stdin.isatty():
        raise MemwikiError(
            f"{name} runs this command, but you decide about your memory.",
            "Run it in a terminal of your own, or allow it there: `memwiki config set review.agents allow`.",
        )
    if not confirmed(f"{name} runs this command. Do you want it?"):
        raise MemwikiError("You did not confirm it, so nothing was changed.", "")
