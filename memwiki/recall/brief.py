"""A note's statements without what only arranges them: the form in which a session's start gives many notes at once."""

_FENCES = ("```", "~~~")
_LINK_LINES = ("see also", "siehe auch", "related", "ver también", "voir aussi", "[[")


def brief(body: str) -> tuple[str, bool]:
    """(the statements of `body`, a line each; whether they hold all that `body` says).

    Headings below the first become `Heading:` lines. The title, lines of links, images and statements that are struck
    out go. Tables, code and comments go too, but then the statements are not all.
    """
    lines: list[tuple[str, bool]] = []  # each with whether it is a heading
    whole, fence, comment, titled = True, "", False, False
    for line in body.splitlines():
        text = line.strip()
        if fence:
            fence = "" if text.startswith(fence) else fence
        elif comment or text.startswith("<!--"):
            comment = "-->" not in text
        elif text.startswith(_FENCES):
            fence, whole = text[:3], False
        elif text.startswith("|"):
            whole = False
        elif text.startswith("#") and text.lstrip("#")[:1] == " ":
            if titled or lines or text.startswith("##"):
                lines.append((text.strip("# ") + ":", True))
            titled = True
        elif _says_something(text):
            lines.append((_shown(line), False))
    followed = [not heading for _, heading in lines][1:] + [False] * bool(lines)
    kept = [text for (text, heading), use in zip(lines, followed, strict=True) if use or not heading]
    return "\n".join(kept), whole


def _says_something(text: str) -> bool:
    """Whether a line states anything: it is not blank, a rule, an image, a list of links, or struck out."""
    plain = text.lstrip("-*+> ").strip()
    if not plain or not plain.strip("-=_*") or plain.startswith("!["):
        return False
    if plain.startswith("~~") and plain.rstrip(" .").endswith("~~"):
        return False
    return not (plain.lower().startswith(_LINK_LINES) and "]]" in plain and len(_outside_links(plain)) < 20)


def _outside_links(text: str) -> str:
    parts = [part.rpartition("]]")[2] for part in text.split("[[")]
    return "".join(parts).strip()


def _shown(line: str) -> str:
    """A line with its list marker and half of its indentation: two levels stay apart."""
    text = line.strip()
    if text.startswith(("- ", "* ", "+ ")):
        text = text[2:].lstrip()
    indent = len(line) - len(line.lstrip())
    return "  " * min(2, indent // 2) + text.removeprefix("> ")
