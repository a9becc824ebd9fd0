"""Events as linked lists: whole and in order, whatever arrives first, twice, or from many writers at once."""

import asyncio
import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from graph import Graph

from memwiki.index.neo4j import events, schema
from memwiki.index.neo4j.connection import Connection
from memwiki.index.neo4j.rows import row_of
from memwiki.journal.event import Event

CASE = Path(__file__).parent.parent / "cases" / "58-neo4j-replay-and-race"


def case_58() -> list[Event]:
    """The events of the case, numbered as the journal would."""
    made = subprocess.run([sys.executable, str(CASE / "gen.py")], capture_output=True, text=True, check=True)
    found, last = [], dict[str, int]()
    for line in made.stdout.splitlines():
        payload = json.loads(line)
        key = payload["session_id"]
        last[key] = last.get(key, 0) + 1
        name = payload["hook_event_name"]
        at = f"2026-11-30T10:00:{len(found) % 60:02}.000Z"
        found.append(Event(last[key], at, name, name, "claude", key, project="github.com/acme/shop", payload=payload))
    return found


def send(connection: Connection, batch: Iterable[Event], machine: str = "m1") -> events.Stored:
    """One batch, as a sync sends it."""
    rows = [row_of(event) for event in batch]
    keys = {(row.session, row.id.rpartition("#")[0]) for row in rows}
    keys |= {(journal, journal) for _, journal in keys}
    ends = {key: max(row.n for row in rows if row.session == key) for key in {row.session for row in rows}}
    sessions = [
        events.Chained(key, journal, {"host": "claude", "project": "github.com/acme/shop"}, ends.get(key, 0))
        for key, journal in keys
    ]

    async def work(tx: Any) -> events.Stored:
        return await events.store(tx, sessions, rows)

    stored: events.Stored = connection.write(work, limit=60)
    return stored


def batches(found: list[Event], size: int) -> list[list[Event]]:
    return [found[start : start + size] for start in range(0, len(found), size)]


@pytest.fixture
def ready(graph: Graph) -> Graph:
    """A database with the schema."""
    with graph.connection() as connection:
        schema.prepared(connection, "vault", "m1")
    return graph


def test_case_58_the_chain_is_whole_whatever_the_order_of_batches(ready: Graph) -> None:
    found = case_58()
    with ready.connection() as connection:
        for batch in batches(found, 60):
            assert send(connection, batch) == events.Stored(len(batch), ())
        before = ready.everything()
        assert ready.faults() == []
        assert ready.value("MATCH (e:Event:PostToolUse) RETURN count(e)") == 200
        assert ready.value("MATCH (s:Session) RETURN count(s)") == 5
        assert ready.value("MATCH (:Event)-[n:NEXT]->(:Event) RETURN count(n)") == 195
        for batch in batches(found, 60):
            assert send(connection, batch) == events.Stored(0, ())
        assert ready.everything() == before
        for order in (list(reversed(batches(found, 60))), [batches(found, 50)[i] for i in (1, 0, 3, 2)]):
            ready.rows("MATCH (n:Event) DETACH DELETE n")
            ready.rows("MATCH (n:Session) DETACH DELETE n")
            for batch in order:
                send(connection, batch)
            assert ready.everything() == before


def test_single_events_in_any_order_and_twice_make_the_same_graph(ready: Graph) -> None:
    found = case_58()[:40]
    with ready.connection() as connection:
        send(connection, found)
        before = ready.everything()
        ready.rows("MATCH (n:Event) DETACH DELETE n")
        ready.rows("MATCH (n:Session) DETACH DELETE n")
        dice = random.Random(58)
        mixed = found + dice.sample(found, 10)
        dice.shuffle(mixed)
        while mixed:
            some, mixed = mixed[: dice.randint(1, 5)], mixed[5:] if len(mixed) > 5 else []
            send(connection, some)
        for event in found:
            send(connection, [event])
        assert ready.faults() == []
        assert ready.everything() == before


