"""What one event may weigh in the journal, and how what weighs more is cut.

Media go first (a marker names their type and size), then every string over 8 KiB loses its middle, then, while the
whole is over 64 KiB, the bound on strings is halved and at last long lists and objects lose their middle. So a small
`tool_input` beside a huge `tool_response` stays whole.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

PAYLOAD = 64 * 1024  # bytes of one event's payload as UTF-8 JSON
STRING = 8 * 1024  # bytes of one string in it
_SMALLEST = 64
_RUN = re.compile(
    r"(?:data:(?P<type>[\w.+-]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,(?P<data>[A-Za-z0-9+/_-]{64,}={0,2}))|[A-Za-z0-9+/]{512,}={0,2}"
)
_TYPE_KEYS = ("media_type", "mediaType", "mimeType", "mime_type", "contentType", "content_type")
_STARTS = (
    ("UklGR", "image/webp"),
    ("iVBORw0KGgo", "image/png"),
    ("/9j/", "image/jpeg"),
    ("R0lGOD", "image/gif"),
    ("JVBERi0", "application/pdf"),
)


def without_media(value: Any) -> Any:
    """`value` with each run of base64 replaced by `[image/png, N bytes]`, N being the run's length as it was sent.

    The type is the one named beside it or in its `data:` address, else what its first bytes say, else `base64`.
    """
    return _mapped(value, _media, "")


def capped(value: dict[str, Any], limit: int = PAYLOAD) -> tuple[dict[str, Any], bool]:
    """`value` within the caps, and whether anything had to be cut."""
    bound, keep = STRING, 512
    cut = _mapped(value, partial(_bounded, STRING), "")
    while size(cut) > limit and bound > _SMALLEST:
        bound //= 2
        cut = _mapped(cut, partial(_bounded, bound), "")
    while size(cut) > limit and keep >= 1:
        cut = _thinned(cut, keep)
        keep //= 2
    return cut, cut != value


def shortened(text: str, limit: int) -> str:
    """`text` within `limit` bytes of UTF-8: its head and its tail, with the number of characters cut between."""
    if len(text) <= limit and len(text.encode("utf-8", "surrogatepass")) <= limit:
        return text
    half = max(8, (limit - 40) // 2)
    raw = text.encode("utf-8", "replace")
    head, tail = raw[:half].decode("utf-8", "ignore"), raw[-half:].decode("utf-8", "ignore")
    return f"{head}\n[... {len(text) - len(head) - len(tail)} characters cut ...]\n{tail}"


def _bounded(limit: int, text: str, kind: str) -> str:
    return shortened(text, limit)


def size(value: Any) -> int:
    """Bytes of `value` as the journal writes it."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def _media(text: str, kind: str) -> str:
    def marker(found: re.Match[str]) -> str:
        data = found["data"] or found[0]
        known = next((name for start, name in _STARTS if data.startswith(start)), "base64")
        return f"[{found['type'] or kind or known}, {len(data)} bytes]"

    return _RUN.sub(marker, text) if len(text) >= 64 else text


def _mapped(value: Any, change: Callable[[str, str], str], kind: str) -> Any:
    """`value` with every string (keys too) changed; `kind` is the media type that stands beside it."""
    if isinstance(value, str):
        return change(value, kind)
    if isinstance(value, list):
        return [_mapped(item, change, kind) for item in value]
    if isinstance(value, dict):
        kind = next(
            (value[key] for key in _TYPE_KEYS if isinstance(value.get(key), str) and len(value[key]) < 80), kind
        )
        return {change(key, ""): _mapped(item, change, kind) for key, item in value.items()}
    return value


def _thinned(value: Any, keep: int) -> Any:
    """`value` with no list or object of more than `keep` members at either end."""
    if isinstance(value, list):
        gone = len(value) - 2 * keep
        items = value if gone <= 0 else [*value[:keep], f"[... {gone} items cut ...]", *value[-keep:]]
        return [_thinned(item, keep) for item in items]
    if isinstance(value, dict):
        gone = len(value) - 2 * keep
        pairs = list(value.items())
        if gone > 0:
            pairs = [*pairs[:keep], ("...", f"[{gone} members cut]"), *pairs[-keep:]]
        return {key: _thinned(item, keep) for key, item in pairs}
    return value
