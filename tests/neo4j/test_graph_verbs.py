"""The verbs that ask: tables to read, JSON to use, from either index."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from graph import Graph
from test_contract import give
from test_keeping import candidate, fill, step, write_note

from memwiki.app import Memory

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def story(memory: Memory, graph: Graph, said: Callable[..., None], git: Callable[..., str]) -> Memory:
    """Two sessions were given a note; a note was learnt in one of them and given to a third."""
    fill(memory, said)
    said("third", session="s3")
    vault = memory.config.vault
    git(vault, "add", "--all")
    git(vault, "commit", "-qm", "notes")
    step(memory)
    memory.approve(candidate(memory, "tools/led.md", "# Led\n\n- Led to.\n", "claude/s1#1"))
    give(memory, "claude+s1", "tools/pnpm.md", 1)
    write_note(memory, "tools/pnpm.md", "# pnpm\n\n- Use pnpm.\n- Only pnpm.\n")
    git(vault, "commit", "-qam", "reworded")
    memory.sync()
    give(memory, "claude+s2", "tools/pnpm.md", 2)
    give(memory, "claude+s3", "tools/led.md", 3)
    memory.sync()
    return memory


@pytest.mark.parametrize("index", ["sqlite", "neo4j"])
def test_impact_related_given_and_graph(index: str, story: Memory, run: Run) -> None:
    def ask(*words: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(run(*words, "--index", index, "--json").stdout)
        return found

    found = ask("impact", "pnpm")
    assert [(one["session"], one["step"]) for one in found["sessions"]] == [  # type: ignore[attr-defined]
        ("claude/s1", 1),
        ("claude/s2", 1),
        ("claude/s3", 2),
    ]
    line = ask("impact", "tools/pnpm:4")
    assert [one["session"] for one in line["sessions"]] == ["claude/s2"]  # type: ignore[attr-defined]
    shown = run("impact", "tools/pnpm", "--index", index).stdout
    assert "STEP  SESSION" in shown and "tools/led.md" in shown and "approved" in shown
    assert ask("given", "claude/s1")["given"][0]["now"] == "changed"  # type: ignore[index]
    assert "tools/pnpm.md" in run("given", "claude/s2", "--index", index).stdout
    assert [one["path"] for one in ask("related", "led")["related"]] == ["tools/pnpm.md"]  # type: ignore[attr-defined]
    assert "tools/pnpm.md" in run("related", "led", "--index", index).stdout
    picture = run("graph", "tools/pnpm", "--index", index).stdout
    assert picture.startswith("graph LR\n") and "was given" in picture and "%% in Neo4j Browser:" in picture
    assert run("graph", "claude/s1", "--index", index, "--format", "dot").stdout.startswith("digraph memwiki {")
    whole = ask("graph")
    assert {"source": ["note", "tools/led.md"], "target": ["session", "claude/s1"], "words": "learnt in"} in (
        whole["edges"]  # type: ignore[operator]
    )
    assert run("search", "pnpm", "--index", index).stdout.startswith("tools/pnpm.md")
    assert "claude/s1#1" in run("log", "--search", "dependency", "--index", index).stdout


def test_both_indexes_draw_the_same_picture(story: Memory, graph: Graph, run: Run) -> None:
    for what in ("tools/pnpm", "claude/s1", ""):
        one, other = (run("graph", *([what] if what else []), "--index", index).stdout for index in ("sqlite", "neo4j"))
        assert one == other
    cypher = run("graph", "tools/pnpm").stdout.rpartition("%% ")[2]
    assert graph.rows(cypher), "what is to be pasted into the Browser shows something"


def test_a_note_that_is_gone_can_still_be_asked_about(story: Memory, run: Run) -> None:
    (story.config.vault / "tools" / "pnpm.md").unlink()
    story.sync()
    for index in ("sqlite", "neo4j"):
        found = json.loads(run("impact", "tools/pnpm.md", "--index", index, "--json").stdout)
        assert len(found["sessions"]) == 3


def test_what_is_not_there_is_said(story: Memory, run: Run) -> None:
    assert "no note" in run("impact", "nowhere", check=False).stderr.lower()
    assert "No session was given profile/ada.md." in run("impact", "profile/ada").stdout
    assert run("impact", "tools/pnpm:99", check=False).returncode == 1
    assert run("graph", "nowhere", check=False).returncode == 1
    assert run("given", "nowhere", check=False).returncode == 1


@pytest.mark.parametrize("words", ["holds no graph of memwiki's", "holds the graph of another vault"])
def test_no_answer_comes_from_a_graph_that_is_not_the_vaults(
    words: str, memory: Memory, graph: Graph, run: Run
) -> None:
    write_note(memory, "tools/pnpm.md", "# pnpm\n\n- Use pnpm.\n")
    memory.sync(index="sqlite")
    if "another" in words:
        graph.rows("CREATE (:Vault {place: 'here', id: 'another', schema: 1}), (:Memory {path: 'tools/pnpm.md'})")
    for verb in (["search", "pnpm"], ["log", "--search", "pnpm"], ["impact", "pnpm"], ["related", "pnpm"], ["graph"]):
        done = run(*verb, "--index", "neo4j", check=False)
        assert done.returncode == 1 and words in done.stderr and done.stdout == "", verb


def test_without_a_neo4j_the_verbs_answer_and_cypher_says_what_to_set(story: Memory, run: Run) -> None:
    none = {"MEMWIKI_NEO4J_URI": "", "MEMWIKI_NEO4J_PASSWORD": ""}
    assert "claude/s1" in run("impact", "tools/pnpm", env=none).stdout
    for words in (["cypher", "RETURN 1"], ["search", "pnpm", "--index", "neo4j"], ["sync", "--index", "neo4j"]):
        done = run(*words, env=none, check=False)
        assert done.returncode == 1 and "neo4j.uri" in done.stderr, words


def test_the_settings_choose_what_answers(story: Memory, graph: Graph, run: Run) -> None:
    graph.rows("MATCH (m:Memory {path: 'tools/pnpm.md'}) SET m.title = 'From the graph'")
    chosen = {"MEMWIKI_INDEX_SEARCH": "neo4j"}
    assert "From the graph" in run("search", "pnpm", env=chosen).stdout
    assert "From the graph" not in run("search", "pnpm").stdout


def test_settings_are_read_from_files_and_checked(tmp_path: Path, memory: Memory, graph: Graph, run: Run) -> None:
    secret, aura = tmp_path / "password", tmp_path / "aura.txt"
    secret.write_text(graph.target.password + "\n")
    none = {"MEMWIKI_NEO4J_URI": "", "MEMWIKI_NEO4J_PASSWORD": "", "MEMWIKI_NEO4J_USER": ""}
    one = none | {"MEMWIKI_NEO4J_URI": graph.target.uri, "MEMWIKI_NEO4J_PASSWORD_FILE": str(secret)}
    assert json.loads(run("cypher", "RETURN 1 AS x", "--json", env=one).stdout) == {"rows": [{"x": 1}]}
    lines = f"NEO4J_URI={graph.target.uri}\nNEO4J_USERNAME=neo4j\nNEO4J_PASSWORD={graph.target.password}\n"
    aura.write_text(f"# Wait 60 seconds\n{lines}")
    other = none | {"MEMWIKI_NEO4J_CREDENTIALS": str(aura)}
    assert json.loads(run("cypher", "RETURN 1 AS x", "--json", env=other).stdout) == {"rows": [{"x": 1}]}
    for variables, words in (
        ({"MEMWIKI_NEO4J_URI": "http://localhost"}, "is not the address of a Neo4j"),
        ({"MEMWIKI_NEO4J_URI": "bolt://neo4j:hidden@localhost"}, "holds a user or a password"),
        ({"MEMWIKI_NEO4J_CREDENTIALS": str(tmp_path / "none")}, "cannot be read"),
        ({"MEMWIKI_NEO4J_PASSWORD_FILE": str(tmp_path / "none")}, "cannot be read"),
    ):
        done = run("cypher", "RETURN 1", env=none | variables, check=False)
        assert done.returncode == 1 and words in done.stderr and "hidden" not in done.stderr


def test_other_tools_variables_are_named_and_not_read(memory: Memory, run: Run) -> None:
    variables = {"MEMWIKI_NEO4J_URI": "", "MEMWIKI_NEO4J_PASSWORD": ""}
    variables["HOOKS_NEO4J_URI"] = "bolt://someone:hidden@10.0.0.1:7687"
    found = run("doctor", env=variables, check=False).stdout
    assert "HOOKS_NEO4J_URI" in found and "memwiki config set neo4j.uri bolt://10.0.0.1:7687" in found
    assert "hidden" not in found
    assert "Neo4j" not in run("sync", env=variables).stdout
