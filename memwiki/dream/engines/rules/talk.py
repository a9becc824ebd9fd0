"""One conversation's durable statements: what was said, said again, replaced and taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...edits import Conversation, Excerpt
from .language import Kind, Language
from .own import Sentence, sentences
from .statement import MAX_TEXT, Heard, hear, tidied
from .tables import language_of
from .topics import akin, likeness, topics

SAME = 0.6  # likeness from which two statements are taken for one said twice
CHANGED = 0.25  # likeness from which a statement with a word of change in it replaces an earlier one
TURNED = 0.1  # the same for one that begins with the change ("change of plan: ...")
NEVER = 2.0


@dataclass(frozen=True, slots=True)
class Statement:
    """Something durable that a person said.

    `text` is what the note will say, `quotes` the verbatim pieces (event id, words) it rests on, `why` the devices that
    were heard. `replaces`: the likeness from which it takes an earlier statement's place. `refines`: it says
    that an earlier one holds for less or more. `repeats`: that it was said before.
    """

    text: str
    kind: Kind
    why: tuple[str, ...]
    quotes: tuple[tuple[str, str], ...]
    language: Language
    explicit: bool = False
    personal: bool = False
    replaces: float = NEVER
    refines: bool = False
    repeats: bool = False

    @property
    def topics(self) -> frozenset[str]:
        """The stems that say what it is about."""
        return topics(self.text, self.language)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with the event it stands in and its language."""

    event: str
    sentence: Sentence
    language: Language


def statements(conversation: Conversation) -> list[Statement]:
    """The statements that still stand at the end of `conversation`, in the order they were first said."""
    standing: list[Statement] = []
    closing: Excerpt | None = None
    for excerpt in conversation.excerpts:
        if excerpt.who == "agent":
            closing = excerpt
        elif excerpt.who == "person" and not excerpt.text.lstrip().startswith(("/", "!")):
            for statement in _prompt(excerpt, closing, standing):
                standing = _with(standing, statement)
            closing = None
    return standing


def _prompt(excerpt: Excerpt, closing: Excerpt | None, standing: list[Statement]) -> list[Statement]:
    """What one prompt adds; a take-back in it removes from `standing` in place."""
    said = [Said(excerpt.id, one, _language(one, excerpt.text)) for one in sentences(excerpt.text)]
    if closing and (accepted := _accepted(said, closing)):
        return [accepted]
    new: list[Statement] = []
    asked_about = _asked_about(said)
    before = -2  # the place of the last sentence that gave a statement
    corrected = False
    for place, one in enumerate(said):
        if one.language.presents.search(one.sentence.plain):
            break  # what follows is somebody else's
        if one.sentence.quoted or one.sentence.paragraph < asked_about:
            continue
        if one.sentence.heads and place + 1 < len(said) and said[place + 1].sentence.head:
            continue
        if one.language.takeback.search(one.sentence.plain):
            if earlier := new or standing:
                earlier.pop()
            corrected = True
            continue
        corrected = corrected or any(
            found.search(one.sentence.plain) for found in (one.language.corrects, one.language.turn)
        )
        goes_on = one.language.refines.search(one.sentence.plain) or one.language.repeats.search(one.sentence.plain)
        refined = goes_on and _about(one, (*standing, *new))
        heard = hear(one.sentence, one.language, corrected=corrected, refined=bool(refined))
        if not heard:
            continue
        if (
            new
            and before == place - 1
            and (heard.pointing or heard.linked or akin(heard.text, new[-1].text, one.language))
        ):
            new[-1] = _joined(new[-1], one, heard)
        elif statement := _settled(said, place, heard, closing):
            new = _with(new, statement)
        else:
            continue
        before = place
    return new


def _asked_about(said: list[Said]) -> int:
    """The paragraph that only asks about what stands above it, which is then pasted; 0 when there is none."""
    last = said[-1] if said else None
    if last and last.language.question.search(last.sentence.plain) and len(last.sentence.plain) < 80:
        first = next(one for one in said if one.sentence.paragraph == last.sentence.paragraph)
        return last.sentence.paragraph if first is last else 0
    return 0


def _about(one: Said, earlier: Sequence[Statement]) -> bool:
    return any(akin(one.sentence.plain, statement.text, one.language) for statement in earlier)


def _language(sentence: Sentence, prompt: str) -> Language:
    """A short sentence's language is better told from the whole prompt."""
    return language_of(sentence.plain if len(sentence.plain) > 40 else prompt)


