"""What a candidate's commit message says, written and read back.

The trailers are read anywhere in a body, indented or not: forges bury them in squash messages. So text from a model or
a person that looks like one is marked on its way in.
"""

import json
import re
import secrets
import time
from dataclasses import dataclass

from ..text import one_line
from .candidate import Evidence, Proposal, Source, Who

SUBJECT = 72  # characters of a subject, at most
_TRAILER = re.compile(r"^[\s>*-]*(Memwiki-[A-Za-z]+):[ \t]*(.*?)\s*$", re.MULTILINE)
_REVERTS = re.compile(
    r"^[\s*-]*This reverts commit ([0-9a-f]{7,64})(?:,\s+reversing\s+changes made to [0-9a-f]+)?", re.M
)
_LOOKS_LIKE_OURS = re.compile(r"^(?=[\s>*-]*(?:Memwiki-[A-Za-z]+:|This reverts commit ))", re.MULTILINE)
_SOURCES: frozenset[Source] = frozenset({"explicit", "turn", "session", "compaction", "manual", "import"})
_WHO: frozenset[Who] = frozenset({"person", "agent", "tool", "web"})


def new_run_id() -> str:
    """A run's id: `20261130-143205-3f9a`, the time in UTC and four random hex digits."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(2)


def new_candidate_id() -> str:
    """Eight random base32 letters, lower case: 40 bits, so unique for ever in any vault."""
    return "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(8))


def plain(text: str) -> str:
    """Free text for a commit body: no line of it can be taken for a trailer or for git's word on a revert."""
    text = "".join(char for char in text if char in "\n\t" or char.isprintable())
    return _LOOKS_LIKE_OURS.sub("| ", "\n".join(line.rstrip() for line in text.strip().split("\n")))


def written(proposal: Proposal, candidate: str, run: str, machine: str) -> str:
    """The whole commit message of `proposal`."""
    lines = [
        ("Candidate", candidate),
        ("Run", run),
        ("Machine", machine),
        ("Type", one_line(proposal.type, 40)),
        ("Source", proposal.source),
        ("Confidence", f"{min(max(proposal.confidence, 0.0), 1.0):.2f}"),
        ("Seen", str(proposal.seen)),
        *(("Evidence", evidence_line(evidence)) for evidence in proposal.evidence),
    ]
    trailers = "".join(f"Memwiki-{key}: {value}\n" for key, value in lines)
    why = plain(proposal.why)
    return f"{subject_of(proposal.subject)}\n\n{why}{chr(10) * 2 if why else ''}{trailers}"


def subject_of(text: str) -> str:
    """One line of at most 72 characters that is no trailer; a change without words still gets a subject."""
    return one_line(plain(text), SUBJECT) or "Change a note"


def evidence_line(evidence: Evidence) -> str:
    """`<event id> <who> "<quote>"`: the quote as a JSON string, so that it stays on its line."""
    return f"{evidence.event} {evidence.who} {json.dumps(evidence.quote, ensure_ascii=False)}"


def evidence_of(line: str) -> Evidence | None:
    """`evidence_line` read back; None for a line that a person or a forge has broken."""
    event, _, rest = line.partition(" ")
    who, _, quote = rest.partition(" ")
    try:
        text = json.loads(quote)
    except ValueError:
        return None
    known = next((word for word in _WHO if word == who), None)
    return Evidence(event, known, text) if known and isinstance(text, str) else None


@dataclass(frozen=True, slots=True)
class Message:
    """One candidate's part of a commit message."""

    id: str
    subject: str
    why: str
    run: str
    machine: str
    type: str
    source: Source
    confidence: float
    seen: int
    evidence: tuple[Evidence, ...]


def read(body: str) -> Message | None:
    """The candidate that `body`, the message of its own commit, speaks of; None when it names none."""
    found: dict[str, str] = {}
    evidence = []
    for key, value in _TRAILER.findall(body):
        if key == "Memwiki-Evidence":
            if one := evidence_of(value):
                evidence.append(one)
        else:
            found.setdefault(key, value)
    if "Memwiki-Candidate" not in found:
        return None
    return Message(
        id=found["Memwiki-Candidate"],
        subject=body.partition("\n")[0].strip(),
        why=reason_of(body),
        run=found.get("Memwiki-Run", ""),
        machine=found.get("Memwiki-Machine", ""),
        type=found.get("Memwiki-Type", ""),
        source=next((word for word in _SOURCES if word == found.get("Memwiki-Source")), "turn"),
        confidence=_number(found.get("Memwiki-Confidence", "")),
        seen=int(_number(found.get("Memwiki-Seen", "1"))) or 1,
        evidence=tuple(evidence),
    )


def values(body: str, key: str) -> list[str]:
    """The values of the trailer `key` (without `Memwiki-`) anywhere in `body`."""
    return [value for name, value in _TRAILER.findall(body) if name == f"Memwiki-{key}"]


def reverted(body: str) -> list[str]:
    """The commits, in full or cut, that git's own words in `body` say it reverts."""
    return _REVERTS.findall(body)


def reason_of(body: str) -> str:
    """What stands between the subject and the first trailer: why it was proposed, or refused."""
    _, _, rest = body.partition("\n")
    first = _TRAILER.search(rest)
    return rest[: first.start() if first else None].strip()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
