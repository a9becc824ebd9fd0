"""Whether the words after a secret's name are a secret, or code, a template, a label, a path.

Every pattern here is linear: what is repeated cannot be split in two ways, what looks ahead has a bound, and a pattern
for a whole text is anchored.
"""

import re
from itertools import pairwise

_VARIABLE = r"\$\{?(?>[A-Z_][A-Z0-9_]*+(?![a-z])|[a-z_][A-Za-z_]*[0-9]?)\}?"
# Templates, variables, and words that stand for a secret.
EMPTY = re.compile(
    rf"\A(?:\[redacted[\s\S]*|\$\{{[^}}]*\}}|\$\([\s\S]*\)|[#@$]?\{{[\s\S]*|<[^>]*>|%[A-Za-z_]\w*%|@\w+@"
    rf"|(?:{_VARIABLE}[\s:/.@,;\"'-]*+)++"
    r"|\$[0-9@*#?]|%(?:\(\w+\))?[sdrv]|:\w+|[*.•…#_?-]+|[xX*]+"
    r"|(?i:(?:your|my|the|some|an?|insert|enter|put|add|paste)[-_ ](?:[a-z]+[-_ ])*[a-z]+"
    r"|change[-_ ]?me!?|replace[-_ ]?me|to-?do|tbd|none|null|nil|undefined|true|false|yes|no|empty|required|optional"
    r"|redacted|hidden|example|placeholder|dummy|string|str|text|bytes|password|passwd|secret|token|key|value|bearer"
    r"|basic|default|passwort|kennwort|contrase[ñn]a|senha|mot[ _-]de[ _-]passe|пароль|密码|密碼|パスワード|비밀번호"
    r"|token_?[0-9]{1,3})"
    r"|[a-z]+(?:[-_][a-z]+)*[-_](?:secret|token|password|value|here)"
    r"|\^\w+\^)\Z"  # a place that a program fills in
)
# Names for what belongs there, as manuals write them: `path/to/key`, `gpg_key_id`, `clave_privada`.
_STAND_IN = re.compile(
    r"\A(?:(?:path|pfad|chemin|ruta|caminho|путь|경로|file|name|user|username|key|password|passphrase|secret|token|nombre"
    r"|clave|contraseña|nom|mot|datei|passwort|имя)(?:[_/][^\W\d_.A-Z]+)+(?:\.[a-z]{1,5})?"
    r"|[^\W\d_A-Z]+(?:_[^\W\d_A-Z]+)*_(?:path|file|name|id|key|password|passphrase|secret|token|user|value|이름))\Z"
)
_TEMPLATE = re.compile(
    r"\$\{[^}]{0,200}+\}|\{\{[^}]{0,200}+\}\}|#\{[^}]{0,200}+\}|\$\([^)]{0,200}+\)|<%[^%]{0,200}+%>"
    r"|\{[A-Za-z_][\w.()\[\]'\"!:]*+\}|%(?:\(\w{1,80}+\))?[sdrv](?![A-Za-z0-9])"
    rf"|{_VARIABLE}(?![A-Za-z0-9])"
)
_CODE = re.compile(r"\A[&*!]?[A-Za-z_$][\w$]*+(?:(?:\.|::|\?\.|->)[A-Za-z_$][\w$]*+)*+(?:[(\[{][\s\S]*)?[?!]?\Z")
_PATTERN = re.compile(r"\[\^?[^\]]{0,80}\][+*?{]|\\[wdsS][+*{]")  # a regular expression that finds secrets
_PATH = re.compile(
    r"\A(?:urn:[\w:.-]*|(?:~|\.{0,2})/[\w./ ?=&%-]*|[A-Za-z]:\\[\w\\. -]*|[a-z]+://[\w./:-]*|arn:[\w:/-]*)\Z"
)
_LABEL = re.compile(
    r"(?i)\b(?:password|passwort|token|secret|key|enter|your|please|invalid|required|must|missing|wrong|field|forgot"
    r"|change|reset|confirm)\b"
)
_PART = r"[A-Z][a-z]++|[A-Z]{2,}+(?![a-z])|[A-Z]{2,}(?=[A-Z][a-z])"  # of a name in camel case: `Http`, `HTTP`
_NAME = re.compile(rf"\A(?:[a-z]++|{_PART})(?:{_PART}|[0-9]++(?![a-z])|_++[A-Za-z]++[0-9]*+)*+\Z")
_WORDS = re.compile(r"\A(?:[A-Za-z]+(?:[_.][A-Za-z]+)+|[A-Za-z]+(?:-[A-Za-z]+){1,2})\Z")
_NUMBERED = re.compile(r"\A[A-Za-z_]*+(?:[0-9]{1,2}[A-Za-z_]*+)?\Z")  # token2, utf8, oauth2_token
_JOINED = re.compile(r"\A[A-Za-z]+(?:[-/+&*][A-Za-z]+)*\Z")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[!@#$%^&*+/=~-]")


def has_digit(text: str) -> bool:
    """Whether a digit stands in it."""
    return bool(_DIGIT.search(text))


def is_empty(text: str) -> bool:
    """Whether the words only stand for a secret: a template, a variable, a placeholder, a path to one."""
    return bool(EMPTY.fullmatch(text) or _PATTERN.search(text) or _is_path(text))


def is_stand_in(text: str) -> bool:
    """Whether the argument `text` is a manual's name for what belongs there."""
    return bool(_STAND_IN.fullmatch(text))


def _is_path(text: str) -> bool:
    """A file's or an address's form; random letters between slashes are base64."""
    return bool(_PATH.fullmatch(text)) and not any(
        is_strong(part) and len(part) >= 16 for part in re.split(r"[/\\.]", text)
    )


def is_templated(text: str) -> bool:
    """Whether little is left of the words without the templates in them."""
    bare = _TEMPLATE.sub("", text)
    return bare != text and len(bare.strip()) < 8


def is_code(text: str) -> bool:
    """Whether the words could be a name in a program, with its owner, a call or an index."""
    return bool(_CODE.fullmatch(text))


def is_name(text: str) -> bool:
    """Whether the words look like a name in a program: words in camel or snake case, a number at the end of one."""
    return bool(_NAME.fullmatch(text))


def is_literal(kind: str, text: str) -> bool:
    """Whether the quoted `text` under a name of that kind is a secret, not a template, a label or a word of code."""
    text = text.strip()
    if len(text) < 4 or is_empty(text) or is_templated(text):
        return False
    bare = _TEMPLATE.sub("", text)
    digits, blanks = has_digit(bare), len(bare.split()) > 1
    if blanks and (_LABEL.search(bare) or len(bare) > 400):
        return False
    if kind == "anykey":
        return len(bare) >= 12 and is_strong(bare)
    if kind in ("password", "secret"):
        return kind == "password" or digits or len(bare) >= 10
    return len(bare) >= 8 and (digits or (len(bare) >= 16 and not blanks and not _WORDS.fullmatch(bare)))


def turns(text: str) -> float:
    """How often a letter is of another case than the one before, or a digit beside a letter, by character.

    Random text is at 0.5 and over; names in programs turn once or twice a word.
    """
    kinds = [c.islower() + 2 * c.isupper() + 4 * c.isdigit() for c in text]
    return sum(one != two for one, two in pairwise(kinds)) / len(text)


def is_strong(text: str) -> bool:
    """Letters and digits mixed as no name in a program mixes them, or with other signs between."""
    text = text.strip()
    digits = has_digit(text)
    if len(text) < 6:
        return False
    if _NUMBERED.fullmatch(text):
        random = len(text) >= 10 and turns(text) >= 0.4
        return digits and (random or (len(text) >= 14 and text.islower() and "_" not in text))
    if digits:
        return len(text) >= 8 or bool(_LETTER.search(text))
    if _JOINED.fullmatch(text):
        return text.count("-") >= 3
    return len(text) >= 8 and bool(_SIGN.search(text))
