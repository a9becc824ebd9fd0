"""The block of memory in a host's rules file, for hosts that take nothing from hooks at a prompt.

It stands between two comment lines; what is outside them is somebody else's and keeps its bytes. `link` makes room for
it, `sync` fills it (the text comes from above: this room knows no notes), `unlink` takes it out.
"""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..config import Home
from ..errors import Finding, MemwikiError
from ..files import read_regular
from .files import write
from .places import place
from .records import as_left, folder_of, records, settle
from .registration import settings_folder
from .splice import Broken, line_of

BEGIN = (
    "<!-- memwiki: written by `memwiki sync` and removed by `memwiki unlink`; edits between these lines are lost -->"
)
END = "<!-- /memwiki -->"
EMPTY = "The person's memory (memwiki) comes here at the next `memwiki sync`."


@dataclass(frozen=True, slots=True)
class Block:
    """One block that is linked: of a host, in a project ("" for all), at most `limit` UTF-8 bytes with its lines."""

    host: str
    project: str
    path: Path
    limit: int


def rules_file(name: str, project: Path | None = None, folder: Path | None = None) -> Path | None:
    """The rules file that the host reads, for the user (`folder` as in `settings_file`) or in a project.

    None where it reads none that is a file.
    """
    below = place(name).rules[project is not None]
    if not below:
        return None
    return project / below if project is not None else (folder or settings_folder(name)) / below


def with_block(text: str, body: str = "", head: str = "") -> str:
    """`text` with the block: its old one filled anew, else one at the end; a body of "" keeps what is in the block.

    `head` begins a file that is empty. Raises Broken when the block's end is missing.
    """
    start, end = _span(text)
    if start < 0:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text or head}{gap}{BEGIN}\n{body or EMPTY}\n{END}\n"
    return text if not body else f"{text[:start]}{BEGIN}\n{body}\n{END}{text[end:]}"


def without_block(text: str) -> str:
    """`text` without the block, its last line break, and the blank line that led to it."""
    start, end = _span(text)
    if start < 0:
        return text
    before, after = text[:start], text[end:].removeprefix("\r").removeprefix("\n")
    return (before[:-1] if before.endswith("\n\n") and not after else before) + after


def blocks(home: Home) -> list[Block]:
    """All blocks that are linked and have not been taken out by hand."""
    found = []
    for record in records(home):
        project = Path(record.project) if record.project else None
        path = rules_file(record.host, project, folder_of(record))
        if path is not None and str(path) == record.path:
            found.append(Block(record.host, record.project, path, place(record.host).rules_bytes))
    return found


def refresh(home: Home, body: Callable[[Block], str]) -> list[Path]:
    """Fill every linked block with `body(block)`; the files that changed. One that cannot be read is left.

    One that cannot be written, or that somebody writes at the same time, keeps nothing from the others; the first such
    error is raised at the end. Raises MemwikiError.
    """
    changed, failed = [], []
    for record in list(records(home)):
        block = next((one for one in blocks(home) if str(one.path) == record.path and one.host == record.host), None)
        if block is None:
            continue
        try:
            data = read_regular(block.path)
            text = data.decode("utf-8")
            new = with_block(text, body(block)) if BEGIN in text else text
        except (OSError, UnicodeDecodeError, Broken):
            continue  # gone, or mended by hand: `doctor` says so
        if new != text:
            untouched = as_left(home, record, data)
            try:
                write(block.path, data, new)
            except MemwikiError as error:
                failed.append(error)
                continue
            if untouched:  # so that `unlink` still knows the file as memwiki left it
                settle(home, record, new.encode("utf-8"))
            changed.append(block.path)
    if failed:
        raise failed[0]
    return changed


def findings(home: Home) -> Iterator[Finding]:
    """What `doctor` says of the blocks: one that cannot be filled, or that somebody has taken out."""
    for block in blocks(home):
        again = f"`memwiki link {block.host}{f' --project {shlex.quote(block.project)}' if block.project else ''}`"
        try:
            text = read_regular(block.path).decode("utf-8")
            _span(text)
        except (OSError, UnicodeDecodeError, Broken) as error:
            where = f", line {error.line}: {error.why}" if isinstance(error, Broken) else f": {error}"
            yield Finding("hosts", f"{block.path}{where}.", f"Mend the file, then run {again}.", "error")
            continue
        if BEGIN not in text:
            words = f"{block.path} no longer has memwiki's block, so {block.host} is given no notes by it."
            yield Finding("hosts", words, f"Leave it so, or run {again}.", "note")


def _span(text: str) -> tuple[int, int]:
    """Where the block stands; (-1, -1) when there is none."""
    start = text.find(BEGIN)
    if start < 0:
        return -1, -1
    end = text.find(END, start)
    if end < 0:
        raise Broken(f"a memwiki block without its last line `{END}`", line_of(text, start))
    return start, end + len(END)
