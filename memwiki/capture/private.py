"""Marked spans of a text: `<private>` is dropped before anything is stored, injected blocks before anything is dreamed.

Both fail closed. A tag counts with blanks, attributes or any capitals, inside code too; spans nest; one that is never
closed reaches to the end of the text; of a stray closing tag only the tag goes.
"""

INJECTED = ("memwiki", "system-reminder", "system_reminder", "hook_context", "hook_prompt")
_BLANK = " \t\r\n\f\v"


def without_private(text: str) -> str:
    """`text` without its `<private>` spans."""
    return _without(text, ("private",))


def without_injected(text: str) -> str:
    """`text` without what memwiki (`<memwiki ...>`) or the host itself put there."""
    return _without(text, INJECTED)


def _without(text: str, names: tuple[str, ...]) -> str:
    at = text.find("<")
    if at < 0:
        return text
    folded = text.lower() if len(text.lower()) == len(text) else "".join(letter.lower()[0] for letter in text)
    kept: list[str] = []
    inside, depth, start = "", 0, 0  # start: where kept text begins, while outside
    while at >= 0:
        name, closing, end = _tag(folded, at, names)
        if name and not inside:
            kept.append(text[start:at])
            start = end
            if not closing:
                inside, depth = name, 1
        elif name and name == inside:
            depth += -1 if closing else 1
            if depth == 0:
                inside, start = "", end
        at = folded.find("<", max(end, at + 1))
    if not inside:
        kept.append(text[start:])
    return "".join(kept)


def _tag(text: str, at: int, names: tuple[str, ...]) -> tuple[str, bool, int]:
    """(name, whether it closes, where it ends) of the tag of one of `names` at `text[at]`; name "" when there is none.

    A tag without its `>` ends before the next `<`, or with the text.
    """
    here = at + 1
    while text[here : here + 1] and text[here] in _BLANK:
        here += 1
    closing = text[here : here + 1] == "/"
    if closing:
        here += 1
        while text[here : here + 1] and text[here] in _BLANK:
            here += 1
    for name in names:
        after = here + len(name)
        if text.startswith(name, here) and text[after : after + 1] in ("", ">", "/", "<", *_BLANK):
            following = text.find("<", after)
            limit = following if following >= 0 else len(text)
            stop = text.find(">", after, limit)  # never beyond the next tag, which has a `>` of its own to look for
            return name, closing, stop + 1 if stop >= 0 else limit
    return "", False, here
