"""What an edit rests on: quotes found word for word, and who said them decides what they can carry."""

from collections.abc import Iterable, Mapping

from ..candidates.candidate import Evidence
from ..errors import MemwikiError
from ..vault.note import TYPES
from .edits import Edit, Excerpt
from .excerpt import SHELLS
from .support import Source
from .words import flat, long_enough, subjects

# What may rest on a tool alone: how a command behaves. Everything else stands only on the person's own words.
_FROM_TOOLS = ("fact", "pattern", "postmortem")
_OF_COMMANDS = 1 / 3  # share of such a statement's words that must stand in the commands it quotes


def cited(edit: Edit, excerpts: Mapping[str, Excerpt]) -> tuple[Evidence, ...]:
    """The edit's quotes as evidence. `excerpts` are the events that were read, by id.

    White space is compared as one blank, everything else to the letter, with the text as the model saw it: private and
    injected text is not in it, so it is no evidence. MemwikiError says which rule the edit breaks.
    """
    if not edit.quotes:
        raise MemwikiError("It quotes nothing.")
    found: dict[tuple[str, str], Evidence] = {}
    commands: list[str] = []
    for quote in edit.quotes:
        words, excerpt = flat(quote.text), excerpts.get(quote.event)
        if excerpt is None:
            raise MemwikiError(f"It cites {quote.event}, which was not read.")
        text, command = flat(excerpt.text), flat(excerpt.command)
        if words not in text and words not in command:
            raise MemwikiError(f'Its quote "{words[:60]}" does not stand in {quote.event}.')
        if not words or (not long_enough(words) and words not in (text, command)):
            continue  # it stands everywhere, so it proves nothing; the others may
        if words in flat(shell_command(excerpt)):
            commands.append(words)
        found[quote.event, words] = Evidence(quote.event, excerpt.who, words)
    if not found:
        raise MemwikiError("What it quotes is too short to prove anything.")
    evidence = tuple(found.values())
    _carries(edit, evidence, excerpts, commands)
    return evidence


def sources(evidence: Iterable[Evidence], excerpts: Mapping[str, Excerpt]) -> list[Source]:
    """The evidence with the events that it is from, so far as these are among `excerpts`."""
    found = ((one, excerpts[one.event]) for one in evidence if one.event in excerpts)
    return [Source(one.who, one.quote, excerpt.text, shell_command(excerpt)) for one, excerpt in found]


def shell_command(excerpt: Excerpt) -> str:
    """The command that a shell ran; "" for any other event, also for a shell's that fetched from the web."""
    return excerpt.command if excerpt.who == "tool" and excerpt.tool in SHELLS else ""


def times_said(evidence: tuple[Evidence, ...]) -> int:
    """How often it was said: events of the person, else one."""
    return max(1, len({one.event for one in evidence if one.who == "person"}))


def _carries(edit: Edit, evidence: tuple[Evidence, ...], excerpts: Mapping[str, Excerpt], commands: list[str]) -> None:
    """MemwikiError when those who said the quotes cannot carry this edit."""
    if edit.type not in TYPES:
        raise MemwikiError(f"There is no type {edit.type!r}.")
    person = [one for one in evidence if one.who == "person"]
    if edit.op == "delete" and not person:
        raise MemwikiError("Nothing is deleted without the person's words.")
    if not person:
        if edit.type not in _FROM_TOOLS:
            raise MemwikiError(f"A {edit.type} needs the person's own words.")
        if edit.op == "replace":
            raise MemwikiError("What a note says is not replaced without the person's words.")
        _about_commands(edit, [excerpts[one.event] for one in evidence], commands)


def _about_commands(edit: Edit, quoted: list[Excerpt], commands: list[str]) -> None:
    """MemwikiError unless the edit is about commands that were run: what files and pages say is nobody's word."""
    if not all(one.who == "agent" or (one.who == "tool" and one.tool in SHELLS) for one in quoted):
        raise MemwikiError("Without the person's words, what a file or a page says cannot be kept.")
    run = frozenset[str]().union(*map(subjects, commands))
    said = subjects(edit.text)
    if len(run & said) < max(1, len(said) * _OF_COMMANDS):
        raise MemwikiError("Without the person's words, only a command can be kept, and it is not the one quoted.")
