"""The walk through pending candidates: one key decides, nothing is decided without one."""

import sys
from typing import TYPE_CHECKING

import click

from ..errors import MemwikiError
from .candidate_view import show
from .output import ask, echo
from .review import approve_edited, take_lines

if TYPE_CHECKING:
    from ..app import Memory

KEYS = "[a]pprove  [e]dit  [l]ines  [r]eject  [s]kip  [q]uit  [?] help"
HELP = """  a  approve it as it is
  e  change the text in your editor, then approve it
  l  approve some of the numbered lines and reject the others
  r  reject it with a reason, so that it is not proposed again from the same words
  s  leave it pending
  q  stop here and keep the decisions"""


def walk(memory: "Memory") -> None:
    """Show each pending candidate and do as the user's key says. A refusal by git is shown and asked again."""
    pending = memory.candidates("pending")
    if not pending:
        echo("Nothing is pending.")
        _name_others(memory)
        return
    memory.git.person()
    for place, one in enumerate(pending, 1):
        if not _decide(memory, one.id, f"{place} of {len(pending)}"):
            break
    left = len(memory.candidates("pending"))
    echo(f"{left} still pending." if left else "All decided.")
    _name_others(memory)


def _name_others(memory: "Memory") -> None:
    """Notes that agents wrote into the vault are decided on by their ids."""
    count = len(memory.unreviewed())
    if count:
        echo(f"Notes that nobody has reviewed: {count}. `memwiki review list` shows them.")


def _decide(memory: "Memory", id: str, position: str) -> bool:
    """Ask until the candidate is decided or skipped; False to stop the walk."""
    while True:
        proposed = memory.proposed(id)
        echo()
        show(proposed, position)
        key = _key()
        try:
            if key == "q":
                return False
            if key == "s":
                return True
            if key == "a":
                echo(f"Approved as {memory.approve(id, commit=proposed.candidate.commit)[:10]}.")
                return True
            if key == "e":
                commit = approve_edited(memory, proposed)
                if commit is not None:
                    echo(f"Approved as {commit[:10]}.")
                    return True
                echo("Nothing was changed.")
            elif key == "l":
                commit = take_lines(memory, proposed.candidate, ask("Lines to approve (such as 1,3)"), proposed.base)
                echo(f"Approved as {commit[:10]}; the other lines are rejected.")
                return True
            elif key == "r":
                memory.reject(id, ask("Why"))
                echo("Rejected.")
                return True
            else:
                echo(HELP)
        except (MemwikiError, click.UsageError) as error:
            echo(str(error), err=True)


def _key() -> str:
    """One key on a terminal, else the first letter of a line; the end of input means quit."""
    echo(f"{KEYS} ", nl=False)
    if sys.stdin.isatty():
        pressed = click.getchar()
        echo(pressed)
    else:
        pressed = sys.stdin.readline() or "q"
        echo()
    return pressed.strip()[:1].lower()
