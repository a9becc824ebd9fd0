"""Servers as people have them: reached by every scheme, with certificates, read-only, and with a disk that is full."""

import json
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from graph import Graph
from server import PASSWORD, Server
from test_keeping import fill, rebuilt, step

from memwiki.app import Memory
from memwiki.index.neo4j.target import Target

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Said = Callable[..., None]


@pytest.fixture(scope="module")
def certificate(spare: Server) -> Path:
    """The certificate of the spare server, which from now on speaks TLS and nothing else."""
    made = spare.certify("IP:127.0.0.1")
    spare.stop()
    spare.configure(tls=True)
    spare.start()
    return made


@pytest.fixture
def graph(spare: Server, certificate: Path) -> Iterator[Graph]:
    """The database of the spare server, empty."""
    found = Graph(Target(at(spare, "bolt+ssc")["MEMWIKI_NEO4J_URI"], "neo4j", PASSWORD))
    found.empty()
    yield found
    found.close()


@contextmanager
def settings(server: Server, *lines: str) -> Iterator[None]:
    """The server with these settings, and afterwards again without."""
    server.stop()
    server.configure(*lines, tls=True)
    server.start()
    try:
        yield
    finally:
        server.stop()
        server.configure(tls=True)
        server.start()


def at(server: Server, scheme: str, host: str = "127.0.0.1") -> dict[str, str]:
    """The variable that makes memwiki use it by this scheme."""
    return {"MEMWIKI_NEO4J_URI": f"{scheme}://{host}:{server.uri.rpartition(':')[2]}"}


def refused(run: Run, variables: dict[str, str] | None = None) -> tuple[str, str]:
    """The sentence and the remedy of a sync that fails, without a word of the password."""
    done = run("sync", env=variables, check=False)
    assert done.returncode == 1, done.stdout
    sentence, remedy = done.stderr.strip().splitlines()
    assert sentence.startswith("memwiki: Neo4j at ") and remedy.endswith(".")
    assert PASSWORD not in done.stdout + done.stderr
    return sentence, remedy


def nobody_else_minds(run: Run, behind: int) -> None:
    """Hooks answer, SQLite finds, status tells, and the background pass ends."""
    prompt = json.dumps({"session_id": "s9", "cwd": "/", "prompt": "which package manager, pnpm or yarn"})
    assert "Use pnpm" in run("hook", "claude", "UserPromptSubmit", input=prompt).stdout
    assert "tools/pnpm.md" in run("search", "package manager").stdout
    assert f"graph behind by {behind + 2} events" in run("status").stdout, "the prompt and what was given, too"
    run("sync", "--background", check=False)


def test_every_scheme_with_tls_reaches_it(
    memory: Memory, spare: Server, graph: Graph, said: Said, run: Run, certificate: Path
) -> None:
    trusted = {"SSL_CERT_FILE": str(certificate)}
    ways = [at(spare, scheme) for scheme in ("bolt+ssc", "neo4j+ssc")]
    ways += [at(spare, scheme) | trusted for scheme in ("bolt+s", "neo4j+s")]
    for number, variables in enumerate(ways, 1):
        said(f"by way {number}")
        run("sync", env=variables)
        assert graph.value("MATCH (e:Event) RETURN count(e)") == number
        found = json.loads(run("cypher", "MATCH (e:Event) RETURN count(e) AS n", "--json", env=variables).stdout)
        assert found["rows"] == [{"n": number}]
    assert graph.faults() == []


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_is_not_trusted_is_said(
    scheme: str, memory: Memory, spare: Server, said: Said, run: Run, certificate: Path
) -> None:
    said("hello")
    sentence, remedy = refused(run, at(spare, scheme))
    assert sentence.endswith("has a certificate that is not trusted here: self-signed certificate.")
    assert "SSL_CERT_FILE" in remedy and "+ssc" in remedy
    other = at(spare, scheme, "localhost") | {"SSL_CERT_FILE": str(certificate)}
    assert "not valid for 'localhost'" in refused(run, other)[0]


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_one_that_speaks_only_tls_is_told_from_one_that_is_down(
    scheme: str, memory: Memory, spare: Server, said: Said, run: Run
) -> None:
    said("hello")
    sentence, remedy = refused(run, at(spare, scheme))
    assert sentence.endswith("closed the connection, as one does that wants TLS.") and "+s after" in remedy


