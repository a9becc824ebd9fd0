"""A server that is down, silent, wrong or killed: one sentence, no password, nothing lost, and nobody else minds."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from graph import Graph
from neo4j.exceptions import Neo4jError
from server import Server, free_port
from test_keeping import fill, rebuilt, step

from memwiki import sync
from memwiki.app import Memory
from memwiki.graph import keep
from memwiki.index.neo4j.failure import GraphError, failure
from memwiki.index.neo4j.target import Target
from memwiki.index.report import GraphReport

CASE = Path(__file__).parent.parent / "cases" / "59-neo4j-down-or-slow"
Run = Callable[..., "subprocess.CompletedProcess[str]"]
Said = Callable[..., None]
SECRET = "a wrong and secret password"


@contextmanager
def fake(mode: str) -> Iterator[str]:
    """The case's server; its address."""
    port = free_port()
    served = subprocess.Popen([sys.executable, str(CASE / "fakebolt.py"), mode, str(port)], stdout=subprocess.PIPE)
    assert served.stdout is not None and served.stdout.readline() == b"ready\n"
    try:
        yield f"bolt://127.0.0.1:{port}"
    finally:
        served.kill()
        served.wait()


@contextmanager
def state(name: str, graph: Graph) -> Iterator[dict[str, str]]:
    """The variables that lead memwiki to a server in this state."""
    secret = {"MEMWIKI_NEO4J_PASSWORD": SECRET}
    if name == "closed port":
        yield {"MEMWIKI_NEO4J_URI": f"bolt://127.0.0.1:{free_port()}", **secret}
    elif name == "wrong password":
        yield graph.variables | secret
    elif name == "unknown database":
        yield graph.variables | {"MEMWIKI_NEO4J_DATABASE": "nowhere"}
    else:
        with fake(name) as uri:
            yield {"MEMWIKI_NEO4J_URI": uri, **secret}


STATES = ("closed port", "silent", "close-after-handshake", "garbage", "wrong password", "unknown database")


@pytest.mark.parametrize("name", STATES)
def test_case_59_a_sync_says_one_sentence_and_ends(
    name: str, memory: Memory, graph: Graph, said: Said, run: Run
) -> None:
    fill(memory, said)
    with state(name, graph) as variables:
        started = time.monotonic()
        done = run("sync", env=variables, check=False)
        assert time.monotonic() - started <= 15
        assert done.returncode == 1
        sentence, remedy = done.stderr.strip().splitlines()
        assert variables["MEMWIKI_NEO4J_URI"] in sentence and sentence.startswith("memwiki: Neo4j at")
        assert remedy.endswith(".") and "Traceback" not in done.stderr + done.stdout
        shown = done.stderr + done.stdout + "".join(file.read_text() for file in memory.home.log.glob("*"))
        assert SECRET not in shown
        # Nothing else minds: what was said is indexed, and the graph is known to be behind.
        assert len(json.loads(run("log", "--search", "pnpm", "--json", env=variables).stdout)["results"]) >= 3
        assert "tools/pnpm.md" in run("search", "package manager", env=variables).stdout
        assert "graph behind by 6 events" in run("status", env=variables).stdout
        prompt = json.dumps({"session_id": "s9", "cwd": "/", "prompt": "which package manager do we use"})
        run("hook", "claude", "UserPromptSubmit", input=prompt, env=variables)
        started = time.monotonic()
        run("sync", "--background", env=variables, check=False)
        run("sync", "--background", env=variables, check=False)
        assert time.monotonic() - started <= 15, "in the background a server that failed is let be"
        run("dream", "--engine", "rules", env=variables)
        run("review", "list", env=variables)
        found = run("doctor", env=variables, check=False).stdout
        assert "neo4j" in found and SECRET not in found


