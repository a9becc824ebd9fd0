"""`memwiki init`: the home, its settings, and a vault: a new one, a folder of notes, or a repository as it is."""

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
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
from .vault import projects
from .vault.commits import OURS, commit, empty_tree
from .vault.git import Git
from .vault.probe import home_inside
from .vault.served import ROOMS, offered
from .vault.tree import Tree


@dataclass(frozen=True, slots=True)
class Started:
    """What `init` made or found.

    `kind` is "new", "adopted" (a folder of notes, or a repository without a commit, got its first), "repository" or
    "again" (nothing to do).
    `folders` counts the notes in each top folder ("": the vault's own) that agents are not given, because memwiki did
    not make this vault and `recall.folders` does not name them; templates, daily notes and the like do not count.
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
    folders: Mapping[str, int]


def init(folder: Path | str | None = None, home: Path | str | None = None) -> Started:
    """Make the home and the vault in `folder` (None: `vault` in the home); repeating it changes nothing.

    A repository without a commit gets its first one: its notes, or nothing where something is staged. Raises
    MemwikiError, and leaves nothing behind, for a subfolder of another repository, a second vault, a repository that
    is bare, detached or in a rebase, git that is missing or too old, and wherever git cannot commit. One that was
    killed is finished by the next.
    """
    place = find_home(home)
    before = settings.load(place)
    top = _chosen(before, folder)
    inside = home_inside(place.path, top)
    if inside:
        raise MemwikiError(inside.message, inside.remedy)
    kind = _kind(top, place)
    git = Git.of(before, top)
    if kind == "repository":
        git = Git(top, _branch(before, git), git.sign)
    first = kind != "repository" or (git.tip() == "" and git.head() == git.ref)
    with _undone(top, place, kind) if first else nullcontext():
        place.make()
        if kind != "repository":
            _create(git, top, kind)
        tree = Tree(git)
        leaks = {
            note.path: [f"{note.path}:{line}: {secret}" for line, secret in find_secrets(note.text)]
            for note in tree.notes()
        }
        if first:
            if kind == "repository":
                kind = _content(top)
                _fill(top, kind)
            _commit(git, [path for path, lines in leaks.items() if not lines], template=kind == "new")
        outside = offered(leaks, top)
        if not before.machine and kind != "new" and not _is_ours(top) and outside:
            settings.change(place, "recall.folders", "")
        config = _settled(place, top, git)
    install(place)
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
        folders={} if config.get("recall.folders") else outside,
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
    """What stands at `top` now: "new", "adopted" or "repository". Writes nothing."""
    if top.is_file():
        raise MemwikiError(f"{top} is a file.", "Name a folder.")
    if _is_bare(top):
        raise MemwikiError(f"{top} is a bare repository.", "Clone it (`git clone`) and name the clone.")
    if (top / ".git").exists() and not _is_unfinished(top / ".git"):
        return "repository"
    if top.resolve() in (Path("~").expanduser().resolve(), Path("/"), home.path.resolve()):
        raise MemwikiError(f"{top} holds more than notes.", "Name a folder of notes, or none for a new vault.")
    outer = next((folder for folder in top.resolve().parents if (folder / ".git").exists()), None)
    if outer is not None and home.path.resolve() not in (top.resolve(), *top.resolve().parents):
        raise MemwikiError(
            f"{top} is a subfolder of the repository {outer}; memwiki's commits would go there.",
            f"Run `git init {top}` first to give the notes a repository of their own, or name another folder.",
        )
    return _content(top)


def _content(top: Path) -> str:
    """ "new" for a folder with nothing in it but what a killed `init` may have written there, else "adopted"."""
    source = resource("vault-template")
    ours = _files(top) <= set(_template()) and all(
        (source / path).read_bytes().startswith((top / path).read_bytes()) for path in _files(top)
    )
    return "new" if ours else "adopted"


def _is_ours(top: Path) -> bool:
    """Whether memwiki made the vault, here or where it was cloned from: it has a file that memwiki alone writes."""
    readmes = [f"{room}/README.md" for room in ROOMS]
    source = resource("vault-template")
    made = (top / name for name in readmes if (top / name).is_file())
    return (top / projects.PATH).is_file() or any(
        file.read_bytes() == (source / file.relative_to(top)).read_bytes() for file in made
    )


def _is_bare(top: Path) -> bool:
    if (top / ".git").exists():
        return False
    return (top / "HEAD").is_file() and (top / "objects").is_dir() and (top / "refs").is_dir()


def _is_unfinished(folder: Path) -> bool:
    """Whether a `git init` was killed before `folder` became a repository: it holds no object and no ref."""
    if not folder.is_dir() or all((folder / name).exists() for name in ("HEAD", "objects", "refs")):
        return False
    kept = [*(folder / "objects").rglob("*"), *(folder / "refs").rglob("*"), folder / "packed-refs", folder / "index"]
    return not any(path.is_file() for path in kept)


def _files(top: Path) -> set[str]:
    """Paths below `top` of all files and links, git's own left out."""
    paths = (path.relative_to(top) for path in top.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.as_posix() for path in paths if path.parts[0] != ".git"}


