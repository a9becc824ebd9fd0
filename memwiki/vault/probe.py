"""What can be wrong with a vault's git, found before anything is paid for: a probe commit, and what `doctor` says."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import Finding, MemwikiError
from . import filters
from .commits import DREAM, commit, empty_tree
from .git import WHO_REMEDY, Git

OLDEST = (2, 38)  # the first git with `merge-tree --write-tree`
STALE_SECONDS = 60.0  # a lock older than this belongs to no git that is still at work
# File systems on which flock is not to be trusted (mount types in /proc/self/mounts).
_NO_LOCKS = frozenset({"9p", "drvfs", "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "afpfs", "webdav", "davfs"})


def probe(git: Git) -> None:
    """Do what a run will do at its end, without leaving a trace: raises MemwikiError when it could not be done.

    In this order: no lock on the index and nothing under way in the work tree, room for `dream/...` branches, and one
    commit object, signed where the person signs, which covers key, identity, rights and disk. Takes at most 60 s.
    """
    refuse_when_busy(git)
    clash = branch_in_the_way(git)
    if clash:
        raise MemwikiError(clash.message, clash.remedy)
    commit(git, empty_tree(git), [], "memwiki probe\n", author=DREAM)


def refuse_when_busy(git: Git) -> None:
    """MemwikiError while another git holds the index, or a merge, rebase, pick, revert or bisect is under way."""
    from .locks import clear

    clear(git)
    held = lock_finding(git.dir / "index.lock")
    if held:
        raise MemwikiError(held.message, held.remedy)
    doing = git.under_way()
    if doing:
        raise MemwikiError(f"{doing.capitalize()} is under way in {git.top}.", "Finish or abort it, then try again.")


def lock_finding(lock: Path) -> Finding | None:
    """What to say about a lock file that another git made: path, age and, over 60 s, the command that removes it.

    The level is "error" for one that was left behind.
    """
    try:
        age = max(0.0, time.time() - lock.lstat().st_mtime)
    except FileNotFoundError:
        return None
    if age < STALE_SECONDS:
        return Finding("git", f"Another git is at work: {lock} is {age:.0f} s old.", "Try again when it has finished.")
    return Finding(
        "git",
        f"A lock was left behind: {lock} is {_age(age)} old.",
        f"If no git is running in the vault, remove it: `rm '{lock}'`.",
        "error",
    )


def branch_in_the_way(git: Git) -> Finding | None:
    """A branch named `dream` makes every `dream/<run>` impossible: git keeps refs like files and folders."""
    if git.run("show-ref", "--verify", "-q", "refs/heads/dream", ok=(0, 1)).code:
        return None
    return Finding(
        "git",
        "A branch named `dream` is where memwiki's `dream/...` branches belong.",
        "Rename it: `git branch -m dream old-dream`.",
        "error",
    )


def findings(git: Git) -> list[Finding]:
    """Everything about this repository that hinders memwiki or will, each with its remedy; [] is a healthy one."""
    version = _version(git)
    if version:
        return [version]
    try:
        git.dir  # noqa: B018 - asks git whether it takes this folder for a repository
    except MemwikiError as error:
        return [Finding("git", error.message, error.remedy, "error")]
    return list(_found(git))


def serving(git: Git) -> Finding | None:
    """Whose text is memory now and why, where it is not the work tree's; None where it is."""
    if git.tip() == "":
        if _has_ref(git):  # asked first: with a broken branch checked out git cannot tell HEAD
            words = f"The branch {git.branch} is broken, so memory is empty."
            log = git.common_dir / "logs" / git.ref
            file = git.common_dir / git.ref
            remedy = f"Find its last commit in {log} and run `echo COMMIT > '{file}'` (git refuses to repair it)."
            return Finding("git", words, remedy, "error")
        if git.head() == git.ref:
            return Finding("git", f"The branch {git.branch} has no commit yet.", "Commit your notes.", "note")
        words = f"There is no branch {git.branch}, so memory is empty."
        return Finding("git", words, "Run `memwiki config set vault.branch NAME` with the branch you use.", "error")
    doing = git.under_way()
    if doing:
        words = f"{doing.capitalize()} is under way in the vault, so memory is the tip of {git.branch}."
        return Finding("git", words, "Finish or abort it.")
    head = git.head()
    if head == git.ref:
        return None
    name = head.removeprefix("refs/heads/") or "no branch"
    remedy = f"Check out {git.branch} (`git switch {git.branch}`)."
    if (git.top / ".jj").is_dir():
        remedy = f"Move the branch when you have committed: `jj bookmark set {git.branch} -r @-`."
    words = f"Memory is the tip of {git.branch}: {name} is checked out, so what you save or commit here does not count."
    return Finding("git", words, remedy)


def _has_ref(git: Git) -> bool:
    """Whether memory's branch has a file of its own, whatever stands in it."""
    return (git.common_dir / git.ref).is_file()


