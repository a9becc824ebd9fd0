"""A repository's own list of ignored files, `info/exclude`: it keeps what `link` generates out of commits.

Lines of memwiki's stand in a block of their own for each project, because worktrees share the list. The user's
`.gitignore` is never touched. A folder that is in no repository has no list, and needs none.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..config import Home
from ..errors import Finding, MemwikiError
from .files import read, text_of, write
from .places import place
from .records import Record, records

_END = "# /memwiki\n"
_SECONDS = 20.0  # that git may take to answer
_NAMING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
_SPECIAL = re.compile(r"([\\*?\[!# ])")


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository around a project: the top of its work tree, and its list of ignored files."""

    top: Path
    exclude: Path


def repository(folder: Path) -> Repository | None:
    """The repository whose work tree holds `folder`; None where there is none, or git cannot say."""
    status, out = _git(folder, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir")
    lines = os.fsdecode(out).splitlines()
    if status or len(lines) != 2:
        return None
    return Repository(Path(lines[0]), Path(lines[1], "info", "exclude"))


def refresh(home: Home, project: Path) -> tuple[str, ...]:
    """List the private files that are linked in `project` as ignored, and no others of memwiki's.

    The answer is a sentence for each file that git takes all the same, and for a list that cannot be written.
    """
    found = repository(next(folder for folder in (project, *project.parents) if folder.is_dir()))
    if found is None:
        return ()
    here = os.path.realpath(project)
    linked = [one for one in records(home) if one.project and os.path.realpath(one.project) == here and private(one)]
    files = [Path(one.path) for one in linked]
    try:
        _rewrite(found, project, [line for file in files if (line := _line(found, file))])
    except MemwikiError as error:
        return (f"{error.message} {error.remedy}", *_sentences(project, files))
    return tuple(_sentences(project, files))


def _sentences(project: Path, files: Sequence[Path]) -> Iterator[str]:
    for file in files:
        if words := taken(project, file):
            yield f"{file} {words}"


def taken(project: Path, file: Path) -> str:
    """How git takes up a file that is generated, as the end of a sentence with what to do; "" where it does not."""
    name, found = str(file), repository(project)
    if found is None or not file.exists() or (found.exclude.exists() and not found.exclude.is_file()):
        return ""  # git waits for ever for a list that is a FIFO
    if _git(project, "ls-files", "--error-unmatch", "--", name)[0] == 0:
        return f"is tracked by git, so commits publish it: keep it private by `git rm --cached {shlex.quote(name)}`."
    if _git(project, "check-ignore", "--quiet", "--", name)[0] == 1:
        return f"is not ignored by git, so `git add -A` takes it: add it to {shlex.quote(str(found.exclude))}."
    return ""


def findings(home: Home) -> Iterator[Finding]:
    """What `doctor` says of generated files in projects that git would take, or has taken."""
    for record in records(home):
        if not record.project or not private(record):
            continue
        words = taken(Path(record.project), Path(record.path))
        if words:
            fact, remedy = words.split(": ", 1)
            yield Finding("hosts", f"{record.path} {fact}.", f"{remedy[0].upper()}{remedy[1:]}")


def private(record: Record) -> bool:
    """Whether a linked file is not for others: `link` made it, it holds notes, or its host keeps it for one user."""
    where = place(record.host)
    file = Path(record.path).as_posix()
    return not record.existed or file.endswith((f"/{where.rules[1]}", ".local.json"))


def _line(found: Repository, file: Path) -> str:
    """The pattern for one file, "" for one outside of the work tree, such as behind a symlink."""
    parent = Path(os.path.realpath(file.parent))
    top = Path(os.path.realpath(found.top))
    if not parent.is_relative_to(top):
        return ""
    name = _SPECIAL.sub(r"\\\1", (parent / file.name).relative_to(top).as_posix())
    return "" if "\n" in name else f"/{name}\n"


def _rewrite(found: Repository, project: Path, lines: Sequence[str]) -> None:
    """Replace the project's block in the list by `lines`; without lines the block goes, too."""
    folder = os.path.realpath(project)
    begin = f"# memwiki: files of `memwiki link` in {folder!r}; `memwiki unlink` removes these lines\n"
    current = read(found.exclude)
    text = text_of(found.exclude, current)
    block = f"{begin}{''.join(lines)}{_END}" if lines else ""
    start = text.find(begin)
    end = text.find(_END, start) if start >= 0 else -1
    if end >= 0:
        new = f"{text[:start]}{block}{text[end + len(_END) :]}"
    else:
        gap = "" if not text or text.endswith("\n") or not block else "\n"
        new = f"{text}{gap}{block}"
    if new != text:
        write(found.exclude, current, new)


def _git(folder: Path, *args: str) -> tuple[int, bytes]:
    """(exit status, stdout) of git in `folder`, whatever repository the environment names; -1 where it cannot run."""
    env = {name: value for name, value in os.environ.items() if name not in _NAMING}
    command = ["git", "-c", "core.fsmonitor=false", "-C", os.fspath(folder), *args]
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return -1, b""
    return done.returncode, done.stdout
