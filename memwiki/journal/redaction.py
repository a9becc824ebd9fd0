"""Redaction: secrets out of text and out of decoded JSON, before anything is stored.

A secret becomes `[redacted:<kind>]`, the second of its kind in one value `[redacted:<kind> 2]`. It is found by its own
form (`shapes`), by its place in a command (`arguments`), by the name before it (`assignments`) or by a noun in its
sentence (`prose`); one that is found
anywhere in a value is then removed wherever else it stands in that value. Deterministic, and doing it twice changes
nothing more. What no form and no name gives away cannot be found: `<private>` is for that.

The time grows with the length of the text, whatever stands in it (`tests/journal/test_redaction_time.py`).
"""

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from .arguments import argument_spans
from .assignments import assignment_spans
from .keyfiles import key_spans
from .literals import has_digit, is_literal, is_strong
from .names import kind_of_name
from .prose import prose_spans
from .shapes import Span, address_spans, header_spans, token_spans

_DEEPEST = 64  # levels of a value that are looked into; what is deeper is dropped
_KNOWN = 12  # characters from which a secret found once is removed everywhere
_SEAM = re.compile(r"(?<!\\)\\++[nrt\"']|[\s;&,:@%\"'`]")
_MARK = re.compile(r"\[redacted:[a-zA-Z0-9 ]{1,60}\]")
_CODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}+=*+")
_URL_SAFE = str.maketrans("-_", "+/")
_SHORT = 120  # characters of a text whose spans are kept for the next event
_FEW = 16  # beginnings of known secrets that are looked for one by one
_NAME_KEYS = ("name", "key", "variable", "field", "header")  # {"name": "DB_PASSWORD", "value": "..."}


def secret_spans(text: str) -> Sequence[Span]:
    """Where secrets stand in `text`, in order, none overlapping another."""
    return _short_spans(text) if len(text) <= _SHORT else _spans(text)


@lru_cache(maxsize=1024)
def _short_spans(text: str) -> tuple[Span, ...]:
    """The spans of a name, an id or a path: events hold the same ones again and again."""
    return tuple(_spans(text))


def _spans(text: str) -> list[Span]:
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
        *prose_spans(text),
        *_coded_spans(text),
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


def _coded_spans(text: str) -> Iterator[Span]:
    """Base64 of a text in which a secret is found."""
    for found in _CODED.finditer(text):
        code = found[0].rstrip("=").translate(_URL_SAFE)
        code = code[: len(code) // 4 * 4]
        if b64decode(code[:32]).isascii():
            plain = b64decode(code)
            if plain.isascii() and secret_spans(plain.decode()):
                yield Span(*found.span(), "base64 of a secret")


def redact_text(text: str) -> str:
    """`text` with every secret in it replaced by its mark."""
    spans = secret_spans(text)
    return _cut(text, spans, _Secrets(text)) if spans else text


def find_secrets(text: str) -> list[tuple[int, str]]:
    """(line, kind) of every secret in `text`, lines from 1."""
    found: list[tuple[int, str]] = []
    line, at = 1, 0
    for span in secret_spans(text):
        line += text.count("\n", at, span.start)
        at = span.start
        found.append((line, span.kind))
    return found


def redact(value: Any) -> Any:
    """A decoded JSON value with secrets removed from every key and string in it; numbers under a password's name too.

    Texts in one list are looked at together, for a key file may have come as a list of lines.
    """
    secrets = _Secrets(value)
    clean = _value(value, secrets, 0)
    return _without(clean, secrets) if secrets.everywhere else clean


class _Secrets:
    """The secrets of one value, the mark of each, and those that are removed wherever they stand."""

    def __init__(self, value: Any) -> None:
        self.everywhere: dict[str, dict[str, str]] = {}  # first characters -> whole secret -> its mark
        self._value = value
        self._taken: set[str] | None = None  # marks that stood in the value before
        self._marks: dict[str, str] = {}
        self._numbers: dict[str, int] = {}  # kind -> its last number

    def mark(self, secret: str, kind: str) -> str:
        """What stands for `secret`: the same mark each time, and no other secret's of this value."""
        if secret not in self._marks:
            if self._taken is None:
                self._taken = {mark for text in _strings(self._value) for mark in _MARK.findall(text)}
            mark = ""
            while not mark or mark in self._taken:
                number = self._numbers[kind] = self._numbers.get(kind, 0) + 1
                mark = f"[redacted:{kind} {number}]" if number > 1 else f"[redacted:{kind}]"
            self._marks[secret] = mark
        return self._marks[secret]

    def learn(self, secret: str, kind: str) -> None:
        """Note a secret to be removed everywhere, and its parts: what is cut out may be more than it alone."""
        mark = self.mark(secret, kind)
        for part in (secret, *_SEAM.split(secret)):
            if _KNOWN <= len(part) <= 4096 and has_digit(part) and (part is secret or is_strong(part)):
                self.everywhere.setdefault(part[:_KNOWN], {}).setdefault(part, mark)

    def remove(self, text: str) -> str:
        """`text` without the secrets that were found elsewhere in the value."""
        if len(self.everywhere) <= _FEW and not any(beginning in text for beginning in self.everywhere):
            return text
        parts: list[str] = []
        kept = at = 0
        while at <= len(text) - _KNOWN:
            candidates = self.everywhere.get(text[at : at + _KNOWN], {})
            known = max((secret for secret in candidates if text.startswith(secret, at)), key=len, default="")
            if known:
                parts += text[kept:at], candidates[known]
                kept = at = at + len(known)
            else:
                at += 1
        return "".join([*parts, text[kept:]])


def _strings(value: Any) -> Iterator[str]:
    """Every key and string in `value`, as deep as it is looked into."""
    level = [value]
    for _ in range(_DEEPEST + 1):
        yield from (item for item in level if isinstance(item, str))
        yield from (key for item in level if isinstance(item, dict) for key in item)
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]


