"""Commands in running text: in ``- List all secrets: `vault list` `` a secret is named, and what follows is none.

Manuals and notes about tools are full of such lines. A label (``Password: `...` ``), an owner (``our password: ...``),
and anything in the command that has the look of a secret itself leave it one.
"""

import re

from .literals import turns

_CLAUSE_END = re.compile(r"[.;,:!?(]")
_WORD = re.compile(r"[^\W\d_]+")
_OWNED = re.compile(
    "the|our|my|your|his|her|its|their|this|that|for|use|using|enter|type|try|login|with|is|der|die|das|mein|unser|dein"
    "|ihr|le|la|les|mon|notre|votre|el|mi|nuestro|su|o|os|meu|nosso"
)
_READING = re.compile(  # what a program does with secrets that do not stand there
    "generate|read|show|list|print|get|crack|find|detect|scan|display|view|export|dump|recover|remove|delete|copy"
)
_PHRASE = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+){3,}")
_SENTENCE = 5  # words before the name from which a clause is no label


def is_command(kind: str, line: str, text: str) -> bool:
    """Whether the code span `text` after `line` (up to the end of a secret's name) is a command, not that secret."""
    words = _WORD.findall(_CLAUSE_END.split(line)[-1].lower())
    parts = text.split()
    if len(words) < 3 or _OWNED.fullmatch(words[0]) or not parts or any(_is_random(kind, part) for part in parts):
        return False
    reading = bool(_READING.fullmatch(words[0]))
    if len(parts) == 1:
        return reading
    if any(part.startswith(("-", "[-")) for part in parts[1:]):
        return True
    if kind == "password" and all(part.isalpha() for part in parts):  # four words make a passphrase
        return len(parts) == 2 and (reading or len(words) > _SENTENCE)
    return True


def _is_random(kind: str, part: str) -> bool:
    """Whether a command's word mixes letters, digits and signs as no file, flag or host does, or is a passphrase."""
    if kind == "password" and _PHRASE.fullmatch(part):
        return True
    return any(
        len(piece) >= 8
        and any(c.isdigit() for c in piece)
        and any(c.isalpha() for c in piece)
        and (turns(re.sub(r"[._-]", "", piece)) >= 0.3 or bool(re.search(r"[^\w.-]", piece)))
        for piece in re.split(r"[/@:=,|\[\]\"']", part)
    )
