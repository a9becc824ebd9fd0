"""What a hook has to say: `answer`, within a second, whatever is broken; silence is always a good answer."""

from _json import make_scanner
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]

from ..capture.private import without_injected, without_private
from ..capture.spool import warn
from ..hosts import codec
from .deliver import Ledger, purge
from .render import render
from .snapshot import Snapshot
from .view import View

DEADLINE = 1.0  # seconds


class _Json:
    """What the C scanner asks of its owner."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def answer(home: str, host: str, native: str, folder: str, raw: bytes) -> bytes:
    """The bytes to print for one hook call; b"" (or what the host wants for nothing) on any error, said in the log."""
    text = ""
    try:
        signal(SIGALRM, _late)
        setitimer(ITIMER_REAL, DEADLINE)
        if codec.injects(host, native):
            payload = make_scanner(_Json)(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip(), 0)[0]  # type: ignore[arg-type]
            text = _text(home, host, codec.decode(host, native, payload, folder))
    except Exception as error:
        warn(home, f"{host} {native}: nothing injected: {error!r}")
    finally:
        setitimer(ITIMER_REAL, 0)
    return codec.encode(host, native, text)


def asked(prompt: str) -> str:
    """What of a prompt is looked for: without private and injected spans, and without a slash command's name."""
    prompt = without_injected(without_private(prompt)).strip()
    first = prompt.split(None, 1)[0] if prompt else ""
    return prompt[len(first) :] if first.startswith("/") and "/" not in first[1:] else prompt


def _late(signum: int, frame: object) -> None:
    raise TimeoutError(f"no answer within {DEADLINE} s")


def _text(home: str, host: str, said: dict[str, object]) -> str:
    """What to inject, and its record in the ledger."""
    prompt = asked(str(said["prompt"])) if said["typed"] else ""
    start = said["event"] == "SessionStart" and not said["agent"]
    if said["host"] != host or not (start or prompt):  # a Claude hook that Cursor runs is Cursor's: no second answer
        return ""
    view = View(Snapshot(f"{home}/recall.bin"), host, str(said["folder"]))
    ledger = Ledger(home, host, str(said["session"]))
    # Resuming and forking bring the old context back; every other start is without it.
    fresh = start and not (said["source"] in ("resume", "fork") and ledger.known)
    items = view.at_start() if start else view.at_prompt(prompt)
    items = [item for item in items if fresh or (item.path, item.digest) not in ledger.given]
    text, given = render(items, view.limit, view.guide if fresh else "")
    ledger.add(str(said["event"]), view.commit, [(item.path, item.digest) for item in given], fresh)
    if fresh:
        purge(home)
    return text if fresh or given or not start else ""  # a session that goes on has seen the cards