def _template() -> list[str]:
    """Paths of a new vault's files."""
    return sorted(_files(resource("vault-template")))


def _branch(config: Config, git: Git) -> str:
    """The branch of a repository that holds memory: the one that is set, else the one checked out."""
    if git.run("rev-parse", "--is-bare-repository").line == "true":
        raise MemwikiError(f"{git.top} is a bare repository.", "Clone it (`git clone`) and name the clone.")
    if "vault.branch" in config.values:
        return config.branch
    branch = git.head().removeprefix("refs/heads/")
    doing = git.under_way()
    if not branch and doing:
        raise MemwikiError(f"{doing.capitalize()} is under way in {git.top}.", "Finish or abort it and run init again.")
    if not branch:
        raise MemwikiError(
            f"{git.top} has no branch checked out.",
            "Check out the branch that holds your notes (`git switch main`) and run init again.",
        )
    return branch


@contextmanager
def _undone(top: Path, home: Home, kind: str) -> Iterator[None]:
    """Where the block fails, remove what it has made: the home, the repository, the template's files."""
    before = _files(top)
    folders = [folder for folder in (top, *top.parents, home.path, *home.path.parents) if not folder.exists()]
    try:
        yield
    except BaseException as error:
        if kind != "repository":
            shutil.rmtree(top / ".git", ignore_errors=True)
        for path in set(_template()) - before:
            (top / path).unlink(missing_ok=True)
        folders = [*{(top / path).parent for path in _template()} - {top}, *folders]
        if home.path in folders:
            shutil.rmtree(home.path, ignore_errors=True)
        for folder in sorted(folders, key=lambda one: -len(one.parts)):
            with suppress(OSError):  # something is in it, or it was never made
                folder.rmdir()
        if isinstance(error, OSError):
            raise MemwikiError(
                f"The vault could not be made: {error}.", "Make the folder writable for you, or name another."
            ) from error
        raise


def _create(git: Git, top: Path, kind: str) -> None:
    """An empty repository at `top`, with the template's files when the vault is new."""
    top.mkdir(parents=True, exist_ok=True)
    _fill(top, kind)
    shutil.rmtree(top / ".git", ignore_errors=True)  # of a `git init` that was killed
    git.run("init", "--quiet", "--initial-branch", git.branch)


def _fill(top: Path, kind: str) -> None:
    if kind == "new":
        shutil.copytree(resource("vault-template"), top, dirs_exist_ok=True, copy_function=shutil.copyfile)


def _settled(home: Home, top: Path, git: Git) -> Config:
    """The settings with vault, branch and machine id; values already set stay."""
    config = settings.load(home)
    if top != home.path / "vault" and "vault.path" not in config.values:
        settings.change(home, "vault.path", str(top))
    if "vault.branch" not in config.values:
        settings.change(home, "vault.branch", git.branch)
    if not config.machine:  # last: a home with an id has its vault
        settings.change(home, "machine.id", secrets.token_hex(4))
    return settings.load(home)


def _commit(git: Git, notes: list[str], *, template: bool) -> None:
    """The first commit: the template's files, or the notes and nothing else that lies there.

    Where the person has staged something else, it stays staged and the commit is empty.
    """
    wanted = _template() if template else notes
    message = "Start the vault" if template else f"Adopt {len(notes)} notes"
    strange = set(git.run("ls-files", "-z").fields) - set(wanted)
    if strange:
        tree, message = empty_tree(git), "Start the vault"
    else:
        listed = b"\0".join(path.encode("utf-8", "surrogateescape") for path in wanted)
        if wanted:
            git.run("add", "--pathspec-from-file=-", "--pathspec-file-nul", input=listed)
        tree = git.run("write-tree").line
    try:
        made = commit(git, tree, [], f"{message}\n")
        git.run("update-ref", "-m", f"memwiki: {message}", git.ref, made, git.zero)
    except MemwikiError:
        if not strange:
            git.run("read-tree", "--empty")
        raise


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
