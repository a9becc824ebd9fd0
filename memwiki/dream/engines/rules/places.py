"""Where a statement goes: scope, path, title. A known note that fits is taken before a new one is made."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ....text import one_line
from ...edits import Known
from .language import Language, words
from .tables import language_of
from .topics import WIDE, topics

# Tools that a habit may be about, whatever the code base.
TOOLS = words(
    """
    git gh npm pnpm yarn bun deno node npx pip uv poetry pipx conda pyenv python pytest ruff black mypy cargo
    rustc rustup clippy go gofmt make cmake ninja bazel gradle maven mvn docker podman kubectl helm terraform
    ansible vagrant aws gcloud az psql sqlite mysql redis rg grep fd jq curl vim neovim emacs tmux zsh fish bash
    eslint prettier biome vite webpack jest vitest playwright cypress tox nox just nix brew apt composer php
    ruby bundle rake rails java kotlin swift xcodebuild flutter dart
    """
)


@dataclass(frozen=True, slots=True)
class Place:
    """A note to put a statement in. `title` is "" when the note exists."""

    path: str
    title: str
    description: str


def title_of(text: str, limit: int = 60) -> str:
    """A title out of the statement's first words."""
    line = one_line(
        re.split(r"(?<=[^\s.])[.!:;。！](?:\s|$)|[。！]", text, maxsplit=1)[0].replace("`", ""), limit
    ).rstrip("….,;: ")
    return line[:1].upper() + line[1:] if line else one_line(text, limit)


def cased(text: str) -> str:
    """`text` with its sentences begun by a capital, for a person who writes so: the chat in front of them was cut off.

    A word that is written small on purpose (a tool's name, `camelCase`, `snake_case`, a path) stays as it is.
    """
    parts = re.split(r"((?<=[.!?])\s+)", text)
    return "".join(part[:1].upper() + part[1:] if _plain(part) else part for part in parts)


def _plain(part: str) -> bool:
    first = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?=[\s,.!?:;]|$)", part)
    return first is not None and first[0].islower() and first[0] not in TOOLS


def slug_of(text: str, table: Language, words: int = 4) -> str:
    """A file name out of the words of `text` that carry meaning, in their order; at most 60 bytes."""
    content = topics(text, table)
    plain = unicodedata.normalize("NFKC", text).casefold()
    named: list[str] = []
    for word in re.findall(r"[^\W_]+(?:['’][^\W_]+)?", WIDE.sub(" ", plain)):
        if "'" in word or "’" in word:  # a contraction names nothing
            continue
        if topics(word, table) & content and word not in named:
            named.append(word)
    if len(named) < 2 and (wide := WIDE.findall(plain)):
        named = [*named, "".join(wide)[:12]]
    slug = "-".join(named[:words]) or "note"
    while len(slug.encode()) > 60:
        slug = slug.rsplit("-", 1)[0] if "-" in slug else slug[:-1]
    return slug


class Shelf:
    """The notes a statement may go to. What a note is about is worked out when first asked for, once."""

    def __init__(self, notes: Iterable[Known]) -> None:
        self._notes = tuple(notes)
        self._about: dict[str, list[tuple[str, frozenset[str], frozenset[str]]]] = {}

    def place(self, text: str, table: Language, *, folder: str, personal: bool) -> Place:
        """The note for `text`; `folder` is the project's folder or "", `personal` says it is about the person."""
        tool = next((word for word in re.findall(r"[a-z]+", text.casefold()) if word in TOOLS), "")
        ours = bool(table.ours.search(text))
        if personal and not ours:
            room = "tools" if tool and not folder else "profile"
        else:
            room = folder or ("tools" if tool else "profile")
        about = topics(text, table)
        for path, title, card in self._room(room):
            shared = about & (title | card)
            if len(shared) >= 3 or (len(shared) >= 2 and bool(title) and title <= about):
                return Place(path, "", "")
        name = tool if room == "tools" else slug_of(text, table)
        return Place(f"{room}/{name}.md", title_of(text), one_line(text, 160))

    def _room(self, room: str) -> list[tuple[str, frozenset[str], frozenset[str]]]:
        """(path, stems of its name, stems of its card) of the notes in `room`."""
        if room not in self._about:
            found = [note for note in self._notes if note.path.startswith(f"{room}/")]
            self._about[room] = [(note.path, *_about(note)) for note in found]
        return self._about[room]


def _about(note: Known) -> tuple[frozenset[str], frozenset[str]]:
    name = note.path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ")
    card = note.card.partition(":")[2]
    table = language_of(card)
    return topics(name, table), topics(card, table)
