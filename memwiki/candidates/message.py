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
MOST_SEEN = 1_000_000  # times that one statement can have been said
# Each looks at one line: what spanned blank lines would be tried again from every one of them.
_TRAILER = re.compile(r"^(?:[^\S\n]|[>*-])*+(Memwiki-[A-Za-z]++):[ \t]*+([^\n]*)$", re.MULTILINE)
_REVERTS = re.compile(
    r"^(?:[^\S\n]|[*-])*+This reverts commit ([0-9a-f]{7,64})(?:,\s+reversing\s+changes made to [0-9a-f]+)?", re.M
)
_LOOKS_LIKE_OURS = re.compile(r"^(?=(?:[^\S\n]|[>*-])*+(?:Memwiki-[A-Za-z]++:|This reverts commit ))", re.MULTILINE)
_SOURCES: frozenset[Source] = frozenset({"explicit", "turn", "session", "compaction", "manual", "import"})
_WHO: frozenset[Who] = frozenset({"person", "agent", "tool", "web"})
_ID = re.compile(r"[a-z2-7]{8}")
_RUN = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}")
_MACHINE = re.compile(r"[0-9a-z]{1,64}")
_COUNT = re.compile(r"[0-9]{1,7}")
_SHARE = re.compile(r"[01]\.[0-9]{1,6}|[01]")


def new_run_id() -> str:
    """A run's id: `20261130-143205-3f9a`, the time in UTC and four random hex digits."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(2)


def new_candidate_id() -> str:
    """Eight random base32 letters, lower case: 40 bits, so unique for ever in any vault."""
    return "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(8))


def is_id(text: str) -> bool:
    """Whether `text` has the form of a candidate's id, which is never a path, a revision or an option."""
    return _ID.fullmatch(text) is not None


def is_run(text: str) -> bool:
    """Whether `text` has the form of a run's id, so that it can stand in the name of a branch."""
    return _RUN.fullmatch(text) is not None


def plain(text: str) -> str:
    """Free text for a commit body: no line of it can be taken for a trailer or for git's word on a revert."""
    text = "".join(char for char in text if char in "\n\t" or char.isprintable())
    return _LOOKS_LIKE_OURS.sub("| ", "\n".join(line.rstrip() for line in text.strip().split("\n")))


def written(proposal: Proposal, candidate: str, run: str, machine: str) -> str:
    """The whole commit message of `proposal`."""
    return text_of(
        Message(
            id=candidate,
            subject=proposal.subject,
            why=proposal.why,
            run=run,
            machine=machine,
            type=proposal.type,
            source=proposal.source,
            confidence=proposal.confidence,
            seen=proposal.seen,
            evidence=proposal.evidence,
        )
    )


def text_of(found: "Message") -> str:
    """The commit message that says `found` and nothing else."""
    lines = [
        ("Candidate", found.id),
        ("Run", found.run),
        ("Machine", found.machine),
        ("Type", one_line(found.type, 40)),
        ("Source", found.source),
        ("Confidence", f"{min(max(found.confidence, 0.0), 1.0):.2f}"),
        ("Seen", str(found.seen)),
        *(("Evidence", evidence_line(evidence)) for evidence in found.evidence),
    ]
    trailers = "".join(f"Memwiki-{key}: {value}\n" for key, value in lines)
    why = plain(found.why)
    return f"{subject_of(found.subject)}\n\n{why}{chr(10) * 2 if why else ''}{trailers}"


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
    if not quote.startswith('"'):
        return None
    try:
        text = json.loads(quote)
    except ValueError:
        return None
    known = next((word for word in _WHO if word == who), None)
    return Evidence(event, known, _valid(text)) if known else None


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
    for key, value in trailers(body):
        if key == "Memwiki-Evidence":
            if one := evidence_of(value):
                evidence.append(one)
        else:
            found.setdefault(key, value)
    named = ids(body)
    if not named:
        return None
    run, machine = found.get("Memwiki-Run", ""), found.get("Memwiki-Machine", "")
    confidence, seen = found.get("Memwiki-Confidence", ""), found.get("Memwiki-Seen", "")
    return Message(
        id=named[0],
        subject=_valid(body.partition("\n")[0].strip()),
        why=reason_of(body),
        run=run if is_run(run) else "",
        machine=machine if _MACHINE.fullmatch(machine) else "",
        type=one_line(_valid(found.get("Memwiki-Type", "")), 40),
        source=next((word for word in _SOURCES if word == found.get("Memwiki-Source")), "turn"),
        confidence=min(1.0, float(confidence)) if _SHARE.fullmatch(confidence) else 0.0,
        seen=min(MOST_SEEN, max(1, int(seen))) if _COUNT.fullmatch(seen) else 1,
        evidence=tuple(evidence),
    )


def ids(body: str) -> list[str]:
    """The candidates that `body` names in its trailers, each once; a value that is not an id names none."""
    return list(dict.fromkeys(value for value in values(body, "Candidate") if is_id(value)))


def values(body: str, key: str) -> list[str]:
    """The values of the trailer `key` (without `Memwiki-`) anywhere in `body`."""
    return [value for name, value in trailers(body) if name == f"Memwiki-{key}"]


def trailers(body: str) -> list[tuple[str, str]]:
    """(key, value) of each `Memwiki-...` trailer of a commit's message."""
    return [(key, value.rstrip()) for key, value in _TRAILER.findall(body)]


def reverted(body: str) -> list[str]:
    """The commits, in full or cut, that git's own words in `body` say it reverts."""
    return _REVERTS.findall(body)


def reason_of(body: str) -> str:
    """What stands between the subject and the first trailer: why it was proposed, or refused."""
    _, _, rest = body.partition("\n")
    first = _TRAILER.search(rest)
    return _valid(rest[: first.start() if first else None].strip())


def _valid(text: str) -> str:
    """`text` as valid Unicode: a byte that is not UTF-8, or half of a pair, becomes `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")
