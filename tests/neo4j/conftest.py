"""A real Neo4j for the tests below: one server a run, one test at a time, an empty database for each."""

import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from graph import Graph
from server import PASSWORD, Server, folder_of, missing, shared

from memwiki.app import Memory, open_memory
from memwiki.index.neo4j.target import Target
from memwiki.init import init
from memwiki.journal.event import Event, line_of

ELSEWHERE = os.environ.get("MEMWIKI_TEST_NEO4J", "")
USER = os.environ.get("MEMWIKI_TEST_NEO4J_USER", "neo4j")
SECRET = os.environ.get("MEMWIKI_TEST_NEO4J_PASSWORD", "")
RUN = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def pytest_sessionfinish() -> None:
    """The run's main process has the server stopped before it ends; it would end by itself soon after."""
    for name in ("shared", "spare"):
        folder = folder_of(os.getpid(), name)
        if folder.exists():
            (folder / "stop").touch()


@pytest.fixture(scope="session")
def target() -> Target:
    """Where the tests' Neo4j is: what MEMWIKI_TEST_NEO4J names (its content is deleted!), else a server of our own."""
    if ELSEWHERE:
        return Target(ELSEWHERE, USER, SECRET)
    can_serve()
    return Target(shared(RUN).uri, "neo4j", PASSWORD)


@pytest.fixture(scope="session")
def spare() -> Server:
    """A server for the tests that give it settings of their own; they use it one after the other."""
    can_serve()
    return shared(RUN, "spare")


def can_serve() -> None:
    """Skip, or fail in CI, where no server can be started."""
    lacking = missing()
    if lacking and os.environ.get("CI"):
        pytest.fail(f"CI must run the Neo4j tests, which need {lacking} (Java 17 or 21, Maven).", pytrace=False)
    if lacking:
        pytest.skip(f"no {lacking} here: the Neo4j tests need Java 17 or 21 and Maven, or MEMWIKI_TEST_NEO4J")


@pytest.fixture
def graph(target: Target, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """An empty database that no other test uses meanwhile."""
    with (Path(tmp_path_factory.getbasetemp()).parent / f"neo4j-{RUN}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = Graph(target)
        found.empty()
        yield found
        found.close()


@pytest.fixture
def server(graph: Graph) -> Iterator[Server]:
    """The server itself, to be stopped, killed and frozen; it runs again after the test."""
    if ELSEWHERE:
        pytest.skip("MEMWIKI_TEST_NEO4J names a server that is not ours to stop")
    ours = shared(RUN)
    yield ours
    graph.close()
    if not graph.answers():
        ours.start()


@pytest.fixture
def memory(home: Path, graph: Graph, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory as `memwiki init` makes it, whose graph is the empty database."""
    for name, value in graph.variables.items():
        monkeypatch.setenv(name, value)
    init()
    with open_memory() as opened:
        yield opened


@pytest.fixture
def said(memory: Memory) -> Callable[..., None]:
    """`said(words, session="s1")`: one prompt (or another event) of Claude Code into the spool."""

    def spool(words: str = "", session: str = "s1", native: str = "UserPromptSubmit", **more: object) -> None:
        payload = {"session_id": session, "cwd": "/", "hook_event_name": native, "prompt": words, **more}
        memory.append("claude", native, payload)

    return spool


@pytest.fixture
def many(memory: Memory) -> Callable[..., None]:
    """`many(2000, sessions=7)`: a journal of so many prompts, as a drain would have written it."""

    def write(events: int, sessions: int) -> None:
        for session in range(sessions):
            file = memory.journal.path(f"claude/m{session}")
            file.parent.mkdir(exist_ok=True)
            with file.open("ab") as out:
                for n, number in enumerate(range(session, events, sessions), 1):
                    at = f"2026-11-30T10:{number // 60 % 60:02}:{number % 60:02}.000Z"
                    payload = {"session_id": f"m{session}", "prompt": f"prompt number {number} about pnpm " * 3}
                    name = "UserPromptSubmit"
                    out.write(line_of(Event(n, at, name, name, "claude", f"m{session}", payload=payload)))

    return write
