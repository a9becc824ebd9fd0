"""The hook's ranking and gate for people and programs: search, why a note is in or out, and a stream of queries."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from glob import escape

from ..capture.private import without_private
from ..capture.project import normal, project_of
from ..config import Config, Home
from ..errors import MemwikiError
from ..text import one_line, utc
from .analysis import analyse
from .deliver import parsed
from .disk import split
from .gate import judge
from .rank import Query, Ranked, rank
from .render import render
from .snapshot import OUTSIDE, SECRET, Note, Snapshot
from .turn import asked, proof
from .view import View

_SHOWN = 10  # notes that an explanation weighs
_AROUND = 60  # characters of a snippet's line before the first match, where the line is long


@dataclass(frozen=True, slots=True)
class Hit:
    """A note found by a search: `score` is comparable within one answer only, `snippet` is one line of its text."""

    path: str
    title: str
    type: str
    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class Weighed:
    """One note at one prompt: `why` says why it is in or out; `likelihood` (log odds) is None where a rule decided."""

    path: str
    title: str
    type: str
    score: float
    likelihood: float | None
    inject: bool
    why: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What a turn came to: when (UTC), for which subagent ("": none), and the line that the agent was shown."""

    at: str
    agent: str
    line: str


@dataclass(frozen=True, slots=True)
class Recall:
    """What a hook would print now in a new session, and how it came to that; `text` is "" for nothing."""

    host: str
    project: str
    text: str
    notes: tuple[Weighed, ...]
    why: str


def search(home: Home, query: str, *, within: str = "", type: str = "", limit: int = 10) -> list[Hit]:
    """The `limit` best notes below the path prefix `within` and of `type`, best first; [] when no word is known.

    Words are words, never operators. Raises MemwikiError when there is no snapshot.
    """
    with opened(home) as snapshot:
        chosen = [(0, snapshot.numbers)]
        if within or type:
            chosen = [(number, number + 1) for number in _matching(snapshot, within, type)]
        looked_for = Query(snapshot, query)
        ranked = rank(snapshot, looked_for, chosen, count=max(30, limit))[:limit]
        return [hit(one) for one in ranked]


def explain(home: Home, prompt: str, *, host: str = "claude", folder: str = "") -> Recall:
    """What a hook of `host` would inject at `prompt` in a new session in `folder`, and why each note is in or out.

    Raises MemwikiError when there is no snapshot.
    """
    with opened(home) as snapshot:
        view = View(snapshot, host, folder)
        query = Query(snapshot, asked(prompt))
        spans = [(first, end) for _, first, end in view.spans]
        ranked = rank(snapshot, query, spans)
        verdicts = judge(query, ranked, _SHOWN)
        text, given = render(view.at_prompt(query.text), view.limit) if view.by_itself else ("", [])
        replaced = {row[0]: row[1] for row in snapshot.rows("superseded")}
        bodies = {item.path for item in given}
        notes = []
        for place, (one, verdict) in enumerate(zip(ranked, verdicts, strict=False)):
            why, likelihood = verdict
            if not why and not view.by_itself:
                why = f"recall.mode is {view.mode}"
            elif not why and one.note.path in replaced:
                why = f"was replaced by {replaced[one.note.path]}"
            elif not why and place >= view.most:
                why = f"only {view.most} notes are injected at a prompt"
            elif not why and view.unreviewed == "hold" and view.kind(one.note.path):
                why = "is held back until it is reviewed (recall.unreviewed)"
            elif not why and one.note.path not in bodies:
                why = "is gone, or has no text" if f"- {one.note.path}: " not in text else "does not fit: a card only"
            notes.append(_weighed(one, likelihood, why))
        others = rank(snapshot, query, [(0, snapshot.numbers)])[:_SHOWN]
        outside = _outside(snapshot)
        for one in others:
            if any(first <= one.note.id < end for first, end in spans):
                continue
            why = "is for others"
            if one.note.flags & SECRET:
                why = "holds what looks like a secret"
            elif any(first <= one.note.id < end for first, end in outside):
                why = "is outside recall.folders"
            notes.append(_weighed(one, None, why))
        notes.sort(key=lambda note: (-note.inject, -note.score, note.path))
        return Recall(host, view.project, text, tuple(notes), _summary(view, query, bool(text)))


def start(home: Home, *, host: str = "claude", folder: str = "") -> Recall:
    """What a hook of `host` would inject when a new session starts in `folder`. Raises MemwikiError as `explain`."""
    with opened(home) as snapshot:
        view = View(snapshot, host, folder)
        text = "" if view.silent else view.start_text()
        if text:
            why = f"{len(text.encode()):,} bytes would be injected."
        elif view.paused:
            why = "Nothing would be injected: memwiki is paused in this project."
        elif view.silent:
            why = f"Nothing would be injected: recall.mode is {view.mode}."
        else:
            why = "Nothing would be injected: no note is for this project."
        return Recall(host, view.project, text, (), why)


def refusal(config: Config, *, host: str = "", folder: str = "") -> str:
    """One sentence to tell an agent of `host` that asks in `folder`, where the memory is off or paused; else ""."""
    project = project_of(folder)[0]
    if config.get("capture.paused") or project in map(normal, config.paused_projects):
        return "The memory is paused here; the person can `memwiki resume` it."
    if config.get("recall.mode", host=host, project=project) == "off":
        return "The memory is switched off here (recall.mode = off); the person can change that with `memwiki config`."
    return ""


