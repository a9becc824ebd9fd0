"""Small questions about words: the same statement, the same subject, a quote in a text."""

import re
import unicodedata

from ..candidates.tombstone import BULLET

_WORD = re.compile(r"[^\W_]{2,}")
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿가-힯]{2,}")  # scripts that are written without blanks
# Words so common that sharing one says nothing about the subject.
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the to and of in is it you for on with not no do that this be are my we us our as at by an or if so "
        "use used uses using always never now just please should must will can has have had was were from "
        "when then than but der die das und ist nicht wir ich ein eine le la les de des du et est un une el "
        "los las que es no en y o a os um uma",
    )
)

_ONE_PROJECT = re.compile(
    r"\bthis (?:mono|git )?(?:repo(?:sitory)?|project|code ?base|workspace|package|app|application|service)\b"
    r"|\bdies(?:e[mrsn]?)? (?:repo\w*|projekt\w*|codebasis|anwendung)\b"
    r"|\b(?:ce|cette|cet) (?:dépôt|repo|projet|base de code|application)\b"
    r"|\b[nd]?est[ea] (?:repo\w*|proyecto|projeto|aplicación|aplicativo|código)\b"
    r"|(?:这个|這個|本|该|此)(?:项目|項目|仓库|倉庫|工程|代码库)|(?:この|本)(?:プロジェクト|リポジトリ|レポジトリ)",
    re.IGNORECASE,
)


def flat(text: str) -> str:
    """`text` with every run of white space as one blank: the form in which quotes are compared."""
    return " ".join(text.split())


def statement(line: str) -> str:
    """A line without its bullet and outer blanks."""
    return BULLET.sub("", line).strip()


def subjects(text: str) -> frozenset[str]:
    """The words of a text that can name its subject, cut to five letters; pairs of letters in unspaced scripts."""
    text = unicodedata.normalize("NFKC", text).casefold()
    pairs = (run[i : i + 2] for run in _UNSPACED.findall(text) for i in range(len(run) - 1))
    return frozenset(word[:5] for word in _WORD.findall(text) if word not in _COMMON) | frozenset(pairs)


def long_enough(quote: str) -> bool:
    """Whether a quote is more than a word that stands everywhere: 8 characters, or 4 in an unspaced script."""
    return len(quote) >= (4 if _UNSPACED.search(quote) else 8)


def speaks_of_one(text: str) -> bool:
    """Whether a text is about the project at hand: "this repo", in the languages that the rules engine knows."""
    return _ONE_PROJECT.search(text) is not None
