"""Words of events: the same cut for what is stored and what is asked, so that no query is ever syntax.

SQLite's tokenizer splits at blanks and punctuation, which finds nothing inside Chinese, Japanese, Korean or Thai text.
Their characters are therefore stored one by one, and a run of them is asked for as a phrase: any length is found.
"""

import re
import unicodedata

from ..text import one_line

_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff])"
)
_MOST = 64  # words of one query; more only make it slower


def spaced(text: str) -> str:
    """`text` as it is given to the full-text table."""
    return _UNSPACED.sub(r" \1 ", unicodedata.normalize("NFKC", text).casefold().replace("\0", " "))


def match(query: str, joined: str) -> str:
    """`query` as an FTS5 expression of quoted phrases, one a word, joined by ` AND ` or ` OR `; "" when it has no word.

    What stands between blanks is one phrase: `src/app.ts` finds these three words in this order.
    """
    words = dict.fromkeys(" ".join(spaced(word).split()) for word in query.split())
    # A phrase without a letter or digit has no token, and FTS5 would let it empty the whole answer.
    known = [word for word in words if any(sign.isalnum() for sign in word)]
    return joined.join('"' + word.replace('"', '""') + '"' for word in known[:_MOST])


def snippet(text: str, query: str, width: int = 160) -> str:
    """About `width` characters of `text` around the first word of `query` in it, on one line."""
    line = " ".join(text.split())
    low = line.lower()
    places = [place for word in query.lower().split() if (place := low.find(word)) >= 0]
    start = max(0, min(places, default=0) - width // 3)
    if start:
        start = line.find(" ", start, start + 20) + 1 or start
    shown = one_line(line[start:], width)
    return f"…{shown}" if start else shown
