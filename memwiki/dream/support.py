"""How far quotes support a change: each line that it adds, and each line that it removes, is measured by itself.

The source of a quote decides what it can lend. The person's words carry a line; so does a command that a shell ran.
What a tool, a page or the agent said lends nothing to a line that these do not carry. URLs, commands, paths and other
identifiers come from the person's words, from a shell's, or from the note itself.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ..candidates.candidate import Who
from .words import flat, subjects

FAIR_SHARE = 1 / 3  # of a line's words that one quote must have, or the line is flagged
KEPT = 0.6  # share of a removed line's words in an added one, from which it is reworded and not removed
FEW = 1  # lines by which a change may shrink a note without a flag
_LINK = re.compile(r"\[\[[^\[\]\n]*+\]\]")  # a link between notes leads nowhere else
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,15}+://[^\s<>\"'`)\]]++")
_TAG = re.compile(r"<[!/?A-Za-z][^<>\n]*+>?")
_CODE = re.compile(r"`([^`\n]++)`")
_WORD = re.compile(r"[^\W_]{2,}+")
# A token of prose that is an identifier: a path, an option, a variable, a host or file, an address, a shell's sign.
_TOKEN = re.compile(
    r"[~.]{0,2}/\S*+|~\S++|[^\s\\]*+\\\S*+|--?[A-Za-z]\S*+|[^\s@]++@\S++|\$\S++|[|&;]{1,2}|[^\s_]++_\S*+"
)
_DOTTED = re.compile(r"[^\s.]{2,}+(?:\.[^\s.]{2,}+)++")
_EDGES = ".,:;!?()[]{}\"'“”‘’«»…"


@dataclass(frozen=True, slots=True)
class Source:
    """A quote and the event that it is from: all that was said there, the command that a shell ran, and when (UTC)."""

    who: Who
    quote: str
    text: str
    command: str = ""
    at: str = ""

    @property
    def is_command(self) -> bool:
        """Whether the quote is of a command that a shell ran."""
        return bool(self.command) and self.who == "tool" and flat(self.quote) in flat(self.command)

    @property
    def carries(self) -> bool:
        """Whether a line can rest on it."""
        return self.who == "person" or self.is_command


class Standing(Enum):
    """What an added line rests on."""

    CARRIED = "carried"
    WEAK = "weak"  # few of its words are in the quotes that could carry it
    AGENT = "agent"  # the agent's words, beside words of the person's
    FOREIGN = "foreign"  # most of its words come from a tool's output, a page or the agent
    NOTHING = "nothing"


def standing(line: str, sources: Sequence[Source]) -> Standing:
    """What `line` rests on, by the words that it shares with each quote."""
    words = subjects(_LINK.sub(" ", line))
    shared = [(source, words & subjects(source.quote)) for source in sources]
    own = frozenset[str]().union(*(common for source, common in shared if source.carries))
    most_own = max((len(common) for source, common in shared if source.carries), default=0)
    lent = {
        who: frozenset[str]().union(*(common for source, common in shared if not source.carries and source.who == who))
        for who in ("agent", "tool", "web")
    }
    if len((lent["tool"] | lent["web"]) - own) > len(own):
        return Standing.FOREIGN
    if len(lent["agent"] - own) > len(own):
        return Standing.AGENT if any(source.who == "person" for source in sources) else Standing.FOREIGN
    if not own:
        return Standing.NOTHING
    return Standing.CARRIED if most_own >= len(words) * FAIR_SHARE else Standing.WEAK


def unsaid(line: str, sources: Iterable[Source], known: str) -> list[str]:
    """The identifiers of `line` that stand in no words of the person's, no command of a shell's and not in `known`.

    An address must be there to the letter. Of another identifier half of its words must be, so that a paraphrase can
    put a name into code.
    """
    texts = [known]
    for source in sources:
        texts += [source.text] if source.who == "person" else []
        texts += [source.command] if source.who == "tool" else []
    there = flat("\n".join(texts)).casefold()
    words = subjects(there)
    rest = _LINK.sub(" ", line)
    found: list[str] = []
    for exact in (_URL, _TAG):
        names = [match[0].rstrip(_EDGES) for match in exact.finditer(rest)]
        found += [name for name in names if flat(name).casefold() not in there]
        rest = exact.sub(" ", rest)
    codes = [match[1] for match in _CODE.finditer(rest)]
    tokens = [token.strip(_EDGES) for token in _CODE.sub(" ", rest).split()]
    for name in [*codes, *(token for token in tokens if _is_identifier(token))]:
        parts = [part[:5].casefold() for part in _WORD.findall(name.replace("_", " "))]
        said = sum(part in words for part in parts)
        if flat(name).casefold() not in there and (not parts or said * 2 < len(parts)):
            found.append(name)
    return list(dict.fromkeys(found))


def _is_identifier(token: str) -> bool:
    if _TOKEN.fullmatch(token) or _DOTTED.fullmatch(token):
        return True
    return token.count("/") > 1


def spoken_of(line: str, sources: Iterable[Source]) -> bool:
    """Whether words of the person's are about `line`."""
    words = subjects(line)
    return any(words & subjects(source.quote) for source in sources if source.who == "person")


def is_kept(line: str, added: Iterable[str]) -> bool:
    """Whether an added line says what the removed `line` said, in other words or with more of them."""
    words = subjects(line)
    return not words or any(len(words & subjects(new)) >= len(words) * KEPT for new in added)


def lost(removed: Iterable[str], added: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """The removed lines that no added line keeps, and that no words of the person's are about."""
    return [line for line in removed if not is_kept(line, added) and not spoken_of(line, sources)]
