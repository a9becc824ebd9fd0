"""What a hook has to say: `answer`, within a second, whatever is broken; silence is always a good answer."""

import posix
from _json import make_scanner
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal

from ..capture.private import without_injected, without_private
from ..capture.project import project_of, slug
from ..capture.spool import warn
from ..hosts import codec
from .deliver import Ledger, purge
from .gate import judge
from .rank import Query, rank
from .render import GUIDE, Item, render
from .snapshot import PIN, SECRET, Note, Snapshot

DEADLINE = 1.0  # seconds
_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START", "rebase-merge", "rebase-apply")
_LARGEST = 64 * 1024  # bytes of a note
_PROFILES = 500  # profile notes looked at


class _Json:
    """What the C scanner asks of its owner."""

    strict, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant = False, None, None, float, int, float


def answer(home: str, host: str, native: str, folder: str, raw: bytes) -> bytes:
    """The bytes to print for one hook call; b"" (or what the host wants for nothing) on any error, said in the log."""
    text = ""
    try:
        signal(SIGALRM, _late)
        setitimer(ITIMER_REAL, DEADLINE)
        if codec.injects(host, native):
            text = _answer(home, host, native, folder, raw)
    except Exception as error:
        text = ""
        warn(home, f"{host} {native}: nothing injected: {error!r}")
    finally:
        setitimer(ITIMER_REAL, 0)
    return codec.encode(host, native, text)
