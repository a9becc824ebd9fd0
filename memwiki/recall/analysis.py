"""Text into what ranking compares: stems, stop words and 4-grams; the same at sync and in a hook."""

from .words import ENDINGS, IRREGULAR, STOP

_STOP = frozenset(STOP.split())
_IRREGULAR = {form: entry.partition(":")[0] for entry in IRREGULAR.split() for form in entry.split(":")[1].split(",")}
_ENDINGS = ENDINGS.split()
_ASCII = "".join(chr(i).lower() if chr(i).isalnum() or i == 95 else " " for i in range(128))
_VOWELS = frozenset("aeiouy")
_known: dict[str, str] = {}  # word -> stem, once worked out: a sync meets the same words again and again
_LONGEST = 64  # characters of a word that are looked at: longer ones are hashes and base64
# Scripts written without blanks, first and last character: Thai to Khmer, kana, CJK, hangul.
_RUNS = [*zip("\u0e00\u1000\u1780\u3040\u3400\uac00\uf900", "\u0eff\u109f\u17ff\u30ff\u9fff\ud7af\ufaff", strict=True)]


def stem(word: str) -> str:
    """`word` (lower case, accents off, not empty) without its ending; irregular forms become their base."""
    word = _IRREGULAR.get(word, word)
    size = len(word)
    if "\u0400" <= word[0] <= "\u04ff":
        for ending in _ENDINGS if size > 4 else ():
            if word.endswith(ending) and size - len(ending) >= 3:
                return word[: -len(ending)]
        return word
    if size > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif size > 3 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    size = len(word)
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        if word.endswith(ending) and size - len(ending) >= 3 and not _VOWELS.isdisjoint(rest := word[: -len(ending)]):
            word = rest[:-1] if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
            break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word


def runs(char: str) -> bool:
    """Whether `char` belongs to a script without blanks between words."""
    return char > "\u0dff" and any(a <= char <= z for a, z in _RUNS)


def words(text: str) -> list[str]:
    """The words of `text` in order, lower case, accents off; a run of a script without blanks is one word."""
    if text.isascii():
        return text.translate(_ASCII).split()
    from unicodedata import category, combining, normalize  # 0.4 ms that ASCII text does not pay

    found: list[str] = []
    text = "".join(c if c.isalnum() or c == "_" or category(c)[0] == "M" else " " for c in normalize("NFKC", text))
    for word in text.split():
        if word.isascii():
            found.append(word.lower())
            continue
        start, kind = 0, runs(word[0])
        for i in range(1, len(word) + 1):
            if i == len(word) or runs(word[i]) != kind:
                part = word[start:i]
                found.append(
                    part if kind else "".join(c for c in normalize("NFD", part.lower()) if not combining(c)) or part
                )
                start, kind = i, not kind
    return found


def analyse(text: str) -> tuple[list[str], list[str], list[str]]:
    """Content stems, stop words, and pieces to take 4-grams of (`^word$`, or a run as it is), each in order.

    A run of n characters gives n - 1 overlapping pairs as stems, a single character itself.
    """
    stems: list[str] = []
    stops: list[str] = []
    pieces: list[str] = []
    for word in words(text):
        if word in _known:
            stems.append(_known[word])
            pieces.append(f"^{word}$")
        elif word in _STOP:
            stops.append(word)
        elif runs(word[0]):
            stems += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
            pieces.append(word)
        else:
            word = word[:_LONGEST]
            stems.append(_known.setdefault(word, stem(word)))
            pieces.append(f"^{word}$")
    return stems, stops, pieces


def grams(pieces: list[str]) -> list[str]:
    """The 4-grams of `^word$` pieces, and the single characters of runs."""
    found: list[str] = []
    for piece in pieces:
        found += [piece[i : i + 4] for i in range(len(piece) - 3)] or [piece] if piece[0] == "^" else list(piece)
    return found
