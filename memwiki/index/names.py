"""Names as the index keeps and compares them."""

from ..text import folded


def name_of(path: str) -> str:
    """The folded last part of a note's path or a link's target, without `.md`: what a link can be resolved by."""
    return folded(kept(path.rpartition("/")[2])).removesuffix(".md")


def kept(text: str) -> str:
    """`text` without lone surrogates, which YAML's escapes can make and SQLite cannot store."""
    return text.encode("utf-8", "replace").decode("utf-8")
