"""Where a statement goes: scope, path, title. A known note that fits is taken before a new one is made."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ....text import one_line
from ...edits import Known
from .language import Language, words
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


def slug_of(text: str, table: Language, words: int = 5) -> str:
    """A file name out of the words of `text` that carry meaning, in their order; at most 60 bytes."""
    content = topics(text, table)
    plain = unicodedata.normalize("NFKC", text).casefold()
    named: list[str] = []
    for word in re.findall(r"[^\W_]+", WIDE.sub(" ", plain)):
        if topics(word, table) & content and word not in named:
            named.append(word)
    if len(named) < 2 and (wide := WIDE.findall(plain)):
        named = [*named, "".join(wide)[:12]]
    slug = "-".join(named[:words]) or "note"
    while len(slug.encode()) > 60:
        slug = slug.rsplit("-", 1)[0] if "-" in slug else slug[:-1]
    return slug


def place_of(text: str, table: Language, *, folder: str, personal: bool, ours: bool, notes: Iterable[Known]) -> Place:
    """The note for `text`: `folder` is the project folder or "", `ours` says that the text names the project."""
    about = topics(text, table)
    tool = next((word for word in re.findall(r"[a-z]+", text.casefold()) if word in TOOLS), "")
    if personal and not ours:
        room = "tools" if tool and not folder else "profile"
    else:
        room = folder or ("tools" if tool else "profile")
    for note in notes:
        if note.path.startswith(f"{room}/") and _fits(about, note, table):
            return Place(note.path, "", "")
    name = tool if room == "tools" else slug_of(text, table)
    return Place(f"{room}/{name}.md", title_of(text), one_line(text, 160))


def _fits(about: frozenset[str], note: Known, table: Language) -> bool:
    """Whether a statement about `about` belongs in `note`: three stems of name and card shared, or the whole name."""
    name = topics(note.path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " "), table)
    shared = about & (name | topics(note.card.partition(":")[2], table))
    return len(shared) >= 3 or (len(shared) >= 2 and bool(name) and name <= about)
