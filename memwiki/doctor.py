"""`memwiki doctor`: every room says what is wrong in it, each finding with its remedy."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import Finding, MemwikiError

if TYPE_CHECKING:
    from .app import Memory


def findings(memory: "Memory") -> list[Finding]:
    """All findings, room by room; a room that cannot be looked at is itself a finding."""
    from . import graph, home_check, projects
    from .candidates import states
    from .hosts import link
    from .journal.redaction import find_secrets
    from .recall import rulebook
    from .status import findings as pipeline
    from .status import foreign
    from .vault import check, probe

    rooms: tuple[tuple[str, Callable[[], Iterable[Finding]]], ...] = (
        ("home", lambda: foreign(memory.home)),
        ("index", lambda: home_check.derived(memory.home)),
        ("home", lambda: home_check.files(memory.home, memory.config, memory.git)),
        ("git", memory.git.findings),
        ("vault", lambda: filter(None, [probe.home_inside(memory.home.path, memory.git.top)])),
        ("vault", lambda: check.findings(memory.tree, find_secrets)),
        ("review", lambda: states.findings(memory.git)),
        ("hosts", lambda: link.findings(memory.home, memory.config)),
        ("hosts", lambda: rulebook.findings(memory.home)),
        ("neo4j", lambda: graph.findings(memory.config, memory.index)),
        ("project", lambda: projects.findings(memory.rooms, _here())),
        ("pipeline", lambda: pipeline(memory.home, memory.index)),
    )
    found: list[Finding] = []
    for area, look in rooms:
        try:
            found += look()
        except MemwikiError as error:
            found.append(Finding(area, error.message, error.remedy, "error"))
        except OSError as error:
            found.append(Finding(area, f"This could not be looked at: {error}.", "Mend its rights.", "error"))
    return found


def _here() -> str:
    """The folder in which doctor is asked; "" where that has been removed."""
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""
