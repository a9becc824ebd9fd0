"""Memory as one host and one project see it: the snapshot, and the disk where that is newer and is memory."""

import posix
from time import time

from ..capture.project import folders, project_of
from ..hosts.codec import limit
from . import disk
from .render import GUIDE, Item, render, size
from .snapshot import Note, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .overview import Row

_PINNED = 5  # notes given in full at session start, at most
_MARGIN = 700  # bytes that an overview leaves for the opening, the closing and its list of the rest
_CARDS = 400  # more do not fit into one injection
# In snapshots from before these settings were made.
_DEFAULTS = {
    "recall.mode": "auto",
    "recall.proof": "off",
    "recall.path_rules": "hook",
    "recall.recap": "off",
    "recall.start_bytes": "6000",
    "recall.notice": "start",
    "recall.unreviewed": "mark",
}
_MARKS = {"agent": "not reviewed: an agent wrote it", "open": "not committed yet"}
MODES = ("startup", "auto", "always", "manual", "off")


class View:
    """What may be injected by `host` while the agent works in `folder`. `limit` is in UTF-8 bytes.

    `roots` are more folders that are open; their notes are given, too, but `folder` decides all settings.
    """

    def __init__(self, snapshot: Snapshot, host: str, folder: str, roots: list[str] | None = None) -> None:
        self.snapshot, self.host, self.folder = snapshot, host, folder
        self.project, self.root, _ = project_of(folder)
        self.same = self._same(self.project)
        self.top, self.commit = snapshot.value("vault"), snapshot.value("commit")
        self.on_disk = disk.is_memory(snapshot.value("git"), snapshot.value("branch"))
        self.paused = self._is_paused(self.project)
        self.limit = min(limit(host), int(self.setting("recall.max_bytes")))
        self.most = int(self.setting("recall.notes"))
        self.mode = "off" if self.paused else self.setting("recall.mode")
        if self.mode not in MODES:
            raise ValueError(f"recall.mode = {self.mode!r} is none")
        self.by_itself, self.silent = self.mode in ("auto", "always"), self.mode in ("manual", "off")
        wanted = self.setting("recall.guide").lower() in ("true", "yes", "on", "1")
        self.guide = GUIDE.format(host) if wanted and snapshot.live and not self.paused else ""
        self.unreviewed = self.setting("recall.unreviewed")
        self.kinds = {row[0]: row[1] for row in snapshot.rows("unreviewed")}
        self.tops = [self.root or folder]
        self.spans: list[tuple[str, int, int]] = []
        self.open(self.project)
        for root in roots or ():
            key, top, _ = project_of(root)
            self.tops += [top] * bool(key)
            self.open(key)

    def open(self, key: str) -> None:
        """Give the notes of the project `key`, too ("": those of none), where its own settings let them come."""
        same = self._same(key)
        closed = [f"projects/{one}" for one in same if key != self.project]
        modes = [row[2] for row in self.snapshot.rows("setting") if row[1] == "recall.mode" and row[0] in closed]
        if self.paused or self._is_paused(key) or "off" in modes or "manual" in modes:
            return
        owned = {row[0]: row[1:] for row in self.snapshot.rows("folder")}
        mine = {folder for folder, keys in owned.items() if key in keys}
        mine |= {folder for one in same if one for folder in folders(one) if folder not in owned}
        spaces = {"", "tools", "profile", *(f"project/{folder}" for folder in mine)}
        old = set(self.spans)
        self.spans = [span for span in self.snapshot.spans() if span in old or span[0].lower() in spaces]

    def _same(self, key: str) -> list[str]:
        """The keys that the project has or had, `key` among them."""
        return next((row for row in self.snapshot.rows("same") if key in row), [key])

    def _is_paused(self, key: str) -> bool:
        return any([one] in self.snapshot.rows("paused") for one in self._same(key))

    def setting(self, key: str) -> str:
        """A setting's value as text: the environment's, the project's, the host's, or the one for all."""
        variable = ("MEMWIKI_" + key.upper().replace(".", "_")).encode()
        values = {row[0]: row[2] for row in self.snapshot.rows("setting") if row[1] == key}
        general = values.get("", _DEFAULTS.get(key, ""))
        scopes = [f"projects/{self.project}", *(f"projects/{key}" for key in self.same), f"hosts/{self.host}"]
        scoped = next((values[scope] for scope in scopes if scope in values), general)
        return posix.environ[variable].decode() if variable in posix.environ else scoped

    def recap(self) -> str:
        """What the last sessions of this project were about, where that is to be told when a session starts."""
        told = {row[0]: row[1] for row in self.snapshot.rows("recap")}
        text = "".join(told.get(key, "") for key in self.same) if self.setting("recall.recap") == "start" else ""
        return f"The last sessions of this project, as recorded (not notes, not reviewed):\n{text}\n" if text else ""

    def at_start(self) -> list[Item]:
        """Pinned notes of this project and for all, then the profile."""
        numbers = [number for _, first, end in self.spans for number in range(first, end)]
        pins = {int(row[0]) for row in self.snapshot.rows("pin")}.intersection(numbers)
        pinned = [self.item(self.snapshot.note(number), first=True) for number in sorted(pins)]
        items = [item for item in pinned if item][:_PINNED]
        return items + [item for item in self._profile() if item.path not in {one.path for one in items}]

    def start_text(self, limit: int = 0) -> str:
        """The text of a new session's start, in `limit` UTF-8 bytes where that is less than the host's own limit."""
        self.limit = min(self.limit, limit or self.limit)
        items = self.at_start()
        text, _ = self.overview(items, set(), self.guide)
        return render(items, self.limit, self.guide, overview=text)[0]

    def overview(self, pinned: list[Item], old: set[tuple[str, str]], guide: str) -> tuple[str, list[Item]]:
        """This project's notes, and those of tools, for a start that gives `pinned` and `guide` before them.

        Without what the context has already (`old`: path and content hash). The text, and the notes given whole in it.
        """
        from .overview import Section, on_disk, overview, unpacked  # not needed at a prompt

        names = sorted({name for name, _, _ in self.spans if name.startswith("project/") or name == "tools"})
        first = {item.path for item in pinned}
        secret = {row[0] for row in self.snapshot.rows("secret")}
        sections = []
        for name in sorted(names, key=lambda name: name == "tools"):
            data = self.snapshot.overview(name)
            total, rows = unpacked(data) if data else (0, [])
            section = Section(name, rows, total - len(rows))
            if self.on_disk:
                on_disk(self.top, section, secret, self._is_open)
            for row in section.rows:
                row.mark = self._mark(self.kind(row.path) or ("open" if self.on_disk and not row.mtime_ns else ""))
            section.rows = [
                row
                for row in section.rows
                if row.path not in first and not row.newer and (row.path, row.digest) not in old
                if not row.mark or self.unreviewed == "mark"
            ]
            sections.append(section)
        most = int(self.setting("recall.start_bytes"))
        used = sum(size(item.body) for item in pinned)
        room = min(max(most - used, most // 3), self.limit - used - size(guide) - _MARGIN)
        return overview(sections, room, time(), self._body) if room > 0 else ("", [])

    def _body(self, row: "Row") -> str:
        fresh = disk.note(self.top, row.path) if self.on_disk else None
        if fresh:
            return fresh[3]
        number = self.snapshot.number_of(row.path)
        return disk.split(self.snapshot.note(number).field(8))[1] if number >= 0 else ""

    def _profile(self) -> list[Item]:
        spans = [range(first, end) for name, first, end in self.spans if name == "profile"]
        gone = set(self.snapshot.gone())
        known = [self.snapshot.note(number) for span in spans for number in span if number not in gone]
        notes: dict[str, Note | str] = {note.path: note for note in known}
        if self.on_disk and not self.paused:
            secret = {row[0] for row in self.snapshot.rows("secret")}
            sparse = {note.path: note for note in known if (note.mtime_ns, note.size) == disk.SPARSE}
            there = [path for path in disk.listed(self.top, "profile") if path not in secret]
            there = [path for path in there if path in notes or self._is_open(path)]
            notes = {**sparse, **{path: notes.get(path, path) for path in there}}
        for row in self.snapshot.rows("superseded"):
            notes.pop(row[0], None)
        return [item for _, note in sorted(notes.items()) if (item := self.item(note))]

    def _is_open(self, path: str) -> bool:
        """Whether a note that is in none of `spans` may be given: no sync has read it, and nothing excludes it."""
        closed = [row[0] for row in self.snapshot.rows("closed")]
        if self.snapshot.number_of(path) >= 0:
            return False
        if not closed:
            return True
        from .paths import fits

        return not any(fits([glob], path) for glob in closed)

    def at_prompt(self, prompt: str) -> list[Item]:
        """The notes that the gate lets through, best first."""
        from .gate import judge  # not needed at a start, nor for a path
        from .rank import Query, rank

        query = Query(self.snapshot, prompt)
        ranked = rank(self.snapshot, query, [(first, end) for _, first, end in self.spans])
        verdicts = judge(query, ranked, self.most)
        items = [self._current(one.note) for one, said in zip(ranked, verdicts, strict=False) if not said[0]]
        return list({item.path: item for item in items if item}.values())

    def _current(self, note: Note) -> Item | None:
        """The note, or the one that has replaced it."""
        newer = {row[0]: row[1] for row in self.snapshot.rows("superseded")}.get(note.path, "")
        number = self.snapshot.number_of(newer) if newer else -1
        return self.item(self.snapshot.note(number) if number >= 0 else note, first=True)

    def cards(self) -> tuple[list[Item], int]:
        """This project's notes, by path, to be given as cards; how many more there are."""
        gone = set(self.snapshot.gone())
        mine = [range(first, end) for name, first, end in self.spans if name.startswith("project/")]
        numbers = [number for span in mine for number in span if number not in gone]
        items = [self.item(self.snapshot.note(number)) for number in numbers[:_CARDS]]
        return sorted((item for item in items if item), key=lambda item: item.path), len(numbers[_CARDS:])

    def at_paths(self, paths: list[str], prompt: str, cwd: str) -> list[Item]:
        """The notes that belong to one of `paths`, or to one named in `prompt`, inside the project; by path.

        Without those that Claude has as rules, and loads itself.
        """
        rules = self.setting("recall.path_rules")
        rows = self.snapshot.rows("applies") if rules != "off" else []
        if not rows:
            return []
        from .paths import belonging, carried, named

        paths, cwd = paths + named(prompt), cwd or self.folder
        items = self._items([number for top in self.tops for number in belonging(rows, top, cwd, paths)])
        if rules == "native" and self.host == "claude":  # it sees paths from where it was started
            own = {one.path for one in self._items(belonging(rows, self.folder, cwd, paths))}
            items = [item for item in items if item.path not in own or not carried(item.path, item.digest)]
        return sorted(items, key=lambda item: item.path)

    def _items(self, numbers: list[int]) -> list[Item]:
        """Those of the notes that may be given here."""
        mine = [one for one in dict.fromkeys(numbers) if any(first <= one < end for _, first, end in self.spans)]
        return [item for one in mine if (item := self.item(self.snapshot.note(one), first=True))]

    def size(self) -> int:
        """How many notes may be given here."""
        gone = self.snapshot.gone()
        return sum(end - first - sum(first <= one < end for one in gone) for _, first, end in self.spans)

    def item(self, note: Note | str, first: bool = False) -> Item | None:
        """A note (or the path of one that the snapshot does not know) to give; None when it is gone or empty."""
        path = note if isinstance(note, str) else note.path
        if "\n" in path or disk.invisible(path):  # its heading, and its line in the record, would not be what they seem
            return None
        if self.on_disk:
            found = disk.state(f"{self.top}/{path}".encode("utf-8", "surrogateescape"))
            sparse = not isinstance(note, str) and (note.mtime_ns, note.size) == disk.SPARSE
            if found is None and not sparse:
                return None
            if found and (isinstance(note, str) or (found.st_mtime_ns, found.st_size) != (note.mtime_ns, note.size)):
                fresh = disk.note(self.top, path)
                if fresh or isinstance(note, str):
                    return self._item(path, *fresh, first, kind="open") if fresh else None
        if isinstance(note, str):
            return None
        body = disk.split(note.field(8))[1]
        return self._item(path, note.field(6), note.field(4), note.field(5), body, note.field(7), first)

    def _item(
        self, path: str, type: str, title: str, description: str, body: str, digest: str, first: bool, kind: str = ""
    ) -> Item | None:
        """`kind` is why nobody has reviewed the note, where its text is newer than the last sync."""
        mark = self._mark(self.kind(path) or kind)
        text = disk.spoken(title, description, body)
        if not text or (mark and self.unreviewed == "hold"):
            return None
        return Item(path, type, description, text, digest, first, mark)

    def _mark(self, kind: str) -> str:
        return _MARKS.get(kind, "") if self.unreviewed != "give" else ""

    def kind(self, path: str) -> str:
        """Why nobody has reviewed the note at `path`, as of the last sync: "agent", "open", or "" where it is."""
        return self.kinds.get(path, "")
