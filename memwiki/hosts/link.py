"""Registering memwiki in a host's settings file, and taking it back as if it had never been there."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..config import Home
from ..errors import MemwikiError
from ..files import behind, expanded
from . import exclude
from .files import check_rights, diff_of, read, remove, text_of, write
from .parts import Part, Taken, parts, recorded
from .places import named, place
from .programs import install, works
from .records import Record, as_left, before, drop, edited, find, folder_of, keep, records, settings_folders, settle
from .registration import settings_file
from .rule_files import clear
from .splice import Broken
from .survey import Found, findings, own_entries, survey

Text = TypeVar("Text", str, str | None)

__all__ = ["Found", "Linked", "findings", "link", "survey", "unlink"]


@dataclass(frozen=True, slots=True)
class Linked:
    """What was done to one settings file, or would be: `diff` is a unified diff, `words` are sentences to show."""

    host: str
    path: Path
    diff: str
    changed: bool
    words: tuple[str, ...] = ()
    skipped: bool = False

    @property
    def state(self) -> str:
        """What became of it, in a word or two."""
        return "skipped" if self.skipped else "linked" if self.changed else "already there"


def link(
    home: Home,
    host: str,
    project: Path | None = None,
    dry_run: bool = False,
    mcp: bool = False,
    folder: Path | None = None,
) -> Linked:
    """Register every hook of `host` for the user, or in one project's folder; repeating it changes nothing.

    `folder` is the user's settings folder (None: the one that this environment names).

    Everything else in the settings file keeps its bytes; a copy goes to `backup/`. With `dry_run` nothing is written.
    With `mcp` the host's list of MCP servers gets memwiki's, too. Where notes do not reach the host's prompts by hooks,
    its rules file gets a block that `sync` fills.
    Raises MemwikiError for a file that is broken (with its line), read-only, or not a file.
    """
    host, project = named(host), _checked(project)
    path = settings_file(host, project, folder)
    if project is not None and linked(home, host):
        word = (
            f"{host} is linked for all projects already, in {settings_file(host)}, so nothing was done for {project}: "
            "linked twice, its hooks would run twice there."
        )
        return Linked(host, path, "", False, (word,), skipped=True)
    files = [part for part in parts(home, host, project, mcp, folder) if not part.optional]
    done = [
        put_part(home, host, part, project, dry_run=True) for part in files
    ]  # what is refused is so before any is written
    if not dry_run:
        home.check()
        install(home, anew=works(home) != "")
        done = [put_part(home, host, part, project, dry_run) for part in files]
    words = _words(host) + tuple(word for one in done for word in one.words)
    if project is not None and not dry_run:
        words += exclude.refresh(home, project)
    return Linked(host, path, "".join(one.diff for one in done), any(one.changed for one in done), words)


def put_part(home: Home, host: str, part: Part, project: Path | None, dry_run: bool) -> Linked:
    """Bring one file to its linked state, with a record of what it was."""
    path, current = part.path, read(part.path)
    text = text_of(path, current)
    try:
        new = _spliced(path, lambda: part.put(text))
    except Taken as error:
        return Linked(host, path, "", False, (str(error),))
    result = Linked(host, path, diff_of(path, text, new, current is None), new != text or current is None)
    if result.changed:
        check_rights(path, current)
    if dry_run:
        return result
    known = record = find(home, host, path)
    if record is None or not as_left(home, record, current):
        old = _spliced(path, lambda: part.take(text))
        folders = tuple(str(folder) for folder in behind(path).parents if not folder.exists())
        record = Record(host, str(path), str(project or ""), current is not None and old is not None, folders)
        keep(home, record, (old or "").encode("utf-8"))
    if result.changed:
        try:
            write(path, current, new, part.mode)
        except MemwikiError:
            if known is None:
                drop(home, record)  # nothing is linked; later `unlink` would have nothing to restore
            raise
    settle(home, record, new.encode("utf-8"))
    return result


def unlink(home: Home, host: str, project: Path | None = None) -> Linked:
    """Remove memwiki's hooks as `unlink_places` does; the first file that was changed stands for all.

    Raises MemwikiError for the first place that could not be unlinked, when all others are.
    """
    done = unlink_places(home, host, project)
    for one in done:
        if one.skipped:
            raise MemwikiError(*one.words)
    return next((one for one in done if one.changed), done[0])


def unlink_places(home: Home, host: str, project: Path | None = None) -> list[Linked]:
    """Remove memwiki's hooks from a host: from one project, or from every settings folder that was ever linked.

    The environment names one of those folders, which comes first; the records in `backup/` name the others. A file
    that is as `link` left it gets its old bytes back; one that `link` made is removed, with the folders made for it.
    Else only our entries are cut. What cannot be unlinked is skipped, and its words say why. `bin/` stays, so that
    running sessions go on undisturbed. The caller holds `lock/sync`: rules of Claude's that a sync has written go, too.
    """
    host = named(host)
    if project is not None:
        project = expanded(project)  # the folder itself may be gone by now
        return [_unlinked(home, host, parts(home, host, project), project, None)]
    done: list[Linked] = []
    for folder in settings_folders(home, host):
        result = _unlinked(home, host, parts(home, host, folder=folder), None, folder)
        done.append(result)
    others = [one for one in records(home) if one.host == host and not one.project and folder_of(one) is None]
    for record in sorted(others, key=_first_made_last):
        done.append(_unlinked(home, host, [recorded(home, host, Path(record.path))], None, None))
    return [one for one in done if one.changed or one.skipped] or done[:1]


def _first_made_last(record: Record) -> int:
    """A key that sorts what made the topmost folder last: by then all that is in that folder is removed."""
    return -min((len(Path(folder).parts) for folder in record.folders), default=len(Path(record.path).parts))


def _unlinked(home: Home, host: str, found: list[Part], project: Path | None, folder: Path | None) -> Linked:
    """Bring the files of one place to their state without us."""
    path = found[0].path if folder is None and project is None else settings_file(host, project, folder)
    try:
        if folder is not None and host == "claude":
            clear(home, folder)
        here = linked(home, host, project, folder)
        done: list[Linked] = []
        for part in reversed(found):  # the first made the folders
            if part.unmarked and not here and find(home, host, part.path) is None:
                continue  # another home's, if anybody's
            try:
                done.append(_take(home, host, part))
            except MemwikiError:
                if not part.optional or find(home, host, part.path):
                    raise  # else it is broken without us: nothing was ever put there
    except MemwikiError as error:
        return Linked(host, path, "", False, (error.message, error.remedy), skipped=True)
    changed = any(one.changed for one in done)
    absent = () if changed else (f"memwiki is not linked in {path}.",)
    words = absent + tuple(word for one in done for word in one.words)
    if project is not None:
        words += exclude.refresh(home, project)
    return Linked(host, path, "".join(one.diff for one in done), changed, words)


def _take(home: Home, host: str, part: Part) -> Linked:
    """Bring one file to its state without us."""
    path, said = part.path, ""
    current, record = read(path), find(home, host, path)
    text = text_of(path, current)
    new: str | None
    if record is not None and as_left(home, record, current):
        new = before(home, record).decode("utf-8") if record.existed else None
    else:
        new = _spliced(path, lambda: part.take(text))
        if new is None and current is not None:  # a file of ours that somebody has changed since
            copy = edited(home, host, path, current)
            said = f"{path} had been changed since it was linked; a copy is in {copy}."
    changed = current is not None and new != text
    if changed:
        check_rights(path, current)
    diff = diff_of(path, text, new or "", False)
    if changed and new is None:
        remove(path, record.folders if record else ())
    elif changed:
        write(path, current, new or "")
    if record is not None:
        drop(home, record)
    return Linked(host, path, diff, changed, (said,) if said else ())


def linked(home: Home, host: str, project: Path | None = None, folder: Path | None = None) -> bool:
    """Whether the user's own settings (in `folder`), or a project's, hold one of this home's hooks."""
    try:
        return bool(own_entries(home, host, settings_file(host, project, folder)))
    except (OSError, ValueError):
        return False


def _words(host: str) -> tuple[str, ...]:
    """What is to be known of a host when it is linked, in sentences."""
    where = place(host)
    return tuple(word for word in (where.words, "Untested: from documentation." * where.untested) if word)


def _checked(project: Path | None) -> Path | None:
    """The project's folder as an absolute path; MemwikiError when it is none."""
    if project is None:
        return None
    folder = expanded(project)
    if not folder.is_dir():
        raise MemwikiError(f"{folder} is not a folder.", "Name the project's top folder.")
    return folder


def _spliced(path: Path, edit: Callable[[], Text]) -> Text:
    """What `edit` makes of the file's text; a broken file is refused with its line."""
    try:
        return edit()
    except Broken as error:
        raise MemwikiError(
            f"{path}, line {error.line}: {error.why}.", "Mend the file and run the command again."
        ) from error
