"""Notes behind a git filter (git-crypt, transcrypt, Git LFS): read as a checkout has them, stored as `git add` would.

git runs the filters itself, by `cat-file --filters` and `hash-object --path`: which path has which filter stands in the
vault's attributes, and the programs only in the person's own git config, as for any command of git's. Line ends and
encodings are left as git stores them.
"""

import secrets
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import Finding, MemwikiError
from .commits import scratch, store, tree_of
from .entries import changes
from .paths import is_note
from .process import GitError

if TYPE_CHECKING:
    from .git import Git

_SECONDS = 30.0  # for one batch: a program that waits for a key must not hold up a sync
_BATCH = 100  # notes of one git process: many filters are a process a note
_LATE = f"its program did not finish in {_SECONDS:.0f} s"
_TRIES = 3  # failures of one filter after which the rest of its notes are not tried
# How a file begins that holds no text, and why.
_SEALS = (
    (b"\0GITCRYPT\0", "is encrypted by git-crypt and locked here"),
    (b"U2FsdGVkX1", "is encrypted (transcrypt, OpenSSL) and locked here"),
    (b"age-encryption.org/v1", "is encrypted by age and locked here"),
    (b"-----BEGIN AGE ENCRYPTED FILE-----", "is encrypted by age and locked here"),
    (b"version https://git-lfs.github.com/spec/", "is a Git LFS pointer, and its text is not on this machine"),
)
UNLOCK = "Unlock or fetch it (`git-crypt unlock`, `git lfs pull`) and run `memwiki sync`."


@dataclass(frozen=True, slots=True)
class Text:
    """A file as a checkout has it, or as it is stored and the reason (`sealed`) why its text cannot be read."""

    data: bytes
    sealed: str = ""


def seal(data: bytes) -> str:
    """Why a file that begins like this holds no text ("is encrypted ..."), or ""."""
    return next((reason for start, reason in _SEALS if data.startswith(start)), "")


def texts(git: "Git", files: Iterable[tuple[str, str]]) -> Iterator[Text]:
    """The text of each (path, object name), in order and through the filter that the path has.

    A filter that fails seals its notes and raises nothing; GitError when an object is missing.
    """
    wanted = list(files)
    known = _configured(git) if wanted else {}
    found = _Drivers.of(git, [path for path, _ in wanted]) if known else _Drivers({}, frozenset())
    plain = git.blobs(name for path, name in wanted if path not in found.by_path)
    filtered = _through(git, [file for file in wanted if file[0] in found.by_path], found, known)
    for path, _ in wanted:
        if path in found.by_path:
            yield next(filtered)
        else:
            data = next(plain)
            yield Text(data, seal(data))


def covered(git: "Git", paths: Iterable[str]) -> frozenset[str]:
    """Those of `paths` that have a filter which git has here."""
    wanted = list(paths)
    known = _configured(git) if wanted else {}
    found = _Drivers.of(git, wanted).by_path if known else {}
    return frozenset(path for path, driver in found.items() if driver in known)


def clean(git: "Git", path: str, data: bytes | str) -> str:
    """Write `data` as the blob that `path` gets, through the filter that the path has; its name.

    MemwikiError where the filter is not set up, fails, or is not that of memory's branch: never in the clear. Without
    a filter these very bytes are stored.
    """
    data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    found = _Drivers.of(git, [path])
    driver = found.by_path.get(path, "")
    if not driver:
        return store(git, data)
    if path in found.foreign:
        raise MemwikiError(
            f"{path} passes the git filter {driver} on {git.branch} and not on what is checked out.",
            f"Check out {git.branch} and try again.",
        )
    if not _configured(git).get(driver, {}).keys() & {"clean", "process"}:
        raise MemwikiError(
            f"{path} passes the git filter {driver}, which is not set up here, so it would be stored in the clear.",
            "Set the filter up (`git-crypt unlock`, `git lfs install`) and try again.",
        )
    try:
        arguments = ("hash-object", "-w", "--stdin", f"--path={path}")
        return git.run(*arguments, input=data, env=_required([driver]), timeout=_SECONDS).line
    except GitError as error:
        reason = _LATE if error.code == -1 else _words(error.err)
        raise MemwikiError(
            f"{path} could not be stored through the git filter {driver}: {reason}.",
            "Repair the filter's program or unlock its key, and try again.",
        ) from error


