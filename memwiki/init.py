"""`memwiki init`: the home, its settings, and a vault: a new one, a folder of notes, or a repository as it is."""

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import config as settings
from .config import Config, Home, find_home
from .errors import Finding, MemwikiError
from .hosts.programs import install, resource
from .index.sqlite import SqliteIndex
from .journal.redaction import find_secrets
from .journal.sessions import Journal
from .rooms import Rooms
from .sync import sync
from .vault.commits import OURS, named
from .vault.git import Git
from .vault.probe import home_inside
from .vault.tree import Tree


@dataclass(frozen=True, slots=True)
class Started:
    """What `init` made or found.

    `kind` is "new", "adopted" (a folder of notes became a repository), "repository" or "again" (nothing to do).
    `secrets` are `path:line: kind`, their notes stay uncommitted; `identity` is whom the first commit is by.
    """

    home: Path
    vault: Path
    branch: str
    kind: str
    notes: int
    others: int
    identity: str
    secrets: tuple[str, ...]
    findings: tuple[Finding, ...]


def init(folder: Path | str | None = None, home: Path | str | None = None) -> Started:
    """Make the home and the vault in `folder` (None: `vault` in the home); repeating it changes nothing.

    Raises MemwikiError for a subfolder of another repository, a second vault, git that is missing or too old, and
    wherever git cannot commit; nothing is left half made but empty folders.
    """
    place = find_home(home)
    place.make()
    before = settings.load(place)
    top = _chosen(before, folder)
    inside = home_inside(place.path, top)
    if inside:
        raise MemwikiError(inside.message, inside.remedy)
    kind = _kind(top, place)
    git = Git.of(before, top)
    if kind in ("new", "adopted"):
        _create(git, top, kind)
    config = _settled(place, top, git)
    install(place)
    git = Git.of(config, top)
    tree = Tree(git)
    leaks = {
        note.path: [f"{note.path}:{line}: {secret}" for line, secret in find_secrets(note.text)]
        for note in tree.notes()
    }
    if kind in ("new", "adopted"):
        clean = [path for path, lines in leaks.items() if not lines]
        _commit(git, clean, template=kind == "new")
    index = SqliteIndex(place.index)
    sync(Rooms(config, git, Journal(place.journal), index))  # so that hooks find an index, and old notes are memory
    index.close()
    return Started(
        home=place.path,
        vault=top,
        branch=config.branch,
        kind="again" if before.machine and kind == "repository" else kind,
        notes=len(leaks),
        others=_others(git) if kind == "adopted" else 0,
        identity=git.identity() or OURS,
        secrets=tuple(line for lines in leaks.values() for line in lines),
        findings=tuple(git.findings()),
    )


def _chosen(config: Config, folder: Path | str | None) -> Path:
    """The vault's folder; refuses to move a vault that is already set."""
    if folder is None:
        return config.vault
    top = Path(folder).expanduser().absolute()
    if config.machine and top.resolve() != config.vault.resolve():
        raise MemwikiError(
            f"This home already has a vault at {config.vault}.",
            f"Run `memwiki config set vault.path {top}` to use another.",
        )
    return top


def _kind(top: Path, home: Home) -> str:
    """What stands at `top` now: "new", "adopted" or "repository"."""
    if top.is_file():
        raise MemwikiError(f"{top} is a file.", "Name a folder.")
    if (top / ".git").exists():
        return "repository"
    if top.resolve() in (Path("~").expanduser().resolve(), Path("/"), home.path.resolve()):
        raise MemwikiError(f"{top} holds more than notes.", "Name a folder of notes, or none for a new vault.")
    outer = next((folder for folder in top.resolve().parents if (folder / ".git").exists()), None)
    if outer is not None and home.path.resolve() not in (top.resolve(), *top.resolve().parents):
        raise MemwikiError(
            f"{top} is a subfolder of the repository {outer}; memwiki's commits would go there.",
            f"Run `git init {top}` first to give the notes a repository of their own, or name another folder.",
        )
    return "adopted" if top.is_dir() and any(top.iterdir()) else "new"


def _create(git: Git, top: Path, kind: str) -> None:
    """An empty repository at `top`, with the template's files when the vault is new."""
    top.mkdir(parents=True, exist_ok=True)
    git.run("init", "--quiet", "--initial-branch", git.branch)
    if kind == "new":
        shutil.copytree(resource("vault-template"), top, dirs_exist_ok=True, copy_function=shutil.copyfile)


def _settled(home: Home, top: Path, git: Git) -> Config:
    """The settings with vault, branch and machine id; values already set stay."""
    config = settings.load(home)
    if not config.machine:
        settings.change(home, "machine.id", secrets.token_hex(4))
    if top != home.path / "vault" and "vault.path" not in config.values:
        settings.change(home, "vault.path", str(top))
    if "vault.branch" not in config.values:
        head = git.run("symbolic-ref", "--quiet", "--short", "HEAD", ok=(0, 1))
        branch = head.out.decode().strip()
        if not branch:
            raise MemwikiError(
                f"{top} has no branch checked out.", "Check out the branch that holds your notes and run init again."
            )
        settings.change(home, "vault.branch", branch)
    return settings.load(home)


def _commit(git: Git, notes: list[str], *, template: bool) -> None:
    """The first commit: the template's files, or the adopted notes and nothing else that lies there."""
    if template:
        git.run("add", "--all")
    elif notes:
        listed = b"\0".join(path.encode("utf-8", "surrogateescape") for path in notes)
        git.run("add", "--pathspec-from-file=-", "--pathspec-file-nul", input=listed)
    who = {} if git.identity() else {**named("AUTHOR", OURS), **named("COMMITTER", OURS)}
    message = "Start the vault" if template else f"Adopt {len(notes)} notes"
    sign = () if git.sign else ("--no-gpg-sign",)
    git.run("commit", "--quiet", "--allow-empty", *sign, "-m", message, env=who)


def _others(git: Git) -> int:
    """Files that adoption left untracked (notes with secrets among them)."""
    listed = git.run("ls-files", "-z", "--others", "--exclude-standard").out
    return len([path for path in listed.split(b"\0") if path])


def setup(
    hosts: tuple[str, ...] | list[str] = (), vault: Path | str | None = None, home: Path | str | None = None
) -> Started:
    """What an agent calls to install memwiki for its user: `init`, then `link` for each of `hosts`.

    Nothing is injected until the person approves a candidate or writes a note.
    """
    from .hosts.link import link

    started = init(vault, home)
    for host in hosts:
        link(Home(started.home), host, None, False)
    return started
