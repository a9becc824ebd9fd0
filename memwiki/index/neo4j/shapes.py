"""Values in the shapes that Neo4j stores: what it refuses becomes something that can be read back."""

import json
from collections.abc import Mapping
from typing import Any

from ..names import kept

_LONGEST = 64 * 1024  # characters of one property
KEY = 400  # characters of a key: its index takes 8 KB at most, and a character may be four bytes
_INT = 2**63


def properties(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` as properties of a node: without None and empty text, nested ones as JSON."""
    return {name: shape for name, value in values.items() if (shape := shaped(value)) not in (None, "", [])}


def shaped(value: Any) -> Any:
    """One value as Neo4j stores it. Maps and mixed or nested lists are JSON text, numbers over 64 bits decimal text."""
    if isinstance(value, str):
        return text(value)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if -_INT <= value < _INT else str(value)
    if isinstance(value, list | tuple):
        kinds = {type(item) for item in value}
        if len(kinds) <= 1 and kinds <= {str, bool, float, int} and not any(_wide(item) for item in value):
            return [shaped(item) for item in value]
    try:
        return text(json.dumps(value, ensure_ascii=False, default=str))
    except (ValueError, RecursionError):
        return text(repr(value))


def _wide(item: Any) -> bool:
    return isinstance(item, int) and not -_INT <= item < _INT


def text(value: str) -> str:
    """`value` as Neo4j takes it, cut in the middle where it is over 64 Ki characters."""
    if len(value) > _LONGEST:
        half = _LONGEST // 2
        value = f"{value[:half]}\n[{len(value) - 2 * half} characters left out]\n{value[-half:]}"
    return taken(value)


def taken(value: str) -> str:
    """`value` without NUL, which tools around Neo4j take for its end, and in valid Unicode."""
    value = value.replace("\0", "\ufffd")
    return value if value.isascii() else kept(value)


def parameters(value: Any) -> Any:
    """A query's parameters with every text in them as Neo4j takes it."""
    if isinstance(value, str):
        return taken(value)
    if isinstance(value, Mapping):
        return {taken(name): parameters(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [parameters(inner) for inner in value]
    return value