def test_case_59_a_wrong_password_is_tried_once(memory: Memory, graph: Graph, said: Said, run: Run) -> None:
    said("hello")
    logons = 0

    def relay(client: socket.socket) -> None:
        nonlocal logons
        host, port = graph.target.uri.removeprefix("bolt://").split(":")
        with client, socket.create_connection((host, int(port))) as server:
            threading.Thread(target=pump, args=(server, client), daemon=True).start()
            while data := client.recv(65536):
                logons += data.count(b"credentials")
                server.sendall(data)

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    with listening(relay) as uri:
        wrong = graph.variables | {"MEMWIKI_NEO4J_URI": uri, "MEMWIKI_NEO4J_PASSWORD": SECRET}
        assert run("sync", env=wrong, check=False).returncode == 1
        assert logons == 1
        for _ in range(3):
            run("sync", "--background", env=wrong, check=False)
        assert logons == 1, "no background sync tries a password again that was refused"
        run("sync", "--background", env=graph.variables | {"MEMWIKI_NEO4J_URI": uri})
        assert logons == 2
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 1


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+ssc"])
def test_one_that_speaks_no_tls_is_told_from_one_that_is_down(
    scheme: str, memory: Memory, graph: Graph, run: Run
) -> None:
    done = run("sync", env={"MEMWIKI_NEO4J_URI": graph.target.uri.replace("bolt", scheme)}, check=False)
    assert done.returncode == 1 and "closed the connection, as one does that speaks no TLS." in done.stderr


def test_by_routing_the_same_is_stored(memory: Memory, graph: Graph, said: Said, run: Run) -> None:
    said("hello")
    routed = {"MEMWIKI_NEO4J_URI": graph.target.uri.replace("bolt", "neo4j")}
    run("sync", env=routed)
    assert "claude/s1#1" in run("log", "--search", "hello", "--index", "neo4j", env=routed).stdout
    assert graph.everything() == rebuilt(memory, graph)


def test_a_password_is_in_no_process_list(memory: Memory, graph: Graph, said: Said, run: Run) -> None:
    said("hello")
    seen: list[bytes] = []

    def look(client: socket.socket) -> None:
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                seen.append(process.read_bytes())

    with listening(look) as uri:
        none = {"MEMWIKI_NEO4J_URI": uri, "MEMWIKI_NEO4J_PASSWORD": ""}
        run("config", "set", "neo4j.password", "-", input=f"{SECRET}\n", env=none)
        for words in (["sync"], ["sync", "--background"], ["search", "pnpm", "--index", "neo4j"]):
            run(*words, env=none, check=False)
    assert any(b"memwiki" in one for one in seen)
    assert not any(SECRET.encode() in one for one in seen)
    assert SECRET in memory.home.config.read_text() and memory.home.config.stat().st_mode & 0o077 == 0
    assert run("config", "set", "neo4j.password", "-", input="", env=none, check=False).returncode == 2


def test_a_background_sync_tries_again_after_anything_but_a_wrong_password(
    memory: Memory, graph: Graph, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    said("hello")
    graph.rows("CREATE (:Vault {place: 'here', id: 'another', schema: 1})")
    with pytest.raises(GraphError) as error:
        step(memory)
    assert error.value.kind == "vault"
    graph.empty()

    def later() -> GraphReport | None:
        return keep(memory.rooms, background=True)

    assert later() is None, "for a while it is let be"
    monkeypatch.setattr("memwiki.graph.keeping.REST", 0.0)
    report = later()
    assert report is not None and report.events == 1


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server of our own that hands each connection to `serve`; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=quiet, args=(client,), daemon=True).start()

        def quiet(client: socket.socket) -> None:
            with suppress(OSError):
                serve(client)

        threading.Thread(target=accept, daemon=True).start()
        yield f"bolt://127.0.0.1:{listener.getsockname()[1]}"


