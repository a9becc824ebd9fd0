"""Asking: which index answers, and the questions that need git beside it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import MemwikiError
from ..index.neo4j.target import LOCAL, target
from ..recall.disk import digest
from ..vault.git import Git

if TYPE_CHECKING:
    from ..config import Config
    from ..index.neo4j.answers import Neo4jIndex
    from ..index.picture import Picture
    from ..index.protocol import EventHit, GivenRow
    from ..index.questions import Facts, Impact
    from ..index.sqlite import SqliteIndex
    from ..journal.sessions import Journal
    from ..recall.explain import Hit
    from ..vault.tree import Tree


def neo4j(config: "Config") -> "Neo4jIndex":
    """The graph as an index; MemwikiError when none is configured."""
    wanted = target(config)
    if wanted is None:
        raise MemwikiError("No Neo4j is configured.", f"`memwiki config set neo4j.uri {LOCAL}` names one.")
    from ..index.neo4j.answers import Neo4jIndex
    from ..index.neo4j.connection import Connection

    return Neo4jIndex(Connection(wanted))


@contextmanager
def _answering(config: "Config", git: Git) -> "Iterator[Neo4jIndex]":
    """The graph, which is this vault's; GraphError where it is another's, or there is none yet."""
    from ..index.neo4j.schema import belongs, vault_id

    graph = neo4j(config)
    try:
        belongs(graph.connection, vault_id(git))
        yield graph
    finally:
        graph.close()


@contextmanager
def facts(config: "Config", git: Git, index: "SqliteIndex", name: str = "") -> "Iterator[Facts]":
    """What answers questions: the index called `name` ("sqlite" or "neo4j"), else the one that the settings choose."""
    if (name or config.get("index.search")) != "neo4j":
        from ..index.facts import SqliteFacts
        from .told import origins  # 20 ms that a sync without a graph does not pay

        yield SqliteFacts(index, lambda: origins(git))
        return
    with _answering(config, git) as graph:
        yield graph


def versions(git: Git, gifts: "list[GivenRow]", path: str, line: str) -> set[str]:
    """Hashes of the texts among `gifts` of the note `path` in which `line` stands, whatever its indentation.

    A text that no commit has (it was given before it was committed) counts as one of them.
    """
    wanted, found = line.strip().encode("utf-8"), set()
    for commit, hash in {(gift.commit, gift.hash) for gift in gifts}:
        data = git.blob(commit, path) if commit and git.commit_of(commit) else None
        if data is None or digest(data) != hash or wanted in (one.strip() for one in data.splitlines()):
            found.add(hash)
    return found


def cypher(config: "Config", query: str) -> list[dict[str, Any]]:
    """The rows of one reading query, in JSON's types; nodes and relationships are their properties.

    Raises MemwikiError for what is no query, would write, takes over a minute or has over 10,000 rows, or when no
    Neo4j is configured.
    """
    from ..index.neo4j.plain import plain

    graph = neo4j(config)
    try:
        rows = graph.connection.ask(query, limit=60, most=10_000)
        return [{name: plain(value) for name, value in dict(row).items()} for row in rows]
    finally:
        graph.close()


def search(config: "Config", query: str, **limits: Any) -> "list[Hit]":
    """The best notes for `query` as Neo4j finds them; `limits` are those of `recall.explain.search`."""
    from ..index.neo4j.search import search as find

    with _answering(config, Git.of(config)) as graph:
        return find(config.home, graph.connection, query, **limits)


def events(config: "Config", query: str, limit: int) -> "list[EventHit]":
    """Events whose words match, as Neo4j finds them."""
    with _answering(config, Git.of(config)) as graph:
        return graph.search_events(query, limit)


def impact(
    config: "Config", git: Git, index: "SqliteIndex", path: str, line: int | None = None, name: str = ""
) -> "Impact":
    """What a note has led to; with `line`, only by sessions that were given a text in which that line of it stands.

    Raises MemwikiError when the note has no such line.
    """
    from ..index.questions import impact as led_to

    with facts(config, git, index, name) as known:
        hashes = None
        if line is not None:
            text = index.rows("SELECT text FROM notes WHERE path = ?", (path,))
            lines = text[0][0].splitlines() if text else []
            if not 1 <= line <= len(lines) or not lines[line - 1].strip():
                raise MemwikiError(f"{path} has no words in line {line}.", f"`memwiki show {path}` prints it.")
            hashes = versions(git, known.given_of([path]), path, lines[line - 1])
        return led_to(known, path, hashes)


def picture(
    config: "Config", git: Git, index: "SqliteIndex", journal: "Journal", tree: "Tree", what: str, name: str = ""
) -> "Picture":
    """What surrounds the note or session `what`, or all; MemwikiError when it is neither."""
    from ..index.picture import of_all, of_note, of_session

    with facts(config, git, index, name) as known:
        if not what:
            return of_all(known)
        try:
            path = tree.resolve(what)
        except MemwikiError as error:
            try:
                return of_session(known, journal.resolve(what))
            except MemwikiError:
                raise error from None
        return of_note(known, path)