def cleaned(git: "Git", before: str, tree: str) -> Mapping[str, str | None]:
    """Path -> blob of what `tree` would bring into the tree `before` in the clear although the path has a filter.

    Such a text was proposed before the filter was set up.
    """
    behind = [change for change in changes(git, before, tree) if change.after != git.zero]
    by_path = _Drivers.of(git, [change.path for change in behind]).by_path
    found: dict[str, str | None] = {}
    for change in behind:
        if change.path not in by_path:
            continue
        (stored,) = git.blobs([change.after])
        (text,) = texts(git, [(change.path, change.after)])
        if text.data == stored:  # the filter passes on what it did not store
            found[change.path] = clean(git, change.path, stored)
    return {path: blob for path, blob in found.items() if blob not in {change.after for change in behind}}


def merged(git: "Git", trees: tuple[str, str, str], paths: Sequence[str]) -> dict[str, str | None]:
    """Path -> blob of the merged texts of `paths`, in which git found a conflict, between (base, ours, theirs).

    git merges what is stored, which two changes of an encrypted note always differ in. {} where one of the paths has
    no filter, is not in all three trees, or conflicts in its text too.
    """
    found: dict[str, str | None] = {}
    if len(covered(git, paths)) < len(paths):
        return found
    for path in paths:
        base, ours, theirs = (git.blob(tree, path) for tree in trees)
        if base is None or ours is None or theirs is None:
            return {}
        with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
            names = [Path(folder, name) for name in ("ours", "base", "theirs")]
            for name, data in zip(names, (ours, base, theirs), strict=True):
                name.write_bytes(data)
            done = git.run("merge-file", "-p", "-q", *map(str, names), ok=tuple(range(256)))
        if done.code:
            return {}
        found[path] = clean(git, path, done.out)
    return found


@dataclass(frozen=True, slots=True)
class _Drivers:
    """Path -> the filter that it has by the attributes of memory; `foreign`: by those checked out it has another."""

    by_path: Mapping[str, str]
    foreign: frozenset[str]

    @classmethod
    def of(cls, git: "Git", paths: Sequence[str]) -> "_Drivers":
        if not paths:
            return cls({}, frozenset())
        here = _attributes(git, paths)
        tip = "" if git.is_memory() else git.tip()
        if not tip:
            return cls(here, frozenset())
        with scratch(git, tree_of(git, tip)) as index:
            there = _attributes(git, paths, "--cached", env=index.env)
        foreign = frozenset(path for path in paths if here.get(path) != there.get(path))
        return cls({**here, **there}, foreign)


def _attributes(
    git: "Git", paths: Sequence[str], *options: str, env: Mapping[str, str] | None = None
) -> dict[str, str]:
    listed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    fields = git.run("check-attr", "-z", "--stdin", *options, "filter", input=listed, env=env).fields
    found = zip(fields[::3], fields[2::3], strict=True)
    return {path: driver for path, driver in found if driver not in ("unspecified", "unset", "set", "")}


def _configured(git: "Git") -> dict[str, dict[str, str]]:
    """The filters of the person's git config: name -> clean, smudge, process, where they are set."""
    found: dict[str, dict[str, str]] = {}
    for record in git.run("config", "-z", "--get-regexp", r"^filter\.", ok=(0, 1)).fields:
        key, _, value = record.partition("\n")
        name, _, field = key.removeprefix("filter.").rpartition(".")
        if field in ("clean", "smudge", "process") and value.strip():
            found.setdefault(name, {})[field] = value
    return found


def _required(drivers: Iterable[str]) -> dict[str, str]:
    """Variables that make git fail where one of these filters fails; by itself it would pass the text on as it is."""
    names = list(drivers)
    found = {"GIT_CONFIG_COUNT": str(len(names))}
    for place, name in enumerate(names):
        found[f"GIT_CONFIG_KEY_{place}"] = f"filter.{name}.required"
        found[f"GIT_CONFIG_VALUE_{place}"] = "true"
    return found


