"""The added and removed lines of commits: the identity of a change, whatever its place and its context."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..vault.filters import covered
from ..vault.git import Git
from .damage import piecewise

# git's own words, whatever the person's config says about diffs.
_DIFF = (
    *("-r", "-p", "-U0", "-M", "--raw", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
_NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Delta:
    """Per path (after a rename: both), how often each line was added (`+text`) or removed (`-text`), blanks squeezed.

    A rename itself counts as the line `>new path` of both.
    """

    files: Mapping[str, Counter[str]]

    def of(self, paths: Iterable[str]) -> Counter[str]:
        """The lines of some paths."""
        found: Counter[str] = Counter()
        seen: list[Counter[str]] = []
        for path in paths:
            lines = self.files.get(path)
            if lines is not None and not any(lines is other for other in seen):  # a rename's two names are one file
                seen.append(lines)
                found += lines
        return found

    def all(self) -> Counter[str]:
        """The lines of every path."""
        return self.of(self.files)


def deltas(git: Git, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Delta]:
    """The delta of each (before, after) pair of commits, in one process; before "" is the parent, or nothing.

    A pair of which an object is missing is left out.
    """
    return piecewise(partial(_deltas, git), list(dict.fromkeys(pairs)))


def _deltas(git: Git, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Delta]:
    asked = "".join(f"{after} {before}".rstrip() + "\n" for before, after in pairs).encode()
    out = git.run("diff-tree", "--stdin", "--always", "--root", *_DIFF, input=asked, timeout=300).out
    # Each answer begins with the commit's name on a line of its own; no line of a diff looks like that.
    chunks: list[tuple[str, list[str]]] = []
    for line in out.decode("utf-8", "surrogateescape").split("\n"):
        if _NAME.fullmatch(line):
            chunks.append((line, []))
        elif chunks:
            chunks[-1][1].append(line)
    found = {}
    changed = {}
    answers = deque(chunks)
    for pair in pairs:  # git answers in order, and says nothing of a commit that is missing
        if answers and answers[0][0] == pair[1]:
            lines = answers.popleft()[1]
            found[pair] = _parsed(lines)
            changed[pair] = [_Changed.of(line) for line in lines if line.startswith(":")]
    return _in_plain_text(git, found, changed)


@dataclass(frozen=True, slots=True)
class _Changed:
    """A raw line of a diff: the blobs before and after (zeros: none) and the path, after a rename both."""

    before: str
    after: str
    paths: tuple[str, ...]

    @classmethod
    def of(cls, line: str) -> "_Changed":
        head, *names = line.split("\t")
        _, _, before, after, _ = head.split(" ")
        return cls(before, after, tuple(_unquoted(name, True) for name in names))


def _in_plain_text(
    git: Git, found: dict[tuple[str, str], Delta], changed: Mapping[tuple[str, str], list[_Changed]]
) -> dict[tuple[str, str], Delta]:
    """`found`, with the lines of notes behind a git filter as a person sees them: git compares what is stored."""
    behind = covered(git, {path for some in changed.values() for one in some for path in one.paths})
    if not behind:
        return found
    result = dict(found)
    for pair, some in changed.items():
        files = dict(found[pair].files)
        for one in some:
            if behind.isdisjoint(one.paths):
                continue
            before, after = _lines(git, one.paths[0], one.before), _lines(git, one.paths[-1], one.after)
            lines = Counter({f"+{line}": count for line, count in (after - before).items()})
            lines += Counter({f"-{line}": count for line, count in (before - after).items()})
            if len(one.paths) > 1:
                lines[f">{one.paths[-1]}"] += 1
            files |= dict.fromkeys(one.paths, lines)
        result[pair] = Delta(files)
    return result


def _lines(git: Git, path: str, blob: str) -> Counter[str]:
    if not blob.strip("0"):
        return Counter()
    (text,) = git.texts([(path, blob)])
    return Counter(" ".join(line.split()) for line in text.data.decode("utf-8", "surrogateescape").splitlines())


def delta(git: Git, before: str, after: str) -> Delta:
    """The delta of one pair of commits."""
    return deltas(git, [(before, after)])[(before, after)]


def _parsed(lines: list[str]) -> Delta:
    files: dict[str, Counter[str]] = {}
    current: Counter[str] = Counter()
    in_head = False
    for line in lines:
        if line.startswith("diff --git "):
            current, in_head = Counter(), True
        elif in_head and line.startswith(("--- ", "+++ ", "rename from ", "rename to ")):
            name = line.split(" ", 2 if line.startswith("rename") else 1)[-1]
            path = _unquoted(name, line.startswith("rename"))
            if path:
                files[path] = current
            if line.startswith("rename to "):
                current[f">{path}"] += 1
        elif line.startswith("@@"):
            in_head = False
        elif not in_head and line[:1] in ("+", "-"):
            current[line[0] + " ".join(line[1:].split())] += 1
    return Delta(files)


def _unquoted(name: str, bare: bool) -> str:
    """A path as a diff's head has it: `a/` before it unless `bare`, perhaps in C quotes, a tab after a blank in it."""
    name = name.removesuffix("\t")
    if name.startswith('"'):
        data = name[1:-1].encode("utf-8", "surrogateescape")
        name = data.decode("unicode_escape").encode("latin-1").decode("utf-8", "surrogateescape")
    if bare:
        return name
    return "" if name == "/dev/null" else name[2:]
