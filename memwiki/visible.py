"""Text with nothing hidden in it: shown for a terminal, refused by gates, cut from what an agent is given.

Some invisible characters are part of how a script or an emoji is written. They are left alone where they stand as
Unicode has them, and there alone: a line break of CR and LF, the flags of England, Scotland and Wales (the three that
are made of tags), joiners and selectors in emoji, a joiner after a letter of a script that joins, a zero-width space
between letters of scripts written without blanks, a selector after a CJK or Mongolian letter, and a soft hyphen inside
a word. Direction marks are not: Hebrew and Arabic are read right without them.
"""

import re
from collections.abc import Iterator

from .errors import MemwikiError

# First and last code point of each range. Sources: Unicode's Default_Ignorable_Code_Point and Bidi_Control, category Cc
# without tab and line feed, the line and paragraph separators, and the surrogates, which no output can encode.
RANGES = (
    (0x0000, 0x0008),  # C0, but tab and line feed
    (0x000B, 0x001F),
    (0x007F, 0x009F),  # delete, C1
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200F),  # zero width; direction marks
    (0x2028, 0x202E),  # line and paragraph separator; direction embeddings and overrides
    (0x2060, 0x206F),  # joiners, invisible operators, direction isolates
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # lone surrogates
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # half-width Hangul filler
    (0xFFF0, 0xFFFB),  # unassigned; interlinear annotation
    (0x13430, 0x1343F),  # Egyptian format controls
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags, more variation selectors, unassigned
)
_SET = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in RANGES)
_EMOJI = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2934\u2935\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINING = r"\u0600-\u061b\u061d-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1800-\u180a\u1810-\u18af"
_UNSPACED = r"\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff"  # Thai, Lao, Tibetan, Myanmar, Khmer
_CJK = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FAIR = (
    r"\r\n",
    r"\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    r"|\U000e0077\U000e006c\U000e0073)\U000e007f",
    rf"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])",
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]",
    r"(?<=[#*0-9])\ufe0f(?=\u20e3)",
    rf"(?<=[{_JOINING}])[\u200c\u200d]",
    rf"(?<=[{_UNSPACED}])\u200b(?=[{_UNSPACED}])",
    rf"(?<=[{_CJK}])[\ufe00-\ufe02\U000e0100-\U000e011f]",
    r"(?<=[\u1820-\u18aa])[\u180b-\u180f]",
    r"(?<=[^\W\d_])\xad(?=[^\W\d_])",
)
_SUSPECT = re.compile(f"[{_SET}]")
_HIDDEN = re.compile(f"(?P<fair>{'|'.join(_FAIR)})|(?P<tags>[\U000e0020-\U000e007e]+)|(?P<char>[{_SET}])(?P=char)*")


def hidden(text: str) -> Iterator[tuple[int, str]]:
    """(index, run) of each invisible character of `text` that is not legitimate there; equal neighbours are one run."""
    if _SUSPECT.search(text):
        for match in _HIDDEN.finditer(text):
            if match["fair"] is None:
                yield match.start(), match.group()


def refuse_hidden(text: str) -> None:
    """MemwikiError that names the first invisible character of `text`, if it holds any."""
    for _, run in hidden(text):
        raise MemwikiError(f"It holds the invisible character {named(run)}.", "Send text without it.")


def visible(text: str) -> str:
    """`text` as a terminal may have it: `<U+202E>` for what is hidden, and the words that tag characters spell.

    A CR before an LF goes, so that what is left of C0 is tab and line feed.
    """
    if not _SUSPECT.search(text):
        return text
    shown = _HIDDEN.sub(lambda match: match["fair"] or named(match.group()), text)
    return shown.replace("\r\n", "\n")


def named(run: str) -> str:
    """How a run that `hidden` found is written."""
    if "\U000e0020" <= run[0] <= "\U000e007e":
        return f"<tags {''.join(chr(ord(char) - 0xE0000) for char in run)!r}>"
    return f"<U+{ord(run[0]):04X}{f' x{len(run)}' if len(run) > 1 else ''}>"


def without_hidden(text: str) -> str:
    """`text` without what is hidden in it; a hidden line break or separator becomes a blank."""
    if not _SUSPECT.search(text):
        return text
    return _HIDDEN.sub(lambda match: match["fair"] or (" " if match.group().isspace() else ""), text)


def escaped(json: str) -> str:
    """A JSON text whose strings hold `\\u202e` for what would be hidden in them."""
    if not _SUSPECT.search(json):
        return json
    return _HIDDEN.sub(lambda match: match["fair"] or _escape(match.group()), json)


def _escape(run: str) -> str:
    units = run.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))
