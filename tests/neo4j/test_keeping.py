"""The graph is what journal, vault and git say, after any sync and any accident; no word of pending text is in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from graph import Graph

from memwiki import sync
from memwiki.app import Memory
from memwiki.candidates.candidate import Evidence, Proposal
from memwiki.candidates.ledger import Run
from memwiki.candidates.message import new_run_id
from memwiki.candidates.runs import write
from memwiki.graph import keep, status
from memwiki.index.neo4j.failure import GraphError
from memwiki.index.report import GraphReport

Said = Callable[..., None]


def step(memory: Memory, full: bool = False) -> GraphReport:
    """What `memwiki sync` does."""
    sync.sync(memory.rooms)
    report = keep(memory.rooms, full=full)
    assert report is not None
    return report


def write_note(memory: Memory, path: str, text: str) -> Path:
    file = memory.config.vault / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def fill(memory: Memory, said: Said) -> None:
    write_note(
        memory,
        "tools/pnpm.md",
        "---\ntitle: Package manager\ntype: preference\ntags: [js, node]\n---\n- Use pnpm, see [[yarn]] and [[ada]].\n",
    )
    write_note(memory, "profile/ada.md", "I am Ada, see [[tools/pnpm]]. 请用 pnpm\n")
    said("please use pnpm for dependencies")
    said("请用 pnpm 管理依赖", session="s2")
    said("", "s2", "PreToolUse", tool_name="Bash", tool_input={"command": "pnpm install", "n": [1, "a", None]})
    said("", "s2", "PostToolUse", tool_name="Bash", tool_response={"stdout": "done", "n": 2**70})
    said("", "s2", "Stop", last_assistant_message="Installed as you wished.")
    said("", "s2", "Stop", last_assistant_message="From a helper.", agent_id="a1")


def rebuilt(memory: Memory, graph: Graph) -> tuple[list[str], list[str]]:
    """Everything in a graph made from nothing, by a machine that remembers nothing of it."""
    graph.empty()
    memory.index.discard()
    step(memory)
    return graph.everything()


def test_everything_is_there_and_a_second_pass_sends_nothing(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    report = step(memory)
    assert (report.events, report.notes, report.conflicts, report.waits) == (6, 2, (), "")
    assert graph.faults() == []
    assert graph.chain("claude/s2") == ["claude/s2#1", "claude/s2#2", "claude/s2#3", "claude/s2#4"]
    assert graph.chain("claude/s2/a1") == ["claude/s2#5"]
    (tool,) = graph.rows("MATCH (e:PreToolUse) RETURN e.tool_name AS name, e.tool_input AS given")
    assert tool == {"name": "Bash", "given": '{"command": "pnpm install", "n": [1, "a", null]}'}
    (note,) = graph.rows("MATCH (m:Memory {path: 'tools/pnpm.md'}) RETURN properties(m) AS m")
    assert note["m"]["title"] == "Package manager" and note["m"]["namespace"] == "tools" and "commit" not in note["m"]
    links = graph.rows("MATCH (a:Memory)-[:LINKS_TO]->(b) RETURN a.path AS a, b.path AS b ORDER BY a")
    assert links == [{"a": "profile/ada.md", "b": "tools/pnpm.md"}, {"a": "tools/pnpm.md", "b": "profile/ada.md"}]
    assert graph.value("MATCH (m:Memory)-[:TAGGED]->(t:Tag) RETURN collect(t.name)") == ["js", "node"]
    before = graph.everything()
    again = step(memory)
    assert (again.events, again.notes, again.candidates) == (0, 0, 0)
    assert graph.everything() == before


def test_case_58_a_deleted_note_goes_and_what_cites_it_stays(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    (memory.config.vault / "tools/pnpm.md").unlink()
    step(memory)
    assert graph.rows("MATCH (m:Memory) RETURN m.path AS path") == [{"path": "profile/ada.md"}]
    assert graph.rows("MATCH (t:Tag) RETURN t.name") == []
    assert graph.value("MATCH (e:Event) RETURN count(e)") == 6
    assert graph.everything() == rebuilt(memory, graph)


def test_commits_edits_and_renames_leave_the_graph_of_a_fresh_build(
    memory: Memory, graph: Graph, said: Said, git: Callable[..., str]
) -> None:
    fill(memory, said)
    step(memory)
    vault = memory.config.vault
    git(vault, "add", "--all")
    git(vault, "commit", "-qm", "notes")
    step(memory)
    tip = git(vault, "rev-parse", "HEAD").strip()
    assert graph.value("MATCH (m:Memory) RETURN collect(DISTINCT m.commit)") == [tip]
    assert graph.value("MATCH (v:Vault) RETURN v.commit") == tip
    write_note(memory, "tools/yarn.md", "# Yarn\n\nNot used.\n")
    git(vault, "mv", "profile/ada.md", "profile/person.md")
    git(vault, "add", "--all")
    git(vault, "commit", "-qm", "more")
    write_note(memory, "tools/pnpm.md", "# pnpm\n\nOnly pnpm. [[person]]\n")
    step(memory)
    assert graph.value("MATCH (:Memory {path: 'tools/pnpm.md'})-[:LINKS_TO]->(m) RETURN m.path") == "profile/person.md"
    assert graph.everything() == rebuilt(memory, graph)
    git(vault, "commit", "-qam", "x")
    git(vault, "commit", "-q", "--amend", "-m", "y", "--date", "2026-01-01T00:00:00Z")
    step(memory)
    assert graph.everything() == rebuilt(memory, graph)


def candidate(memory: Memory, path: str, text: str, *events: str, run: str = "") -> str:
    """A candidate that rests on `events`; its id."""
    evidence = tuple(Evidence(event, "person", "please use pnpm") for event in events)
    proposal = Proposal(path, text, "Zebrasubject", "why", "fact", "turn", 0.8, evidence=evidence)
    made = Run(run or new_run_id(), "rules", spans={events[0].rpartition("#")[0]: (1, 1)} if events else {})
    (one,) = write(memory.git, memory.config.machine, made, [proposal])
    return one.id


def words_in(graph: Graph, word: str) -> list[Any]:
    """Nodes that hold a word in any property."""
    query = "MATCH (n) WHERE any(k IN keys(n) WHERE toString(n[k]) CONTAINS $word) RETURN labels(n) AS labels"
    return graph.rows(query.replace("toString(n[k])", "reduce(s = '', x IN [] + n[k] | s + toString(x))"), word=word)


def test_candidates_and_what_they_rest_on(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    one = candidate(memory, "tools/zebra.md", "# Zebraword\n\n- Zebratext.\n", "claude/s1#1")
    step(memory)
    assert words_in(graph, "Zebra") == [], "no word of pending text"
    (found,) = graph.rows(
        "MATCH (r:DreamRun)-[:PROPOSED]->(c:Candidate)-[x:EVIDENCED_BY]->(e:Event) "
        "RETURN c.state AS state, x.quote AS quote, e.id AS event"
    )
    assert found == {"state": "pending", "quote": "please use pnpm", "event": "claude/s1#1"}
    assert graph.rows("MATCH (:DreamRun)-[r:READ]->(s) RETURN r.from AS a, r.to AS b, s.key AS key") == [
        {"a": 1, "b": 1, "key": "claude/s1"}
    ]
    assert graph.rows("MATCH (m:Memory {path: 'tools/zebra.md'}) RETURN m") == []
    memory.approve(one)
    step(memory)
    derived = "MATCH (m:Memory)-[:DERIVED_FROM]->(s:Session) RETURN m.path AS path, s.key AS key"
    assert graph.rows(derived) == [{"path": "tools/zebra.md", "key": "claude/s1"}]
    assert graph.value("MATCH (c:Candidate)-[:CHANGES]->(m:Memory) RETURN m.path") == "tools/zebra.md"
    memory.move("tools/zebra.md", "tools/horse.md")
    step(memory)
    assert graph.rows(derived) == [{"path": "tools/horse.md", "key": "claude/s1"}]
    refused = candidate(memory, "tools/ox.md", "# Oxword\n\n- Oxtext.\n", "claude/s2#1")
    memory.reject(refused, "no")
    step(memory)
    assert words_in(graph, "Oxtext") == []
    before = graph.everything()
    assert before == rebuilt(memory, graph)
    other = candidate(memory, "tools/gnu.md", "# Gnu\n\n- Gnutext.\n", "claude/s2#1")
    memory.approve(other)
    step(memory)
    assert len(graph.rows(derived)) == 2
    memory.revert(other)
    step(memory)
    assert graph.rows(derived) == [{"path": "tools/horse.md", "key": "claude/s1"}]
    assert graph.everything() == rebuilt(memory, graph)


def test_a_clone_leaves_a_candidate_the_machine_it_came_from(
    memory: Memory, graph: Graph, said: Said, git: Callable[..., str], tmp_path: Path
) -> None:
    fill(memory, said)
    step(memory)
    memory.approve(candidate(memory, "tools/zebra.md", "# Zebra\n\n- Text.\n", "claude/s1#1"))
    step(memory)
    whose = "MATCH (c:Candidate) RETURN c.machine AS machine, c.state AS state"
    assert graph.rows(whose) == [{"machine": memory.config.machine, "state": "approved"}]
    git(tmp_path, "clone", "-q", str(memory.config.vault), str(tmp_path / "clone"))
    memory.git.top = tmp_path / "clone"  # it has the commit, and no ledger
    memory.git.__dict__.pop("_layout", None)
    assert step(memory).candidates == 1
    assert graph.rows(whose) == [{"machine": memory.config.machine, "state": "approved"}]


def test_what_was_given_is_kept_when_the_note_is_gone(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    record = memory.home.delivered / "claude+s1"
    record.write_text(f"{10**18} UserPromptSubmit {'a' * 64} {'b' * 40} tools/pnpm.md\n", "utf-8")
    step(memory)
    given = "MATCH (s:Session)-[g:WAS_GIVEN]->(m:Memory) RETURN s.key AS key, g.commit AS commit, m.path AS path"
    assert graph.rows(given) == [{"key": "claude/s1", "commit": "b" * 40, "path": "tools/pnpm.md"}]
    (memory.config.vault / "tools/pnpm.md").unlink()
    step(memory)
    assert graph.rows(given) == [{"key": "claude/s1", "commit": "b" * 40, "path": "tools/pnpm.md"}]
    assert graph.value("MATCH (m:Memory {path: 'tools/pnpm.md'}) RETURN keys(m)") == ["path", "absent"]
    assert graph.everything() == rebuilt(memory, graph)


def test_a_wiped_a_restored_and_another_database_are_noticed(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    before = graph.everything()
    graph.empty()
    assert step(memory).events == 6
    assert graph.everything() == before
    graph.rows("MATCH (s:Session {key: 'claude/s2'})-[:FIRST_EVENT|NEXT*1..]->(e) DETACH DELETE e")
    graph.rows("MATCH (s:Session {key: 'claude/s2'}) SET s.stored = 0, s.events = 0")
    graph.rows("MATCH (m:Machine) SET m.mark = 'as it was in the backup'")
    step(memory)
    assert graph.everything() == before
    memory.index.discard()
    again = step(memory)
    assert (again.events, again.notes) == (0, 0)
    assert graph.everything() == before
    assert step(memory, full=True).events == 6
    assert graph.everything() == before


def test_a_deleted_session_goes(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    memory.delete_session("claude/s2")
    step(memory)
    assert graph.rows("MATCH (s:Session) RETURN s.key AS key") == [{"key": "claude/s1"}]
    assert graph.faults() == []
    assert graph.everything() == rebuilt(memory, graph)


def test_another_vault_is_refused_and_a_clone_is_not(
    memory: Memory, graph: Graph, said: Said, git: Callable[..., str], tmp_path: Path
) -> None:
    fill(memory, said)
    git(memory.config.vault, "add", "--all")
    git(memory.config.vault, "commit", "-qm", "notes")
    step(memory)
    before = graph.everything()
    other = tmp_path / "other"
    git(tmp_path, "init", "-q", str(other))
    (other / "a.md").write_text("# A\n")
    git(other, "add", ".")
    git(other, "commit", "-qm", "a")
    memory.git.top = other
    with pytest.raises(GraphError) as error:
        step(memory)
    assert "another vault" in error.value.message and "neo4j.database" in error.value.remedy
    assert graph.everything() == before
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(memory.config.vault), str(clone))
    memory.git.top = clone
    memory.git.__dict__.pop("_layout", None)
    assert step(memory).waits == ""
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{memory.config.vault}", str(shallow))
    memory.git.top = shallow
    memory.git.__dict__.pop("_layout", None)
    with pytest.raises(GraphError) as error:
        step(memory)
    assert "fetch --unshallow" in error.value.remedy


def test_an_older_clone_does_not_take_the_graph_back(
    memory: Memory, graph: Graph, said: Said, git: Callable[..., str], tmp_path: Path
) -> None:
    fill(memory, said)
    vault = memory.config.vault
    git(vault, "add", "--all")
    git(vault, "commit", "-qm", "notes")
    old = tmp_path / "old"
    git(tmp_path, "clone", "-q", str(vault), str(old))
    write_note(memory, "tools/pnpm.md", "# pnpm\n\nNewer.\n")
    git(vault, "commit", "-qam", "newer")
    step(memory)
    before = graph.everything()
    memory.git.top = old
    memory.git.__dict__.pop("_layout", None)
    report = step(memory)
    assert "git pull" in report.waits and report.notes == 0
    assert graph.everything() == before
    git(old, "pull", "-q")
    assert step(memory).waits == ""
    assert graph.value("MATCH (m:Memory {path: 'tools/pnpm.md'}) RETURN m.text") == "# pnpm\n\nNewer.\n"


def test_an_older_schema_is_made_anew_and_a_newer_one_refused(memory: Memory, graph: Graph, said: Said) -> None:
    fill(memory, said)
    step(memory)
    before = graph.everything()
    graph.rows("MATCH (v:Vault) SET v.schema = 0")
    graph.rows("MATCH (m:Memory) SET m.old = true")
    graph.rows("DROP INDEX memwiki_notes")
    assert step(memory).events == 6
    assert graph.everything() == before
    assert graph.value("SHOW INDEXES YIELD name WHERE name = 'memwiki_notes' RETURN count(*)") == 1
    graph.rows("MATCH (v:Vault) SET v.schema = 99")
    with pytest.raises(GraphError) as error:
        step(memory)
    assert "Update memwiki" in error.value.remedy


def test_a_secret_in_a_note_stays_on_this_machine(memory: Memory, graph: Graph) -> None:
    secret = "AK" + "IA" + "ABCDEFGHIJKLMN23"
    write_note(memory, "tools/aws.md", f"# Keys\n\n- The key is {secret} for staging.\n")
    step(memory)
    assert words_in(graph, secret) == [] and words_in(graph, secret.lower()) == []
    assert graph.value("MATCH (m:Memory {path: 'tools/aws.md'}) RETURN m.secret") is True


def test_status_counts_what_the_graph_lacks(
    memory: Memory, graph: Graph, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(memory, said)
    sync.sync(memory.rooms)
    found = status(memory.config, memory.index)
    assert found is not None and found.behind == 6
    step(memory)
    found = status(memory.config, memory.index)
    assert found is not None and found.behind == 0 and found.problem == ""
    said("one more")
    sync.sync(memory.rooms)
    found = status(memory.config, memory.index)
    assert found is not None and found.behind == 1
    monkeypatch.setenv("MEMWIKI_NEO4J_URI", "bolt://127.0.0.1:1")
    found = status(memory.config, memory.index)
    assert found is not None and found.behind == 7, "another server has been sent nothing"
