"""Whatever a payload or a note holds, Neo4j takes it, and it can be read back."""

import json
from typing import Any

from graph import Graph
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.index.neo4j.rows import label_of, row_of, stemmed
from memwiki.index.neo4j.shapes import properties
from memwiki.journal.event import Event

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(alphabet=st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(payload=st.dictionaries(st.text(max_size=12), VALUES, max_size=6), response=VALUES)
def test_any_payload_becomes_properties(payload: dict[str, Any], response: Any) -> None:
    payload |= {"tool_name": "T\ud800", "tool_input": payload.copy(), "tool_response": response}
    row = row_of(Event(1, "2026-11-30T10:00:00.000Z", "PostToolUse", "PostToolUse", "claude", "s", payload=payload))
    for value in row.properties.values():
        assert isinstance(value, str | int) and value != ""
        if isinstance(value, str):
            value.encode("utf-8")
    if row.properties["tool_input"] not in ("{}",) and "\ud800" not in json.dumps(payload["tool_input"]):
        assert json.loads(row.properties["tool_input"]).keys() == payload["tool_input"].keys()


def test_shapes_that_neo4j_refuses_are_stored_and_read_back(graph: Graph) -> None:
    values = {
        "nested": {"a": [1, {"b": None}]},
        "mixed": [1, "a", None],
        "none": None,
        "empty": "",
        "wide": 2**70,
        "wides": [1, 2**70],
        "bad": "x\ud800y",
        "null": "a\0b",
        "huge": "z" * 200_000,
        "plain": [1, 2],
        "list": [[1], [2]],
    }
    (found,) = graph.rows("CREATE (n:X) SET n = $values RETURN properties(n) AS n", values=properties(values))
    n = found["n"]
    assert json.loads(n["nested"]) == values["nested"] and json.loads(n["mixed"]) == values["mixed"]
    assert (n["wide"], json.loads(n["wides"]), n["bad"], n["plain"]) == (str(2**70), [1, 2**70], "x?y", [1, 2])
    assert n["null"] == "a\ufffdb" and json.loads(n["list"]) == [[1], [2]]
    assert len(n["huge"]) < 66_000 and "characters left out" in n["huge"]
    assert "none" not in n and "empty" not in n


def test_no_query_carries_text_that_neo4j_does_not_take(graph: Graph) -> None:
    """Neither in a parameter, nor in a list or a map of one, nor in the words of a query."""
    connection = graph.connection()
    values = {"a": "x\0y\ud800", "b": ["\0", ("\udfff",)], "c": {"k\0": "\0"}}
    (row,) = connection.rows("RETURN $a AS a, $b AS b, $c AS c", **values)
    assert row.data() == {"a": "x\ufffdy?", "b": ["\ufffd", ["?"]], "c": {"k\ufffd": "\ufffd"}}
    (row,) = connection.execute("RETURN $a AS a", a="\0")
    assert row["a"] == "\ufffd"
    (row,) = connection.ask("RETURN 'x\0\ud800' AS a", 5, 10)
    assert row["a"] == "x\ufffd?"
    connection.close()


def test_words_are_cut_alike_in_every_script() -> None:
    assert stemmed("Installing the dependencies, installed!") == "install the dependency install".replace(
        "dependency", stemmed("dependency")
    )
    assert stemmed("用pnpm管理") == "用 pnpm 管 理"
    assert stemmed("STRASSE Straße") == stemmed("straße strasse")
    assert stemmed("a_b/c.d") == "a b c d"
    assert stemmed("") == ""


def test_a_hosts_names_become_labels_that_are_not_ours() -> None:
    assert [label_of(name) for name in ("Stop", "before:Shell`x", "Session", "Vault", "1x", "日本", "")] == [
        *("Stop", "beforeShellx", "Other", "Other", "Other", "Other", "Other")
    ]
