"""One protocol, two indexes: the same questions to SQLite and to a real Neo4j, the same answers."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graph import Graph
from test_keeping import candidate, fill, step, write_note

from memwiki.app import Memory
from memwiki.graph import neo4j
from memwiki.graph.told import origins
from memwiki.index.facts import SqliteFacts
from memwiki.index.neo4j.answers import Neo4jIndex
from memwiki.index.neo4j.connection import Connection
from memwiki.index.neo4j.search import search as search_neo4j
from memwiki.index.protocol import Broken, Index
from memwiki.index.questions import Facts, given, impact, related
from memwiki.recall.explain import Hit
from memwiki.recall.explain import search as search_sqlite

CASE = Path(__file__).parent.parent / "cases" / "54-search-query-syntax"
Said = Callable[..., None]
INDEXES = ("sqlite", "neo4j")


@pytest.fixture
def lived(memory: Memory, graph: Graph, said: Said) -> Iterator[Memory]:
    """A memory with notes, events, things given, and candidates of every kind; the graph is in step."""
    fill(memory, said)
    write_note(memory, "tools/yarn.md", "---\ntags: [js]\n---\nYarn is not used; see [[nowhere]] and [[tools/pnpm]].\n")
    write_note(memory, "project/shop/money.md", "---\ntype: decision\n---\n# Money\n\nAmounts are integer cents.\n")
    write_note(memory, "tools/depot.md", "# 依赖\n\n用 pnpm 管理依赖，不要用 npm。\n")
    said("Wo liegen die Straßenkarten der Größe XL?", session="s3")
    said("snake_case and src/app.ts, don't NOT OR pnpm*", session="s3")
    step(memory)
    one = candidate(memory, "tools/cents.md", "# Cents\n\n- Integer cents.\n", "claude/s1#1")
    candidate(memory, "tools/later.md", "# Later\n\n- Pending.\n", "claude/s2#1")
    refused = candidate(memory, "tools/never.md", "# Never\n\n- Refused.\n", "claude/s3#1")
    memory.approve(one)
    memory.reject(refused, "no")
    chain = candidate(memory, "tools/second.md", "# Second\n\n- Step.\n", "claude/s3#2")
    memory.approve(chain)
    give(memory, "claude+s1", "tools/pnpm.md", 1)
    give(memory, "claude+s2", "tools/pnpm.md", 2)
    give(memory, "claude+s2+a1", "tools/yarn.md", 3)
    give(memory, "claude+s3", "tools/cents.md", 4)
    step(memory)
    yield memory


def give(memory: Memory, record: str, path: str, at: int) -> None:
    hash = next(row[0] for row in memory.index.rows("SELECT hash FROM notes WHERE path = ?", (path,)))
    with (memory.home.delivered / record).open("a", encoding="utf-8") as out:
        out.write(f"{10**18 + at * 10**9} UserPromptSubmit {hash} {memory.git.tip()} {path}\n")


@pytest.fixture(params=INDEXES)
def index(request: pytest.FixtureRequest, lived: Memory) -> Iterator[Index]:
    """One of the two indexes over the same memory."""
    if request.param == "sqlite":
        yield lived.index
        return
    found = neo4j(lived.config)
    yield found
    found.close()


@pytest.fixture
def facts(index: Index, lived: Memory) -> Facts:
    """The same index as the source of facts."""
    return index if isinstance(index, Neo4jIndex) else SqliteFacts(lived.index, lambda: origins(lived.git))


@pytest.fixture
def find(index: Index, lived: Memory) -> Callable[..., list[Hit]]:
    """Search by the same index."""
    if isinstance(index, Neo4jIndex):
        return lambda query, **more: search_neo4j(lived.home, index.connection, query, **more)
    return lambda query, **more: search_sqlite(lived.home, query, **more)


def test_notes_links_and_tags(index: Index) -> None:
    assert [row.path for row in index.notes("tools/")] == [
        *("tools/cents.md", "tools/depot.md", "tools/pnpm.md", "tools/second.md", "tools/yarn.md")
    ]
    (row,) = index.notes(type="decision")
    assert (row.path, row.title, row.namespace, row.tags) == ("project/shop/money.md", "Money", "project/shop", ())
    assert index.notes("%") == [] and index.notes("tools", "decision") == []
    links = index.links("tools/pnpm.md")
    assert (links.out, links.back) == (("profile/ada.md", "tools/yarn.md"), ("profile/ada.md", "tools/yarn.md"))
    assert index.links("tools/yarn.md").broken == (Broken(4, "nowhere"),)
    assert index.links("none.md").out == ()
    assert index.tags() == {"js": 2, "node": 1}


def test_events_are_found_by_words_in_any_script_and_words_are_never_operators(index: Index) -> None:
    def ids(query: str) -> set[str]:
        return {hit.id for hit in index.search_events(query)}

    assert ids("依赖") == {"claude/s2#1"} and ids("管理") == {"claude/s2#1"} and ids("赖") == {"claude/s2#1"}
    assert ids("dependency") == ids("dependencies") == {"claude/s1#1"}
    assert ids("strassenkarten") == ids("STRASSENKARTEN größe") == {"claude/s3#1"}
    assert ids("snake_case") == ids("case") == ids("app.ts") == ids("src/app.ts") == {"claude/s3#2"}
    assert ids("install") == {"claude/s2#2", "claude/s2#4"}, "the word's forms too"
    assert ids("NOT pnpm OR *") == ids("not PNPM or")
    for query in (
        "",
        "*",
        '"',
        "a AND",
        "title:x",
        "NEAR(a b)",
        "'; DROP TABLE",
        "^x",
        "{a b}:c",
        "\\",
        "((",
        "pnpm~2",
    ):
        index.search_events(query)
    assert ids("\\") == set() and ids("zzz") == set()
    (hit,) = index.search_events("wished")
    assert (hit.event, hit.text) == ("Stop", "Installed as you wished.")


def test_sessions_and_what_was_given(index: Index) -> None:
    rows = index.sessions()
    assert {(row.key, row.events) for row in rows} == {("claude/s1", 2), ("claude/s2", 7), ("claude/s3", 3)}
    assert rows == sorted(rows, key=lambda row: row.last_at, reverse=True)
    assert [(row.session, row.agent, row.path) for row in index.givens()] == [
        ("claude/s1", "", "tools/pnpm.md"),
        ("claude/s2", "", "tools/pnpm.md"),
        ("claude/s2", "a1", "tools/yarn.md"),
        ("claude/s3", "", "tools/cents.md"),
    ]
    assert [row.path for row in index.givens(session="claude/s2")] == ["tools/pnpm.md", "tools/yarn.md"]
    assert [row.session for row in index.givens(path="tools/cents.md")] == ["claude/s3"]


def test_a_deleted_session_is_forgotten(index: Index) -> None:
    index.delete_session("claude/s2")
    assert [row.key for row in index.sessions()].count("claude/s2") == 0
    assert index.search_events("依赖") == [] and index.givens("claude/s2") == []
    index.delete_session("claude/s2")


def test_search_finds_and_scores_alike(find: Callable[..., list[Hit]]) -> None:
    assert find("which package manager")[0].path == "tools/pnpm.md"
    assert find("依赖")[0].path == "tools/depot.md"
    assert [hit.path for hit in find("integer cents", within="project/")] == ["project/shop/money.md"]
    assert [hit.path for hit in find("integer cents", type="decision")] == ["project/shop/money.md"]
    assert find("") == [] and find("zzzqqq") == []
    assert find("mony")[0].path == "project/shop/money.md", "one letter wrong"


def test_both_indexes_answer_every_query_of_the_case_alike(lived: Memory) -> None:
    import shutil

    shutil.copytree(CASE / "vault", lived.config.vault / "case", dirs_exist_ok=True)
    step(lived)
    lines = [line.split("\t") for line in (CASE / "queries.tsv").read_text("utf-8").splitlines() if "\t" in line]
    assert len(lines) > 8
    with Connection(neo4j(lived.config).connection.target) as connection:
        for query, wanted in lines:
            one = search_neo4j(lived.home, connection, query, limit=5)
            other = search_sqlite(lived.home, query, limit=5)
            assert one == other, query
            if wanted not in "-?":
                assert wanted in [Path(hit.path).stem for hit in one[:3]], query


def test_case_58_what_a_note_has_led_to(facts: Facts) -> None:
    found = impact(facts, "tools/pnpm.md")
    assert [(one.session, one.step, one.via, one.times) for one in found.sessions] == [
        ("claude/s1", 1, "tools/pnpm.md", 1),
        ("claude/s2", 1, "tools/pnpm.md", 1),
        ("claude/s3", 2, "tools/cents.md", 1),
    ]
    assert [(one.note, one.state, one.session, one.step) for one in found.candidates] == [
        ("tools/cents.md", "approved", "claude/s1", 1),
        ("tools/later.md", "pending", "claude/s2", 1),
        *sorted(
            [("tools/never.md", "rejected", "claude/s3", 2), ("tools/second.md", "approved", "claude/s3", 2)],
            key=lambda one: next(c.candidate for c in found.candidates if c.note == one[0]),
        ),
    ]
    assert [(one.path, one.step, one.sessions) for one in found.notes] == [
        ("tools/cents.md", 1, ("claude/s1",)),
        ("tools/second.md", 2, ("claude/s3",)),
    ]
    assert impact(facts, "tools/pnpm.md", hashes=()).sessions == ()
    assert impact(facts, "tools/pnpm.md", steps=1).notes == found.notes[:1]
    assert impact(facts, "profile/ada.md") == impact(facts, "nothing.md").__class__("profile/ada.md", (), (), ())


def test_what_belongs_to_a_note(facts: Facts) -> None:
    found = {one.path: (one.links, one.tags, one.sessions) for one in related(facts, "tools/pnpm.md")}
    assert found == {
        "profile/ada.md": ("both", (), 0),
        "tools/yarn.md": ("both", ("js",), 1),
        "tools/cents.md": ("", (), 1),
    }
    assert [one.path for one in related(facts, "tools/pnpm.md", limit=1)] == ["tools/yarn.md"]


def test_what_a_session_was_given(facts: Facts, lived: Memory) -> None:
    assert [(one.path, one.agent, one.now) for one in given(facts, "claude/s2")] == [
        ("tools/pnpm.md", "", "same"),
        ("tools/yarn.md", "a1", "same"),
    ]
    write_note(lived, "tools/pnpm.md", "# Other\n")
    (lived.config.vault / "tools" / "yarn.md").unlink()
    step(lived)
    assert [one.now for one in given(facts, "claude/s2")] == ["changed", "gone"]


def test_both_indexes_say_the_same_about_everything(lived: Memory) -> None:
    def answers(index: Any, facts: Facts) -> dict[str, Any]:
        paths = [row.path for row in index.notes()]
        return {
            "notes": index.notes(),
            "links": [index.links(path) for path in paths],
            "tags": index.tags(),
            "sessions": index.sessions(),
            "givens": index.givens(),
            "events": [sorted(map(repr, index.search_events(word))) for word in ("pnpm", "请用", "Bash", "installed")],
            "impact": [impact(facts, path) for path in paths],
            "related": [related(facts, path) for path in paths],
        }

    with Connection(neo4j(lived.config).connection.target) as connection:
        other = Neo4jIndex(connection)
        assert answers(lived.index, SqliteFacts(lived.index, lambda: origins(lived.git))) == answers(other, other)


def test_nothing_here_loads_the_driver_before_it_is_needed() -> None:
    code = (
        "import sys, memwiki.app, memwiki.graph, memwiki.cli.sync, memwiki.cli.search, memwiki.index.questions; "
        "from memwiki.index.neo4j import answers, upkeep, search; "
        "print('neo4j' in sys.modules)"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
