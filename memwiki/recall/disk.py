"""The vault's work tree while it is memory: what a person has just written counts before any sync."""

import posix

from ..capture.private import without_private
from ..hosts.codec import sha256

_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START", "rebase-merge", "rebase-apply")
_LARGEST = 64 * 1024  # bytes of a note
SPARSE = (1, 0)  # time and size of a committed note that a sparse checkout leaves out of the work tree
_FILES = 2000  # notes listed of one folder
# What a file sync puts into the name of the loser when two machines changed a file, in lower case: the words, whether
# they stand in brackets, and how many digits (of a date) come after them. By the documentation of each, 2026.
_COPIES = (
    (".sync-conflict-", False, 14),  # Syncthing: NAME.sync-conflict-20261120-101112-ABCDEF7
    ("_conflict-", False, 14),  # ownCloud, older Nextcloud: NAME_conflict-20261120-101112
    (
        "conflicted copy",
        True,
        8,
    ),  # Dropbox, Nextcloud, Box, Obsidian: NAME (Ana's conflicted copy 2026-11-20)
    ("in konflikt stehende kopie", True, 8),  # Dropbox in other languages
    ("copie en conflit", True, 8),
    ("copia en conflicto", True, 8),
    ("cópia em conflito", True, 8),
    ("copia in conflitto", True, 8),
    ("conflicterende kopie", True, 8),
    ("競合コピー", True, 8),
    ("(sfconflict ", True, 8),  # Seafile: NAME (SFConflict ana@example.com 2026-11-20-10-11-12)
    ("(conflict_", True, 8),  # FileCloud: NAME(Conflict_ana_2026-11-20-10-11-12)
    ("(conflict on ", True, 8),  # Unison: NAME (conflict on 2026-11-20), NAME (conflict #1 on 2026-11-20)
    ("(conflict #", True, 8),
)
_SYNOLOGY = ("_conflict", "_caseconflict")  # NAME_DEVICE_Nov-20-1011-2026_Conflict, perhaps with a number
_PLAIN = "\n\t\xa0\xad\u200c\u200d\u2009\u202f\u3000"  # not printable, and no reason to wait for a sync
_MARKS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # printable to Python, and without a glyph


def is_memory(git: str, branch: str) -> bool:
    """Whether `branch` is checked out by the git folder `git`, and nothing under way brings other text in."""
    if (read(f"{git}/HEAD") or b"").decode("utf-8", "replace").strip() != f"ref: refs/heads/{branch}":
        return False
    return not any(state(f"{git}/{name}") for name in _BUSY)


def state(path: str | bytes) -> "posix.stat_result | None":
    """What `lstat` says of `path`; None when there is nothing."""
    try:
        return posix.lstat(path)
    except (OSError, ValueError):
        return None


def read(path: str | bytes, most: int = _LARGEST, end: bool = False) -> bytes | None:
    """A regular file's first bytes, or those at its `end`: 64 KiB or `most`; None for anything else, links too."""
    found = state(path)
    if not found or found.st_mode & 0o170000 != 0o100000:
        return None
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK | posix.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return posix.pread(file, most, max(0, found.st_size - most) if end else 0)
    finally:
        posix.close(file)


def listed(top: str, folder: str) -> list[str]:
    """Paths below `top` of the notes in `folder`, sorted; no links are followed."""
    folders, paths = [folder], list[str]()
    while folders and len(paths) < _FILES:
        inside = folders.pop()
        here = f"{top}/{inside}".encode("utf-8", "surrogateescape")  # whatever the locale's encoding
        for entry in posix.scandir(here) if state(here) else ():
            own = entry.name.decode("utf-8", "surrogateescape")
            name = own.lower()
            if name[0] != "." and entry.is_dir(follow_symlinks=False):
                folders.append(f"{inside}/{own}")
            elif name[0] != "." and name.endswith(".md") and name != "readme.md" and not is_copy(name):
                paths.append(f"{inside}/{own}")
    return sorted(paths)


def is_copy(name: str) -> bool:
    """Whether a file sync made the note `name` when two machines changed one; only names that no person chooses."""
    stem = name.lower().removesuffix(".md")
    for words, bracket, digits in _COPIES:
        before, found, after = stem.rpartition(words)
        bracketed = not bracket or ("(" in before + found and ")" in after)
        if found and before and bracketed and _digits(after) >= digits:
            return True
    tail = stem.rstrip("0123456789").removesuffix("_")
    parts = tail.split("_")
    return len(parts) > 3 and tail.endswith(_SYNOLOGY) and _digits(parts[-2]) >= 8 and parts[-2].count("-") == 3


def _digits(text: str) -> int:
    return sum(char.isdecimal() for char in text)


def digest(data: bytes) -> str:
    """The content hash of a note: hex SHA-256, the same for line ends of CR and LF and of LF alone."""
    return sha256(data.replace(b"\r\n", b"\n"))


def note(top: str, path: str) -> tuple[str, str, str, str, str] | None:
    """(type, title, description, body, content hash) of a note on disk.

    None for ciphertext and merge conflicts, and where only a sync can cut what is hidden.
    """
    data = read(f"{top}/{path}".encode("utf-8", "surrogateescape"))
    if data is None or b"\0" in data or b"\n<<<<<<< " in b"\n" + data:
        return None
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if invisible(text):
        return None
    block, body = split(text)
    fields = dict(line.partition(":")[::2] for line in reversed(block.splitlines()))
    kind, title, words = (fields.get(key, "").strip(" \"'") for key in ("type", "title", "description"))
    title = title or path.rpartition("/")[2].removesuffix(".md")
    return kind, title, (words or title)[:160], body, digest(data)


def invisible(text: str) -> bool:
    """Whether `text` may hold what `memwiki.visible` calls hidden, without that module's price."""
    for char in set(text.replace("\r\n", "\n")):
        if char in _MARKS or "\u180b" <= char <= "\u180f" or "\ufe00" <= char < "\ufe0f" or char > "\U000e0000":
            return True
        if not char.isprintable() and char not in _PLAIN:
            return True
    return False


def spoken(title: str, description: str, body: str) -> str:
    """The text to give of a note: its body, else a description of its own; "" when headings are all that it has."""
    lines = [line.strip() for line in without_private(body).splitlines()]
    if any(line and (line[0] != "#" or line.lstrip("#")[:1] not in ("", " ", "\t")) for line in lines):
        return body
    return description if description != title else ""


def split(text: str) -> tuple[str, str]:
    """(frontmatter block, body) of a note; a fence is a line that is exactly `---`."""
    text = text.lstrip("\ufeff\u200b\u2060")
    lines = text.splitlines(keepends=True)
    fences = [place for place, line in enumerate(lines) if line.rstrip("\r\n") == "---"]
    if len(fences) < 2 or fences[0]:
        return "", text.strip("\r\n")
    return "".join(lines[1 : fences[1]]), "".join(lines[fences[1] + 1 :]).strip("\r\n")
