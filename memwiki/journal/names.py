"""Names under which secrets stand: `DB_PASSWORD`, `clientSecret`, `api-key`, `Passwort`."""

import re
from collections.abc import Iterator

_PASSWORDS = (
    r"pass(?:word|wd|phrase|code|wort)|(?<![a-z])pwd|kennwort|contrase[ñn]a|mot[ _]de[ _]passe|senha|пароль"
    r"|密码|密碼|口令|パスワード|비밀번호|mnemonic|seed[_ -]?phrase"
    r"|(?<=[_-])pass|(?<=[_-])pw|(?-i:(?<=[a-z])Pwd|(?<=[a-z])Pass|(?<![a-z])PASS)"
)
_OWNERS = (
    "api|access|secret|private|signing|encryption|encrypt|master|auth|account|storage|shared|service|licen[sc]e|deploy"
    "|webhook|hmac|jwt|session|cookie|app|application|client|consumer|subscription|ssh|gpg|rsa|aes|fernet|crypt|wallet"
    "|admin|root|functions?|host|instrumentation|publish|write|push|dev|merchant|integration|openai|anthropic|aws|azure"
    "|github"
)
_KEYS = (
    rf"(?:{_OWNERS})[_ -]?keys?|apikeys?|connection[_ -]?string"
    r"|(?<=_)(?:auth|sas|dsn)|(?<=[\"'])auth(?=\\*[\"'])"
)
# `anykey`: other upper-case names that end in KEY; what stands there must look like a secret itself.
NAMES = re.compile(
    rf"(?P<password>(?i:{_PASSWORDS}))|(?P<secret>(?i:secrets?|credentials?))|(?P<key>(?i:{_KEYS}))"
    r"|(?P<token>(?i:tokens?|jwt|bearer|(?<=[_-])pat(?![a-z])))|(?P<anykey>(?<=[A-Z]_)KEY(?![A-Z]))"
)
# What may follow and still leave it a secret's name; `PASSWORD_FILE`, `token_type` and `secretName` are none.
SUFFIX = re.compile(
    r"(?:[_.-]?(?:production|prod|development|dev|staging|stage|testing|test|live|local|old|new|value|string|text|plain"
    r"|base64|b64|secret|key|[0-9]{1,3}))*(?![A-Za-z0-9_])(?!-[A-Za-z])",
    re.I,
)
# A cheap look before any pattern runs: every name above holds one of these.
_NEEDLES = (
    *("pass", "pwd", "kennwort", "contrase", "mot de", "mot_de", "senha", "пароль", "密", "口令", "パスワード"),
    *("비밀번호", "mnemonic", "seed", "_pw", "-pw", "secret", "credential", "token", "jwt", "bearer", "_pat", "-pat"),
    *("key", "auth", "connection", "_sas", "_dsn"),
)


def kind_of_name(name: str) -> str:
    """What a key or variable of that name holds: `password`, `secret`, `token`, `key`, `anykey`; "" for no secret."""
    for found in NAMES.finditer(name):
        end = SUFFIX.match(name, found.end())
        if end and end.end() == len(name):
            return str(found.lastgroup)
    return "key" if name in ("auth", "_auth", "_authToken") else ""


def windows(lower: str) -> Iterator[tuple[int, int]]:
    """The parts of a text (in lower case) in which such a name can be, in order and apart."""
    places: list[int] = []
    for needle in _NEEDLES:
        at = lower.find(needle)
        while at >= 0:
            places.append(at)
            at = lower.find(needle, at + len(needle))
    start = end = -1
    for place in sorted(places):
        if place - 20 > end:
            if end >= 0:
                yield start, end
            start = max(0, place - 20)
        end = place + 40
    if end >= 0:
        yield start, end
