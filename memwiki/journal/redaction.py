"""Redaction: secrets out of text and out of decoded JSON, before anything is stored.

A secret becomes `[redacted:<kind>]`. It is found by its own form (`shapes`) or by the name before it (`assignments`);
one that is found anywhere in a value is then removed wherever else it stands in that value. Deterministic, and doing it
twice changes nothing more. What no form and no name gives away cannot be found: `<private>` is for that.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .assignments import assignment_spans
from .keyfiles import key_spans
from .literals import is_literal, is_strong
from .names import kind_of_name
from .shapes import Span, address_spans, argument_spans, header_spans, token_spans

_DEEPEST = 64  # levels of a value that are looked into; what is deeper is dropped
_KNOWN = 12  # characters from which a secret found once is removed everywhere
_SEAM = re.compile(r"\\+[nrt\"']|[\s;&,:@%\"'`]")
_MARK = re.compile(r"\[redacted:[a-zA-Z ]+\]")
_NAME_KEYS = ("name", "key", "variable", "field", "header")  # {"name": "DB_PASSWORD", "value": "..."}


def secret_spans(text: str) -> list[Span]:
    """Where secrets stand in `text`, in order, none overlapping another."""
    if len(text) < 8:
        return []
    lower = text.replace("İ", "i").lower()  # the one letter whose lower case is longer
    if len(lower) != len(text):
        lower = "".join(letter.lower()[:1] for letter in text)
    found = [
        *key_spans(text),
        *token_spans(text),
        *header_spans(text, lower),
        *address_spans(text),
        *argument_spans(text),
        *assignment_spans(text, lower),
    ]
    merged: list[Span] = []
    for span in sorted(found):
        if span.start >= span.end or _MARK.fullmatch(text, span.start, span.end):
            continue
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            span = Span(last.start, max(last.end, span.end), last.kind)
        merged.append(span)
    return merged


def redact_text(text: str) -> str:
    """`text` with every secret in it replaced by `[redacted:<kind>]`."""
    return _cut(text, secret_spans(text))


def find_secrets(text: str) -> list[tuple[int, str]]:
    """(line, kind) of every secret in `text`, lines from 1."""
    return [(text.count("\n", 0, span.start) + 1, span.kind) for span in secret_spans(text)]


def redact(value: Any) -> Any:
    """A decoded JSON value with secrets removed from every key and string in it; numbers under a password's name too.

    Texts in one list are looked at together, for a key file may have come as a list of lines.
    """
    known: dict[str, str] = {}
    clean = _value(value, known, 0)
    return _without(clean, known) if known else clean


def _cut(text: str, spans: Iterable[Span]) -> str:
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += text[at : span.start], f"[redacted:{span.kind}]"
        at = span.end
    return "".join([*parts, text[at:]]) if parts else text


def _text(text: str, known: dict[str, str]) -> str:
    spans = secret_spans(text)
    for span in spans:
        _learn(text[span.start : span.end], span.kind, known)
    return _cut(text, spans)


def _learn(secret: str, kind: str, known: dict[str, str]) -> None:
    """Note a secret to be removed wherever else it stands, and its parts: what is cut out may be more than it alone."""
    for part in (secret, *_SEAM.split(secret)):
        if _KNOWN <= len(part) <= 4096 and any(c.isdigit() for c in part) and (part is secret or is_strong(part)):
            known.setdefault(part, kind)


def _value(value: Any, known: dict[str, str], depth: int) -> Any:
    if isinstance(value, str):
        return _text(value, known)
    if not isinstance(value, dict | list):
        return value
    if depth >= _DEEPEST:
        return "[deeper than 64 levels]"
    if isinstance(value, list):
        if len(value) > 1 and all(isinstance(item, str) for item in value):
            whole = "\n".join(value)
            clean = _text(whole, known)
            return value if clean == whole else clean.split("\n")
        return [_value(item, known, depth + 1) for item in value]
    result: dict[str, Any] = {}
    named = next((value[name] for name in _NAME_KEYS if isinstance(value.get(name), str)), "")
    for key, item in value.items():
        kind = kind_of_name(named if named and key in ("value", "Value") else key)
        name = _text(key, known)
        while name in result:
            name += "'"
        result[name] = _under(kind, item, known, depth) if kind else _value(item, known, depth + 1)
    return result


def _under(kind: str, item: Any, known: dict[str, str], depth: int) -> Any:
    """What stands under a secret's name."""
    mark = f"[redacted:{'key' if kind == 'anykey' else kind}]"
    if isinstance(item, str) and is_literal(kind, item) and not _MARK.fullmatch(item):
        _learn(item, kind, known)
        return mark
    if kind == "password" and type(item) is int and abs(item) >= 1000:
        return mark
    if isinstance(item, list) and item and all(isinstance(one, str) for one in item):
        return [_under(kind, one, known, depth) for one in item]
    return _value(item, known, depth + 1)


def _without(value: Any, known: Mapping[str, str]) -> Any:
    """`value` without the secrets that were found elsewhere in it."""
    if isinstance(value, str):
        for secret, kind in known.items():
            if secret in value:
                value = value.replace(secret, f"[redacted:{kind}]")
        return value
    if isinstance(value, list):
        return [_without(item, known) for item in value]
    if isinstance(value, dict):
        return {_without(key, known): _without(item, known) for key, item in value.items()}
    return value
