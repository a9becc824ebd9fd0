"""The notes of the project as a session's start gives them: many at once, each as short as the room demands.

`index.overview` puts them in order when the snapshot is written: rules first, newest first. Here each gets the longest
form for which there is room: its statements, else its description, else one line, else it is only counted.
"""

import time

from ..capture.private import without_private
from . import disk
from .brief import brief
from .render import Item, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LIST = 400  # bytes for the notes that are only named
_MONTH = 31 * 86400
_LOOKED_AT = 2000  # rows of one start
_HEAD = "## {}\n"
_NAMED = "Not shown here (`memwiki show PATH` prints one):\n"
_MORE = "{} more notes of this project: `memwiki search WORDS` finds them.\n"


class Row:
    """One note of an overview.

    `text` holds its statements, and `whole` tells whether they are all that the note says, in `length` bytes. `created`
    is a date or "", `rank` is lower for what is given first, `newer` is the path of the note that has replaced this one
    (""); the rest is as in the snapshot's record.
    """

    __slots__ = (
        "created",
        "description",
        "digest",
        "length",
        "mark",
        "mtime_ns",
        "newer",
        "path",
        "rank",
        "size",
        "text",
        "title",
        "type",
        "whole",
    )

    def __init__(
        self,
        path: str,
        digest: str,
        mtime_ns: int,
        size: int,
        type: str,
        created: str,
        title: str,
        description: str,
        text: str,
        length: int,
        whole: bool,
        rank: int,
        newer: str = "",
    ) -> None:
        self.path, self.digest, self.type, self.created = path, digest, type, created
        self.title, self.description, self.text = title, description, text
        self.mark = ""  # who wrote it, where nobody has reviewed it
        self.mtime_ns, self.size, self.length = mtime_ns, size, length
        self.whole, self.rank, self.newer = whole, rank, newer

    def packed(self) -> str:
        """The row as text that `unpacked` reads."""
        numbers = (self.mtime_ns, self.size, self.length, int(self.whole), self.rank)
        texts = (self.path, self.digest, self.type, self.created, self.title, self.description, self.newer)
        fields = (*texts, self.text, *map(str, numbers))
        return "\x1f".join(field.replace("\x1e", "?").replace("\x1f", "?") for field in fields)

    @classmethod
    def unpacked(cls, packed: str) -> "Row":
        """The row that `packed` was made of; ValueError for anything else."""
        path, digest, type, created, title, description, newer, text, *numbers = packed.split("\x1f")
        mtime_ns, size, length, whole, rank = map(int, numbers)
        return cls(
            path, digest, mtime_ns, size, type, created, title, description, text, length, whole > 0, rank, newer
        )


def unpacked(data: bytes) -> tuple[int, list[Row]]:
    """(notes of the namespace, its rows as they are to be given) of `index.overview.packed`'s bytes."""
    total, *rows = data.decode().split("\x1e")
    return int(total), [Row.unpacked(row) for row in rows[:_LOOKED_AT]]


class Section:
    """The rows of one folder (`project/acme-shop`, `tools`); those of `tools` count only where they fit a project."""

    __slots__ = ("name", "rows", "unseen")

    def __init__(self, name: str, rows: list[Row], unseen: int) -> None:
        self.name, self.rows, self.unseen = name, rows, unseen


class _Entry:
    """One row on its way into the text: its forms from short to long, and the one that there is room for (-1: none)."""

    __slots__ = ("form", "forms", "priority", "row", "section")

    def __init__(self, section: Section, row: Row, priority: int, cutoff: str) -> None:
        self.section, self.row, self.priority, self.form = section, row, priority, -1
        name = row.path.removeprefix(section.name + "/").removesuffix(".md")
        month = f" ({row.created[:7]})" if row.created and row.created < cutoff else ""
        month += f" ({row.mark})" if row.mark else ""
        lines = row.text.split("\n")
        if len(lines) > 1:
            statements = f"- {name}{month}:\n" + "".join(f"  {line}\n" for line in lines)
        else:
            statements = f"- {name}{month}: {row.text or row.description}\n"
        short = f"- {name}{month}: {row.description}\n"
        self.forms = [short, statements] if size(short) < size(statements) else [statements]

    def longest(self) -> bool:
        return self.form == len(self.forms) - 1


