"""What a model may answer: one JSON object of edits, checked field by field before anything is made of it."""

import json
import re
from typing import Any, cast, get_args

from ..candidates.candidate import Source
from ..vault.note import TYPES
from .edits import Edit, Op, Quote
from .engines.failure import Failed

_STRINGS = ("path", "text", "subject", "why", "old", "title", "description")
_FENCED = re.compile(r"\A\s*```(?:json)?[ \t]*\n(.*)\n```\s*\Z", re.DOTALL)
_SOURCES = ("explicit", "turn", "session", "compaction")

# Structured output wants every object closed and every field required, and knows no ranges.
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "op": {"type": "string", "enum": list(get_args(Op))},
                    "path": {"type": "string"},
                    "type": {"type": "string", "enum": list(TYPES)},
                    "text": {"type": "string"},
                    "old": {"type": "string"},
                    "title": {"type": "string"},
                    "description": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "subject": {"type": "string"},
                    "why": {"type": "string"},
                    "confidence": {"type": "number"},
                    "source": {"type": "string", "enum": list(_SOURCES)},
                    "quotes": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"event": {"type": "string"}, "text": {"type": "string"}},
                            "required": ["event", "text"],
                            "additionalProperties": False,
                        },
                    },
                },
                "required": [
                    *("op", "path", "type", "text", "old", "title", "description", "tags", "subject", "why"),
                    *("confidence", "source", "quotes"),
                ],
                "additionalProperties": False,
            },
        }
    },
    "required": ["edits"],
    "additionalProperties": False,
}


def edits_of(text: str, ids: dict[str, str]) -> tuple[Edit, ...]:
    """The edits in a model's answer; `ids` maps the model's names of events to event ids.

    Exactly one JSON object, bare or in one code fence: prose around it, a second object or a field of the wrong kind
    raises Failed (`not parseable`, `wrong shape`), so that an answer counts whole or not at all.
    """
    fenced = _FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        raise Failed("not parseable", "The model's answer was not parseable as JSON.", raw=text) from None
    found = value.get("edits") if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise Failed("wrong shape", "The model's answer had the wrong shape: no list of edits.", raw=text)
    try:
        return tuple(_edit(item, ids) for item in found)
    except _Wrong as error:
        raise Failed("wrong shape", f"The model's answer had the wrong shape: {error}.", raw=text) from None


class _Wrong(Exception):
    """Which field of an edit is not as the schema says."""


def _edit(item: object, ids: dict[str, str]) -> Edit:
    if not isinstance(item, dict):
        raise _Wrong("an edit is no object")
    for key in ("op", "path", "type", "quotes"):
        if key not in item:
            raise _Wrong(f"an edit has no {key}")
    if item["op"] not in get_args(Op):
        raise _Wrong(f"there is no op {item['op']!r}")
    strings = {key: _string(item, key) for key in (*_STRINGS, "type")}
    confidence = item.get("confidence", 0.5)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise _Wrong("confidence is no number")
    source = item.get("source", "turn")
    if source not in _SOURCES:
        raise _Wrong(f"there is no source {source!r}")
    return Edit(
        op=item["op"],
        confidence=min(1.0, max(0.0, float(confidence))),
        source=cast(Source, source),
        quotes=tuple(_quote(quote, ids) for quote in _list(item, "quotes")),
        tags=tuple(tag for tag in _list(item, "tags") if isinstance(tag, str)),
        **strings,
    )


def _quote(value: Any, ids: dict[str, str]) -> Quote:
    if not isinstance(value, dict):
        raise _Wrong("a quote is no object")
    event = _string(value, "event")
    return Quote(ids.get(event, event), _string(value, "text"))


def _string(item: dict[str, Any], key: str) -> str:
    value = item.get(key, "")
    if not isinstance(value, str):
        raise _Wrong(f"{key} is no text")
    return value


def _list(item: dict[str, Any], key: str) -> list[Any]:
    value = item.get(key, [])
    if not isinstance(value, list):
        raise _Wrong(f"{key} is no list")
    return value
