"""One hook call as recall sees it: which notes fit the moment, which of them are new, and what is said and recorded."""

from ..capture.private import without_injected, without_private
from ..hosts import codec
from ..hosts import host as table_of
from .deliver import Ledger, purge
from .render import Item, render
from .snapshot import Snapshot
from .view import View

_PATHS = 3  # notes given because of the paths that one tool touched, or one prompt named


class Turn:
    """`answer` is asked once; `record` then keeps what it gave, and is called when that has been printed."""

    def __init__(self, home: str, host: str, said: dict[str, object]) -> None:
        self.home, self.host, self.said = home, host, said
        self.event, self.agent = str(said["event"]), str(said["agent"])
        self.start = self.event == "SessionStart" and not self.agent
        self.child = self.event == "SubagentStart" and bool(self.agent)
        self.prompt = asked(str(said["prompt"])) if said["typed"] else ""
        self.paths, self.cards, self.unseen = list[str](), list[Item](), 0
        self.given, self.marks, self.commit = list[Item](), list[tuple[str, str]](), ""
        self.ledger: Ledger | None = None
        self.notice = ""  # a line for the user

    def answer(self) -> str:
        """The text to print, "" for none. Raises whatever is broken."""
        said = self.said
        if said["host"] != self.host:  # a Claude hook that Cursor runs is Cursor's: no second answer
            return ""
        if self._loses():
            self.ledger, self.marks = self._ledger(make=False), [("lost", "")]
        if self.event in ("PostToolUse", "InstructionsLoaded"):
            from .paths import loaded, touched

            self.paths = touched(said)
            self.given = [Item(path, "", "", "", digest) for path, digest in loaded(said)]
            self.ledger = self._ledger(make=True) if self.given else self.ledger
        if said["lost"] or not (self.start or self.child or self.prompt or self.paths):
            return ""
        view = View(Snapshot(f"{self.home}/recall.bin"), self.host, str(said["folder"]), self._roots())
        if not view.project and not self.start:
            self._open_worked(view)
        if (view.mode == "off" and (view.paused or not self.start)) or (self.paths and not view.by_itself):
            return ""
        self.commit = view.commit
        routed, belonging = self._found(view) if view.by_itself else ([], [])
        proven = view.mode != "off" and not self.paths and view.setting("recall.proof") == "compact"
        return self._said(view, routed, belonging, proven)

    def record(self) -> None:
        """Keep what the answer gave, where there is anything to keep; OSError when that fails."""
        if self.ledger:
            notes = [(item.path, item.digest) for item in self.given]
            self.ledger.add(self.event, self.commit, notes, self.marks)

    def _roots(self) -> list[str]:
        """More folders whose projects count: all that an editor has open."""
        roots = self.said["roots"]
        return [str(one) for one in roots] if isinstance(roots, list) else []

    def _open_worked(self, view: View) -> None:
        """Above several repositories: those count that the session has worked in, and the one of a path of now."""
        from .worked import projects_at, projects_of

        file = f"{self.home}/journal/{self.host}/{self.said['session']}.jsonl"
        for key, top in projects_of(file) + projects_at(self.paths, str(self.said["cwd"])):
            view.tops += [top]
            view.open(key)

    def _loses(self) -> bool:
        """Whether the context is lost by this event, and no start that is answered follows."""
        if self.start:
            return bool(self.said["lost"])
        # Gemini says before each request that it compresses, and mostly does not.
        real = self.host != "gemini" or self.said["trigger"] == "manual"
        return real and codec.resets(self.host, str(self.said["native"]))

    def _ledger(self, make: bool) -> Ledger:
        agent = codec.session_id(self.agent, "") if self.agent else ""
        return Ledger(self.home, self.host, str(self.said["session"]), agent, make)

    def _found(self, view: View) -> tuple[list[Item], list[Item]]:
        """The notes that are relevant now, and those that belong to a path of now."""
        if self.child:
            from .task import notes_for

            self.cards, self.unseen = view.cards()
            return notes_for(self.home, self.host, self.said, view), []
        relevant = view.at_prompt(self.prompt) if self.prompt else []
        return relevant, view.at_paths(self.paths, self.prompt, str(self.said["cwd"]))

    def _said(self, view: View, routed: list[Item], belonging: list[Item], proven: bool) -> str:
        """The text for what was found, without what the context has already."""
        ledger = self._ledger(make=bool(self.start or routed or belonging or self.cards or proven))
        # Where no start is answered, or its context was lost since then, the next prompt gets what a start gets.
        owed = bool(self.prompt) and (ledger.lost or not (ledger.known or _answers_starts(self.host)))
        back = bool(self.said["kept"]) and ledger.known and not ledger.lost  # the host brings the old context back
        fresh = (self.start and not back) or (self.child and not ledger.known)
        # Of a start that comes back without what starts were given, all is given again; nothing else is forgotten.
        whole = fresh or (self.start and self.said["kept"] == "prompts")
        first = view.at_start() if (self.start or owed) and not view.silent else []
        routed = first + _others(routed, first)
        old = set() if whole else ledger.given
        routed += [item for item in _others(belonging, routed) if (item.path, item.digest) not in old][:_PATHS]
        repeats = bool(self.prompt) and view.mode == "always"
        loaded = [] if repeats else [item for item in routed if (item.path, item.digest) in old]
        new = _others(routed, loaded)
        ends = list[str]()
        if self.prompt:  # kept, too: a record is purged by when it was last of use
            ends += [f"already loaded: {', '.join(sorted(item.path for item in loaded))}\n"] * bool(loaded)
            self.marks = [("again", item.digest) for item in loaded]
        if proven:
            keys = "\n".join(sorted(f"{item.path} {item.digest}" for item in routed))
            signature, most = codec.sha256(keys.encode())[:8], view.size()
            ends.append(proof(len(new), most, len(loaded), signature))
        telling = ((self.start and whole) or owed) and not view.silent
        guide = view.guide if telling else ""
        guide += view.recap() if telling and self.said["source"] in ("startup", "clear") else ""
        overview, told = view.overview(first, old, guide) if (self.start or owed) and not view.silent else ("", [])
        new = _others(new, told)
        text, self.given = render(new, view.limit, guide, self.cards, self.unseen, ends, overview)
        self.given += told if overview and overview in text else []
        if self.start and not (whole or self.given):  # a session that goes on has seen the cards
            text = render([], view.limit, ends=ends)[0]
        if proven and ends[-1] in text:
            text = text.replace(ends[-1], proof(len(self.given), most, len(loaded), signature))
            self.marks.append((f"proof:{len(self.given)}/{most}/{len(loaded)}", signature))
        state = "reset" if fresh else "paid" if owed else ""
        if view.silent:  # what this start would have got is owed, should the mode become another
            state = "lost" if self.start and fresh else ""
        if state and (text or ledger.known or view.silent):
            self.marks.insert(0, (state, ""))
            purge(self.home)
        self.ledger = ledger
        self.notice = self._notice(view)
        return text

    def _notice(self, view: View) -> str:
        """The line for the user: how many notes a start gave and what waits for review; the names at a prompt."""
        wanted = view.setting("recall.notice")
        names = [item.path for item in self.given]
        if wanted == "off" or view.mode == "off" or self.agent:
            return ""
        if self.start:
            waiting = int(view.snapshot.value("pending") or 0)
            parts = [f"{_counted(len(names), 'note')} given"] if names else []
            parts += [f"{_counted(waiting, 'proposal')} to review: memwiki review"] if waiting else []
            return f"memwiki: {'; '.join(parts)}" if parts else ""
        return f"memwiki: {', '.join(names)}" if names and self.prompt and wanted == "all" else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def asked(prompt: str) -> str:
    """What of a prompt is looked for: without private and injected spans, and without a slash command's name."""
    prompt = without_injected(without_private(prompt)).strip()
    first = prompt.split(None, 1)[0] if prompt else ""
    return prompt[len(first) :] if first.startswith("/") and "/" not in first[1:] else prompt


def proof(given: int, most: int, loaded: int, signature: str) -> str:
    """The line that says what a turn came to; the signature is over the sorted paths and hashes of what was found."""
    return f"memwiki: {given} of {most} notes, {loaded} already loaded · {signature}\n"


def _others(items: list[Item], than: list[Item]) -> list[Item]:
    paths = {item.path for item in than}
    return [item for item in items if item.path not in paths]


def _answers_starts(host: str) -> bool:
    """Whether the host takes an answer at a session's start."""
    table = table_of(host)
    return any(table.events.get(native, native) == "SessionStart" for native in table.injects)
