"""What a query returns, in the types that JSON has."""

from typing import Any


def plain(value: Any) -> Any:
    """A value of the driver as JSON has it: nodes and relationships as properties, paths as lists, times as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if hasattr(value, "nodes") and hasattr(value, "relationships"):  # a path
        return [plain(item) for pair in zip(value.nodes, [*value.relationships, None], strict=True) for item in pair][
            :-1
        ]
    if hasattr(value, "labels"):
        return {"labels": sorted(value.labels), **plain(dict(value))}
    if hasattr(value, "type") and hasattr(value, "items"):
        return {"type": value.type, **plain(dict(value))}
    return value.iso_format() if hasattr(value, "iso_format") else str(value)
