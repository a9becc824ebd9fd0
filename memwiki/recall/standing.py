"""What stands in a host's rules file: the memory as a session's start would give it, and the cards of the rest."""

from contextlib import closing

from ..config import Home
from ..hosts.rules import BEGIN, END, Block
from .render import render, size
from .snapshot import Snapshot
from .view import View

_CARDS = 200  # notes looked at for a line each; a file of rules is read at every prompt


def standing(home: Home, block: Block) -> str:
    """The text for one block, in its limit; "" where nothing may be given: no snapshot yet, or `recall.mode` is so."""
    if not home.snapshot.exists():
        return ""
    with closing(Snapshot(str(home.snapshot))) as snapshot:
        return _text(View(snapshot, block.host, block.project), block)


def _text(view: View, block: Block) -> str:
    if view.silent:
        return ""
    limit = min(view.limit, block.limit) - size(f"{BEGIN}\n\n{END}\n")
    start = view.at_start()
    given, gone = {item.path for item in start}, set(view.snapshot.gone())
    numbers = [number for _, first, end in view.spans for number in range(first, end) if number not in gone]
    rest = (item for number in numbers[:_CARDS] if (item := view.item(view.snapshot.note(number))))
    cards = sorted((item for item in rest if item.path not in given), key=lambda item: item.path)
    return render(start, limit, view.guide, cards, len(numbers[_CARDS:]))[0]
