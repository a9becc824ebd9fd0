"""What the page on the graph shows is run: each Cypher block, by the command line and reading only."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graph import Graph
from test_keeping import candidate, fill, step, write_note

from memwiki.app import Memory

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "neo4j.md").read_text("utf-8")
QUERIES = re.findall(r"^([^\n`|]+):\n\n```cypher\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def asked(
    memory: Memory, graph: Graph, said: Callable[..., None], run: Run, git: Callable[..., str]
) -> Callable[[str], list[dict[str, Any]]]:
    """A graph in which every query of the page has something to find; asks it by `memwiki cypher`."""
    fill(memory, said)
    said("", "s2", "PostToolUseFailure", tool_name="Bash", tool_input={"command": "npm i"}, error="no")
    write_note(memory, "tools/never.md", "# Never given\n")
    git(memory.config.vault, "add", "--all")
    git(memory.config.vault, "commit", "-qm", "notes")
    step(memory)
    one = candidate(memory, "tools/pnpm.md", "# pnpm\n\n- Use pnpm, not [[never]].\n", "claude/s1#1")
    memory.approve(one)
    two = candidate(memory, "tools/led.md", "# Led\n\n- Led to [[never]].\n", "claude/s2#1")
    memory.approve(two)
    for session in ("s1", "s2"):
        line = f"{10**18} UserPromptSubmit {'a' * 64} {memory.git.tip()} tools/pnpm.md\n"
        (memory.home.delivered / f"claude+{session}").write_text(line)
    step(memory)
    graph.rows("MATCH (s:Session) MERGE (p:Project {key: s.key}) MERGE (s)-[:IN_PROJECT]->(p)")

    def ask(query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(run("cypher", query, "--json").stdout)["rows"]
        return found

    return ask


def test_every_query_of_the_page_finds_what_it_says(asked: Callable[[str], list[dict[str, Any]]]) -> None:
    assert len(QUERIES) >= 12
    answers = {words: asked(query) for words, query in QUERIES}
    empty = [words for words, rows in answers.items() if not rows]
    assert [words for words in empty if "no rows" not in words] == []
    assert len(empty) == 1

    def answer(begins: str) -> list[dict[str, Any]]:
        return next(rows for words, rows in answers.items() if words.startswith(begins))

    assert answer("Everything that a wrong note") == [{"note": "tools/led.md", "steps": 1}]
    (words,) = answer("What a note rests on")
    assert (words["words"], words["event"], words["who"]) == ("please use pnpm", "claude/s1#1", "person")
    never = [row["note"] for row in answer("Which notes were never")]
    assert "tools/never.md" in never and "tools/pnpm.md" not in never


@pytest.mark.parametrize("query", ["CREATE (:X)", "MATCH (n) DETACH DELETE n", "MATCH (n:Event) SET n.x = 1 RETURN n"])
def test_cypher_refuses_to_write(query: str, memory: Memory, graph: Graph, said: Callable[..., None], run: Run) -> None:
    fill(memory, said)
    step(memory)
    before = graph.everything()
    done = run("cypher", query, check=False)
    assert done.returncode == 1 and "reading query" in done.stderr
    assert graph.everything() == before


def test_cypher_prints_nodes_paths_and_times_as_json(memory: Memory, graph: Graph, run: Run) -> None:
    graph.rows("CREATE (:X {a: 1, at: date('2026-11-30')})-[:TIE {b: [1, 2]}]->(:Y)")
    found = json.loads(run("cypher", "MATCH p = (x:X)-[r]->() RETURN x, r, p, {k: x.at} AS m", "--json").stdout)["rows"]
    assert found[0]["x"] == {"labels": ["X"], "a": 1, "at": "2026-11-30"}
    assert found[0]["r"] == {"type": "TIE", "b": [1, 2]} and found[0]["m"] == {"k": "2026-11-30"}
    assert len(found[0]["p"]) == 3
    done = run("cypher", "MATCH (", check=False)
    assert done.returncode == 1 and "does not understand" in done.stderr


def test_the_compose_file_binds_to_loopback_and_holds_no_password() -> None:
    import yaml

    service = yaml.safe_load((ROOT / "docs" / "neo4j" / "compose.yaml").read_text())["services"]["neo4j"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["environment"]["NEO4J_AUTH"].startswith("neo4j/${NEO4J_PASSWORD:?")
    rest = {**service, "environment": {k: v for k, v in service["environment"].items() if k != "NEO4J_AUTH"}}
    assert "PASSWORD" not in json.dumps(rest), "a health check's arguments are in the process list every 5 seconds"
