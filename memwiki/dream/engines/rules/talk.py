"""One conversation's durable statements: what was said, said again, replaced and taken back."""

from collections.abc import Sequence
from dataclasses import replace

from ...edits import Conversation, Excerpt
from .language import Language
from .offers import accepted
from .own import Sentence, sentences
from .said import NEVER, Said, Statement
from .statement import MAX_TEXT, Heard, hear, tidied
from .tables import language_of
from .topics import akin, likeness, topics

SAME = 0.6  # likeness from which two statements are taken for one said twice
CHANGED = 0.25  # likeness from which a statement with a word of change in it replaces an earlier one
TURNED = 0.1  # the same for one that begins with the change ("change of plan: ...")


def statements(conversation: Conversation) -> list[Statement]:
    """The statements that still stand at the end of `conversation`, in the order they were first said."""
    standing: list[Statement] = []
    closing: Excerpt | None = None
    for excerpt in conversation.excerpts:
        if excerpt.agent:
            continue  # a subagent talks to the agent, not to the person
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
    if closing and (habit := accepted(excerpt, said, closing)):
        return [habit]
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
            _take_back(one, new or standing)
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


def _take_back(one: Said, earlier: list[Statement]) -> None:
    """Take out what the sentence names ("forget what I said about the port"), else what was said last."""
    if earlier:
        named = [statement for statement in earlier if akin(one.sentence.plain, statement.text, one.language)]
        earlier.remove(named[-1] if named else earlier[-1])


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
        quotes=tuple(dict.fromkeys((*((event, words.strip()) for event, words in parts), one.whole)))
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


def _referent(said: list[Said], place: int, closing: Excerpt | None) -> tuple[str, str] | None:
    """What a pointing sentence is about: the sentence before it, else the one after, else the agent's last words."""
    for near in (place - 1, place + 1):
        if 0 <= near < len(said):
            other = said[near]
            if other.language.accepts.fullmatch(other.sentence.plain.strip()):
                continue
            if not other.language.question.search(other.sentence.plain):
                return other.whole
            if near < place:
                return None
    if closing:
        last = [one for one in sentences(closing.text) if not one.plain.rstrip().endswith(("?", "？"))]
        if last and len(last) <= 3 and len(last[-1].text) <= MAX_TEXT * 3 // 4:
            return closing.id, last[-1].text
    return None


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
