"""The notes as they stand at a run's base commit, and which of them a distiller is told about."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..candidates.states import candidates
from ..candidates.tombstone import normalised
from ..capture.private import without_private
from ..config import Home
from ..journal.redaction import find_secrets
from ..recall.explain import search
from ..text import folded
from ..vault import projects
from ..vault.frontmatter import parse, unread
from ..vault.git import Git
from ..vault.note import Note
from ..vault.paths import checked, namespace, refuse_agents_files, slugged
from ..vault.tree import Tree
from .edits import Conversation, Known
from .words import statement

CARDS = 12_000  # bytes of cards in one request, about 150 notes
FULL = 40_000  # bytes of notes in full in one request
QUERIES = 40  # things said that notes are looked for, in one batch
HITS = 5  # notes that one of them may bring
_NAMED = re.compile(r"(?<![\w./~-])[\w./~-]*[\w-]\.md\b|\[\[([^\]|#\n]+)")


class Notes:
    """Memory at the commit `base`, read from git: uncommitted edits are the person's and are not looked at.

    `known_projects` are the keys that events were logged for, the earliest first.
    """

    def __init__(self, git: Git, tree: Tree, base: str, known_projects: Iterable[str] = ()) -> None:
        self._git = git
        self._tree = tree
        self._known = tuple(known_projects)
        self.base = base
        self.names = tree.paths(base)
        self._read: dict[str, Note] = {}

    def has(self, path: str) -> bool:
        """Whether there is a note of exactly this path."""
        return path in self.names

    def place(self, path: str) -> str:
        """Where an edit of `path` goes: the note that there is, whatever its spelling, else a name made safe.

        A new name is spelled as an earlier edit of the run, or a candidate that waits, spells it or its folders.
        MemwikiError when the path leaves the vault, has a name that some systems cannot have or that agents read as
        instructions, or a link, a file or another repository is in the way.
        """
        placed = checked(self._tree.place(path if path in self.names else slugged(path), self.base))
        refuse_agents_files(placed)
        return placed if placed in self.names else self._spelled(placed)

    def _spelled(self, path: str) -> str:
        """The new name `path`, as it and its folders were spelled before; from now on that is their spelling."""
        for part in reversed(_parts(path)):
            if before := self._spellings.get(folded(part)):
                path = before + path[len(part) :]
                break
        self._spellings.update((folded(part), part) for part in _parts(path))
        return path

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """Folded path -> path, of new notes that wait for a decision and of the folders on the way to them."""
        waiting = sorted({one.path for one in candidates(self._git, only={"pending"})} - self.names.keys())
        return {folded(part): part for path in reversed(waiting) for part in _parts(path)}

    def folder(self, project: str) -> str:
        """Where the notes of the project `project` (its key) live: `project/acme-shop`; "" for no project."""
        return f"project/{self._folders.of(project)}" if project else ""

    @cached_property
    def _folders(self) -> projects.Folders:
        """Whose each folder is; a file that cannot be read is named by sync and counts as empty."""
        try:
            table = projects.parsed(self._git.blob(self.base, projects.PATH) or b"")
        except ValueError:
            table = projects.Table()
        return projects.Folders(table, self._known)

    def note(self, path: str) -> Note:
        """One note, parsed."""
        return next(self.read([path]))

    def read(self, paths: Sequence[str]) -> Iterator[Note]:
        """Notes, parsed, in order; one git process for all."""
        missing = [path for path in paths if path not in self._read]
        texts = self._git.texts([(path, self.names[path]) for path in missing])
        for path, text in zip(missing, texts, strict=True):
            self._read[path] = unread(path, text.sealed) if text.sealed else parse(path, text.data)
        return (self._read[path] for path in paths)

    def says(self, line: str, path: str) -> str:
        """The path of a note that has the statement `line` already, where it holds for whoever reads `path`; else "".

        What stands in another project's note is not known in this one.
        """
        key = normalised(line)
        return self._statements.get((_project(path), key)) or self._statements.get(("", key), "")

    @cached_property
    def _statements(self) -> dict[tuple[str, str], str]:
        """(project folder or "", statement as it is compared) -> the first note that has it."""
        found: dict[tuple[str, str], str] = {}
        paths = sorted(self.names)
        texts = self._git.texts((path, self.names[path]) for path in paths)
        for path, text in zip(paths, texts, strict=True):
            for line in text.data.decode("utf-8", "replace").splitlines():
                if statement(line):
                    found.setdefault((_project(path), normalised(line)), path)
        return found

    def cards(self, folders: Iterable[str]) -> list[Known]:
        """The cards of a run, up to 12,000 bytes: notes of its projects, then profile, tools, general ones, others.

        A note with a secret in it is left out, here and in full.
        """
        mine = set(folders)

        def nearness(path: str) -> tuple[int, str]:
            space = namespace(path)
            order = 0 if space in mine else {"profile": 1, "tools": 2, "": 3}.get(space, 4)
            return order, path

        cards: list[Known] = []
        left = CARDS
        for note in self.read(sorted(self.names, key=nearness)[: CARDS // 40]):
            left -= len(note.card.encode("utf-8", "replace")) + 4
            if left < 0:
                break
            if not find_secrets(note.text):
                cards.append(Known(note.path, note.card))
        return sorted(cards, key=lambda one: one.path)

    def matter(self, home: Home, talks: Sequence[Conversation]) -> list[Known]:
        """The notes that may be about what was said, whole, up to 40,000 bytes: named ones first, then by the ranking
        of recall over what the person said."""
        score: dict[str, float] = {}
        queries = QUERIES
        for talk in talks:
            for excerpt in talk.excerpts:
                for path in self._named(f"{excerpt.text}\n{excerpt.command}"):
                    score[path] = score.get(path, 0.0) + 10.0
                if excerpt.who != "person" or queries <= 0:
                    continue
                queries -= 1
                for place, hit in enumerate(search(home, excerpt.text[:2000], limit=HITS)):
                    if hit.path in self.names and _project(hit.path) in ("", talk.folder):
                        score[hit.path] = score.get(hit.path, 0.0) + 1.0 / (1 + place)
        chosen: list[Known] = []
        left = FULL
        for note in self.read(sorted(score, key=lambda path: (-score[path], path))):
            text = without_private(note.text)
            size = len(text.encode("utf-8", "replace"))
            if size <= left and not find_secrets(text):
                chosen.append(Known(note.path, note.card, text))
                left -= size
        return sorted(chosen, key=lambda one: one.path)

    def _named(self, text: str) -> Iterator[str]:
        """Notes that a text names: by path, by name with .md, or in a wikilink."""
        for match in _NAMED.finditer(text):
            name = folded((match[1] or match[0]).strip().removesuffix(".md")) + ".md"
            for path in self._by_name.get(name.rpartition("/")[2], ()):
                if folded(path).endswith(f"/{name}") or folded(path) == name or name.endswith(f"/{folded(path)}"):
                    yield path

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.names:
            found.setdefault(folded(path).rpartition("/")[2], []).append(path)
        return found


def _project(path: str) -> str:
    """The project folder that a note belongs to, or ""."""
    space = namespace(path)
    return space if space.startswith("project/") else ""


def _parts(path: str) -> list[str]:
    """`a/b/c.md`: `a`, `a/b`, `a/b/c.md`."""
    names = path.split("/")
    return ["/".join(names[:depth]) for depth in range(1, len(names) + 1)]
