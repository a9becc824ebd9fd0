"""Which paths are notes, whom they are for, and which may be written: a path from a model or a tool is checked here.

A name that memwiki makes must work on every system that a clone may land on, so it is stricter than what it reads.
"""

import re
import unicodedata
from pathlib import Path

from ..errors import MemwikiError
from ..files import named_on_disk
from ..recall.disk import is_copy
from ..text import folded, sha256
from ..visible import hidden, without_hidden

MAX_COMPONENT = 120  # bytes of UTF-8; file systems allow 255, and editors add to names
MAX_PATH = 240  # bytes below the vault: Windows allows 260 characters from the drive on
MAX_NOTE = 64 * 1024  # bytes of a note

# Instructions that agents look for in the folders they work in, by their documentation, 2026: AGENTS.md (most of them),
# Claude Code, Gemini CLI, Qwen Code, Copilot, Warp, Crush, Amp.
_AGENTS_FILES = frozenset(
    f"{name}.md"
    for name in (
        *("AGENTS", "AGENTS.override", "AGENT", "CLAUDE", "CLAUDE.local", "GEMINI", "QWEN", "SKILL"),
        *("copilot-instructions", "WARP", "CRUSH", "CRUSH.local"),
    )
)
# As Windows has them: with any extension, and with blanks before it.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)", re.IGNORECASE)
# Control characters, what Windows forbids, and what makes a path look like another one (line and direction marks).
_FORBIDDEN = re.compile(
    '[\x00-\x1f\x7f-\x9f<>:"|?*\\\\\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+'
)
_GIT = re.compile(r"git~\d+$", re.IGNORECASE)  # another spelling of `.git` on Windows file systems


def is_note(path: str) -> bool:
    """Whether the file `path` (relative to the vault, `/`) is a note: `*.md` outside dot-folders.

    Excepted are READMEs and the conflict copies of file syncs, which nobody wrote.
    """
    return _is_markdown(path) and path.rpartition("/")[2].lower() != "readme.md" and not is_conflict_copy(path)


def is_conflict_copy(path: str) -> bool:
    """Whether the file `path` would be a note, had a file sync (Syncthing, Dropbox, ...) not made it of another."""
    return _is_markdown(path) and is_copy(path.rpartition("/")[2])


def _is_markdown(path: str) -> bool:
    return path.endswith(".md") and path[0] != "." and "/." not in path


def namespace(path: str) -> str:
    """Whom the note `path` is for: `profile`, `tools`, `project/<slug>`, `persona/<name>`, or "" for everyone.

    `project/shop.md` and everything below `project/shop/` belong to `project/shop`.
    """
    parts = path.split("/")
    if parts[0] in ("profile", "tools") and len(parts) > 1:
        return parts[0]
    if parts[0] in ("project", "persona") and len(parts) > 1:
        return f"{parts[0]}/{parts[1].removesuffix('.md') if len(parts) == 2 else parts[1]}"
    return ""


def checked(path: str) -> str:
    """`path` in NFC, when memwiki may make a note of that name; MemwikiError with the reason otherwise."""
    path = unicodedata.normalize("NFC", path)
    _refuse_escape(path)
    *folders, name = path.split("/")
    if not is_note(path):
        raise _refused(path, "is not the name of a note", "A note ends in .md and is no README or conflict copy.")
    for part in [*folders, name.removesuffix(".md")]:
        if reason := _fault(part):
            raise _refused(path, reason, "Choose a name that works on every system.")
    for part in (*folders, name):
        if len(part.encode()) > MAX_COMPONENT:
            raise _refused(path, f"has a name of over {MAX_COMPONENT} bytes", "Choose a shorter one.")
    if len(path.encode()) > MAX_PATH:
        raise _refused(path, f"is over {MAX_PATH} bytes long", "Choose a shorter one.")
    return path


