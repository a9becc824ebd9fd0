"""The person's work tree: where memory's branch is checked out, and how a commit's files get there and nothing is lost.

A file with uncommitted edits gets a three-way merge and stays uncommitted; what cannot be merged is refused before
anything was touched. Done again after a kill it ends well, because what is already as it should be passes the checks.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import Finding, MemwikiError
from ..files import named_in_git, named_on_disk, write_atomic
from .entries import LINK, REPOSITORY, Change
from .filters import clean
from .git import Git
from .paths import inside
from .probe import lock_finding
from .process import GitError


class Busy(MemwikiError):
    """Another git or an editor was quicker: nothing has changed, and trying again may work."""


def blocked(lock: Finding) -> MemwikiError:
    """The error for a lock in the way: Busy for one that a git at work holds, final for one that was left behind."""
    return (MemwikiError if lock.level == "error" else Busy)(lock.message, lock.remedy)


@dataclass(frozen=True, slots=True)
class Step:
    """What landing does with one path: `want` are the bytes to write, b"" to remove the file, None to leave it.

    `found` is the blob of the file as it was seen, "" where a sparse checkout leaves the file out.
    """

    change: Change
    target: Path
    found: str
    want: bytes | None
    flags: tuple[str, ...]  # marks of the index entry to set again


def checkout(git: Git) -> Path | None:
    """The work tree that has memory's branch checked out, or None. MemwikiError while a rebase or bisect holds it."""
    place, branch = "", ""
    found: Path | None = None
    main = git.dir == git.common_dir
    for record in [*git.run("worktree", "list", "--porcelain", "-z").fields, ""]:
        key, _, value = record.partition(" ")
        if key == "worktree":
            place, branch = value, ""
            if main:  # the first one listed; git calls it by its git folder where that is elsewhere (a submodule)
                place, main = str(git.top), False
        elif key == "branch":
            branch = value
        elif key == "" and place and Path(place).is_dir():
            top = _refuse_held(git, Path(place))
            found = top if branch == git.ref else found
            place = ""
        elif key in ("bare", "prunable"):
            place = ""
    return found


def _refuse_held(git: Git, place: Path) -> Path | None:
    """The top folder of a work tree (None: it has none), unless a rebase or bisect there holds memory's branch."""
    done = Git(place).run("rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir", ok=(0, 128))
    if done.code:
        return None
    top, folder = map(Path, done.line.rsplit("\n", 1))
    for name in ("rebase-merge/head-name", "rebase-apply/head-name"):
        with suppress(FileNotFoundError, NotADirectoryError):  # then no rebase is going on
            if (folder / name).read_text("utf-8").strip() == git.ref:
                raise MemwikiError(f"A rebase of {git.branch} is under way in {top}.", "Finish or abort it first.")
    with suppress(FileNotFoundError):  # then no bisect is
        if (folder / "BISECT_START").read_text("utf-8").strip() == git.branch:
            raise MemwikiError(f"A bisect of {git.branch} is under way in {top}.", "Run `git bisect reset` first.")
    return top


def plan(work: Git, wanted: Sequence[Change]) -> list[Step]:
    """Check every path and say what to do; MemwikiError when one cannot be landed, with nothing touched."""
    doing = work.under_way()
    if doing:
        raise MemwikiError(f"{doing.capitalize()} is under way in {work.top}.", "Finish or abort it first.")
    if work.run("ls-files", "-u", "-z").out:
        raise MemwikiError(f"There are unmerged files in {work.top}.", "Resolve them first.")
    entries = _entries(work, [change.path for change in wanted])
    return [_step(work, change, *entries.get(change.path, (work.zero, "H"))) for change in wanted]


def _entries(work: Git, paths: list[str]) -> dict[str, tuple[str, str]]:
    """Path -> (blob, tag) in the index; tags as `ls-files -v` has them."""
    found = {}
    for start in range(0, len(paths), 200):
        for line in work.run("ls-files", "-s", "-v", "-z", "--", *paths[start : start + 200]).fields:
            head, path = line.split("\t", 1)
            tag, _, blob, _ = head.split(" ")
            found[path] = (blob, tag)
    return found


def _step(work: Git, change: Change, staged: str, tag: str) -> Step:
    path = change.path
    flags = tuple(flag for flag, on in (("--skip-worktree", tag in "Ss"), ("--assume-unchanged", tag.islower())) if on)
    if change.mode in (LINK, REPOSITORY):
        raise MemwikiError(f"{path} is a link or another repository.", "memwiki changes plain files only.")
    if staged not in (change.before, change.after):
        raise MemwikiError(f"{path} has staged changes.", "Commit or unstage them first.")
    target = _target(work, path)
    if "--skip-worktree" in flags and not target.exists():
        return Step(change, target, "", None, flags)
    found = _blob(work, path, target)
    if found == change.after:
        want = None
    elif found == change.before:
        want = _as_file(work, path, change.after)
    elif work.zero in (found, change.before, change.after):
        raise MemwikiError(
            f"{path} was made, changed or removed in the work tree and is not committed.",
            "Commit it, or move it away, and try again.",
        )
    else:
        mine = work.run("hash-object", "-w", f"--path={path}", "--", named_in_git(str(target))).line
        want = _as_file(work, path, _merged(work, path, mine, change))
    return Step(change, target, found, want, flags)


