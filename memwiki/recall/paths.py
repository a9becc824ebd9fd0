"""Notes that belong to paths: which paths a tool touched or a prompt named, whether a note's globs fit one, and whether
Claude Code has the note as a rule of its own, which it loads itself.

Globs are as in .gitignore, from the project's top: the last that fits decides, `!` takes back, one without a slash fits
at any depth, and what fits a folder fits all that is in it: nothing in it can be taken back.
"""

import posix

from . import disk

_TOOLS = " Read Edit Write MultiEdit NotebookEdit apply_patch read_file write_file replace edit "
KEYS = ("file_path", "notebook_path", "absolute_path", "path")
_PATCH = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
_SPECIAL = frozenset("*?[\\")
_AROUND = "\"'`()[]{}<>,;:!?*_@"  # what may stand around a path in a sentence


def touched(said: dict[str, object]) -> list[str]:
    """The paths that a tool has read or written, as it was given them; [] for other tools and for one that failed."""
    if f" {said['tool_name']} " not in _TOOLS or said["failed"]:
        return []
    wanted = said["tool_input"] if isinstance(said["tool_input"], dict) else {"input": said["tool_input"]}
    found = [str(wanted[key]) for key in KEYS if isinstance(wanted.get(key), str)]
    found += [str(said["rule"])] if said.get("rule") else []  # Cursor names the file beside what was done to it
    for line in "\n".join(str(wanted.get(key, "")) for key in ("command", "input", "patch")).splitlines():
        found += [line[len(mark) :].strip() for mark in _PATCH if line.startswith(mark)]
    return found


def named(prompt: str) -> list[str]:
    """What in a prompt looks like a path: a word with a slash or a dot inside; line numbers are taken off."""
    words = [word.strip(_AROUND).rstrip(".") for word in prompt.split() if "://" not in word]
    words = [word.partition(":")[0].partition("#")[0] for word in words]
    return [word for word in words if "/" in word.strip("/") or "." in word.strip(".")][:100]


def inside(top: str, folder: str, path: str) -> str:
    """`path` (seen from `folder`) from the project's `top`; "" when it lies outside, or is the top itself."""
    parts: list[str] = []
    for part in (path if path.startswith("/") else f"{folder}/{path}").split("/"):
        parts = parts[:-1] if part == ".." else parts + [part] * (part not in ("", "."))
    whole, top = "/" + "/".join(parts), top.rstrip("/") + "/"
    return whole[len(top) :] if len(top) > 1 and whole.startswith(top) else ""


def belonging(rows: list[list[str]], top: str, cwd: str, paths: list[str]) -> list[int]:
    """Of `rows` (a note's number, its globs) the numbers of the notes to which one of `paths` belongs, inside `top`."""
    found = [inside(top, cwd, path) for path in paths]
    return [int(row[0]) for row in rows if any(path and fits(row[1:], path) for path in found)]


def loaded(said: dict[str, object]) -> list[tuple[str, str]]:
    """(path, content hash) of the note that Claude says it has loaded as a rule; [] for instructions of other kinds.

    It names the real file, also where its folder of rules is a link.
    """
    file = str(said["rule"])
    digest, _, path = _mark(file if said["scope"] == "User" else "").partition(" ")
    return [(path, digest)] if file.endswith(f"/memwiki/{path}") else []


def carried(path: str, digest: str) -> bool:
    """Whether the note at `path`, with this content hash, is a rule of the Claude that runs this hook."""
    top = posix.environ.get(b"CLAUDE_CONFIG_DIR") or posix.environ.get(b"HOME", b"") + b"/.claude"
    return _mark(f"{top.decode('utf-8', 'surrogateescape')}/rules/memwiki/{path}") == f"{digest} {path}"


def _mark(file: str) -> str:
    """The content hash and the path of the note that a generated rule was made of; "" for any other file."""
    text = (disk.read(file) or b"").decode("utf-8", "replace")
    return text.partition("\n# memwiki ")[2].partition("\n")[0]


def fits(globs: list[str], path: str) -> bool:
    """Whether the globs let `path` in, or one of the folders that it is in."""
    parts = path.split("/")
    for end in range(1, len(parts) + 1):
        found = False
        for glob in globs:
            found ^= found == glob.startswith("!") and _fits(glob.removeprefix("!"), parts[:end], end < len(parts))
        if found:
            return True
    return False


def _fits(glob: str, parts: list[str], folder: bool) -> bool:
    if glob.endswith("/") and not folder:
        return False
    if "/" not in glob.rstrip("/"):
        return _name(glob.rstrip("/"), parts[-1])
    names = ["**" if name[1:] and not name.strip("*") else name for name in glob.strip("/").split("/")]
    return _parts(names, parts)


def _parts(names: list[str], parts: list[str]) -> bool:
    while names[:2] == ["**", "**"]:
        names = names[1:]
    if names[:1] == ["**"]:
        return bool(parts) if not names[1:] else any(_parts(names[1:], parts[at:]) for at in range(len(parts)))
    if not names or not parts:
        return not names and not parts
    return _name(names[0], parts[0]) and _parts(names[1:], parts[1:])


def _name(glob: str, name: str) -> bool:
    """Whether one part of a glob fits one part of a path; in time of their lengths, however many stars."""
    if _SPECIAL.isdisjoint(glob[1:]) and glob[:1] not in ("?", "[", "\\"):  # plain, or plain after one star
        return name.endswith(glob[1:]) if glob[:1] == "*" else name == glob
    tokens, places = _tokens(glob), {0}
    for char in name:
        places |= {at + 1 for at, token in enumerate(tokens) if token is None and at in places}
        found = [(at, token) for at, token in enumerate(tokens) if at in places]
        places = {at + bool(one) for at, one in found if one is None or (char in one[0]) != one[1]}
    return len(tokens) in places or (tokens[-1:] == [None] and len(tokens) - 1 in places)


def _tokens(glob: str) -> list[tuple[str, bool] | None]:
    """(characters, whether any but these) for each character that is to be met; None for a star."""
    found: list[tuple[str, bool] | None] = []
    at = 0
    while at < len(glob):
        char, at = glob[at], at + 1
        end = glob.find("]", at + 1) if char == "[" else -1
        if end > 0:
            negated = glob[at] in "!^"
            inner = glob[at + negated : end]
            spans = [inner[i - 1 : i + 2] for i in range(1, len(inner) - 1) if inner[i] == "-"]
            chars = inner + "".join(chr(code) for one in spans for code in range(ord(one[0]), ord(one[2]) + 1))
            found.append((chars, negated))
            at = end + 1
        elif char == "*":
            found += [None] * (found[-1:] != [None])
        elif char in "?[":  # a bracket that is never closed fits nothing, as in git
            found.append(("", char == "?"))
        else:
            if char == "\\" and at < len(glob):
                char, at = glob[at], at + 1
            found.append((char, False))
    return found
