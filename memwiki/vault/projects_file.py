"""Writing `.memwiki/projects.toml`: whose a folder is, and that a project has another key now. Each is one commit."""

from typing import TYPE_CHECKING

import tomlkit

from ..errors import MemwikiError
from .landing import change
from .projects import ALIAS, PATH, parsed

if TYPE_CHECKING:
    from .git import Git


def record(git: "Git", folder: str, key: str) -> str:
    """Write down, in a commit of its own, that `folder` holds the notes of the project `key`; the commit, "" for none.

    Nothing is done where the file says already whose the folder is.
    """
    document = _document(git)
    if folder.lower() in {one.lower() for one in document}:
        return ""
    lines = tomlkit.document().add(folder, [key])
    text = tomlkit.dumps(lines) + tomlkit.dumps(document)  # plain keys stand before the first [[alias]]
    return change(git, {PATH: text.encode()}, f"Record the project of project/{folder}")


def add_alias(git: "Git", project: str, was: str) -> str:
    """Write down, in a commit of its own, that the project `project` had the key `was`; the commit, "" for none."""
    document = _document(git)
    if project in parsed(tomlkit.dumps(document).encode()).same(was):
        return ""
    alias = tomlkit.table()
    alias.update({"project": project, "was": was})
    aliases = document.setdefault(ALIAS, tomlkit.aot())
    aliases.append(alias)
    return change(git, {PATH: tomlkit.dumps(document).encode()}, f"Bring the notes of {was} along to {project}")


def _document(git: "Git") -> tomlkit.TOMLDocument:
    """The file at the tip of memory's branch; MemwikiError where it cannot be read."""
    data = git.blob(git.tip(), PATH) if git.tip() else None
    try:
        parsed(data or b"")
        return tomlkit.parse(data or b"")
    except ValueError as error:
        raise MemwikiError(f"{PATH} in the vault cannot be read: {error}.", "Fix the file and commit it.") from error