def _through(
    git: "Git", files: Sequence[tuple[str, str]], found: _Drivers, known: Mapping[str, Mapping[str, str]]
) -> Iterator[Text]:
    """The text of each (path, object name) of `files`, all of which have a filter."""
    able = [name for name, programs in known.items() if programs.keys() & {"smudge", "process"}]
    failed: Counter[str] = Counter()
    left = list(files)
    while left:
        batch = left[:_BATCH]
        given_up = [file for file in batch if _given_up(file[0], found, failed)]
        stored = git.blobs(name for _, name in given_up)
        tried = [file for file in batch if file not in given_up]
        read, reason = _smudged(git, tried, able)
        broken = tried[len(read)] if reason else None
        for file in batch:
            path, name = file
            driver = found.by_path[path]
            left.pop(0)
            if file in given_up:
                where = f" on {git.branch} and not on what is checked out" if path in found.foreign else ", which fails"
                yield Text(next(stored), f"passes the git filter {driver}{where}")
            elif file == broken:
                failed[driver] += _TRIES if reason == _LATE else 1
                (data,) = git.blobs([name])
                yield Text(data, f"passes the git filter {driver}, which fails: {reason}")
                break
            else:
                data = read.pop(0)
                yield Text(data, seal(data))


def _given_up(path: str, found: _Drivers, failed: "Counter[str]") -> bool:
    return path in found.foreign or failed[found.by_path[path]] >= _TRIES


def _smudged(git: "Git", files: Sequence[tuple[str, str]], able: Iterable[str]) -> tuple[list[bytes], str]:
    """The texts of as many of `files` as one git process could read, and why it stopped ("": it did not)."""
    if not files:
        return [], ""
    mark = secrets.token_hex(16)  # git gives the size before filtering, so the records are told apart by this
    asked = b"".join(f"{name} {path}".encode("utf-8", "surrogateescape") + b"\0" for path, name in files)
    try:
        done = git.run(
            *("cat-file", f"--batch={mark} %(objecttype)", "--filters", "-z"),
            input=asked,
            env=_required(able),
            ok=tuple(range(256)),
            timeout=_SECONDS,
        )
    except GitError:
        return [], _LATE
    texts = [part[:-1] for part in done.out.split(f"{mark} blob\n".encode())[1:]]
    if done.code:
        return texts[:-1], _words(done.err)  # git writes the head of a record before it starts the filter
    if len(texts) != len(files):
        raise GitError("An object is missing from the vault's git.", "Run `git fsck`.", 128, "")
    return texts, ""


def _words(err: str) -> str:
    """The last line of git's stderr, which names the path and the filter."""
    lines = [line.strip() for line in err.splitlines() if line.strip()]
    return lines[-1].removeprefix("fatal: ").rstrip(".") if lines else "no reason was given"


def findings(git: "Git") -> Iterator[Finding]:
    """What `doctor` says about the filters that notes of the tip pass."""
    tip = git.tip()
    notes = [path for path in git.files(tip) if is_note(path)] if tip else []
    by_path = _Drivers.of(git, notes).by_path
    known = _configured(git) if by_path else {}
    for driver, count in Counter(by_path.values()).items():
        notes_of = f"{count} note{'' if count == 1 else 's'} of the vault pass{'es' if count == 1 else ''}"
        programs = known.get(driver, {})
        missing = next(filter(None, map(_missing, programs.values())), "")
        if not programs:
            yield Finding(
                "git",
                f"{notes_of} the git filter {driver}, which is not set up here.",
                "Set it up (`git-crypt unlock`, `git lfs install`) and run `memwiki sync`.",
                "error",
            )
        elif missing:
            yield Finding(
                "git",
                f"{notes_of} the git filter {driver}, whose program {missing} was not found.",
                "Install it and run `memwiki sync`.",
                "error",
            )
        else:
            yield Finding(
                "git",
                f"{notes_of} the git filter {driver}: memwiki reads and stores them through it.",
                "Words quoted as evidence stand in commit messages, which no filter covers.",
                "note",
            )


def _missing(command: str) -> str:
    """The program of a filter's shell command, where it is a plain word that names none; else ""."""
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        return ""
    return "" if not program.replace("-", "").isalnum() or shutil.which(program) else program