def test_case_58_the_first_content_of_an_id_wins_and_is_reported(ready: Graph) -> None:
    first = Event(1, "2026-11-30T10:00:00.000Z", "Stop", "Stop", "claude", "s", payload={"last_assistant_message": "a"})
    other = Event(1, "2026-11-30T10:00:01.000Z", "Stop", "Stop", "claude", "s", payload={"last_assistant_message": "b"})
    with ready.connection() as connection:
        assert send(connection, [first]) == events.Stored(1, ())
        assert send(connection, [other, other]) == events.Stored(0, ("claude/s#1",))
    assert ready.value("MATCH (e:Event) RETURN e.last_assistant_message") == "a"


def test_a_subagents_events_are_a_chain_of_their_own(ready: Graph) -> None:
    found = [
        Event(n, f"2026-11-30T10:00:0{n}.000Z", "Stop", "Stop", "claude", "s", agent="" if n in (1, 3, 6) else "a7")
        for n in range(1, 7)
    ]
    with ready.connection() as connection:
        for event in reversed(found):
            send(connection, [event])
    assert ready.chain("claude/s") == ["claude/s#1", "claude/s#3", "claude/s#6"]
    assert ready.chain("claude/s/a7") == ["claude/s#2", "claude/s#4", "claude/s#5"]
    assert ready.rows("MATCH (a:Session)-[:SUBAGENT_OF]->(b) RETURN a.key AS a, b.key AS b") == [
        {"a": "claude/s/a7", "b": "claude/s"}
    ]
    assert ready.faults() == []


def test_sixteen_writers_at_once_lose_and_double_nothing(ready: Graph) -> None:
    found = case_58()
    stored: list[events.Stored] = []
    broken: list[BaseException] = []

    def write(number: int) -> None:
        dice = random.Random(number)
        mine = [found[start : start + 25] for start in range(0, len(found), 25)]
        dice.shuffle(mine)
        try:
            with ready.connection() as connection:
                for batch in mine:
                    stored.append(send(connection, batch, f"m{number % 2}"))
        except BaseException as error:
            broken.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert broken == []
    assert sum(one.new for one in stored) == 200
    assert all(one.conflicts == () for one in stored)
    assert ready.faults() == []
    counted = ready.rows("MATCH (s:Session) RETURN s.key AS key, s.stored AS stored, s.events AS events")
    assert [(row["stored"], row["events"]) for row in counted] == [(40, 40)] * 5


def test_a_transaction_cut_at_any_await_leaves_nothing_half_done(ready: Graph) -> None:
    found = case_58()[:30]
    rows = [row_of(event) for event in found]
    sessions = [events.Chained(key, key, {"host": "claude"}, 6) for key in {row.session for row in rows}]

    class Cut(Exception):
        pass

    class Cutting:
        def __init__(self, tx: Any, left: int) -> None:
            self.tx, self.left = tx, left

        async def run(self, *args: Any, **values: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise Cut
            await asyncio.sleep(0)
            return await self.tx.run(*args, **values)

    def work(left: int) -> Any:
        async def one(tx: Any) -> Any:
            return await events.store(Cutting(tx, left), sessions, rows)

        return one

    for left in range(20):
        with ready.connection() as connection:
            try:
                connection.write(work(left))
            except Exception:
                assert ready.value("MATCH (e:Event) RETURN count(e)") == 0
                continue
            break
    assert left > 3 and ready.faults() == []
    assert ready.value("MATCH (e:Event) RETURN count(e)") == 30


def test_forgetting_a_session_takes_its_chain_and_nothing_else(ready: Graph) -> None:
    found = case_58()
    with ready.connection() as connection:
        send(connection, found)

        async def work(tx: Any) -> bool:
            return await events.forget(tx, found[0].key)

        while not connection.write(work):
            pass
    assert ready.value("MATCH (s:Session) RETURN count(s)") == 4
    assert ready.value("MATCH (e:Event) RETURN count(e)") == 160
    assert ready.faults() == []
