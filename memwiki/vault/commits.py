"""Commits made by plumbing: trees from a private index, commit objects, three-way merges of trees.

Nothing here touches the person's index, work tree or a ref.
"""

import shlex
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import MemwikiError
from .git import Git
from .process import GitError

DREAM = "memwiki dream <dream@memwiki.invalid>"  # author of what a dream proposes
OURS = "memwiki <memwiki@memwiki.invalid>"  # who commits where git does not know the person
SIGNING_SECONDS = 30.0  # how long one signature may take: a key that asks a person who is not there never answers
_SIGN_OFF = "or turn signing off for the vault: `memwiki config set vault.sign never`."


def commit(
    git: Git,
    tree: str,
    parents: Sequence[str],
    message: str,
    *,
    author: str = "",
    author_date: str = "",
    committer: str = "",
) -> str:
    """A new commit object, signed where the person signs. Identities are `Name <mail>`; "" is the person, else OURS.

    `author_date` is anything git reads (`@<seconds> <zone>`); "" is now. Raises MemwikiError when signing fails or
    takes over 30 s: never unsigned by accident.
    """
    if not (author and committer):
        person = git.identity() or OURS
        author, committer = author or person, committer or person
    env = {
        **named("COMMITTER", committer),
        **named("AUTHOR", author),
        # Always given: inside a `git commit` hook the environment has the date of another commit.
        "GIT_AUTHOR_DATE": author_date or f"@{time.time():.0f} {time.strftime('%z')}",
    }
    signed = git.signs()
    arguments = [*(["-S"] if signed else []), *(part for parent in parents for part in ("-p", parent)), tree]
    try:
        done = git.run(
            "commit-tree",
            *arguments,
            input=message.encode("utf-8", "surrogateescape"),
            env=env,
            timeout=SIGNING_SECONDS if signed else 60.0,
        )
    except GitError as error:
        if not signed:
            raise
        if error.code == -1:
            raise MemwikiError(
                f"Signing a commit timed out after {SIGNING_SECONDS:.0f} s.",
                f"Unlock your key and try again, {_SIGN_OFF}",
            ) from error
        words = f"{error.err}\n{_signer_words(git, committer)}".strip()
        raise MemwikiError(f"Signing a commit failed: {words}", f"Mend your signing key, {_SIGN_OFF}") from error
    return done.line


def _signer_words(git: Git, committer: str) -> str:
    """What the signing program itself says: git before 2.43 keeps gpg's words to itself."""
    form = git.config("gpg.format") or "openpgp"
    if form == "ssh":  # git passes these on
        return ""
    program = git.config(f"gpg.{form}.program", kind="path")
    if not program:
        program = git.config("gpg.program", kind="path") or "gpg" if form == "openpgp" else "gpgsm"
    key = git.config("user.signingkey") or committer
    # Through an alias, so that it runs with our time limit and in our process group.
    alias = f"!{shlex.quote(program)} --status-fd=2 -bsau {shlex.quote(key)}"
    tried = tuple(range(256))
    try:
        done = git.run("-c", f"alias.memwiki-sign={alias}", "memwiki-sign", input=b"probe\n", ok=tried, timeout=10.0)
    except GitError as error:  # it hangs this time: that is worth saying too
        return error.message
    return "\n".join(line for line in done.err.splitlines() if not line.startswith("[GNUPG:]"))


def named(role: str, identity: str) -> dict[str, str]:
    """Variables by which git takes `Name <mail>` for the AUTHOR or COMMITTER; ValueError for anything else."""
    name, opening, mail = identity.rpartition("<")
    if not opening or not mail.endswith(">") or ">" in mail[:-1] or "\n" in name.rstrip():
        raise ValueError(f"not an identity: {identity!r}")
    return {f"GIT_{role}_NAME": name.rstrip(), f"GIT_{role}_EMAIL": mail[:-1]}


def empty_tree(git: Git) -> str:
    """The tree with nothing in it, written so that commits can stand on it."""
    return git.run("mktree", input=b"").line


