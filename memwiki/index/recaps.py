"""The recap of each project that is given one at session start, for `recall.bin`: a hook may not read the journal."""

from typing import Any

from ..config import Config, Home
from .sqlite import SqliteIndex

MOST = 50  # projects, those worked in last
_SESSIONS = 12  # of a project: when none of them has grown, its recap is the one before
_STATE = "recaps"


def recaps(index: SqliteIndex, home: Home, config: Config) -> dict[str, str]:
    """Project key -> the text of its recap, where `recall.recap` is `start` for it, its hosts or all; {} else.

    A project is read anew only when one of its latest sessions has grown.
    """
    everywhere = config.get("recall.recap") == "start" or any(_starts(scope) for scope in config.hosts.values())
    if not everywhere and not any(_starts(scope) for scope in config.projects.values()):
        return {}
    from ..journal.recap import recap  # most never ask for one, and every sync passes here
    from ..journal.sessions import Journal

    sessions: dict[str, list[tuple[str, int]]] = {}
    for row in index.sessions():
        if row.project and (everywhere or config.get("recall.recap", project=row.project) == "start"):
            sessions.setdefault(row.project, []).append((row.key, row.events))
    known = index.state(_STATE) or {}
    found: dict[str, list[Any]] = {}
    for project, mine in list(sessions.items())[:MOST]:
        seen = [[key, events] for key, events in mine[:_SESSIONS]]
        if known.get(project, [None])[0] == seen:
            found[project] = known[project]
        else:
            found[project] = [seen, recap(Journal(home.journal), project, keys=[key for key, _ in mine]).text]
    if found != known:
        index.remember(_STATE, found)
    return {project: text for project, (_, text) in found.items() if text}


def _starts(scope: object) -> bool:
    return isinstance(scope, dict) and scope.get("recall.recap") == "start"