def _broken_refs(git: Git) -> Iterator[Finding]:
    """Refs that name no object: a power cut leaves empty ones, an interrupted copy such whose objects are missing."""
    done = git.run("for-each-ref", "--format=%(objectname) %(refname)", ok=(0, 128))
    broken = re.findall(r"ignoring (?:broken|dangling) (?:ref|symref) (\S+)", done.err)
    lines = [line.partition(" ")[::2] for line in done.text.splitlines()]
    asked = "".join(f"{name}\n" for name, _ in lines).encode()
    there = git.run("cat-file", "--batch-check=%(objecttype)", input=asked).text.splitlines() if lines else []
    broken += [ref for (_, ref), kind in zip(lines, there, strict=True) if kind.endswith(" missing")]
    for ref in dict.fromkeys(ref.rstrip(".") for ref in broken):
        if ref != git.ref:
            yield Finding(
                "git",
                f"The ref {ref} is broken: it names no object that is here.",
                f"Remove it, and fetch it again where it came from a remote: `rm '{git.common_dir / ref}'`.",
            )


def home_inside(home: Path, top: Path) -> Finding | None:
    """What is wrong with a home in the vault's own work tree; None where it is elsewhere.

    The vault may be in the home, which is where `init` puts it.
    """
    if not home.resolve().is_relative_to(top.resolve()):
        return None
    return Finding(
        "vault",
        f"The home {home} is inside the vault {top}, where `git add` would commit what hooks have captured.",
        "Move it out and set MEMWIKI_HOME to its new place, or use another folder as the vault.",
        "error",
    )


def _version(git: Git) -> Finding | None:
    words = git.run("version").line
    numbers = tuple(int(part) for part in re.findall(r"\d+", words)[:2])
    if numbers >= OLDEST:
        return None
    return Finding("git", f"{words} is too old.", "Install git 2.38 or newer.", "error")


def _found(git: Git) -> Iterator[Finding]:
    if git.run("rev-parse", "--is-bare-repository").line == "true":
        yield Finding("git", f"{git.top} is a bare repository.", "Use a clone with a work tree as the vault.", "error")
        return
    serves = serving(git)
    if serves:
        yield serves
    yield from _broken_refs(git)
    if git.identity() is None:
        yield Finding(
            "git",
            "git does not know who you are, so nothing can be approved.",
            WHO_REMEDY,
        )
    if git.config("commit.gpgsign", kind="bool") == "true":
        yield from _signing(git)
    from .locks import paths

    yield from (found for found in map(lock_finding, paths(git)) if found)
    clash = branch_in_the_way(git)
    if clash:
        yield clash
    yield from _hooks(git)
    yield from filters.findings(git)
    if git.run("rev-parse", "--is-shallow-repository").line == "true":
        yield Finding(
            "git", "The vault is a shallow clone: `why` ends where it is cut.", "Run `git fetch --unshallow`.", "note"
        )
    if git.config("extensions.partialClone"):
        yield Finding(
            "git",
            "The vault is a partial clone: git needs its remote whenever an old text is asked for.",
            "Run `git fetch --refetch --no-filter`.",
        )
    yield from _place(git)


def _signing(git: Git) -> Iterator[Finding]:
    if not git.sign:
        yield Finding("git", "Your commits are signed, memwiki's are not (vault.sign is never).", "", "note")
        return
    try:
        commit(git, empty_tree(git), [], "memwiki probe\n", author=DREAM)
    except MemwikiError as error:
        yield Finding("git", error.message, error.remedy, "error")


def _hooks(git: Git) -> Iterator[Finding]:
    """memwiki's commits do not run the repository's hooks; a person who relies on one should know."""
    chosen = git.config("core.hooksPath", kind="path", ours=False)
    folder = Path(git.top, chosen) if chosen else git.common_dir / "hooks"
    active = sorted(
        hook.name
        for hook in (folder.iterdir() if folder.is_dir() else ())
        if hook.suffix != ".sample" and hook.is_file() and hook.stat().st_mode & 0o111
    )
    if active:
        yield Finding("git", f"memwiki's commits do not run your git hooks ({', '.join(active)}).", "", "note")


def _place(git: Git) -> Iterator[Finding]:
    """Rights and file system of the git folder."""
    for folder in dict.fromkeys((git.common_dir, git.common_dir / "objects", git.common_dir / "refs", git.dir)):
        if folder.exists() and not os.access(folder, os.W_OK):
            yield Finding("git", f"{folder} cannot be written.", f"Run `chmod -R u+w '{folder}'`.", "error")
            break
    kind = file_system(git.common_dir)
    if kind in _NO_LOCKS:
        yield Finding(
            "git",
            f"The vault lies on a {kind} file system, where locks cannot be trusted.",
            "Keep the vault on a local disk and let git carry it between machines.",
        )


def file_system(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """The type of the mount that holds `path` (`ext4`, `nfs4`, ...), or "" where the system has no table of mounts."""
    try:
        table = mounts.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    best, kind = -1, ""
    real = path.resolve()
    for line in table.splitlines():
        _, at, name, *_ = line.split(" ")
        point = Path(re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), at))
        if real.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), name
    return kind


def _age(seconds: float) -> str:
    """`90 s`, `12 min`, `2 h`, `3 days`: as exact as a person needs it."""
    for size, word in ((86400, "days"), (3600, "h"), (120, "min")):
        if seconds >= size:
            return f"{seconds / (60 if word == 'min' else size):.0f} {word}"
    return f"{seconds:.0f} s"