def tree_of(git: Git, commit: str) -> str:
    """The tree of a commit; that of "" (no commit yet) is the empty one."""
    return git.run("rev-parse", "--verify", f"{commit}^{{tree}}").line if commit else empty_tree(git)


def store(git: Git, data: bytes | str) -> str:
    """Write a blob, exactly these bytes (a text as UTF-8, surrogates as the bytes they stand for); its name."""
    data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    return git.run("hash-object", "-w", "--no-filters", "--stdin", input=data).line


@dataclass(frozen=True, slots=True)
class Scratch:
    """A private index: a tree that is being built, out of sight of the person's index."""

    git: Git
    env: Mapping[str, str]

    def put(self, blobs: Mapping[str, str | None]) -> None:
        """Set paths to blobs (None removes one). git refuses paths like `..`, `.git` or below a submodule: GitError."""
        modes = {path: mode for path, mode, _ in self._entries(list(blobs))}
        for path, mode in modes.items():
            if not mode.startswith("100"):
                raise MemwikiError(f"{path} is a link or another repository.", "memwiki changes plain files only.")
        steps = [["--force-remove", path] for path, blob in blobs.items() if blob is None]
        for path, blob in blobs.items():
            if blob is not None:
                steps.append(["--add", "--cacheinfo", f"{modes.get(path, '100644')},{blob},{path}"])
        for start in range(0, len(steps), 200):  # a command line has its limits
            words = [word for step in steps[start : start + 200] for word in step]
            self.git.run("update-index", *words, env=self.env)

    def _entries(self, paths: list[str]) -> Iterator[tuple[str, str, str]]:
        """(path, mode, blob) of what is there already."""
        for start in range(0, len(paths), 200):
            some = paths[start : start + 200]
            for line in self.git.run("ls-files", "-s", "-z", "--", *some, env=self.env).fields:
                head, path = line.split("\t", 1)
                mode, blob, _ = head.split(" ")
                if path in some:  # a path can also be a folder of others
                    yield path, mode, blob

    def tree(self) -> str:
        """The tree as it stands."""
        return self.git.run("write-tree", env=self.env).line


@contextmanager
def scratch(git: Git, tree: str) -> Iterator[Scratch]:
    """A private index filled with `tree`, gone when the block ends."""
    with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
        index = Scratch(git, {"GIT_INDEX_FILE": str(Path(folder, "index"))})
        git.run("read-tree", tree, env=index.env)
        yield index


def tree_with(git: Git, tree: str, blobs: Mapping[str, str | None]) -> str:
    """`tree` with paths set to blobs (None removes one)."""
    if not blobs:
        return tree
    with scratch(git, tree) as index:
        index.put(blobs)
        return index.tree()


@dataclass(frozen=True, slots=True)
class Merged:
    """A three-way merge of trees: the tree, or "" and the paths where both sides changed the same lines."""

    tree: str
    conflicts: tuple[str, ...] = ()


def three_way(git: Git, base: str, ours: str, theirs: str) -> Merged:
    """Merge two trees whose common ancestor is the commit `base`; no index or work tree is involved.

    `merge-tree` takes a base only since git 2.40, so both sides become throw-away commits on it.
    """
    sides = [loose(git, tree, base) for tree in (ours, theirs)]
    done = git.run(
        *("-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"),
        *sides,
        ok=(0, 1),
    )
    tree, *conflicts = done.fields
    if done.code == 0:
        return Merged(tree)
    from .filters import merged  # which stores through this module

    texts = merged(git, (base, ours, theirs), paths := tuple(path for path in conflicts if path))
    return Merged(tree_with(git, tree, texts)) if texts else Merged("", paths)


def loose(git: Git, tree: str, parent: str) -> str:
    """An unsigned commit that is never on a ref: a side of a merge or of a comparison."""
    env = {**named("AUTHOR", OURS), **named("COMMITTER", OURS), "GIT_AUTHOR_DATE": "@0 +0000"}
    env["GIT_COMMITTER_DATE"] = "@0 +0000"  # the same merge asked twice makes no new objects
    return git.run("commit-tree", "-p", parent, tree, input=b"memwiki side\n", env=env).line
