"""What a hook has to say: `answer`, within a second, whatever is broken; silence is always a good answer."""

from _json import make_scanner
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]

from ..capture.private import without_injected, without_private
from ..capture.spool import warn
from ..hosts import codec
from ..hosts import host as table_of
from .deliver import Ledger, content_hash, purge
from .render import Item, render
from .snapshot import Snapshot
from .view import View

DEADLINE = 1.0  # seconds
_PATHS = 3  # notes given because of the paths that one tool touched, or one prompt named
_due: list[
    tuple[str, Ledger, tuple[str, str, list[tuple[str, str]], bool, list[tuple[str, str]]]]
] = []  # see `printed`


class _Json:
    """What the C scanner asks of its owner."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def answer(home: str, host: str, native: str, folder: str, raw: bytes) -> bytes:
    """The bytes to print for one hook call; b"" (or what the host wants for nothing) on any error, said in the log.

    What they give counts as given only once `printed` is called.
    """
    text = ""
    _due.clear()
    try:
        signal(SIGALRM, _late)
        setitimer(ITIMER_REAL, DEADLINE)
        if codec.injects(host, native) or codec.resets(host, native):
            text = _text(home, host, codec.decode(host, native, decoded(raw), folder))
    except Exception as error:
        warn(home, f"{host} {native}: nothing injected: {error!r}")
    finally:
        setitimer(ITIMER_REAL, 0)
    return codec.encode(host, native, text)


def printed() -> None:
    """Record what the last answer gave: the host has it now. Where that fails, the log says that it may come again."""
    while _due:
        home, ledger, facts = _due.pop()
        try:
            ledger.add(*facts)
        except OSError as error:
            warn(home, f"not recorded, so it may be given again: {error!r}")


def decoded(raw: bytes) -> dict[str, object]:
    """The JSON object that a payload is; an error of any kind for what is none."""
    text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip()
    payload: dict[str, object] = make_scanner(_Json)(text, 0)[0]  # type: ignore[arg-type]
    return payload


def asked(prompt: str) -> str:
    """What of a prompt is looked for: without private and injected spans, and without a slash command's name."""
    prompt = without_injected(without_private(prompt)).strip()
    first = prompt.split(None, 1)[0] if prompt else ""
    return prompt[len(first) :] if first.startswith("/") and "/" not in first[1:] else prompt


def _late(signum: int, frame: object) -> None:
    raise TimeoutError(f"no answer within {DEADLINE} s")


def _text(home: str, host: str, said: dict[str, object]) -> str:
    """What to inject; its record waits in `_due`."""
    event, session, native = str(said["event"]), str(said["session"]), str(said["native"])
    agent = codec.session_id(said["agent"], "") if said["agent"] else ""
    start, child = event == "SessionStart" and not agent, event == "SubagentStart" and bool(agent)
    prompt, paths = asked(str(said["prompt"])) if said["typed"] else "", list[str]()
    if said["host"] != host:  # a Claude hook that Cursor runs is Cursor's: no second answer
        return ""
    if codec.resets(host, native) or (start and said["lost"]):
        # Gemini says before each request that it compresses, and mostly does not.
        if start or host != "gemini" or said["trigger"] == "manual":
            _due.append((home, Ledger(home, host, session, agent, make=False), (event, "", [], False, [("lost", "")])))
        return ""
    if event == "PostToolUse":
        from .paths import touched

        paths = touched(said)
    if not (start or child or prompt or paths) or said["lost"]:
        return ""
    view = View(Snapshot(f"{home}/recall.bin"), host, str(said["folder"]))
    if view.mode == "off" or (paths and not view.by_itself):
        return ""
    routed, cards, unseen, belonging = list[Item](), list[Item](), 0, list[Item]()
    if child and view.by_itself:
        from .task import notes_for

        routed, (cards, unseen) = notes_for(home, host, said, view), view.cards()
    elif view.by_itself:
        routed, belonging = view.at_prompt(prompt) if prompt else [], view.at_paths(paths, prompt, str(said["cwd"]))
    proven = not paths and view.setting("recall.proof") == "compact"
    ledger = Ledger(home, host, session, agent, make=bool(start or routed or cards or belonging or proven))
    # Where no start is answered, or its context was lost since then, the next prompt gets what a start gets.
    owed = bool(prompt) and (ledger.lost or not (ledger.known or _starts(host)))
    again = bool(said["kept"]) and ledger.known and not ledger.lost  # the host brings the old context back
    fresh = (start and not again) or owed or (child and not ledger.known)
    if (start or owed) and view.mode != "manual":
        first = view.at_start()
        routed = first + _others(routed, first)
    # Of a start that comes back without what starts were given, all is given again; nothing else is forgotten.
    whole = fresh or (start and said["kept"] == "prompts") or (bool(prompt) and view.mode == "always")
    loaded = [] if whole else [item for item in routed if (item.path, item.digest) in ledger.given]
    mine = [item for item in _others(belonging, routed) if fresh or (item.path, item.digest) not in ledger.given]
    routed += mine[:_PATHS]
    new = [item for item in routed if item not in loaded]
    ends, marks = list[str](), list[tuple[str, str]]()
    if prompt:  # what it found again, or that it found nothing: a subagent is given what its parent's prompt was
        ends += [f"already loaded: {', '.join(sorted(item.path for item in loaded))}\n"] * bool(loaded)
        marks += [("again", item.digest) for item in loaded] or [("turn", "")] * bool(ledger.last and not new)
    signature = content_hash("\n".join(sorted(f"{item.path} {item.digest}" for item in routed)).encode())[:8]
    if proven:
        ends.append(proof(len(new), view.size(), len(loaded), signature))
    guide = view.guide if whole and (start or owed) and view.mode != "manual" else ""
    text, given = render(new, view.limit, guide, cards, unseen, ends)
    if start and not (whole or given):  # a session that goes on has seen the cards
        text = render([], view.limit, ends=ends)[0]
    if proven:
        text = text.replace(ends[-1], proof(len(given), view.size(), len(loaded), signature))
        marks.append((f"proof:{len(given)}/{view.size()}/{len(loaded)}", signature))
    reset = fresh and bool(text or ledger.known)
    _due.append((home, ledger, (event, view.commit, [(item.path, item.digest) for item in given], reset, marks)))
    if reset:
        purge(home)
    return text


def _others(items: list[Item], than: list[Item]) -> list[Item]:
    paths = {item.path for item in than}
    return [item for item in items if item.path not in paths]


def _starts(host: str) -> bool:
    """Whether the host takes an answer at a session's start."""
    table = table_of(host)
    return any(table.events.get(native, native) == "SessionStart" for native in table.injects)


def proof(given: int, most: int, loaded: int, signature: str) -> str:
    """The line that says what a turn came to; the signature is over the sorted paths and hashes of what was found."""
    return f"memwiki: {given} of {most} notes, {loaded} already loaded · {signature}\n"
