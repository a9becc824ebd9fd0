"""Linking and unlinking all agents of a machine at once."""

from pathlib import Path

from ..config import Home
from ..errors import MemwikiError
from .link import Linked, link, unlink
from .survey import survey


def link_all(home: Home, dry_run: bool = False, upgrade: bool = False, mcp: bool = False) -> list[Linked]:
    """Link every agent that is found on this machine; what cannot be linked is skipped, and its words say why.

    With `upgrade` what is linked already, projects too, is brought to this version's form, and nothing else.
    """
    done = []
    for one in survey(home):
        here = one.state != "not linked" if upgrade else one.installed
        wanted = [None] * here + [Path(folder) for folder in one.projects if upgrade]
        if not wanted and not upgrade:
            done.append(Linked(one.host, one.path, "", False, ("Not found on this machine.",), skipped=True))
        for project in wanted:
            try:
                done.append(link(home, one.host, project, dry_run, mcp))
            except MemwikiError as error:
                words = (error.message, error.remedy)
                done.append(Linked(one.host, one.path, "", False, words, skipped=True))
    return done


def unlink_all(home: Home) -> list[Linked]:
    """Unlink every agent, in projects too; what cannot be unlinked is skipped, and its words say why."""
    done = []
    for one in survey(home):
        for project in [None, *map(Path, one.projects)]:
            try:
                done.append(unlink(home, one.host, project))
            except MemwikiError as error:
                done.append(Linked(one.host, one.path, "", False, (error.message, error.remedy), skipped=True))
    return done
