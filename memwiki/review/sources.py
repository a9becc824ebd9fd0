"""The events of this machine's journal that candidates rest on."""

import re
from collections.abc import Iterable

from ..candidates.candidate import Candidate, Evidence
from ..dream.evidence import shell_command
from ..dream.excerpt import excerpt
from ..dream.support import Source
from ..dream.words import flat
from ..journal.event import Event
from ..journal.sessions import Journal

_EVENT = re.compile(r"([a-z][a-z0-9-]*/(?!\.)[A-Za-z0-9._-]{1,80})#([0-9]{1,12})")


def sources(journal: Journal, chosen: Iterable[Candidate]) -> dict[Evidence, Source]:
    """Evidence -> where it stands; left out when this journal does not have the event, or the words are not in it.

    A dream branch from elsewhere can cite any event, and put any words into anybody's mouth.
    """
    cited = list(dict.fromkeys(one for candidate in chosen for one in candidate.evidence))
    events = _events(journal, {one.event for one in cited})
    found = {}
    for one in cited:
        seen = excerpt(events[one.event]) if one.event in events else None
        if seen is None or seen.who != one.who or not one.quote.strip():
            continue
        if flat(one.quote) in flat(seen.text) or flat(one.quote) in flat(seen.command):
            found[one] = Source(one.who, one.quote, seen.text, shell_command(seen), seen.at)
    return found


def _events(journal: Journal, ids: Iterable[str]) -> dict[str, Event]:
    """Event id -> event, each session read once; ids of another form name none."""
    numbers: dict[str, set[int]] = {}
    for one in ids:
        match = _EVENT.fullmatch(one)
        if match:
            numbers.setdefault(match[1], set()).add(int(match[2]))
    return {
        event.id: event
        for key, wanted in numbers.items()
        for event in journal.events(key, min(wanted), max(wanted))
        if event.n in wanted
    }
