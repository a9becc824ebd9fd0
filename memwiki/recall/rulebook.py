"""Which notes Claude Code loads by itself, as rules in the user's own folder, where `recall.path_rules` is `native`.

Claude reads its globs as .gitignore does (measured in 2.1.332), but from the folder that it was started in, in either
case of a letter, with commas and braces for alternatives, and without classes, escapes and a last `/**`. So only notes
whose globs mean the same there become rules; the hook of tools gives all others.
"""

from collections.abc import Iterator
from contextlib import closing, suppress

from ..config import Home
from ..errors import Finding
from ..hosts.rule_files import Rule, edited
from .render import render
from .snapshot import Snapshot
from .view import View

_OTHER = frozenset("[]{},\\#")  # what means something else to Claude, or may
# Claude takes HTML comments out, and includes the file that follows an `@`.
_READ = ("@", "<!--")


def rules(home: Home) -> list[Rule]:
    """The notes of no project that belong to paths, as rules; [] where rules may not be given.

    Without pinned notes and the profile: each session starts with those. What is longer than an injection stays out.
    """
    if home.paused.exists() or not home.snapshot.exists():
        return []
    with closing(Snapshot(str(home.snapshot))) as snapshot:
        view = View(snapshot, "claude", "")
        return list(_rules(view)) if _wanted(view) and not _narrower(snapshot) else []


def _rules(view: View) -> Iterator[Rule]:
    view.on_disk, snapshot = False, view.snapshot  # only what the sync has looked through for secrets
    limit = min([view.limit, *(int(row[2]) for row in _of_projects(snapshot, "recall.max_bytes"))])
    pinned = {row[0] for row in snapshot.rows("pin")}
    spans = [(first, end) for name, first, end in view.spans if name != "profile"]
    for number, *globs in snapshot.rows("applies"):
        if number in pinned or not all(map(same, globs)) or not any(a <= int(number) < b for a, b in spans):
            continue
        item = view.item(snapshot.note(int(number)), first=True)
        text, given = render([item] if item else [], limit)
        if item and given and item.path.isprintable() and not any(word in text for word in _READ):
            yield Rule(item.path, item.digest, tuple(globs), text)


def findings(home: Home) -> Iterator[Finding]:
    """What `doctor` says: files that a person has changed, and projects for whose sake there are none."""
    for path in edited(home):
        remedy = (
            "Remove it: `memwiki sync` writes it anew if it is wanted still. Or take out its first lines: it is yours."
        )
        yield Finding("hosts", f"{path} was changed by hand, so memwiki leaves it as it is.", remedy)
    with (
        suppress(OSError, ValueError),
        closing(Snapshot(str(home.snapshot))) as snapshot,
    ):  # else the next sync mends it
        others = _narrower(snapshot)
        if others and _wanted(View(snapshot, "claude", "")):
            words = f"Claude has no rules of memwiki's, which would count in {', '.join(others)}, too: hooks give them."
            yield Finding("hosts", words, level="note")


def _wanted(view: View) -> bool:
    return view.setting("recall.path_rules") == "native" and view.by_itself


def _narrower(snapshot: Snapshot) -> list[str]:
    """The projects that are paused or have settings by which no rules may come there: a rule counts in all projects."""
    found = {row[0] for row in snapshot.rows("paused")}
    for key, allowed in (("recall.mode", ("auto", "always")), ("recall.path_rules", ("native",))):
        found |= {row[0].removeprefix("projects/") for row in _of_projects(snapshot, key) if row[2] not in allowed}
    return sorted(found)


def same(glob: str) -> bool:
    """Whether a glob means to Claude what it means here, wherever in the project a session was started."""
    taken = glob.startswith("!")
    rest = glob[taken:]
    deep = rest.startswith("**/") and not taken
    rest = rest.removeprefix("**/") if deep else rest
    if not rest.strip("/ ") or rest != rest.strip() or "**" in rest or not _OTHER.isdisjoint(rest):
        return False
    return rest.isprintable() and rest[0] not in "!/" and (deep or "/" not in rest.rstrip("/"))


def _of_projects(snapshot: Snapshot, key: str) -> list[list[str]]:
    return [row for row in snapshot.rows("setting") if row[1] == key and row[0].startswith("projects/")]
