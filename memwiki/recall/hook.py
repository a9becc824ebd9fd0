"""What a hook has to say: `answer`, within a second, whatever is broken; silence is always a good answer."""

import posix
from _json import make_scanner
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]

from ..capture.private import without_injected, without_private
from ..capture.project import project_of, slug
from ..capture.spool import warn
from ..hosts import codec
from .deliver import Ledger, content_hash, purge
from .gate import judge
from .rank import Query, rank
from .render import GUIDE, Item, render
from .snapshot import Note, Snapshot

DEADLINE = 1.0  # seconds
_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START", "rebase-merge", "rebase-apply")
_LARGEST = 64 * 1024  # bytes of a note
_PROFILES = 500  # profile notes looked at


class _Json:
    """What the C scanner asks of its owner."""

    strict, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant = (
        False,
        None,
        None,
        float,
        int,
        float,
    )


def answer(home: str, host: str, native: str, folder: str, raw: bytes) -> bytes:
    """The bytes to print for one hook call; b"" (or what the host wants for nothing) on any error, said in the log."""
    text = ""
    try:
        signal(SIGALRM, _late)
        setitimer(ITIMER_REAL, DEADLINE)
        if codec.injects(host, native):
            text = _answer(home, host, native, folder, raw)
    except Exception as error:
        text = ""
        warn(home, f"{host} {native}: nothing injected: {error!r}")
    finally:
        setitimer(ITIMER_REAL, 0)
    return codec.encode(host, native, text)


def _late(signum: int, frame: object) -> None:
    raise TimeoutError(f"no answer within {DEADLINE} s")


def _answer(home: str, host: str, native: str, folder: str, raw: bytes) -> str:
    payload = make_scanner(_Json)(raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip(), 0)[0]  # type: ignore[arg-type]
    said = codec.decode(host, native, payload, folder)
    event, source = str(said["event"]), str(said["source"])
    prompt = asked(str(said["prompt"])) if said["typed"] else ""
    start = event == "SessionStart" and not said["agent"]
    if said["host"] != host or not (start or prompt):  # a Claude hook that Cursor runs is Cursor's: no second answer
        return ""
    vault = Vault(Snapshot(f"{home}/recall.bin"), host, str(said["folder"]))
    ledger = Ledger(home, host, str(said["session"]), str(said["agent"]))
    # Resuming and forking bring the old context back; all else starts without it.
    again = start and source in ("resume", "fork") and ledger.known
    fresh = start and not again
    items = vault.at_start() if start else vault.at_prompt(prompt)
    items = [item for item in items if fresh or (item.path, item.digest) not in ledger.given]
    text, given = render(items, vault.limit, vault.guide if fresh else "")
    if again and not given:
        text = ""  # cards were shown before
    ledger.add(event, vault.commit, [(item.path, item.digest) for item in given], fresh)
    if start:
        purge(home)
    return text


def asked(prompt: str) -> str:
    """What of a prompt is looked for: without private and injected spans, and without a slash command's name."""
    prompt = without_injected(without_private(prompt)).strip()
    first = prompt.split(None, 1)[0] if prompt else ""
    return prompt[len(first) :] if first.startswith("/") and "/" not in first[1:] else prompt


