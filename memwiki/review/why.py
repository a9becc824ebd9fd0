"""Where a line of a note comes from: the commit, the candidate, and the words that it rests on."""

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..candidates.candidate import Candidate
from ..candidates.history import time_of
from ..candidates.message import ids
from ..candidates.states import candidates
from ..errors import MemwikiError
from ..files import named_on_disk
from ..journal.sessions import Journal
from ..vault.filters import covered
from ..vault.git import Git
from .sources import sources

# A candidate's commit counts as a line's origin when it wrote at least this share of its words; the rest reworded it.
FAIR_SHARE = 0.3
_DRIVER = "memwikiwords"
# One word a line, so that blame finds words after a reflow, a join or a typo, where a line blame loses them (measured).
_TEXTCONV = "tr -s '[:space:]' '\\n' <"
_BLAMED = re.compile(rb"^([0-9a-f]{40,64}) \d+ \d+(?: \d+)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a candidate rests on; `at` is when they were said, "" where this journal has no such event."""

    event: str
    who: str
    quote: str
    at: str


@dataclass(frozen=True, slots=True)
class Origin:
    """One line of a note, numbered from 1 in the file, and the commit that most of it comes from.

    `commit` is "" for a line that is not committed yet. `candidate` is None for a person's own line. `reworded` names
    the commits that changed single words, newest first.
    """

    line: int
    text: str
    commit: str
    at: str
    author: str
    subject: str
    candidate: Candidate | None
    words: tuple[Words, ...]
    reworded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Commit:
    name: str
    seconds: int
    author: str
    subject: str
    ids: tuple[str, ...]


def why(git: Git, journal: Journal, path: str, line: int | None = None) -> list[Origin]:
    """The origin of line `line` of the note `path` as memory has it, or of each of its lines that holds words.

    Raises MemwikiError when the note has no such line.
    """
    # `git blame` passes the file on disk through the filter, and the commits not: so only commits can be compared.
    rev = "" if git.is_memory() and not covered(git, [path]) else git.ref
    data = (git.top / named_on_disk(path)).read_bytes() if not rev else git.blob(rev, path) or b""
    lines = data.splitlines()
    if line is not None and not 1 <= line <= len(lines):
        raise MemwikiError(f"{path} has {len(lines)} lines, not {line}.", f"`memwiki show {path}` prints it.")
    blamed = _blame(git, path, rev, data)
    wanted = [line] if line is not None else [n for n, text in enumerate(lines, 1) if text.strip(b" \t-#*>\r")]
    commits = {one.name: one for one in _commits(git, {name for n in wanted for name in blamed[n - 1]})}
    known = {one.id: one for one in candidates(git)}
    found = []
    for n in wanted:
        text, wrote = lines[n - 1].decode("utf-8", "replace"), blamed[n - 1]
        newest = sorted((commits[name] for name in wrote if name in commits), key=lambda one: -one.seconds)
        if not newest:
            found.append(Origin(n, text, "", "", "", "not committed yet", None, (), ()))
            continue
        chosen = _chosen(newest, wrote)
        candidate = _candidate(known, chosen.ids or _ledger(git, text), path)
        spoken = tuple(_spoken(journal, candidate)) if candidate else ()
        others = tuple(f"{one.name[:10]} {one.subject}" for one in newest if one is not chosen)
        when = time_of(str(chosen.seconds))
        found.append(Origin(n, text, chosen.name, when, chosen.author, chosen.subject, candidate, spoken, others))
    return found


def _chosen(newest: list[_Commit], wrote: "Counter[str]") -> _Commit:
    """The newest commit with a candidate and a fair share of a line's words, else the newest of all."""
    fair = FAIR_SHARE * sum(wrote.values())
    return next((one for one in newest if one.ids and wrote[one.name] >= fair), newest[0])


def _candidate(known: dict[str, Candidate], ids: Iterable[str], path: str) -> Candidate | None:
    """Of the candidates that are known here: one of this note, else any."""
    there = [known[id] for id in ids if id in known]
    return next((one for one in there if path in (one.path, one.old_path)), next(iter(there), None))


def _spoken(journal: Journal, candidate: Candidate) -> Iterator[Words]:
    found = sources(journal, [candidate])
    for one in candidate.evidence:
        yield Words(one.event, one.who, one.quote, found[one].at if one in found else "")


def _blame(git: Git, path: str, rev: str, data: bytes) -> "list[Counter[str]]":
    """For each line of the file, how many of its words each commit wrote; uncommitted words are not counted."""
    driver = git.run("check-attr", "-z", "diff", "--", path).fields[2]
    lines = [text.split() for text in data.splitlines()]
    if driver in ("set", "unset"):  # the vault wants this file compared as it is: blame whole lines
        names = iter(_names(git, path, rev))
        by_word = [name for words, name in zip(lines, names, strict=False) for _ in words]
    else:
        driver = _DRIVER if driver == "unspecified" else driver
        with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
            attributes = Path(folder, "attributes")
            attributes.write_text(f"* diff={_DRIVER}\n", "ascii")
            options = ("-c", f"core.attributesFile={attributes}", "-c", f"diff.{driver}.textconv={_TEXTCONV}")
            by_word = _names(git, path, rev, *options)[1 if data[:1].isspace() else 0 :]  # tr leaves an empty line
    place, found = 0, []
    for words in lines:
        own = zip(words, by_word[place : place + len(words)], strict=False)
        # A bullet's dash is no word: blame finds the like of it in every note.
        found.append(Counter(name for word, name in own if name.strip("0") and re.search(rb"[^\W_]|[\x80-\xff]", word)))
        place += len(words)
    return found


def _names(git: Git, path: str, rev: str, *options: str) -> list[str]:
    """The commit of each line that blame sees, moved words followed into other notes."""
    how = ("--textconv", "-w", "-M") if not options else ("--textconv",)
    revs = (rev,) if rev else ()
    if not rev and not git.run("ls-files", "-z", "--", path).out:
        return []  # an untracked note
    out = git.run(*options, "blame", "--porcelain", *how, "-C10", "-C10", *revs, "--", path).out
    return [match.decode("ascii") for match in _BLAMED.findall(out)]


def _commits(git: Git, names: set[str]) -> Iterator[_Commit]:
    """What is needed of the commits `names`, in one call."""
    if not names:
        return
    form = "--format=%H%x00%ct%x00%an%x00%s%x00%B%x00"
    listed = "".join(f"{name}\n" for name in sorted(names)).encode("ascii")
    out = git.run(
        "rev-list", "--no-walk=unsorted", "--no-commit-header", "--encoding=UTF-8", form, "--stdin", input=listed
    )
    parts = out.text.split("\0")
    for place in range(0, len(parts) - 1, 5):
        name, seconds, author, subject, body = parts[place : place + 5]
        yield _Commit(name.strip(), int(seconds), author, subject, tuple(ids(body)))


def _ledger(git: Git, text: str) -> tuple[str, ...]:
    """Candidates that first proposed these words, by the ledgers: a squash may have lost the trailers on main."""
    words = re.findall(r"[^\s*_`>#\[\]]{2,}", text)[:12]
    if len(words) < 3:
        return ()
    literal = [re.sub(r"([^\w])", r"[\1]", word).replace("[^]", r"\^") for word in words]
    pattern = "[[:space:]]+".join(literal)
    found = git.run(
        "log",
        "--format=%B%x00",
        "-i",
        "--no-textconv",
        "--pickaxe-regex",
        f"-S{pattern}",
        "--glob=refs/memwiki/runs",
        ok=(0, 128),
    )
    return tuple(id for body in reversed(found.text.split("\0")) for id in ids(body))