def proofs(home: Home, key: str) -> list[Proof]:
    """The proof lines of the session `key` and of its subagents, oldest first, as long as its records last."""
    name, found = key.replace("/", "+", 1), []
    for file in home.delivered.glob(f"{escape(name)}*"):
        agent = file.name.removeprefix(name).removeprefix("+")
        for line in file.read_text("utf-8", "replace").splitlines() if file.name in (name, f"{name}+{agent}") else ():
            at, event, signature, _, _ = parsed(line)
            if event.startswith("proof:"):
                given, most, loaded = map(int, event[6:].split("/"))
                said = proof(given, most, loaded, signature).rstrip("\n")
                found.append((at, Proof(utc(at / 1e9), agent, said)))
    return [one for _, one in sorted(found, key=lambda one: one[0])]


def stream(home: Home, lines: Iterable[str]) -> Iterator[str]:
    """For each line `{"query", "k"}` a line `{"results": [{"path", "title", "score", "inject"}]}`, best first.

    Ranked and gated as a hook in no project would in a new session, were every folder in `recall.folders`: the stream
    measures ranking and gate. A line that is no such object gets `{"error"}`.
    """
    for line in lines:
        try:
            wanted = json.loads(line)
            text, count = str(wanted["query"]), int(wanted.get("k", 10))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            yield json.dumps({"error": f"not a query: {error!r}", "results": []}, ensure_ascii=False)
            continue
        with opened(home) as snapshot:
            view = View(snapshot, "claude", "")
            query = Query(snapshot, asked(text))
            spans = [*((first, end) for _, first, end in view.spans), *_outside(snapshot)]
            ranked = rank(snapshot, query, spans, count=max(30, count))
            verdicts = judge(query, ranked, view.most)
            chosen = {one.note.id for one, verdict in zip(ranked, verdicts, strict=False) if not verdict[0]}
            if snapshot.rows("secret"):  # found, as by `search`, but never injected
                everything = rank(snapshot, query, [(0, snapshot.numbers)], count=max(30, count))
                ranked += [one for one in everything if one.note.flags & SECRET]
                ranked.sort(key=lambda one: (-one.score, one.note.path))
            results = [
                {
                    "path": one.note.path,
                    "title": one.note.field(4),
                    "score": round(one.score, 4),
                    "inject": one.note.id in chosen,
                }
                for one in ranked[:count]
            ]
        yield json.dumps({"results": results}, ensure_ascii=False)


@contextmanager
def opened(home: Home) -> Iterator[Snapshot]:
    """The snapshot of `home`; MemwikiError, with the remedy, when it cannot be read."""
    try:
        snapshot = Snapshot(str(home.snapshot))
    except (OSError, ValueError) as error:
        raise MemwikiError(f"The snapshot of the notes cannot be read: {error}.", "Run `memwiki sync`.") from error
    try:
        yield snapshot
    except (OSError, ValueError) as error:
        raise MemwikiError(f"The snapshot of the notes is damaged: {error}.", "Run `memwiki sync --full`.") from error
    finally:
        snapshot.close()


def _outside(snapshot: Snapshot) -> list[tuple[int, int]]:
    """(first, end) of the notes that hooks never give, by `recall.folders`."""
    return [(first, end) for name, first, end in snapshot.spans() if name == OUTSIDE]


def _matching(snapshot: Snapshot, within: str, type: str) -> Iterator[int]:
    for number in range(snapshot.numbers):
        note = snapshot.note(number)
        if note.path.startswith(within) and type in ("", note.field(6)):
            yield number


def _weighed(one: Ranked, likelihood: float | None, why: str) -> Weighed:
    return Weighed(
        path=one.note.path,
        title=one.note.field(4),
        type=one.note.field(6),
        score=round(one.score, 3),
        likelihood=None if likelihood is None else round(likelihood, 2),
        inject=not why,
        why=why or "relevant",
    )


def _summary(view: View, query: Query, injected: bool) -> str:
    """One sentence about the whole."""
    if view.paused:
        return "Recall is paused in this project."
    if not view.by_itself:
        return f"Nothing is given at a prompt: recall.mode is {view.mode}."
    if not (query.stems or query.found):
        return "The prompt has no words to look for."
    if not query.found:
        return "No word of the prompt is in the memory."
    return "This is what the agent would be given." if injected else "Nothing would be injected."


def hit(one: Ranked) -> Hit:
    """A ranked note as a search tells of it."""
    note = one.note
    return Hit(note.path, note.field(4), note.field(6), round(one.score, 3), _snippet(note, one.matched))


def _snippet(note: Note, matched: set[str]) -> str:
    """The line of the note with the most matches, from shortly before the first; the beginning where there is none."""
    if note.flags & SECRET:  # agents search too
        return "Not shown: it holds what looks like a secret."
    best, most = "", 0
    for line in split(without_private(note.field(8)))[1].splitlines():
        hits = len(matched.intersection(analyse(line)[0]))
        if hits > most:
            best, most = line.strip(), hits
    if len(best) > 2 * _AROUND:
        first = next((i for i, word in enumerate(best.split()) if matched.intersection(analyse(word)[0])), 0)
        before = len(" ".join(best.split()[:first]))
        if before > _AROUND:
            best = "… " + best[best.find(" ", before - _AROUND) + 1 :]
    return one_line(best or note.field(5))
