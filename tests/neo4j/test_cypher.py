"""`memwiki cypher`: whatever is typed, one sentence or an answer that fits, and nothing is ever written."""

import json
import subprocess
from collections.abc import Callable

import pytest
from graph import Graph

from memwiki.app import Memory
from memwiki.index.neo4j.failure import GraphError

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("MATCH (", "does not understand the query: Invalid input"),
        ("", "does not understand the query: "),
        ("MATCH (n) RETURN m", "does not understand the query: Variable `m` not defined"),
        ("RETURN 1/0", "does not understand the query: / by zero"),
        ("RETURN $x", "does not understand the query: Expected parameter(s): x"),
        ("CALL no.such()", "cannot call that: There is no procedure"),
        ("CREATE (:X)", "does not write in a reading query"),
        ("CREATE INDEX x FOR (n:X) ON (n.x)", "does not write in a reading query"),
        ("UNWIND range(1, 3) AS i CALL (i) { CREATE (:X) } IN TRANSACTIONS", ""),
        ("CREATE USER eve SET PASSWORD 'long enough'", ""),
        ("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'long enough'", ""),
        ("DROP DATABASE neo4j", ""),
        ("UNWIND range(1, 20000) AS i RETURN i", "The query has more than 10,000 rows."),
    ],
)
def test_what_it_refuses_is_said_in_one_sentence(
    query: str, words: str, memory: Memory, graph: Graph, run: Run
) -> None:
    done = run("cypher", query, check=False)
    assert done.returncode == 1 and done.stdout == ""
    sentence, remedy = done.stderr.strip().splitlines()
    print(sentence, "|", remedy)
    assert words in sentence and "neo4j_code" not in sentence and "gql_status" not in sentence
    assert graph.rows("SHOW USERS YIELD user") == [{"user": "neo4j"}]
    assert graph.value("MATCH (n:X) RETURN count(n)") == 0


def test_an_answer_that_just_fits_is_whole(memory: Memory, graph: Graph, run: Run) -> None:
    found = json.loads(run("cypher", "UNWIND range(1, 10000) AS i RETURN i", "--json").stdout)["rows"]
    assert [row["i"] for row in found] == list(range(1, 10001))


def test_a_query_without_an_end_is_given_up(graph: Graph) -> None:
    endless = "UNWIND range(1, 1000000000) AS a WITH a WHERE a < 0 RETURN a"
    with graph.connection() as connection, pytest.raises(GraphError) as error:
        connection.ask(endless, limit=1, most=10)
    assert error.value.message.endswith("takes too long over it.") and "less" in error.value.remedy
    assert graph.value("SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '< 0' RETURN count(*)") == 1, (
        "only the question itself"
    )
