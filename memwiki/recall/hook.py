"""What a hook has to say: `answer`, within a second, whatever is broken; silence is always a good answer."""

from _json import make_scanner
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]

from ..capture.spool import warn
from ..hosts import codec
from .turn import Turn

DEADLINE = 1.0  # seconds
_GONE = (
    "memwiki is no longer installed: {} is missing. Nothing that happens in this session is remembered. Tell the user: "
    "install memwiki again and run `memwiki doctor`, or remove its hooks from this agent's settings.\n"
)
_answered: list[Turn] = []  # the last answer, until it is printed


class _Json:
    """What the C scanner asks of its owner."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def answer(home: str, host: str, native: str, folder: str, raw: bytes, missing: str = "") -> bytes:
    """The bytes to print for one hook call; b"" (or what the host wants for nothing) on any error, said in the log.

    What they give counts as given only once `printed` is called. `missing` is where memwiki was installed, if it is
    gone: a session that starts is told.
    """
    text = notice = ""
    _answered.clear()
    try:
        signal(SIGALRM, _late)
        setitimer(ITIMER_REAL, DEADLINE)
        if codec.injects(host, native) or codec.resets(host, native):
            turn = Turn(home, host, codec.decode(host, native, decoded(raw), folder))
            text = _GONE.format(missing) if missing and turn.start else ""
            text += turn.answer()
            notice = turn.notice
            _answered.append(turn)
    except Exception as error:
        warn(home, f"{host} {native}: nothing injected: {error!r}")
    finally:
        setitimer(ITIMER_REAL, 0)
    return codec.encode(host, native, text, notice)


def printed() -> None:
    """Record what the last answer gave: the host has it now. Where that fails, the log says that it may come again."""
    while _answered:
        turn = _answered.pop()
        try:
            turn.record()
        except OSError as error:
            warn(turn.home, f"not recorded, so it may be given again: {error!r}")


def decoded(raw: bytes) -> dict[str, object]:
    """The JSON object that a payload is; an error of any kind for what is none."""
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip()
    payload: dict[str, object] = make_scanner(_Json)(text, 0)[0]  # type: ignore[arg-type]
    return payload


def _late(signum: int, frame: object) -> None:
    raise TimeoutError(f"no answer within {DEADLINE} s")
