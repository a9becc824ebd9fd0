"""The vault's git: one way to run it, and what every room asks of it. The only module that imports GitPython.

git is the git program, started through GitPython with an environment that cannot point it at another repository, no
hooks, no prompts and no optional locks, in a process group of its own that is killed whole when its time is up.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..errors import Finding, MemwikiError
from ..files import named_on_disk
from .entries import FILE, entries
from .process import FIXED, OPTIONS, GitError, Held, Result, end, failure, scrub, verb

if TYPE_CHECKING:
    from git.cmd import Git as Program

    from ..config import Config
    from .filters import Text

WHO_REMEDY = 'Run `git config --global user.name "NAME"` and `git config --global user.email MAIL`.'
_BATCH = 2000  # objects that one `cat-file --batch` holds in memory


class Git:
    """One repository, known by the top folder of a work tree. `branch` holds memory; `sign` allows signed commits.

    Making one runs nothing. Every method raises GitError with git's own words when git fails.
    """

    def __init__(self, top: Path, branch: str = "main", sign: bool = True) -> None:
        self.top = top
        self.branch = branch
        self.sign = sign

    @classmethod
    def of(cls, config: "Config", top: Path | None = None) -> Self:
        """The vault that `config` names, or that at `top`, with the branch and the signing that it sets."""
        return cls(top or config.vault, config.branch, config.get("vault.sign") != "never")

    @property
    def ref(self) -> str:
        """The branch that holds memory, in full."""
        return f"refs/heads/{self.branch}"

    def run(
        self,
        *args: str,
        input: bytes | None = None,
        env: Mapping[str, str] | None = None,
        ok: tuple[int, ...] = (0,),
        timeout: float = 60.0,
    ) -> Result:
        """`git ARGS` in the work tree, `input` on its stdin. Exit codes outside `ok` raise GitError.

        After `timeout` seconds the whole process group is ended (a signing program included) and GitError has code -1.
        """
        with self._started(args, env) as process:
            try:
                out, err = process.communicate(input, timeout)
            except subprocess.TimeoutExpired:
                end(process)
                raise GitError(
                    f"git {verb(args)} did not finish in {timeout:g} s and was stopped.", "Try again.", -1, ""
                ) from None
            result = Result(process.returncode, out, err.decode("utf-8", "replace").strip())
        if result.code not in ok:
            raise failure(self.top, args, result)
        return result

    @contextmanager
    def hold(self, *args: str) -> Iterator[Held]:
        """Start `git ARGS` and talk to it; when the block ends its stdin is closed and it is waited for."""
        with self._started(args, None) as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            yield Held(process.stdin, process.stdout, process.stderr)
            with suppress(BrokenPipeError):  # it was done before
                process.stdin.close()
            process.wait()

    @contextmanager
    def _started(self, args: tuple[str, ...], env: Mapping[str, str] | None) -> Iterator["subprocess.Popen[bytes]"]:
        """`git ARGS` running in a group of its own; whatever of it is left when the block ends is killed."""
        scrub()
        for name in _READ_BY_GIT:
            if (self.top / name).is_fifo():  # git would wait for the other end
                raise MemwikiError(f"{self.top / name} is a pipe, not a file.", "Remove it.")
        # -C because GitPython falls back to the current folder when its own is missing. The ceiling because a vault
        # that lost its .git must not become a part of the repository around it.
        command = ["git", "-C", str(self.top), *OPTIONS, *map(named_on_disk, args)]
        extra = {**FIXED, "GIT_CEILING_DIRECTORIES": str(Path(self.top).resolve().parent), **(env or {})}
        from git.exc import GitCommandNotFound

        try:
            child = _program().execute(
                command, istream=subprocess.PIPE, as_process=True, env=extra, start_new_session=True
            )
        except GitCommandNotFound as error:
            raise MemwikiError("git was not found.", "Install git 2.38 or newer and put it on your PATH.") from error
        process = child.proc
        assert process is not None
        try:
            yield process
        except BaseException:
            end(process)
            raise

    # -- where things are

    @cached_property
    def _layout(self) -> tuple[Path, Path, str]:
        answer = self.run(
            "rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-common-dir", "--show-object-format"
        )
        own, common, form = answer.line.rsplit("\n", 2)
        return Path(named_on_disk(own)), Path(named_on_disk(common)), form

    @property
    def dir(self) -> Path:
        """The git folder of this work tree: it holds HEAD, the index and the marks of a merge or rebase."""
        return self._layout[0]

    @property
    def common_dir(self) -> Path:
        """The git folder that all work trees share: it holds branches and objects."""
        return self._layout[1]

    @property
    def zero(self) -> str:
        """The object name that means "none": 40 zeros, or 64 in a SHA-256 repository."""
        return "0" * (64 if self._layout[2] == "sha256" else 40)

    # -- reading

    def commit_of(self, rev: str) -> str:
        """The commit that `rev` names, or "" when it names none."""
        return self.run("rev-parse", "--verify", "-q", "--end-of-options", f"{rev}^{{commit}}", ok=(0, 1)).line

    def tip(self) -> str:
        """The commit at the tip of memory's branch, or "" before the first one."""
        return self.commit_of(self.ref)

    def files(self, rev: str) -> dict[str, str]:
        """Path -> object name of every plain file in `rev`; links and nested repositories are left out."""
        return {path: name for path, (mode, name) in entries(self, rev).items() if mode.startswith(FILE)}

    def blobs(self, names: Iterable[str]) -> Iterator[bytes]:
        """The contents of the objects `names`, in order; GitError when one is missing."""
        wanted = list(names)
        for start in range(0, len(wanted), _BATCH):
            some = wanted[start : start + _BATCH]
            out = self.run("cat-file", "--batch", input="".join(f"{name}\n" for name in some).encode()).out
            place = 0
            for name in some:
                end = out.index(b"\n", place)
                head = out[place:end].split(b" ")
                if len(head) != 3:
                    raise GitError(f"Object {name} is missing from the vault's git.", "Run `git fsck`.", 128, "")
                size = int(head[2])
                yield out[end + 1 : end + 1 + size]
                place = end + 2 + size

    def texts(self, files: Iterable[tuple[str, str]]) -> "Iterator[Text]":
        """The text of each (path, object name), through the filter that the path has: see `vault.filters.texts`."""
        from .filters import texts

        return texts(self, files)

    def blob(self, rev: str, path: str) -> bytes | None:
        """The text of `path` in `rev`, through the filter that the path has, or None when `rev` has no such file.

        MemwikiError when it cannot be read: encrypted and locked, a pointer of Git LFS, a filter that fails.
        """
        if path.startswith(("./", "../")):  # git would look from the current folder
            return None
        name = self.run("rev-parse", "--verify", "-q", "--end-of-options", f"{rev}:{path}", ok=(0, 1)).line
        if not name:
            return None
        from .filters import UNLOCK

        (text,) = self.texts([(path, name)])
        if text.sealed:
            raise MemwikiError(f"{path} {text.sealed}.", UNLOCK)
        return text.data

    def config(self, key: str, *, kind: str = "", ours: bool = True) -> str:
        """A setting of git's ("" when unset), canonical as `kind` (bool, path) where one is named.

        Without `ours`, what the person's files say, where our own calls set it otherwise.
        """
        options = [f"--type={kind}"] if kind else []
        if ours:
            return self.run("config", *options, "--get", key, ok=(0, 1)).line
        scopes = ("--local", "--global", "--system")
        answers = (self.run("config", scope, *options, "--get", key, ok=(0, 1, 128)).line for scope in scopes)
        return next(filter(None, answers), "")

    def under_way(self) -> str:
        """What the work tree is in the middle of ("a merge", "a rebase", ...), or ""."""
        for name, words in _MARKS.items():
            if (self.dir / name).exists():
                return words
        if (self.common_dir / "reftable").is_dir():  # there these two are refs, not files
            for name in ("CHERRY_PICK_HEAD", "REVERT_HEAD"):
                if self.commit_of(name):
                    return _MARKS[name]
        return ""

    def head(self) -> str:
        """The branch that is checked out, in full, or "" when HEAD is detached."""
        return self.run("symbolic-ref", "-q", "HEAD", ok=(0, 1)).line

    def is_memory(self) -> bool:
        """Whether the work tree is memory now: its branch is checked out and nothing is under way."""
        return self.head() == self.ref and not self.under_way()

    def identity(self) -> str | None:
        """The person as git commits name them, `Name <mail>`; None where git would have to guess from the machine.

        GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL count, as they do for git.
        """
        done = self.run("-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT", ok=(0, 128))
        return done.line.rsplit(" ", 2)[0] if done.code == 0 else None

    def person(self) -> str:
        """`identity`, or MemwikiError with the remedy: what a person decides carries their name."""
        found = self.identity()
        if found is None:
            raise MemwikiError("git does not know who you are.", WHO_REMEDY)
        return found

    def signs(self) -> bool:
        """Whether memwiki's commits here are signed: `commit.gpgsign` is on and `vault.sign` allows it."""
        return self.sign and self.config("commit.gpgsign", kind="bool") == "true"

    # -- what is wrong with it

    def probe(self) -> None:
        """Find out, before anything is paid for, whether a run could commit here: see `vault.probe.probe`."""
        from .probe import probe

        probe(self)

    def findings(self) -> list[Finding]:
        """What `doctor` and `init` should say about this repository: see `vault.probe.findings`."""
        from .probe import findings

        return findings(self)


_READ_BY_GIT = (".gitignore", ".gitattributes", ".gitmodules")
_MARKS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "BISECT_START": "a bisect",
}


def _program() -> "Program":
    """GitPython's runner. It costs 60 ms to import, so a command that never calls git does not pay."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # a missing git is reported by us, when it is needed
    from git.cmd import Git as Program

    return Program()
