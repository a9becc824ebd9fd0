"""The projects of a session that was started above several repositories: which of them it has worked in."""

from ..capture.project import project_of
from .disk import read
from .hook import decoded

_BYTES = 1 << 18  # of the journal's end
_MOST = 5  # projects, those worked in last


def projects_of(file: str) -> list[tuple[str, str]]:
    """(key, top folder) of the projects that the last events in a session's journal file were logged for."""
    found: dict[str, str] = {}
    for line in (read(file, _BYTES, end=True) or b"").split(b"\n")[::-1]:
        if b'"project":"' not in line.partition(b',"payload":')[0]:
            continue
        try:
            event = decoded(line)
        except (ValueError, StopIteration, TypeError):  # the line is cut
            continue
        key, top = event.get("project"), event.get("root")
        if isinstance(key, str) and isinstance(top, str) and key not in found and len(found) < _MOST:
            found[key] = top
    return list(found.items())


def projects_at(paths: list[str], folder: str) -> list[tuple[str, str]]:
    """(key, top folder) of the projects that `paths`, seen from `folder`, are in."""
    places = [path if path.startswith("/") else f"{folder}/{path}" for path in paths]
    found = [project_of(place.rpartition("/")[0]) for place in places]
    return [(key, top) for key, top, _ in found if key]
