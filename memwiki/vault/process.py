"""One git process: what its environment may say, how it ends, and what its failure means to a person."""

import os
import re
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..errors import MemwikiError

# What `git rev-parse --local-env-vars` names (2.39 to 2.51), and what else would turn a command of ours into another:
# set by the hooks that agents run inside of. A test compares this list with the installed git's.
LOCAL = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_REFERENCE_BACKEND",
    "GIT_NAMESPACE",
    "GIT_QUARANTINE_PATH",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_DIFF_OPTS",
    "GIT_EXTERNAL_DIFF",
    "GIT_ATTR_SOURCE",
)
FIXED = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
# Settings of a person's git config that hold for none of our calls: most would start a program, in a pass that nobody
# asked for or watches. The programs that stay are those without which a commit would be another than git's own: filters
# (clean, smudge, process), merge drivers and gpg; and, for a partial clone, whatever fetches from its remote.
SETTINGS = (
    ("core.hooksPath", "/dev/null"),  # hooks are for the person's own commits
    ("core.fsmonitor", "false"),  # a program, or a daemon that stays, at every status
    ("core.editor", "true"),
    ("sequence.editor", "true"),
    ("core.pager", "cat"),
    ("gc.auto", "0"),  # `vault.gc` packs when it is time
    ("maintenance.auto", "false"),
    ("log.showSignature", "false"),  # gpg at every `git log`
    ("credential.interactive", "false"),  # no window that asks for a password
    ("submodule.recurse", "false"),
    ("status.submoduleSummary", "false"),
    ("blame.ignoreRevsFile", ""),  # a file that is missing makes blame fail
    ("core.safecrlf", "false"),
    ("core.quotePath", "false"),
    ("i18n.commitEncoding", "utf-8"),
)
OPTIONS = ("--literal-pathspecs", *(word for key, value in SETTINGS for word in ("-c", f"{key}={value}")))
# Words of git's, and what a person does about them.
_REMEDIES = (
    ("dubious ownership", "If you trust it, run `git config --global --add safe.directory '{top}'`."),
    ("not a git repository", "Run `memwiki init '{top}'`."),
    ("cannot change to", "Run `memwiki init`, or set `vault.path` to where the vault is."),
    ("No space left", "Free some disk space and try again."),
    ("ermission denied", "Make the vault and its .git folder writable for you."),
    ("insufficient permission", "Make the vault and its .git folder writable for you."),
    ("Read-only file system", "Make the vault and its .git folder writable for you."),
    (" filter ", "Repair the program of the git filter; `memwiki doctor` names it."),
    (".lock", "Wait for the other git to finish; `memwiki doctor` names a lock that was left behind."),
)


class GitError(MemwikiError):
    """A git command failed; `code` and `err` are its exit code (-1: out of time) and what it wrote on stderr."""

    def __init__(self, message: str, remedy: str, code: int, err: str) -> None:
        super().__init__(message, remedy)
        self.code = code
        self.err = err


@dataclass(frozen=True, slots=True)
class Result:
    """What a git command left: exit code, stdout as bytes, stderr as text."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """stdout as text; bytes that are no UTF-8 survive as surrogates, so that paths can be given back to git."""
        return self.out.decode("utf-8", "surrogateescape")

    @property
    def line(self) -> str:
        """stdout without its last newline: an object name, a ref, a setting."""
        return self.text.removesuffix("\n")

    @property
    def fields(self) -> list[str]:
        """The records of a `-z` listing."""
        return self.text.removesuffix("\0").split("\0") if self.out else []


class Held:
    """A git child that waits on its stdin and so holds a lock; when this process dies its stdin ends and it lets go."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr

    def say(self, *lines: str, answers: int) -> bool:
        """Send `lines` and wait for `answers` lines back; False when the child gave up instead."""
        with suppress(BrokenPipeError):  # it gave up: then it answers nothing
            self._stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._stdin.flush()
        return all(self._stdout.readline() for _ in range(answers))

    def last_words(self) -> str:
        """What the child wrote on stderr; only for one that gave up, since it waits for its end."""
        return self._stderr.read().decode("utf-8", "replace").strip()


def scrub() -> None:
    """Take out of this process's environment what would point git at another repository than the one it is told.

    GitPython hands children the whole of `os.environ` and cannot remove from it. The person's identity (GIT_AUTHOR_*,
    GIT_COMMITTER_*), SSH and askpass variables and GIT_CONFIG_GLOBAL stay.
    """
    for name in LOCAL:
        os.environ.pop(name, None)
    for name in [name for name in os.environ if name.startswith(("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))]:
        del os.environ[name]


def failure(top: Path, args: tuple[str, ...], result: Result) -> GitError:
    """git's last words as a sentence, and the remedy that fits them."""
    lines = [line for line in result.err.splitlines() if line.strip() and not line.startswith("hint:")]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    words = re.sub(r"^(fatal|error): ", "", (fatal or lines or [f"exit code {result.code}"])[0]).rstrip(".")
    remedy = next((remedy for mark, remedy in _REMEDIES if mark in result.err), "Run `memwiki doctor`.")
    if "not a git repository" in result.err and (top / ".git").exists():
        remedy = "Its .git is damaged: look at .git/HEAD, which holds one line, `ref: refs/heads/BRANCH`."
        if (top / ".git").is_file():
            remedy = "Its .git file names a folder that is missing: run `git worktree repair` where that moved to."
    return GitError(f"git {verb(args)} failed in {top}: {words}.", remedy.format(top=top), result.code, result.err)


def verb(args: tuple[str, ...]) -> str:
    """The command in `args`, behind options such as `-c name=value`."""
    return next(word for word in args if not word.startswith("-") and "=" not in word)


def end(process: subprocess.Popen[bytes]) -> None:
    """End the whole group: SIGTERM first, so that git takes its lock files away, then SIGKILL for what is left."""
    if process.poll() is None:
        with suppress(ProcessLookupError):  # it has just ended by itself
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):  # SIGKILL is next
            process.wait(2)
    with suppress(ProcessLookupError, PermissionError):  # macOS says "not permitted" for a group that has only zombies
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):  # flushing what nobody reads any more
                stream.close()
