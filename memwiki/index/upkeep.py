"""Keeps `recall.bin` in step with the index: only what changed is written, and nothing when nothing did."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..capture.project import normal
from ..config import Config, Home
from ..files import named_in_git
from ..text import sha256
from ..vault import projects
from ..vault.git import Git
from ..vault.paths import namespace
from ..vault.served import Served
from ..visible import without_hidden
from .delta import Seen
from .notes import seen
from .protocol import Fault
from .provenance import unreviewed
from .recaps import recaps
from .sqlite import SqliteIndex

if TYPE_CHECKING:
    from .snapshot import Meta, Stored

_COLUMNS = "path, title, description, type, pin, namespace, hash, text, mtime_ns, size, analysis, secret"


def write(index: SqliteIndex, home: Home, config: Config, git: Git) -> bool:
    """Bring the snapshot to what the index holds; whether it had to be written.

    The index remembers which notes the snapshot lacks and what its files looked like, so that a pass killed here, a
    snapshot that was deleted or overwritten, and other settings are all noticed.
    """
    memory = seen(index)
    if memory is None:  # no vault has been read yet
        return False
    table = _table(index, git, memory)
    folders = _folders(index, table)
    served = Served.of(str(config.get("recall.folders")), git.top)
    told = recaps(index, home, config)
    scopes = (config.values, config.hosts, config.projects)
    waiting = _pending(git)
    vault = (str(git.top), str(git.dir), git.branch, memory.commit)
    marks = unreviewed(index, git, memory)
    facts = sha256(repr((__version__, vault, folders, marks, table.aliases, told, scopes, waiting, served)))
    kept = index.state("snapshot") or {}
    ours = written(index, home.snapshot)
    lacking = [path for (path,) in index.rows("SELECT path FROM unwritten")]
    if ours and kept.get("facts") == facts and not lacking:
        return False
    from . import snapshot

    meta = snapshot.Meta(
        vault=named_in_git(str(git.top)),
        git_dir=str(git.dir),
        branch=git.branch,
        commit=memory.commit,
        folders=folders,
        aliases=sorted({table.same(key) for pair in table.aliases for key in pair}),
        unreviewed=marks,
        recaps=told,
        pending=waiting,
        paused=sorted(map(normal, config.paused_projects)),
        closed=served.excluded,
        settings=snapshot.settings_of(config),
    )
    for file in (home.snapshot, home.snapshot.with_suffix(".delta")):
        if file.exists() and not (file.is_file() and file.stat().st_mode & stat.S_IRUSR):  # no hook can read it
            file.unlink()
    same = ours and kept.get("served") == sha256(repr(served))  # else notes that did not change move in or out
    if not same or not _update(index, home.snapshot, lacking, meta, served):
        snapshot.write(home.snapshot, _stored(index, served), meta)
    with index.transaction() as db:
        db.execute("DELETE FROM unwritten")
        index.remember("snapshot", {"files": _state(home.snapshot), "facts": facts, "served": sha256(repr(served))})
    return True


def written(index: SqliteIndex, snapshot: Path) -> bool:
    """Whether the snapshot's files are still those that the last sync wrote."""
    return bool((index.state("snapshot") or {}).get("files") == _state(snapshot))


def _pending(git: Git) -> int:
    """How many commits on dream branches are not on the branch of memory: one for each candidate that waits."""
    folder = git.common_dir
    if not (folder / "refs/heads/dream").is_dir() and b" refs/heads/dream/" not in _read(folder / "packed-refs"):
        return 0
    tip = git.tip()
    known = [f"^{tip}"] if tip else []
    found = git.run("rev-list", "--count", "--glob=refs/heads/dream/*", *known, "--", ok=(0, 128))
    return int(found.text.strip() or 0)  # nothing is printed where objects are lost


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _update(index: SqliteIndex, path: Path, lacking: list[str], meta: "Meta", served: Served) -> bool:
    from . import snapshot

    changed = [note for one in lacking for note in _stored(index, served, one)]
    gone = set(lacking) - {note.path for note in changed}
    return snapshot.update(path, changed, gone, meta)


