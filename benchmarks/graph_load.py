"""What a graph costs: a whole sync into an empty Neo4j against a bare UNWIND load of the same rows, and small syncs.

    python benchmarks/graph_load.py [EVENTS] [NOTES]

Starts a server of its own (Java and Maven needed). Both loads run in turn, in the same run, into the same schema; the
best of each counts. Prints one JSON object.
"""

# ruff: noqa: E402 - the server of the tests and the vault of another benchmark are found by the path set below
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tests" / "neo4j")]
from server import PASSWORD, Server
from sync import vault_of

from memwiki.app import Memory, open_memory
from memwiki.graph import keep
from memwiki.index.neo4j import notes as note_rows
from memwiki.index.neo4j.rows import row_of
from memwiki.index.neo4j.schema import EVENTS, NOTES
from memwiki.journal.event import Event, line_of

_BATCH = 1000
_NAMES = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUse", "Stop")


def journal_of(home: Path, events: int, sessions: int) -> None:
    """A journal of `events` in `sessions`, with payloads of about 1 KB in the shape of Claude Code's."""
    dice = random.Random(4)
    words = [f"{a}{b}" for a in ["pack", "test", "file", "module", "graph", "note", "index"] for b in range(400)]
    folder = home / "journal" / "claude"
    folder.mkdir(parents=True, exist_ok=True)
    for session in range(sessions):
        key = f"{session:08x}-0000-4000-8000-000000000000"
        with (folder / f"{key}.jsonl").open("wb") as out:
            for n in range(1, events // sessions + 1):
                name = _NAMES[n % len(_NAMES)]
                text = " ".join(dice.choices(words, k=60))
                payload: dict[str, Any] = {"session_id": key, "cwd": "/home/ada/shop", "hook_event_name": name}
                if name == "UserPromptSubmit":
                    payload["prompt"] = text
                elif name == "Stop":
                    payload["last_assistant_message"] = text
                else:
                    payload |= {"tool_name": "Bash", "tool_use_id": f"t{session}-{n}", "tool_input": {"command": text}}
                    if name == "PostToolUse":
                        payload["tool_response"] = {"stdout": text, "stderr": "", "interrupted": False}
                at = f"2026-11-{1 + session % 28:02}T10:{n // 60 % 60:02}:{n % 60:02}.000Z"
                event = Event(n, at, name, name, "claude", key, cwd="/home/ada/shop", payload=payload)
                out.write(line_of(event))


class Bare:
    """The same rows, ready made, loaded by the driver as simply as can be."""

    def __init__(self, memory: Memory, uri: str) -> None:
        from neo4j import GraphDatabase

        self.driver = GraphDatabase.driver(uri, auth=("neo4j", PASSWORD), notifications_min_severity="OFF")
        self.events = [row_of(event) for one in memory.journal.sessions() for event in memory.journal.events(one.key)]
        paths = [row.path for row in memory.notes()]
        commits = note_rows.last_commits(memory.git, memory.git.tip(), set(paths))
        self.notes = note_rows.rows(memory.index, memory.git, paths, commits)

    def run(self, query: str, rows: list[Any]) -> None:
        """One query over all rows, a transaction a batch."""
        with self.driver.session() as session:
            for start in range(0, len(rows), _BATCH):
                some = rows[start : start + _BATCH]
                session.execute_write(lambda tx, some=some: tx.run(query, rows=some).consume())

    def load(self) -> None:
        """Nodes first, then relationships."""
        self.run("UNWIND $rows AS row CREATE (s:Session {key: row})", sorted({row.session for row in self.events}))
        labels = sorted({row.label for row in self.events})
        for label in labels:
            some = [row.properties for row in self.events if row.label == label]
            self.run(f"UNWIND $rows AS row CREATE (e:Event:{label}) SET e = row", some)
        pairs = [[a.id, b.id] for a, b in pairwise(self.events) if a.session == b.session]
        match = "UNWIND $rows AS row MATCH (a:Event {id: row[0]}) MATCH (b:Event {id: row[1]}) "
        self.run(match + "CREATE (a)-[:NEXT]->(b)", pairs)
        ends: dict[str, list[str]] = {}
        for row in self.events:
            ends.setdefault(row.session, [row.session, row.id, row.id])[2] = row.id
        match = "UNWIND $rows AS row MATCH (s:Session {key: row[0]}) MATCH (a:Event {id: row[1]}) "
        tie = "MATCH (b:Event {id: row[2]}) CREATE (s)-[:FIRST_EVENT]->(a), (s)-[:LATEST_EVENT]->(b)"
        self.run(match + tie, list(ends.values()))
        self.run("UNWIND $rows AS row CREATE (m:Memory) SET m = row", [note.properties for note in self.notes])
        self.run("UNWIND $rows AS row CREATE (:Tag {name: row})", sorted({tag for n in self.notes for tag in n.tags}))
        match = "UNWIND $rows AS row MATCH (a:Memory {path: row[0]}) "
        links = [[note.properties["path"], link] for note in self.notes for link in note.links]
        self.run(match + "MATCH (b:Memory {path: row[1]}) CREATE (a)-[:LINKS_TO]->(b)", links)
        tags = [[note.properties["path"], tag] for note in self.notes for tag in note.tags]
        self.run(match + "MATCH (t:Tag {name: row[1]}) CREATE (a)-[:TAGGED]->(t)", tags)

    def empty(self) -> None:
        """Nothing but the schema stays; the full-text indexes are made anew, for Lucene keeps what was deleted."""
        while self.driver.execute_query("MATCH (n) WITH n LIMIT 5000 DETACH DELETE n RETURN count(*)").records[0][0]:
            pass
        for name, label, key in ((NOTES, "Memory", "stems"), (EVENTS, "Event", "words")):
            self.driver.execute_query(f"DROP INDEX {name} IF EXISTS")
            self.driver.execute_query(
                f"CREATE FULLTEXT INDEX {name} FOR (x:{label}) ON EACH [x.{key}] "
                "OPTIONS {indexConfig: {`fulltext.analyzer`: 'unicode_whitespace'}}"
            )
        self.driver.execute_query("CALL db.awaitIndexes(60)")


class Requests(logging.Handler):
    """Counts the queries that the driver sends."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.number = 0

    def emit(self, record: logging.LogRecord) -> None:
        """One line of the driver's log."""
        self.number += "C: RUN" in record.getMessage()


def timed(action: Callable[[], Any]) -> float:
    """Seconds."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def send(memory: Memory) -> Any:
    """The graph's part of a sync."""
    return keep(memory.rooms)


def small(memory: Memory) -> Iterator[tuple[str, float]]:
    """A sync with nothing to do, and one after ten events: queries and milliseconds."""
    seen = Requests()
    log = logging.getLogger("neo4j.io")
    for name, events in (("no-op", 0), ("10 new events", 10)):
        for number in range(events):
            memory.append("claude", "Stop", {"session_id": "new", "last_assistant_message": f"done {number}"})
        memory.sync(index="sqlite")
        log.addHandler(seen)
        log.setLevel(logging.DEBUG)
        seen.number = 0
        spent = timed(lambda: send(memory))
        log.removeHandler(seen)
        log.setLevel(logging.WARNING)
        yield f"{name}: queries", seen.number
        yield f"{name}: ms", spent * 1000


def peak() -> float:
    """MB that a whole sync to the graph of a home that is indexed already needs at its height, its workers with it."""
    code = "import memwiki; m = memwiki.open().__enter__(); m.sync(index='neo4j')"
    sync, highest = subprocess.Popen([sys.executable, "-c", code]), 0.0
    while sync.poll() is None:
        highest = max(highest, resident(sync.pid))
        time.sleep(0.02)
    if sync.returncode:
        raise SystemExit("The sync failed.")
    return highest


def resident(pid: int) -> float:
    """MB of a process and its children that stand in memory now; what they share (a fork) counts once."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0.0
    own = next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
    return own + sum(resident(int(child)) for child in children)


def measured(server: Server, events: int, notes: int, rounds: int) -> dict[str, float]:
    """Everything at one size."""
    with tempfile.TemporaryDirectory(prefix="memwiki-neo4j-") as folder:
        home = Path(folder) / "home"
        os.environ |= {"MEMWIKI_HOME": str(home), "HOME": folder}
        os.environ |= {"MEMWIKI_NEO4J_URI": server.uri, "MEMWIKI_NEO4J_PASSWORD": PASSWORD}
        (Path(folder) / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
        vault_of(home, notes)
        journal_of(home, events, max(1, events // 200))
        with open_memory() as memory:
            result = {"index.db alone, s": timed(lambda: memory.sync(index="sqlite"))}
            send(memory)  # the schema, and a server that is warm
            bare = Bare(memory, server.uri)
            loads, syncs = [], []
            for _ in range(rounds):
                bare.empty()
                loads.append(timed(bare.load))
                bare.empty()
                syncs.append(timed(lambda: send(memory)))
            result |= {"bare load, s": min(loads), "sync, s": min(syncs)}
            result["sync / bare load of the same rows"] = min(syncs) / min(loads)
            result |= dict(small(memory))
            bare.empty()
            result["peak MB"] = peak()
            bare.empty()
            bare.driver.close()
        return result


def main(events: int, notes: int) -> None:
    """Measure with a tenth of the events and with all."""
    with tempfile.TemporaryDirectory(prefix="memwiki-server-") as folder:
        server = Server(Path(folder))
        server.start()
        try:
            tenth = measured(server, events // 10, notes, 1)
            whole = measured(server, events, notes, 2)
        finally:
            server.stop()
    whole["peak / peak with a tenth of the events"] = whole["peak MB"] / tenth["peak MB"]
    whole["no-op: queries with a tenth"] = tenth["no-op: queries"]
    whole["10 new events: queries with a tenth"] = tenth["10 new events: queries"]
    print(json.dumps({key: round(value, 3) for key, value in whole.items()}, indent=1))


if __name__ == "__main__":
    main(*(int(x) for x in [*sys.argv[1:], *("100000", "10000")[len(sys.argv) - 1 :]]))
