"""Habits that the agent offers and the person accepts."""

from ...edits import Excerpt
from .own import sentences
from .said import Said, Statement
from .statement import MAX_TEXT, tidied
from .tables import language_of
from .topics import topics

SHORT = 40  # characters after the agreeing words; a longer answer says something of its own


def accepted(prompt: Excerpt, said: list[Said], closing: Excerpt) -> Statement | None:
    """A habit that the agent offered in `closing` and the person agreed to in `prompt`, or made of the offer."""
    if not said or len(said) > 3 or any(one.sentence.quoted for one in said):
        return None
    language = said[0].language
    words = " ".join(one.sentence.plain.strip() for one in said)
    agrees = language.accepts.match(words)
    if not agrees or len(words) - agrees.end() > SHORT or any(mute.pattern.search(words) for mute in language.mutes):
        return None
    spoken = [Said(closing.id, one, language_of(one.plain)) for one in sentences(closing.text)]
    offers = [one for one in spoken if one.language.offers.search(one.sentence.plain)]
    if len(offers) != 1:
        return None
    offer = offers[0]
    if not (offer.language.habit.search(offer.sentence.plain) or language.habit.search(words)):
        return None
    text = tidied(_offered(offer).rstrip(" ?？。.!"))
    before = spoken.index(offer) - 1
    if offer.language.pointing.search(text) or not topics(text, offer.language):
        if before < 0:
            return None
        text = f"{tidied(spoken[before].sentence.text)} {text}"
    if not offer.language.habit.search(text):
        text = f"{text} ({tidied(' '.join(one.sentence.text for one in said))})"
    if len(text) > MAX_TEXT:
        return None
    return Statement(
        text=text[:1].upper() + text[1:],
        kind="preference",
        why=("agreed to what the agent offered",),
        quotes=((prompt.id, prompt.text.strip()), offer.whole),
        language=language,
    )


def _offered(offer: Said) -> str:
    """The offer's words without the asking in front of them."""
    start = offer.language.offers.match(offer.sentence.plain)
    return offer.sentence.text[start.end() :] if start else offer.sentence.text
