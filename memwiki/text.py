"""Small facts about text that several rooms share: folding, clipping, times."""

import hashlib
import unicodedata
from datetime import UTC, datetime


def folded(path: str) -> str:
    """The form in which two paths are compared: NFC and case-folded, so that `Résumé.md` in any form is one note."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def one_line(text: str, limit: int = 160) -> str:
    """`text` as one line of at most `limit` characters, cut at a word where possible and then marked with `…`."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    word = cut.rfind(" ")
    return (cut[:word] if word > limit // 2 else cut).rstrip() + "…"


def sha256(text: str | bytes) -> str:
    """Hex SHA-256 of `text` (UTF-8, lone surrogates kept apart)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).hexdigest()


def utc(seconds: float | None = None, timespec: str = "milliseconds") -> str:
    """A time as the journal writes it: `2026-11-30T14:32:05.120Z`; now when `seconds` (since the epoch) is None.

    With `timespec` "seconds" without the fraction, as git's times are.
    """
    moment = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")


def counted(number: int, word: str) -> str:
    """`1 note`, `2 notes`: for words whose plural is an s."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