def _joined(old: Statement, one: Said, heard: Heard) -> Statement:
    """`old` with the sentence right after it, which goes on about the same."""
    text = f"{old.text} {tidied(heard.text)}"
    quotes = (*old.quotes, (one.event, heard.text.strip()))
    why = tuple(dict.fromkeys((*old.why, *heard.why)))
    short = (heard.pointing and not topics(heard.text, one.language)) or len(text) > MAX_TEXT
    return replace(
        old, text=old.text if short else text, quotes=quotes, why=why, explicit=old.explicit or heard.explicit
    )


def _settled(said: list[Said], place: int, heard: Heard, closing: Excerpt | None) -> Statement | None:
    """The statement of a heard sentence, with the sentence it points at where it points at one."""
    one = said[place]
    parts = [(one.event, heard.text)]
    thin = heard.explicit and heard.linked and len(topics(heard.text, one.language)) <= 3
    if heard.pointing or (thin and place):
        referent = _referent(said, place, closing)
        if not referent:
            return None
        parts = (
            [referent, *parts] if topics(heard.text, one.language) - topics(referent[1], one.language) else [referent]
        )
    text = " ".join(tidied(words) for _, words in parts)
    if not text or len(text) > MAX_TEXT:
        return None
    return Statement(
        text=text,
        kind=heard.kind,
        why=heard.why,
        quotes=tuple(dict.fromkeys((*((event, words.strip()) for event, words in parts), _whole(one))))
        if len(parts) > 1 or heard.pointing
        else ((one.event, heard.text.strip()),),
        language=one.language,
        explicit=heard.explicit,
        personal=heard.personal,
        replaces=_replaces(one),
        repeats=bool(one.language.repeats.search(one.sentence.plain)),
        refines=bool(one.language.refines.search(one.sentence.plain)),
    )


def _replaces(one: Said) -> float:
    """The likeness from which a sentence takes the place of an earlier statement."""
    turn = one.language.turn.search(one.sentence.plain)
    return NEVER if turn is None else TURNED if turn.start() < 5 else CHANGED


def _whole(one: Said) -> tuple[str, str]:
    return one.event, one.sentence.text.strip()


def _referent(said: list[Said], place: int, closing: Excerpt | None) -> tuple[str, str] | None:
    """What a pointing sentence is about: the sentence before it, else the one after, else the agent's last words."""
    for near in (place - 1, place + 1):
        if 0 <= near < len(said):
            other = said[near]
            if other.language.accepts.fullmatch(other.sentence.plain.strip()):
                continue
            if not other.language.question.search(other.sentence.plain):
                return _whole(other)
            if near < place:
                return None
    if closing:
        last = [one for one in sentences(closing.text) if not one.plain.rstrip().endswith(("?", "？"))]
        if last and len(last) <= 3 and len(last[-1].text) <= MAX_TEXT * 3 // 4:
            return closing.id, last[-1].text
    return None


def _accepted(said: list[Said], closing: Excerpt) -> Statement | None:
    """A habit that the agent offered in its last words and the person agreed to, or made of its offer."""
    if not said or len(said) > 3 or any(one.sentence.quoted for one in said):
        return None
    language = said[0].language
    words = " ".join(one.sentence.plain.strip() for one in said)
    agrees = language.accepts.match(words)
    if not agrees or len(words) - agrees.end() > 40 or any(mute.pattern.search(words) for mute in language.mutes):
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
        quotes=(*(_whole(one) for one in said), _whole(offer)),
        language=language,
    )


def _offered(offer: Said) -> str:
    """The offer's words without the asking in front of them."""
    start = offer.language.offers.match(offer.sentence.plain)
    return offer.sentence.text[start.end() :] if start else offer.sentence.text


def _with(standing: Sequence[Statement], new: Statement) -> list[Statement]:
    """`standing` with `new`: joined to the one it repeats, in place of the one it replaces, else at the end."""
    for place, old in enumerate(standing):
        near = likeness(old.topics, new.topics)
        if new.refines and akin(old.text, new.text, new.language) and len(old.text) + len(new.text) < MAX_TEXT:
            text = f"{old.text.rstrip('.')}; {new.text}"
            refined = replace(old, text=text, quotes=(*old.quotes, *new.quotes), why=(*old.why, *new.why))
            return [*standing[:place], refined, *standing[place + 1 :]]
        if near >= new.replaces:
            return [*standing[:place], new, *standing[place + 1 :]]
        if near >= SAME or (new.repeats and akin(old.text, new.text, new.language)):
            text = new.text if len(new.text) >= len(old.text) else old.text
            both = replace(new, text=text, quotes=(*old.quotes, *new.quotes), explicit=old.explicit or new.explicit)
            return [*standing[:place], both, *standing[place + 1 :]]
    return [*standing, new]