class Cut:
    """A relay to the real server that goes away after some bytes, or goes silent; healed, it lets everything by."""

    def __init__(self, graph: Graph, after: int, silent: bool = False) -> None:
        self.graph, self.left, self.silent = graph, after, silent
        self.healed = False

    def __call__(self, client: socket.socket) -> None:
        host, port = self.graph.target.uri.removeprefix("bolt://").split(":")
        with client, socket.create_connection((host, int(port))) as server:
            threading.Thread(target=self.pump, args=(server, client), daemon=True).start()
            self.pump(client, server, counted=True)

    def pump(self, source: socket.socket, sink: socket.socket, counted: bool = False) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if counted:
                    self.left -= len(data)
                if self.left >= 0 or self.healed:
                    sink.sendall(data)
                elif not self.silent:
                    break
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("silent", [False, True])
def test_case_59_a_server_that_goes_away_in_the_middle(
    silent: bool, memory: Memory, graph: Graph, many: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    many(6000, sessions=7)
    sync.sync(memory.rooms)
    cut = Cut(graph, 1_700_000, silent)
    with listening(cut) as uri:
        monkeypatch.setenv("MEMWIKI_NEO4J_URI", uri)
        started = time.monotonic()
        with pytest.raises(GraphError) as error:
            keep(memory.rooms)
        assert time.monotonic() - started <= 30
        assert uri in error.value.message and error.value.kind == "away"
        assert 0 < graph.value("MATCH (e:Event) RETURN count(e)") < 6000
        assert graph.faults() == []
        cut.healed = True
        step(memory)
    assert graph.faults() == []
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 6000
    before = graph.everything()
    monkeypatch.setenv("MEMWIKI_NEO4J_URI", graph.target.uri)
    assert before == rebuilt(memory, graph)


def test_case_58_kills_between_and_in_batches(
    memory: Memory, graph: Graph, said: Said, many: Callable[..., None]
) -> None:
    many(3000, sessions=11)
    fill(memory, said)
    sync.sync(memory.rooms)
    for moment in (0.9, 1.2, 1.6, 2.0, 2.5):
        child = subprocess.Popen([sys.executable, "-m", "memwiki", "sync"], stdout=subprocess.DEVNULL)
        time.sleep(moment)
        child.kill()
        child.wait()
        assert graph.faults() == []
    step(memory)
    assert graph.faults() == []
    assert graph.everything() == rebuilt(memory, graph)


def test_case_58_six_syncs_at_once(memory: Memory, graph: Graph, said: Said) -> None:
    case = CASE.parent / "58-neo4j-replay-and-race" / "gen.py"
    made = subprocess.run([sys.executable, str(case)], capture_output=True, text=True, check=True)
    for line in made.stdout.splitlines():
        memory.append("claude", "PostToolUse", json.loads(line))
    command = [sys.executable, "-m", "memwiki", "sync"]
    started = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(6)]
    for one in started:
        _, err = one.communicate(timeout=120)
        assert one.returncode == 0, err
    assert graph.faults() == []
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 200
    assert graph.value("MATCH (:Event)-[n:NEXT]->(:Event) RETURN count(n)") == 195
    assert graph.everything() == rebuilt(memory, graph)


def test_a_server_that_is_killed_frozen_and_started_again(
    memory: Memory, server: Server, graph: Graph, said: Said
) -> None:
    fill(memory, said)
    step(memory)
    said("one more")
    server.signal(signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(GraphError):
        step(memory)
    assert time.monotonic() - started <= 15
    server.signal(signal.SIGCONT)
    server.signal(signal.SIGKILL)
    with pytest.raises(GraphError):
        step(memory)
    server.start()
    assert step(memory).events == 1
    assert graph.faults() == []
    assert graph.everything() == rebuilt(memory, graph)


def test_foreign_data_is_named(memory: Memory, graph: Graph, said: Said) -> None:
    said("hello")
    graph.empty()
    for row in graph.rows("SHOW CONSTRAINTS YIELD name"):
        graph.rows(f"DROP CONSTRAINT {row['name']}")
    graph.rows("CREATE (:Event {id: 'x'}), (:Event {id: 'x'})")
    with pytest.raises(GraphError) as error:
        step(memory)
    assert "not memwiki's" in error.value.message and "neo4j.database" in error.value.remedy
    graph.empty()
    assert step(memory).events == 1


@pytest.mark.parametrize(
    ("code", "message", "words"),
    [
        # As servers said it: too little heap, and what a user has to do first. test_servers.py has the others.
        ("Neo.TransientError.General.OutOfMemoryError", "There is not enough memory", "too little memory"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", "incorrect authentication details", "too many wrong"),
        ("Neo.ClientError.Security.CredentialsExpired", "The credentials have expired", "wants a new password"),
    ],
)
def test_what_a_server_refuses_is_said_with_a_remedy(code: str, message: str, words: str) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message=f"{message} {SECRET}")
    said = failure(Target("bolt://localhost", "neo4j", SECRET), error)
    assert words in said.message and said.remedy and SECRET not in str(said)