def slugged(path: str) -> str:
    """The path that a note gets which a model calls `path`: a function, and injective up to NFC and case folding.

    A missing `.md` is added; every part of the path that `checked` accepts stays as it is. In any other part forbidden
    characters become `-`, dots and blanks at its ends go, `note-` goes before a reserved name, what is too long is cut,
    and `-` plus 8 hex of the SHA-256 of the folded part is added, so that two names never become one. The result
    passes `checked` and maps to itself. MemwikiError for what cannot be mapped: absolute paths, `..`, dot-folders,
    READMEs, and more than 240 bytes.
    """
    path = unicodedata.normalize("NFC", path)
    _refuse_escape(path)
    *folders, name = path.split("/")
    stem = name[:-3] if name[-3:].lower() == ".md" else name
    parts = [_slug(part, MAX_COMPONENT) for part in folders]
    return checked("/".join([*parts, _slug(stem, MAX_COMPONENT - 3) + ".md"]))


def refuse_agents_files(path: str) -> None:
    """MemwikiError for a name that no model may give or change: a person's own of that name stays as it is.

    Those are files that coding agents read as instructions wherever they work (in the vault's top folder in any
    spelling, below it as agents spell them), and names that a command would take for an option.
    """
    name = path.rpartition("/")[2]
    if name in _AGENTS_FILES or (path == name and name.lower() in {one.lower() for one in _AGENTS_FILES}):
        raise _refused(path, "is a file that agents read as instructions", "Choose another name for the note.")
    if any(part.startswith("-") for part in path.split("/")):
        raise _refused(path, "has a part that begins with a dash", "Choose a name that no command takes for an option.")


def inside(root: Path, path: str) -> Path:
    """`root/path`, when writing there stays in the vault; `root` itself may be reached through a link.

    MemwikiError when a link, a file or a nested repository is on the way, or a link or folder stands at its end.
    """
    _refuse_escape(path)
    *folders, name = named_on_disk(path).split("/")
    place = root
    for part in folders:
        place = place / part
        if place.is_symlink():
            raise _refused(path, f"goes through the link {part}", "Write to the folder it points to.")
        if place.exists() and not place.is_dir():
            raise _refused(path, f"needs a folder where the file {part} is", "Choose another name.")
        if (place / ".git").exists() or (place / ".git").is_symlink():
            raise _refused(path, f"is in another repository, {part}", "That repository keeps its own notes.")
    target = place / name
    if target.is_symlink():
        raise _refused(path, "is a link", "Write to the file it points to.")
    if target.is_dir():
        raise _refused(path, "is a folder", "Choose another name.")
    return target


def _refuse_escape(path: str) -> None:
    parts = re.split(r"[/\\]", path)
    if not path or ".." in parts or "" in parts or "." in parts:
        raise _refused(path, "does not stay inside the vault", "Name a note by its path below the vault.")
    if any(part.startswith(".") for part in path.split("/")[:-1]):
        raise _refused(path, "is in a dot-folder", "Notes live in folders without a leading dot.")


def _fault(part: str) -> str:
    """What is wrong with one part of a path (a note's without `.md`); "" when nothing is."""
    if _FORBIDDEN.search(part) or next(hidden(part), None):
        return "has a character that not every system allows"
    if not part or part[0] in ". " or part[-1] in ". ":
        return "begins or ends with a dot or a blank"
    if _RESERVED.match(part) or _GIT.match(part):
        return "is a name that some systems reserve"
    return ""


def _slug(part: str, limit: int) -> str:
    if not _fault(part) and len(part.encode()) <= limit:
        return part
    clean = _FORBIDDEN.sub("-", without_hidden(part)).strip(" .-") or "note"
    if _RESERVED.match(clean) or _GIT.match(clean):
        clean = f"note-{clean}"
    clean = clean.encode()[: limit - 9].decode("utf-8", "ignore").rstrip(" .-")
    return f"{clean}-{sha256(folded(part))[:8]}"


def _refused(path: str, reason: str, remedy: str) -> MemwikiError:
    shown = path if path.isprintable() else ascii(path)
    return MemwikiError(f"The path {shown} {reason}.", remedy)
