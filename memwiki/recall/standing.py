"""The text of a host's rules file: the memory as a session's start would give it."""

from contextlib import closing

from ..config import Home
from ..hosts.rules import BEGIN, END, Block
from .render import size
from .snapshot import Snapshot
from .view import View


def standing(home: Home, block: Block) -> str:
    """The text for one block, in its limit; "" where nothing may be given: no snapshot yet, or `recall.mode` is so."""
    if not home.snapshot.exists():
        return ""
    with closing(Snapshot(str(home.snapshot))) as snapshot:
        return _text(View(snapshot, block.host, block.project), block)


def _text(view: View, block: Block) -> str:
    if view.silent:
        return ""
    return view.start_text(min(view.limit, block.limit) - size(f"{BEGIN}\n\n{END}\n"))