def test_auras_file_and_the_databases_name(
    memory: Memory, spare: Server, graph: Graph, said: Said, run: Run, tmp_path: Path, certificate: Path
) -> None:
    said("hello")
    file = tmp_path / "Neo4j-0a1b2c3d-Created-2026-11-30.txt"
    lines = [
        "# Wait 60 seconds before connecting using these details, or login to https://console.neo4j.io to validate"
        " the Aura Instance is available",
        f"NEO4J_URI={at(spare, 'neo4j+s')['MEMWIKI_NEO4J_URI']}",
        "NEO4J_USERNAME=neo4j",
        f"NEO4J_PASSWORD={PASSWORD}",
        "NEO4J_DATABASE=neo4j",
        "AURA_INSTANCEID=0a1b2c3d",
        "AURA_INSTANCENAME=Instance01",
    ]
    file.write_text("\ufeff" + "\r\n".join(lines), "utf-8")  # as a browser on Windows may have stored it
    none = dict.fromkeys(("MEMWIKI_NEO4J_URI", "MEMWIKI_NEO4J_USER", "MEMWIKI_NEO4J_PASSWORD"), "")
    run("config", "set", "neo4j.credentials", str(file), env=none)
    run("sync", env=none | {"SSL_CERT_FILE": str(certificate)})
    assert graph.value("MATCH (e:Event) RETURN e.prompt") == "hello"
    assert PASSWORD not in run("config", "list", env=none).stdout + memory.home.config.read_text()
    run("config", "unset", "neo4j.credentials")
    for scheme in ("bolt+ssc", "neo4j+ssc"):
        named = at(spare, scheme) | {"MEMWIKI_NEO4J_DATABASE": "nowhere"}
        assert refused(run, named)[0].endswith("database nowhere has no such database.")
        named["MEMWIKI_NEO4J_DATABASE"] = "NEO4J"
        said("again")
        run("sync", env=named)
        named["MEMWIKI_NEO4J_DATABASE"] = "system"
        assert refused(run, named)[0].endswith("database system keeps no data in that database.")


def test_a_database_that_lets_nothing_be_written(
    memory: Memory, spare: Server, graph: Graph, said: Said, run: Run
) -> None:
    fill(memory, said)
    step(memory)
    before = graph.everything()
    said("one more")
    with settings(spare, "server.databases.read_only=neo4j"):
        for scheme in ("neo4j+ssc", "bolt+ssc"):  # what was sent is known by the address that was used last
            sentence, remedy = refused(run, at(spare, scheme))
            assert sentence.endswith("lets nothing be written.") and "writable" in remedy
        nobody_else_minds(run, behind=1)
        assert graph.everything() == before
    run("sync")
    assert graph.faults() == []
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 9
    assert graph.everything() == rebuilt(memory, graph)


def test_a_disk_that_is_full(
    memory: Memory, spare: Server, graph: Graph, said: Said, many: Callable[..., None], run: Run
) -> None:
    """No file may be written past its first bytes: to the server that is a full disk, but for a word of its own log."""
    fill(memory, said)
    step(memory)
    many(300, sessions=7)
    resource.prlimit(spare.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    sentence, remedy = refused(run)
    assert sentence.endswith("could not store a batch, as when its disk is full.")
    assert "free disk space" in remedy and "restart it" in remedy
    resource.prlimit(spare.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert refused(run)[0].endswith("has stopped its database, as when its disk was full.")
    nobody_else_minds(run, behind=300)
    spare.stop()
    spare.start()
    run("sync")
    assert graph.faults() == []
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 308
    assert graph.everything() == rebuilt(memory, graph)
