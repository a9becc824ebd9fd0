"""Sixteen writers, two machines, replays and kills at random moments: is every chain whole, is nothing lost or doubled?

    python benchmarks/graph_writers.py [SECONDS]

Starts a server of its own (Java and Maven needed). Writers are processes that send random spans of the same journals,
in any order, again and again; each is killed after a random time and another takes its place. At the end every span is
sent once more, and the graph must be that of one writer. Then the server is killed and started again during syncs while
hooks fire. Prints one JSON object.
"""

# ruff: noqa: E402 - the server of the tests is found by the path set below
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "neo4j")]
from graph import Graph
from graph_load import journal_of
from server import PASSWORD, Server

from memwiki.app import open_memory
from memwiki.hosts.programs import install
from memwiki.index.neo4j import events, schema
from memwiki.index.neo4j.connection import Connection
from memwiki.index.neo4j.failure import GraphError
from memwiki.index.neo4j.rows import row_of
from memwiki.index.neo4j.target import Target
from memwiki.init import init
from memwiki.journal.sessions import Journal

WRITERS, EVENTS, SESSIONS = 16, 4000, 20


def write(uri: str, home: str, seed: int) -> None:
    """One writer: random spans of random sessions, until it is killed."""
    dice, journal = random.Random(seed), Journal(Path(home) / "journal")
    keys, most = [one.key for one in journal.sessions()], EVENTS // SESSIONS
    with Connection(Target(uri, "neo4j", PASSWORD)) as connection:
        while True:
            firsts = {key: dice.randint(1, most) for key in dice.sample(keys, 3)}
            try:
                spans = {key: (first, min(first + 60, most)) for key, first in firsts.items()}
                send(connection, journal, spans, f"m{seed % 2}")
            except GraphError as error:
                if error.kind != "away":
                    raise
                print(f"given up: {error}", flush=True)


def send(connection: Connection, journal: Journal, spans: dict[str, tuple[int, int]], machine: str) -> None:
    """One batch, as a sync sends it."""
    rows = [row_of(event) for key, (first, last) in spans.items() for event in journal.events(key, first, last)]
    place = {"host": "claude", "project": "acme", "machine": machine}
    chained = [events.Chained(key, key, place, last) for key, (_, last) in spans.items()]

    async def work(tx: object) -> events.Stored:
        return await events.store(tx, chained, rows)  # type: ignore[arg-type]

    connection.write(work)


def race(server: Server, home: Path, seconds: float) -> dict[str, object]:
    """The writers' race, and what it left."""
    graph = Graph(Target(server.uri, "neo4j", PASSWORD))
    journal = Journal(home / "journal")
    with Connection(graph.target) as connection:
        schema.prepared(connection, "vault", "m0")
    dice, seeds, kills = random.Random(1), iter(range(10**6)), 0
    running: dict[subprocess.Popen[str], float] = {}
    until = time.monotonic() + seconds
    given_up = crashed = 0
    while time.monotonic() < until or running:
        while len(running) < WRITERS and time.monotonic() < until:
            command = [sys.executable, __file__, "writer", server.uri, str(home), str(next(seeds))]
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            running[child] = time.monotonic() + dice.uniform(2, 10)
        for child, end in list(running.items()):
            if child.poll() is not None or time.monotonic() > min(end, until):
                kills += child.poll() is None
                crashed += child.poll() not in (None, -9)
                child.kill()
                given_up += child.communicate()[0].count("given up")
                del running[child]
        time.sleep(0.05)
    half_way = graph.faults()
    with Connection(graph.target) as connection:
        for one in journal.sessions():
            send(connection, journal, {one.key: (1, one.events)}, "m0")
        faults, raced = graph.faults(), graph.everything()
        graph.empty()
        schema.prepared(connection, "vault", "m0")
        for one in journal.sessions():
            send(connection, journal, {one.key: (1, one.events)}, "m0")
    found = {
        "writers killed": kills,
        "writers that failed": crashed,
        "batches given up": given_up,
        "faults after the race": half_way,
        "faults after a last pass": faults,
        "events": graph.value("MATCH (e:Event) RETURN count(e)"),
        "as one writer's graph": raced == graph.everything(),
    }
    graph.empty()
    graph.close()
    return found