def overview(sections: list[Section], room: int, now: float, body_of: "Callable[[Row], str]") -> tuple[str, list[Item]]:
    """The text for `sections` in about `room` UTF-8 bytes, and the notes of which all that they say is in it.

    Where not all fit, up to 400 bytes more name some of the rest. `body_of` reads a row's whole
    body, for notes with tables or code. `now` is in seconds since the epoch: older notes than a month
    carry their month.
    """
    cutoff = time.strftime("%Y-%m-%d", time.gmtime(now - _MONTH))
    project = "\n".join(row.text for section in sections for row in section.rows if section.name != "tools").lower()
    entries = [
        _Entry(section, row, _priority(section, row, project), cutoff) for section in sections for row in section.rows
    ]
    room -= sum(size(_HEAD.format(section.name)) for section in sections)
    by_priority = sorted(entries, key=lambda entry: entry.priority)
    for entry in by_priority:
        room = _lengthen(entry, room)
    for entry in by_priority:
        while entry.form >= 0 and not entry.longest() and (left := _lengthen(entry, room)) != room:
            room = left
    for entry in by_priority:
        if not entry.row.whole and entry.longest():
            room = _whole(entry, room, body_of)
    text = ""
    for section in sections:
        lines = [entry.forms[entry.form] for entry in entries if entry.section is section and entry.form >= 0]
        text += _HEAD.format(section.name) + "".join(lines) if lines else ""
    given = [_item(entry.row) for entry in entries if entry.form >= 0 and entry.longest() and entry.row.whole]
    return text + _rest(by_priority, sum(section.unseen for section in sections)), given


def _lengthen(entry: _Entry, room: int) -> int:
    """Take the entry's next longer form where it fits into `room`; the room that is left."""
    before = size(entry.forms[entry.form]) if entry.form >= 0 else 0
    cost = size(entry.forms[entry.form + 1]) - before
    if cost > room:
        return room
    entry.form += 1
    return room - cost


def _whole(entry: _Entry, room: int, body_of: "Callable[[Row], str]") -> int:
    """Give a note with tables or code whole where that fits into `room`; the room that is left."""
    if entry.row.length > room + size(entry.forms[entry.form]):
        return room
    head = entry.forms[entry.form].split("\n", 1)[0].partition(":")[0]
    lines = without_private(body_of(entry.row)).splitlines()
    form = f"{head}:\n" + "".join(f"  {line}\n" for line in lines if line.strip())
    cost = size(form) - size(entry.forms[entry.form])
    if cost > room:
        return room
    entry.forms.append(form)
    entry.form, entry.row.whole = len(entry.forms) - 1, True
    return room - cost


def _priority(section: Section, row: Row, project: str) -> int:
    """The place of a row among all: a tool's notes stand between the project's where the project speaks of the tool."""
    if section.name != "tools":
        return 2 * row.rank
    name = row.path.rpartition("/")[2].removesuffix(".md").lower()
    return 2 * row.rank + (1 if name in project else 3)


def _rest(by_priority: list[_Entry], unseen: int) -> str:
    """The notes for which there was no room: some by name, then how many more there are."""
    rest = [entry.row for entry in by_priority if entry.form < 0]
    shown, text = 0, ""
    for row in rest:
        line = f"- {row.title} ({row.path}{', ' + row.created[:7] if row.created else ''})\n"
        if size(text + line) > _LIST:
            break
        text, shown = text + line, shown + 1
    more = len(rest) - shown + unseen
    return (_NAMED + text if text else "") + (_MORE.format(more) if more else "")


def _item(row: Row) -> Item:
    return Item(row.path, row.type, row.description, "", row.digest)


def on_disk(top: str, section: Section, secret: set[str], is_open: "Callable[[str], bool]") -> None:
    """Bring a section's rows to what the files below `top` say now: changed, gone and new ones.

    `secret` are paths that may not be given; `is_open` tells whether a path that has no row may be given.
    """
    rows: list[Row] = []
    fresh: list[Row] = []
    paths = {row.path for row in section.rows}
    for row in section.rows:
        state = disk.state(f"{top}/{row.path}")
        if state is None:
            continue
        if (state.st_mtime_ns, state.st_size) == (row.mtime_ns, row.size):
            rows.append(row)
        elif changed := _read(top, row.path):
            fresh.append(changed)
    for path in disk.listed(top, section.name):
        if path not in paths and path not in secret and is_open(path) and (new := _read(top, path)):
            fresh.append(new)
    section.rows = fresh + rows


def _read(top: str, path: str) -> Row | None:
    """The row of a note that is newer than the snapshot, before all others; None where it cannot be given."""
    found = disk.note(top, path)
    if found is None or "\n" in path or disk.invisible(path):
        return None
    kind, title, description, body, digest = found
    text, whole = brief(without_private(disk.spoken(title, description, body)))
    return Row(path, digest, 0, 0, kind, "", title, description, text, size(body), whole, 0) if text else None
