"""Secrets in sentences and tables: `the db password is always X, keep that in mind`, `use token X`, `| token | X |`.

A word that mixes letters, digits and signs as passwords do is looked for first; it is a secret where a noun for secrets
stands shortly before it on its line, or right after it. The nearer the noun, the less random the word has to be.
"""

import re
from collections.abc import Iterator

from .literals import has_digit, is_name, turns
from .shapes import Span

_WORD = re.compile(r"[A-Za-z0-9!@#$%^&*+?~-]{8,64}+")
_NOUNS = (
    r"(?:(?P<token>(?<![a-z])tokens?(?![a-z])|jeton|令牌|トークン|토큰|токен)"
    r"|(?P<key>(?<![a-z_])keys?(?![a-z])|schlüssel|(?<![a-zé])clés?(?![a-zé])|chave|chiave|llave|密钥|密鑰|キー|鍵|인증키|(?<![가-힣])키|ключ)"
    r"|(?P<password>passwor[dt]s?|passphrase|passcode|(?<![a-z])(?:pass|pw|pwd|mdp|psw)(?![a-z])|kennwort|zugangsdaten"
    r"|zugangscode|mots? de passe|identifiants?|code d'acc[eè]s|contrase[ñn]as?|(?<![a-z])claves?(?![a-z])|senhas?"
    r"|palavra-passe|credenciais|credencial(?:es)?|credenziali|parola d'ordine|(?<![a-z])secrets?(?![a-z])|geheimnis"
    r"|credentials?|(?<![a-z])logins?(?![a-z])|密码|密碼|口令|パスワード|パスコード|暗証番号|비밀번호|암호|пароль))"
)
_NOUN = re.compile(rf"(?i){_NOUNS}")
_AFTER = re.compile(
    r"(?i)[\"'`»”」』)*]{0,3}\s{0,3}(?:is|as|was|als|ist|war|est|comme|es|como|é|è|come|が|を|は|是|为|為|作为|로|이|가)\s{0,3}"
    rf"(?:[^\W\d_]{{1,12}}\s{{1,3}}){{0,3}}{_NOUNS}"
)
_BREAK = re.compile(r"[.!?;]\s|[={}<>()\[\]]")
_IN_CODE = re.compile(r"\A(?:[\"']?,|[_.(\[=])")  # after a noun that is a name or an argument
_BEFORE = re.compile(r"[\s\"'`(|:：*「『“„«,，]|[^\x00-\x7f]")
_CODE_AFTER = re.compile(r"[(\[_=/:\\@]|\.\w")
# Hashes, ids, dates, amounts, tickets, algorithms.
_ORDINARY = re.compile(
    r"(?i)\A(?:[0-9a-f-]+|0x[0-9a-f]+|[0-9][0-9.,:-]*[a-z]{1,8}|[0-9]{4}-[0-9]{2}-.*|v[0-9]+(?:[.-][0-9a-z]+)*|[a-z]{2,}-[0-9]+"
    r"|(?:sha|utf|base|iso|rfc|aes|rsa|md|ed|hs|rs|es|x)-?[0-9]+(?:[-.][0-9a-z]+)*|(?-i:[a-z]+(?:-[a-z]+)*-?[0-9]{1,4}(?:-[a-z]+)*)"
    r"|(?-i:[a-z0-9]+(?:-[a-z]+){2,}|[A-Z]{2,5}(?:-[A-Z]{1,5})?-?[0-9]{1,4})|--?[a-z].*)\Z"
)
_SIGN = re.compile(r"[!@#$%^&*+?~]")
_MIXED = re.compile(r"[0-9]|[a-z][A-Z]|[!@#$%^&*+?~]")
_REACH = 80  # characters on one line between a noun and its secret
_MOST = 7  # words between them


def prose_spans(text: str) -> Iterator[Span]:
    """Every word of `text` that a noun beside it makes a secret."""
    for found in _WORD.finditer(text):
        word = found[0].rstrip("!?*-")
        if len(word) < 8 or not _MIXED.search(word) or _ORDINARY.match(word):
            continue
        start, end = found.start(), found.end()
        if (start and not _BEFORE.match(text, start - 1)) or _CODE_AFTER.match(text, end):
            continue
        kind, near = _noun_before(text, start)
        if not kind:
            after = _AFTER.match(text, end)
            kind, near = (after.lastgroup or "", True) if after else ("", False)
        if kind and _is_password(word, found[0], near):
            yield Span(start, end, kind)


def _noun_before(text: str, start: int) -> tuple[str, bool]:
    """The kind of the last noun before `start` on its line, "" for none, and whether it is near."""
    floor = max(0, start - _REACH)
    before = text[max(floor, text.rfind("\n", floor, start) + 1) : start]
    nouns = list(_NOUN.finditer(before))
    if not nouns:
        return "", False
    between = before[nouns[-1].end() :]
    if _IN_CODE.match(between):
        return "", False
    labelled = between.rstrip(" \"'`*「『").endswith((":", "：", "|", " /", "→"))
    if len(between.split()) > _MOST or (_BREAK.search(between) and not labelled):
        return "", False
    return nouns[-1].lastgroup or "", labelled or len(between.split()) <= 5


def _is_password(word: str, whole: str, near: bool) -> bool:
    """Whether letters, digits and signs are mixed as words do not mix them."""
    bare = _SIGN.sub("", word).replace("-", "")
    if not any(c.isalpha() for c in bare):
        return False
    change = turns(bare)
    signs = bool(_SIGN.search(whole, 1, len(word)))
    if not has_digit(word):
        return near and change >= 0.4 and not is_name(word)
    if not near:
        return change >= 0.35 or (signs and change >= 0.15)
    if is_name(word):
        return (
            signs or change >= 0.4 or (len(word) <= 14 and sum(c.isdigit() for c in word) >= 2 and not word.islower())
        )
    return True
