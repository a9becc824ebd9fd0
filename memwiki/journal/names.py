"""Names under which secrets stand: `DB_PASSWORD`, `clientSecret`, `api-key`, `Passwort`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# Every name ends in one of these. All begin with a plain letter, so that looking for them costs next to nothing.
_WORD = re.compile(
    "pass(?:word|wd|phrase|code|wort)?|pwd?|kennwort|contrase[ñn]a|mot[ _]de[ _]passe|senha|пароль|密码|密碼|口令"
    "|パスワード|비밀번호|mnemonic|seed[_ -]?phrase|secrets?|credentials?|tokens?|jwt|bearer|pat|keys?"
    "|connection[_ -]?string|auth|sas|dsn"
)
_KINDS = {
    "secret": "secret",
    "creden": "secret",
    "token": "token",
    "tokens": "token",
    "jwt": "token",
    "bearer": "token",
}
_OWNER = re.compile(
    "(?:api|access|secret|private|signing|encryption|encrypt|master|auth|account|storage|shared|service|licen[sc]e"
    "|deploy|webhook|hmac|jwt|session|cookie|app|application|client|consumer|subscription|ssh|gpg|rsa|aes|fernet|crypt"
    "|wallet|admin|root|functions?|host|instrumentation|publish|write|push|dev|merchant|integration|openai|anthropic"
    r"|aws|azure|github)[_ -]?\Z"
)
_LONGEST = 100  # characters of a name and what may follow it
_NEGATED = re.compile(r"(?<![a-z0-9])no-\Z")  # `--no-pass`: what follows is something else
# What may follow and still leave it a secret's name; `PASSWORD_FILE`, `token_type` and `secretName` are none.
_SUFFIX = re.compile(
    "(?:[_.-]?(?>production|prod|development|dev|staging|stage|testing|test|live|local|old|new|value|string|text|plain"
    "|base64|base|b64|secret|key|[0-9]+)){0,6}(?![a-z0-9_])(?!-[a-z])"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A secret's name in a text. `kind` is `password`, `secret`, `token` or `key`.

    `anykey` is some upper-case name that ends in KEY: what stands there must look like a secret itself.
    """

    kind: str
    start: int
    end: int


def names(text: str, lower: str) -> Iterator[Name]:
    """Every secret's name in `text`, by its last words, in order; `lower` is `text` in lower case, as long."""
    for found in _WORD.finditer(lower):
        kind = _kind(text, lower, found)
        end = _SUFFIX.match(lower, found.end()) if kind else None
        if end:
            yield Name(kind, found.start(), end.end())


def kind_of_name(name: str) -> str:
    """What a key or variable of that name holds: a `Name`'s kind, "" for no secret."""
    return _kind_of_tail(name[-_LONGEST:])


@lru_cache(maxsize=1024)
def _kind_of_tail(name: str) -> str:
    lower = name.lower()
    if len(lower) != len(name):
        return ""
    whole = [found.kind for found in names(name, lower) if found.end == len(name)]
    return whole[0] if whole else "key" if name in ("auth", "_auth", "_authToken") else ""


def _kind(text: str, lower: str, found: re.Match[str]) -> str:
    """The kind of the name that ends in the word `found`; short words count only where a name's part can begin."""
    word, start = found[0], found.start()
    before = text[start - 1] if start else " "
    if before == "-" and _NEGATED.search(lower, max(0, start - 4), start):
        return ""
    if word in ("pass", "pwd", "pw"):
        here = text[start : found.end()]
        part = before in "_-" or (here.istitle() and before.islower()) or (here.isupper() and not before.islower())
        return "password" if part or (word == "pwd" and not before.isalpha()) else ""
    if word in ("pat", "sas", "dsn"):
        return ("token" if word == "pat" else "key") if before in "_-" else ""
    if word == "auth":
        quoted = before in "\"'" and text[found.end() : found.end() + 1] in ("\\", before)
        return "key" if before == "_" or quoted else ""
    if word in ("key", "keys"):
        if _OWNER.search(lower, max(0, start - 18), start):
            return "key"
        return "anykey" if before == "_" and text[start : found.end()] == "KEY" else ""
    return "key" if word.startswith("connection") else _KINDS.get(word[:6], "password")