class Vault:
    """The snapshot as one host and project see it, and the disk where that is newer and is memory."""

    def __init__(self, snapshot: Snapshot, host: str, folder: str) -> None:
        self.snapshot, self.host, self.project = snapshot, host, project_of(folder)[0]
        self.paused = [self.project] in snapshot.rows("paused")
        self.limit = min(codec.limit(host), int(self.setting("recall.max_bytes")))
        self.guide = GUIDE if snapshot.live and self.setting("recall.guide") == "True" else ""
        self.commit, self.top = snapshot.value("commit"), snapshot.value("vault")
        self.on_disk = self._is_memory()
        folders = {slug(self.project)} if self.project else set()
        folders |= {row[0].lower() for row in snapshot.rows("exception") if self.project in row[1:]}
        self.spans = [
            span
            for span in snapshot.spans()
            if span[0] in ("", "tools", "profile") or (span[0][:8] == "project/" and span[0][8:].lower() in folders)
        ]

    def setting(self, key: str) -> str:
        """A setting's value as text: the environment's, the project's, the host's, or the one for all."""
        variable = "MEMWIKI_" + key.upper().replace(".", "_")
        if variable.encode() in posix.environ:
            return posix.environ[variable.encode()].decode()
        values = {(row[0], row[1]): row[2] for row in self.snapshot.rows("setting") if row[1] == key}
        scopes = (f"projects/{self.project}", f"hosts/{self.host}", "")
        return next(values[scope, key] for scope in scopes if (scope, key) in values)

    def at_start(self) -> list[Item]:
        """Pinned notes of this project and for all (at most 5), then the profile."""
        if self.paused:
            return []
        mine = [range(first, end) for _, first, end in self.spans]
        pins = [int(x) for row in self.snapshot.rows("pin") for x in row]
        pinned = [self.item(self.snapshot.note(x), True) for x in pins if any(x in span for span in mine)]
        items = [item for item in pinned if item][:5]
        known = {item.path for item in items}
        profile = {
            note.path: note for _, first, end in self.spans if _ == "profile" for note in self._notes(first, end)
        }
        paths = self._listed("profile") if self.on_disk else list(profile)
        secret = {row[0] for row in self.snapshot.rows("secret")}
        found = [self.item(profile.get(path) or path, False) for path in sorted(paths) if path not in known | secret]
        return items + [item for item in found if item]

    def at_prompt(self, prompt: str) -> list[Item]:
        """The notes that the gate lets through, best first."""
        most = int(self.setting("recall.notes"))
        if self.paused or not most:
            return []
        query = Query(self.snapshot, prompt)
        ranked = rank(self.snapshot, query, [(first, end) for _, first, end in self.spans])
        verdicts = judge(query, ranked, most)
        items = [self.item(one.note, True) for one, said in zip(ranked, verdicts, strict=False) if not said.why]
        return [item for item in items if item]

    def item(self, note: "Note | str", first: bool) -> Item | None:
        """A note (or a path that the snapshot does not know) to give; None when it is not there any more."""
        path = note if isinstance(note, str) else note.path
        if isinstance(note, str) or (self.on_disk and self._changed(note)):
            data = self._read(path) if self.on_disk else None
            if data is None:
                return None
            if not data.startswith(b"<<<<<<< ") and b"\n<<<<<<< " not in data:
                text = data.decode("utf-8", "replace")
                block, body = split(text)
                fields = dict(line.partition(":")[::2] for line in reversed(block.splitlines()))
                name = path.rpartition("/")[2].removesuffix(".md")
                words = (fields.get("description", "").strip(" \"'") or fields.get("title", "").strip(" \"'") or name)[
                    :160
                ]
                return Item(path, fields.get("type", "").strip(" \"'"), words, body, content_hash(data), first)
            if isinstance(note, str):
                return None
        body = split(note.field(8))[1]
        return Item(path, note.field(6), note.field(5), body, note.field(7), first)

    def _is_memory(self) -> bool:
        """Whether the work tree is memory: its branch checked out, and nothing under way that brings other text in."""
        git = self.snapshot.value("git")
        if (_bytes(f"{git}/HEAD") or b"").decode().strip() != "ref: refs/heads/" + self.snapshot.value("branch"):
            return False
        return not any(_state(f"{git}/{name}") for name in _BUSY)

    def _changed(self, note: Note) -> bool:
        state = _state(f"{self.top}/{note.path}")
        return state is None or (state.st_mtime_ns, state.st_size) != (note.mtime_ns, note.size)

    def _read(self, path: str) -> bytes | None:
        """A regular file's first 64 KiB; None for anything else."""
        state = _state(f"{self.top}/{path}")
        return _bytes(f"{self.top}/{path}") if state and state.st_mode & 0o170000 == 0o100000 else None

    def _listed(self, folder: str) -> list[str]:
        """Paths of the notes below `folder` on disk; no links are followed."""
        folders, paths = [folder], list[str]()
        while folders and len(paths) < _PROFILES:
            inside = folders.pop()
            try:
                entries = sorted(posix.scandir(f"{self.top}/{inside}"), key=lambda entry: entry.name)
            except OSError:
                continue  # no such folder
            for entry in entries:
                name = entry.name.lower()
                if entry.is_dir(follow_symlinks=False) and name[0] != ".":
                    folders.append(f"{inside}/{entry.name}")
                elif name.endswith(".md") and name[0] != "." and name != "readme.md":
                    paths.append(f"{inside}/{entry.name}")
        return paths


def split(text: str) -> tuple[str, str]:
    """(frontmatter block, body) of a note; a fence is a line that is exactly `---`."""
    text = text.removeprefix("\ufeff")
    lines = text.splitlines(keepends=True)
    if lines and lines[0].rstrip("\r\n") == "---":
        for place in range(1, len(lines)):
            if lines[place].rstrip("\r\n") == "---":
                return "".join(lines[1:place]), "".join(lines[place + 1 :]).strip("\r\n")
    return "", text.strip("\r\n")


def _state(path: str) -> "posix.stat_result | None":
    try:
        return posix.lstat(path)
    except (OSError, ValueError):
        return None


def _bytes(path: str) -> bytes | None:
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK | posix.O_NOFOLLOW)
        try:
            return posix.read(file, _LARGEST)
        finally:
            posix.close(file)
    except OSError:
        return None
