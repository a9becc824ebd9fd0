"""Every language the offline engine hears, and which one a text is in."""

import re

from .chinese import CHINESE
from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .japanese import JAPANESE
from .language import Language
from .portuguese import PORTUGUESE
from .spanish import SPANISH

# Japanese before Chinese: it is told by its kana, and has the other's characters too. English wins ties.
LANGUAGES: tuple[Language, ...] = (JAPANESE, CHINESE, ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE)

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def language_of(text: str) -> Language:
    """The language `text` is most likely in: by script, else by its function words; English when nothing tells."""
    for table in LANGUAGES:
        if table.script and table.script.search(text):
            return table
    found = [word.casefold().replace("’", "'") for word in WORD.findall(text)]
    spaced = [table for table in LANGUAGES if not table.script]
    return max(spaced, key=lambda table: sum(word in table.words for word in found))