def _stored(index: SqliteIndex, served: Served, path: str | None = None) -> "Iterator[Stored]":
    """All notes, or the one at `path`, as the snapshot keeps them: without what is hidden in them."""
    from ..recall.snapshot import OUTSIDE
    from .analysis import Analysis
    from .snapshot import Stored

    where, values = ("", ()) if path is None else (" WHERE path = ?", (path,))
    for row in index.rows(f"SELECT {_COLUMNS} FROM notes{where}", values):  # noqa: S608 - our own words
        path, title, description, type_, pin, namespace, hash_, text, mtime_ns, size, analysis, secret = row
        yield Stored(
            path=path,
            title=without_hidden(title),
            description=without_hidden(description),
            type=without_hidden(type_),
            pin=bool(pin),
            namespace=namespace if served.has(path) else OUTSIDE,
            hash=hash_,
            text=without_hidden(text),
            mtime_ns=mtime_ns,
            size=size,
            analysis=Analysis.unpack(analysis),
            secret=bool(secret),
        )


def _state(path: Path) -> list[list[int]]:
    """Size, time, inode and mode of the snapshot's files: what tells that they are still those that were written."""
    found = []
    for file in (path, path.with_suffix(".delta")):
        try:
            state = file.stat()
            found.append([state.st_size, state.st_mtime_ns, state.st_ino, state.st_mode])
        except FileNotFoundError:
            found.append([])
    return found


def known_projects(index: SqliteIndex) -> list[str]:
    """The keys that events were logged for, the earliest first."""
    return [key for (key,) in index.rows("SELECT key FROM projects GROUP BY key ORDER BY min(at), key")]


def project_folders(index: SqliteIndex, git: Git) -> projects.Folders:
    """Whose each folder below `project/` is; a table that cannot be read, which sync names, counts as empty."""
    memory = seen(index)
    try:
        table = projects.parsed(_projects(git, memory)) if memory else projects.Table()
    except ValueError:
        table = projects.Table()
    return projects.Folders(table, known_projects(index))


def _folders(index: SqliteIndex, table: projects.Table) -> dict[str, tuple[str, ...]]:
    """Whose the folders are that the table names, or that there are: a hook judges only by the name of others."""
    owners = projects.Folders(table, known_projects(index)).owners
    there = {folder.lower() for folder in table.folders} | set(present_folders(index))
    return {folder: owners[folder] for folder in sorted(there & owners.keys())}


def present_folders(index: SqliteIndex) -> Iterator[str]:
    """The folders below `project/` that hold notes, in lower case; one look at the index each."""
    query = "SELECT path FROM notes WHERE path >= ? AND path < 'project0' ORDER BY path LIMIT 1"
    last = "project/"
    while found := index.rows(query, [last]):
        path = str(found[0][0])
        space = namespace(path)
        yield space.removeprefix("project/").lower()
        last = f"{space}0" if path.startswith(f"{space}/") else f"{path}\0"  # "0" follows "/"


def _table(index: SqliteIndex, git: Git, memory: Seen) -> projects.Table:
    """The projects' own folders as memory has them; a file that cannot be read is named and empty."""
    found = projects.Table()
    fault: list[Fault] = []
    try:
        found = projects.parsed(_projects(git, memory))
    except ValueError as error:
        fault = [Fault(projects.PATH, 0, "projects", f"cannot be read: {error}")]
    if fault != [one for one in index.faults() if one.path == projects.PATH]:
        with index.transaction() as db:
            db.execute("DELETE FROM faults WHERE path = ?", (projects.PATH,))
            db.executemany(
                "INSERT INTO faults VALUES (?, ?, ?, ?)", [(f.path, f.line, f.kind, f.message) for f in fault]
            )
    return found


def _projects(git: Git, memory: Seen) -> bytes:
    file = git.top / projects.PATH
    if not memory.work:
        return (git.blob(memory.commit, projects.PATH) if memory.commit else None) or b""
    if file.is_symlink() or file.parent.is_symlink() or not file.is_file():
        return b""
    return file.read_bytes()