def _target(work: Git, path: str) -> Path:
    """Where `path` is on disk; refused where a link, a file or another repository is on the way."""
    if path.startswith(".memwiki/"):
        if (work.top / ".memwiki").is_symlink():
            raise MemwikiError(f"{work.top / '.memwiki'} is a link.", "Make it a folder of the vault.")
        return inside(work.top / ".memwiki", path.removeprefix(".memwiki/"))
    return inside(work.top, path)


def _blob(work: Git, path: str, target: Path) -> str:
    """The blob that the file on disk is, as `git add` would store it; zero for no file."""
    if not target.exists():
        return work.zero
    return work.run("hash-object", f"--path={path}", "--", named_in_git(str(target))).line


def _as_file(work: Git, path: str, blob: str) -> bytes:
    """A blob as a checkout would write it: line endings and filters applied. b"" for none."""
    return work.run("cat-file", "--filters", f"--path={path}", blob).out if blob != work.zero else b""


def _merged(work: Git, path: str, mine: str, change: Change) -> str:
    """The blob of the person's uncommitted text with the change brought in."""
    with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
        names = []
        versions = [(path, blob) for blob in (mine, change.before, change.after)]
        for name, text in zip("abc", work.texts(versions), strict=True):
            Path(folder, name).write_bytes(text.data)
            names.append(str(Path(folder, name)))
        done = work.run("merge-file", "-p", "-q", *names, ok=tuple(range(128)))
    if done.code:
        raise MemwikiError(f"{path} has uncommitted edits in the same lines.", "Commit or undo them first.")
    return clean(work, path, done.out)


def stage(work: Git, wanted: Sequence[Change]) -> None:
    """Set the index entries of the changed paths; Busy, with nothing touched, when another git holds the index."""
    words: list[tuple[str, ...]] = []
    for change in wanted:
        if change.after == work.zero:
            words.append(("--force-remove", change.path))
        else:
            words.append(("--add", "--cacheinfo", f"{change.mode},{change.after},{change.path}"))
    try:
        for start in range(0, len(words), 2000):
            work.run("update-index", *(word for some in words[start : start + 2000] for word in some))
    except GitError as error:
        held = lock_finding(work.dir / "index.lock")
        if held is None:
            raise Busy(error.message, error.remedy) from error
        raise blocked(held) from error


@contextmanager
def written(work: Git, steps: Sequence[Step]) -> Iterator[None]:
    """Write the files, each whole or not at all, for the block; when it or the writing fails, all are put back.

    Busy when a file was edited since `plan` looked at it.
    """
    undo: list[tuple[Step, bytes | None]] = []
    try:
        for step in steps:
            if step.want is None:
                continue
            if _blob(work, step.change.path, step.target) != step.found:
                raise Busy(f"{step.change.path} was edited a moment ago.", "Try again.")
            undo.append((step, step.target.read_bytes() if step.target.exists() else None))
            _put(work.top, step, None if step.change.after == work.zero else step.want)
        yield
    except BaseException:
        for step, data in reversed(undo):
            _put(work.top, step, data)
        raise


def _put(top: Path, step: Step, data: bytes | None) -> None:
    target = step.target
    if data is None:
        target.unlink(missing_ok=True)
        for folder in target.parents:  # git leaves no empty folders behind
            if folder == top:
                break
            with suppress(OSError):  # something else is in it
                folder.rmdir()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # A new file may be read by whom its folder lets in; one that is there keeps its rights.
    rights = target.parent.stat().st_mode & 0o666
    write_atomic(target, data, rights | (rights & 0o444) >> 2 if step.change.mode == "100755" else rights)


def finish(work: Git, steps: Sequence[Step]) -> None:
    """Let the index know the files as they are now, and set the marks again that a new entry lost."""
    for flag in ("--skip-worktree", "--assume-unchanged"):
        paths = [step.change.path for step in steps if flag in step.flags and step.change.after != work.zero]
        if paths:
            work.run("update-index", flag, "--", *paths, ok=(0, 128))
    work.run("update-index", "-q", "--refresh", ok=(0, 1, 128))


def sweep(work: Git) -> None:
    """Remove the temporary files that a killed landing left; the person never made one of that name."""
    for path in work.run("ls-files", "--others", "-z").fields:
        name = path.rpartition("/")[2]
        if name.startswith(".memwiki-") and name.endswith("~"):
            (work.top / named_on_disk(path)).unlink(missing_ok=True)
