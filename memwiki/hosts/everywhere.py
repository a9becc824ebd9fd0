"""Linking and unlinking all agents of a machine at once."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..config import Home
from ..errors import MemwikiError
from ..files import expanded
from . import NAMES
from .link import Linked, link, unlink_places
from .places import named
from .records import damaged, records
from .survey import Found, survey
from .switches import plugged


def link_all(
    home: Home,
    hosts: Sequence[str] = NAMES,
    project: Path | None = None,
    dry_run: bool = False,
    upgrade: bool = False,
    mcp: bool = False,
) -> list[Linked]:
    """Link each agent of `hosts` that is found on this machine, or all in one project; what cannot be is skipped.

    The words of what is skipped say why. With `upgrade` what is linked already is brought to this version's form, in
    every settings folder and project (or only in `project`), and nothing else is linked.
    """
    done = []
    project = None if project is None else expanded(project)
    chosen = [named(host) for host in hosts]
    for found in [one for one in survey(home) if one.host in chosen]:
        places = list(_linked(found, project) if upgrade else _installed(found, project))
        if not places and not upgrade and not found.other:
            done.append(Linked(found.host, found.path, "", False, ("Not found on this machine.",), skipped=True))
        for place, folder in places:
            try:
                done.append(link(home, found.host, place, dry_run, mcp, folder))
            except MemwikiError as error:
                words = (error.message, error.remedy)
                done.append(Linked(found.host, found.path, "", False, words, skipped=True))
    return done


def _linked(found: Found, project: Path | None) -> Iterator[tuple[Path | None, Path | None]]:
    """(project, settings folder) of each place where the agent is linked; only `project` where one is named."""
    if found.state != "not linked" and project is None:
        yield None, found.folder
    for name in found.projects:
        if project is None or Path(name) == project:
            yield Path(name), None


def _installed(found: Found, project: Path | None) -> Iterator[tuple[Path | None, Path | None]]:
    """(project, settings folder) of the place to link where the agent is on this machine."""
    if found.installed and not found.other:
        yield project, found.folder


def remaining(home: Home) -> list[str]:
    """Sentences about registrations that `unlink_all` does not find or that their host removes by itself."""
    plugins = [f"{name} has memwiki as a plugin ({file}): remove it in {name}." for name, file in plugged().items()]
    return plugins + [f"{one.message} {one.remedy}" for one in damaged(home)]


def unlink_all(home: Home, hosts: Sequence[str] = NAMES, project: Path | None = None) -> list[Linked]:
    """Unlink agents everywhere, or in one project only; what cannot be unlinked is skipped, and its words say why."""
    done = []
    for host in dict.fromkeys(map(named, hosts)):
        done += unlink_places(home, host, project)
        if project is None:
            projects = dict.fromkeys(one.project for one in records(home) if one.host == host and one.project)
            for name in projects:
                done += unlink_places(home, host, Path(name))
    return done