def _cut(text: str, spans: Sequence[Span], secrets: _Secrets) -> str:
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += text[at : span.start], secrets.mark(text[span.start : span.end], span.kind)
        at = span.end
    return "".join([*parts, text[at:]])


def _text(text: str, secrets: _Secrets) -> str:
    spans = secret_spans(text)
    for span in spans:
        secrets.learn(text[span.start : span.end], span.kind)
    return _cut(text, spans, secrets) if spans else text


def _value(value: Any, secrets: _Secrets, depth: int) -> Any:
    if isinstance(value, str):
        return _text(value, secrets)
    if not isinstance(value, dict | list):
        return value
    if depth >= _DEEPEST:
        return "[deeper than 64 levels]"
    if isinstance(value, list):
        if len(value) > 1 and all(isinstance(item, str) for item in value):
            whole = "\n".join(value)
            clean = _text(whole, secrets)
            return value if clean == whole else clean.split("\n")
        return [_value(item, secrets, depth + 1) for item in value]
    named = next((value[name] for name in _NAME_KEYS if isinstance(value.get(name), str)), "")
    items: list[tuple[str, Any]] = []
    for key, item in value.items():
        kind = kind_of_name(named if named and key in ("value", "Value") else key)
        clean = _under(kind, item, secrets, depth) if kind else _value(item, secrets, depth + 1)
        items.append((_text(key, secrets), clean))
    return _with_keys(items)


def _with_keys(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A dict of `items`; keys that became equal are numbered, so that no value is lost."""
    result: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for key, item in items:
        name = key
        while name in result:
            numbers[key] = numbers.get(key, 1) + 1
            name = f"{key} ({numbers[key]})"
        result[name] = item
    return result


def _under(kind: str, item: Any, secrets: _Secrets, depth: int) -> Any:
    """The value `item` of a key that is a secret's name of that kind."""
    shown = "key" if kind == "anykey" else kind
    if isinstance(item, str) and is_literal(kind, item) and not _MARK.fullmatch(item):
        secrets.learn(item, shown)
        return secrets.mark(item, shown)
    if kind == "password" and type(item) is int and abs(item) >= 1000:
        return secrets.mark(str(item), shown)
    if isinstance(item, list) and item and all(isinstance(each, str) for each in item):
        return [_under(kind, each, secrets, depth) for each in item]
    return _value(item, secrets, depth + 1)


def _without(value: Any, secrets: _Secrets) -> Any:
    """`value` without the secrets that were found elsewhere in it."""
    if isinstance(value, str):
        return secrets.remove(value)
    if isinstance(value, list):
        return [_without(item, secrets) for item in value]
    if isinstance(value, dict):
        return _with_keys((secrets.remove(key), _without(item, secrets)) for key, item in value.items())
    return value