def restarts(server: Server, home: Path, times: int = 10, hooks: int = 1000) -> dict[str, object]:
    """The server is killed and started again during syncs while hooks fire: what hooks and the graph notice of it.

    A server that starts takes the processors from everybody. So hooks are compared with hooks during the same kills
    and syncs of a memwiki that knows of no server, before and after; and with hooks while the server is well.
    """
    with open_memory(home=home) as memory:
        install(memory.home)
        memory.sync()
    fired = itertools.count()

    def fire() -> tuple[float, float]:
        """Milliseconds of one hook by the clock, and of the processor."""
        number = next(fired)
        payload = json.dumps({"session_id": f"h{number % 50}", "cwd": "/", "last_assistant_message": f"word {number}"})
        started = time.perf_counter()
        hook = subprocess.Popen([str(home / "bin" / "hook"), "claude", "PostToolUse"], stdin=subprocess.PIPE)
        assert hook.stdin is not None
        hook.stdin.write(payload.encode())
        hook.stdin.close()
        _, status, used = os.wait4(hook.pid, 0)
        hook.returncode = os.waitstatus_to_exitcode(status)
        assert hook.returncode == 0
        return (time.perf_counter() - started) * 1e3, (used.ru_utime + used.ru_stime) * 1e3

    def kill(ended: threading.Event, kills: int) -> None:
        for _ in range(kills):
            time.sleep(1.0)
            server.signal(signal.SIGKILL)
            time.sleep(0.5)
            server.start()
        ended.set()

    def round_of(least: int, kills: int, graph: bool) -> list[tuple[float, float]]:
        """Hooks during so many kills, beside one sync after another."""
        env = {key: value for key, value in os.environ.items() if graph or not key.startswith("MEMWIKI_NEO4J")}
        done, killed = threading.Event(), threading.Event()

        def sync() -> None:
            while not done.is_set():
                subprocess.run([sys.executable, "-m", "memwiki", "sync"], capture_output=True, env=env)

        threads = [threading.Thread(target=sync), threading.Thread(target=kill, args=(killed, kills))]
        for thread in threads:
            thread.start()
        found = []
        while len(found) < least or not killed.is_set():
            found.append(fire())
            time.sleep(0.005)
        done.set()
        for thread in threads:
            thread.join()
        return found

    well = round_of(hooks // 2, 0, graph=True)
    without = round_of(0, times // 2, graph=False)
    wild = round_of(hooks, times, graph=True)
    without += round_of(0, times // 2, graph=False)

    def ratio(other: list[tuple[float, float]], which: int, hundredth: int) -> float:
        one, two = (statistics.quantiles([x[which] for x in some], n=100)[hundredth - 1] for some in (wild, other))
        return round(one / two, 3)

    def slower(some: list[tuple[float, float]]) -> float:
        limit = 1.2 * statistics.quantiles([x[0] for x in without], n=100)[98]
        return round(sum(x[0] > limit for x in some) / len(some), 4)

    graph = Graph(Target(server.uri, "neo4j", PASSWORD))
    with open_memory(home=home) as memory:
        memory.sync()
        lasting = graph.everything()
        total = memory.index.rows("SELECT count(*) FROM events")[0][0]
        faults = graph.faults()
        graph.empty()
        memory.index.discard()
        memory.sync()
        same = graph.everything() == lasting
    found = {
        "hooks": len(wild),
        "hook / hook in the same kills without a graph": {f"p{p}": ratio(without, 0, p) for p in (50, 90, 99)},
        "the same by processor time": {f"p{p}": ratio(without, 1, p) for p in (50, 90)},
        "slower than 1.2 times the 99th of 100 without a graph": {"with": slower(wild), "without": slower(without)},
        "median hook / median hook with the server well": ratio(well, 0, 50),
        "events said": next(fired) + EVENTS,
        "events indexed": total,
        "events in the graph": graph.value("MATCH (e:Event) RETURN count(e)"),
        "chain faults": faults,
        "graph as a fresh rebuild": same,
    }
    graph.close()
    return found


def main(seconds: float) -> None:
    """Both."""
    with tempfile.TemporaryDirectory(prefix="memwiki-writers-") as folder:
        home = Path(folder) / "home"
        os.environ |= {"MEMWIKI_HOME": str(home), "HOME": os.environ["HOME"]}
        init(None, home)
        journal_of(home, EVENTS, SESSIONS)
        server = Server(Path(folder) / "server")
        server.folder.mkdir()
        server.start()
        os.environ |= {"MEMWIKI_NEO4J_URI": server.uri, "MEMWIKI_NEO4J_PASSWORD": PASSWORD}
        try:
            print(json.dumps({"race": race(server, home, seconds), "restarts": restarts(server, home)}, indent=1))
        finally:
            server.stop()


if __name__ == "__main__":
    if sys.argv[1:2] == ["writer"]:
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
