"""Secrets that only their name gives away: `DB_PASSWORD=...`, `"apiKey": "..."`, `--token ...`, `the password is ...`.

What follows such a name is a secret when it is a literal; a call, a variable, a type, a template or a path is code and
stays. Where only the look of an unquoted word could tell (`token = response` against `password = hunter2...`), the
place decides: environment files, flags, addresses and YAML hold literals, program text holds names.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from .commands import is_command
from .literals import has_digit, is_code, is_empty, is_literal, is_name, is_stand_in, is_strong, is_templated
from .names import Name, kind_of_name, names
from .shapes import Span

_SEPARATOR = re.compile(
    r"(?P<close>\\{0,8}+[\"'`]?\]?(?:\[\])?)(?:"
    r"\s{0,40}+(?P<value>,?\s{0,40}+\\{0,8}+[\"']?[Vv]alue\\{0,8}+[\"']?\s{0,40}+[:=])"  # name: DB_PASSWORD, value: ...
    r"|(?P<typed>\??:\s{0,40}+(?:const\s{1,40}+)?&?[A-Za-z_][\w.]{0,80}+(?:\[[^\]\n]{0,80}+\])?"  # password: str = ...
    r"(?:\s{0,40}+\|\s{0,40}+\w{1,80}+){0,8}+\s{0,40}+=(?!=)(?=[ \t]{0,40}+\S))"
    r"|(?P<sign>\s{0,40}+(?:===?|!==?|:=|=>|->|\?=|\+=|=(?!=)|:(?![:/])|：)|\()"
    r"|(?P<comma>\s{0,40}+,)"
    r"|(?P<tag>(?:\s[^<>\n]{0,80}+)?>(?=[^<>\n]{4,400}</))"  # <password>...</password>
    r"|(?P<word>\s{1,40}+(?:(?:for|of|to|on|in|von|für|de|del|para)\s{1,40}+[^\n:=]{1,60}?\s)?"  # the password is ...
    r"(?:is|are|was|ist|lautet|est|es|é|=|是|は)(?=\s|[\"'`]))"
    r"|(?P<blank>\s{1,40}+(?=\S))"  # --password ...
    r")\s{0,40}+"
)
_QUOTE = re.compile(r"(?:[rbuf]{1,2}|[@$]|new\s{1,9}\w{1,40}\(|String\(|\(|\[)?(?P<quote>\"\"\"|'''|\\{0,16}+[\"'`])")
_MORE = re.compile(  # the rest of a literal that is put together from several
    r"(?:\s{0,40}+\+\s{0,40}|[ \t]{0,9}+\\?\n\s{0,80})(?P<quote>\\{0,16}+[\"'])"
)
_GOES_ON = re.compile(r"[ \t]{0,40}+(?:[+\\,;)\]}\n]|\Z)")
_OPEN = re.compile(r"\\{0,16}+[\"'](?P<text>[^\n\"']{4,}+)(?=\n|\Z)")
_BLOCK_HEAD = re.compile(r"[|>][+-]?[0-9]?[ \t]*+\r?\n(?P<indent>[ \t]++)\S")
_BLOCK = re.compile(r"(?P<indent>[ \t]++)\S[^\n]*+(?:\n(?:(?P=indent)[^\n]*+|[ \t]*(?=\n)))*+")
_BARE = re.compile(r"\S{1,160}+")  # so much of a word is looked at
_REST = re.compile(r"[^\s\"'`,;)\]}<>|]*+")
_STOP = re.compile(r"\\[nrt\"']|[\"'`,;)\]}<>|]|&(?=\w{1,80}+=)|\Z")
_LISTED = re.compile(r"\A[a-z0-9]*+[_.][a-z0-9_.]*+\Z")  # another name, in a list of names
_CALL = re.compile(r"\A[A-Za-z_$][\w$.:]*+[(\[{]")
_ARGUMENT = re.compile(r"\A[A-Za-z_]\w*+(?=[,)])")
_LINE_HEAD = re.compile(
    r"(?i)\A(?:[\s0-9→:|+>\"'`#/*]|-(?!e|-env))*+"
    r"(?:export|set|setx|ENV|ARG|-e|--env|env|declare -\w++|local|readonly|sudo)?\s*+\Z"
)
_COMMAND = re.compile(r"(?:ENV|ARG|setenv|setx|#define|config set|set)\s{1,40}+(?:-\w{1,40}+\s{1,40}+){0,8}+\Z")
_FLAG = re.compile(r"--?[A-Za-z]\w")
_NEXT_FLAG = re.compile(r"-[^\W\d]\D*")
_AMOUNT = re.compile(r"[0-9][0-9.,_]*[kKmMgG]?")
_NAME_SIGNS = string.ascii_letters + string.digits + "_.-"
_LONGEST_LINE = 8192  # characters in which a quote is closed on its line
_LONGEST_TEXT = 2000  # and over lines
_OBJECTS = ("self.", "this.", "args.", "cls.", "os.")


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A literal in quotes: what stands in them (`start` to `end`), and where it goes on after the closing one."""

    quote: str
    opening: int
    start: int
    end: int
    after: int
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an assignment stands: `literal` in environment files, flags and queries, where words are no names."""

    literal: bool
    yaml: bool
    hyphened: bool  # as `X-Api-Key`: no name in a program
    query: bool
    quoted: bool  # inside a string that begins before it on the line


def assignment_spans(text: str, lower: str) -> Iterator[Span]:
    """Every secret in `text` that a name gives away; `lower` is `text` in lower case, of the same length."""
    last = 0
    for name in names(text, lower):
        separator = _SEPARATOR.match(text, name.end) if name.start >= last else None
        if separator:
            for span in _value(text, name, separator):
                yield Span(span.start, span.end, "key" if span.kind == "anykey" else span.kind)
                last = max(last, span.end)


def _value(text: str, name: Name, separator: re.Match[str]) -> Iterator[Span]:
    """The spans of the literal after the name, none when what follows is no literal."""
    kind, start = name.kind, name.start
    at, sign = separator.end(), (separator["sign"] or "").strip()
    if sign in (":", "：") or separator["value"]:
        head = _BLOCK_HEAD.match(text, at)
        deeper = head is not None and len(_indent(text, start)) < len(head["indent"])
        block = _BLOCK.match(text, head.start("indent")) if head and deeper else None
        if block:
            yield Span(*block.span(), kind)
            return
    place = _place(text, start, name.end, separator)
    if separator["blank"] and (separator["close"] or not place.literal):
        return
    quoted = _quoted(text, at, _QUOTE)
    if quoted and _closes(text, start, separator, quoted):
        return
    code = quoted and quoted.quote == "`" and sign in (":", "：")
    if quoted and code and is_command(kind, _line(text, name.end), quoted.text):
        return
    if quoted:
        weak = separator["comma"] or separator["tag"] or sign in ("(", "==", "===", "!=", "!==", "->")
        strong = is_strong(quoted.text) and not _LISTED.fullmatch(quoted.text if separator["comma"] else "")
        if (is_literal(kind, quoted.text) and (strong or not weak)) or (separator["word"] and strong):
            yield Span(quoted.start, quoted.end, kind)
            more = _quoted(text, quoted.after, _MORE)
            while more and len(more.text) >= 4 and "\n" not in more.text and _GOES_ON.match(text, more.after):
                yield Span(more.start, more.end, kind)
                more = _quoted(text, more.after, _MORE)
        return
    opened = _OPEN.match(text, at)  # a quote that is never closed: cut off
    if opened:
        if is_literal(kind, opened["text"]):
            yield Span(*opened.span("text"), kind)
        return
    if separator["comma"] or separator["typed"] or sign in ("(", "->") or text.startswith("[redacted:", at):
        return
    bare = _BARE.match(text, at)
    stop = _STOP.search(text, at, bare.end()) if bare else None
    if bare and stop:
        whole = place.literal and not (separator["blank"] or place.query or place.quoted)
        value = text[at : bare.end() if whole else stop.start()]
        value = value.rstrip(".,;:!?") if separator["word"] or not place.literal else value
        if _is_bare_secret(kind, value, bare[0], place, separator):
            end = at + len(value)
            rest = _REST.match(text, end) if end == bare.end() else None
            yield Span(at, rest.end() if rest else end, kind)


def _quoted(text: str, at: int, opening: re.Pattern[str]) -> _Quoted | None:
    """The literal in quotes whose `opening` is at `at`; None when it is not closed near enough."""
    found = opening.match(text, at)
    if found is None:
        return None
    quote, start = found["quote"], found.end()
    line = text.find("\n", start, start + _LONGEST_LINE)
    end = _closing(text, quote, start, line if line >= 0 else start + _LONGEST_LINE)
    if end < 0:
        end = _closing(text, quote, start, start + _LONGEST_TEXT)
    return _Quoted(quote, found.start(), start, end, end + len(quote), text[start:end]) if end >= 0 else None


def _closing(text: str, quote: str, start: int, stop: int) -> int:
    """Where the first `quote` between `start` and `stop` is that no backslash escapes; -1 for none."""
    at = text.find(quote, start, stop)
    while at > start and text[at - 1] == "\\":
        at = text.find(quote, at + 1, stop)
    return at


def _place(text: str, start: int, end: int, separator: re.Match[str]) -> _Place:
    before = max(0, start - 80)
    before += len(text[before:start].rstrip(_NAME_SIGNS))
    if before > 0 and text[before - 1] == "\\" and text[before] in "nrt":
        before += 1
    name, line = text[before:end], _line(text, before)
    head = line.rsplit("\\n", 1)[-1]
    sign = (separator["sign"] or "").strip()
    spaced = text[separator.end() - 1].isspace() or (separator["sign"] or "x")[0].isspace()
    tight = sign == "=" and not spaced
    opens = bool(_LINE_HEAD.fullmatch(head))
    query = head.endswith(("?", "&", "/:"))  # the last as in `.npmrc`
    flag = bool(_FLAG.match(name))
    command = separator["blank"] is not None and bool(_COMMAND.search(line))
    if separator["blank"]:
        literal = flag or command
    else:
        dotted = "." in name and not name.startswith(_OBJECTS) and opens and not spaced and sign in ("=", ":")
        literal = flag or query or dotted or (tight and (opens or name.isupper() or ";" in line[-80:]))
    yaml = opens and sign in (":", "：")
    return _Place(literal, yaml, "-" in name.lstrip("-"), query, any(line.count(quote) % 2 for quote in "\"'`"))


def _is_bare_secret(kind: str, value: str, whole: str, place: _Place, separator: re.Match[str]) -> bool:
    """Whether the unquoted `value`, at the beginning of the word `whole`, is a secret."""
    argument, call = _ARGUMENT.match(whole), _CALL.match(whole)
    if (argument and not is_strong(argument[0])) or (call and not is_strong(call[0][:-1])):
        return False
    if value[:1] in tuple("[({*#|>-") and not place.literal:
        return False
    value = value.rstrip(",;)")
    if _AMOUNT.fullmatch(value) and kind != "password":
        return False
    if separator["blank"] and (_NEXT_FLAG.fullmatch(value) or is_stand_in(value)):
        return False
    if len(value) < 6 or value.startswith("--") or is_empty(value) or is_templated(value) or kind_of_name(value):
        return False
    if separator["word"] or separator["tag"] or kind == "anykey":
        return is_strong(value) and (kind != "anykey" or len(value) >= 12)
    if not is_code(value):
        return place.literal or place.yaml or is_strong(value) or has_digit(value)
    if "." in value or "::" in value or "->" in value:
        return is_strong(value) and len(value) >= 16
    if place.literal or is_strong(value):
        return True
    if not place.yaml or value != whole.rstrip(",;"):
        return False
    if has_digit(value):
        return len(value) >= 12 and (place.hyphened or not is_name(value))
    return value.islower() and "_" not in value and len(value) >= (12 if kind in ("password", "secret") else 20)


def _closes(text: str, start: int, separator: re.Match[str], quoted: _Quoted) -> bool:
    """Whether the quote ends a string that began before the name, or begins a docstring."""
    quote = quoted.quote
    if len(quote) > 1:
        return len(quote) == 3 and "\n" in text[separator.start() : quoted.opening]
    return not separator["close"] and _line(text, start).count(quote) % 2 == 1


def _line(text: str, at: int) -> str:
    """The line up to `at`, its last 240 characters."""
    floor = max(0, at - 240)
    return text[max(floor, text.rfind("\n", floor, at) + 1) : at]


def _indent(text: str, at: int) -> str:
    line = _line(text, at)
    return line[: len(line) - len(line.lstrip(" \t"))]
