"""Notes that an agent's tools wrote into the vault: they are marked or held back until a person confirms them."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memwiki.app import Memory, open_memory
from memwiki.index.writes import written
from memwiki.init import init
from memwiki.journal.event import Event

NOTE = "The receipt printer tests need PRINTER=fake.\n"
PROMPT = "how do I run the receipt printer tests?"
AGENT, OPEN = "(not reviewed: an agent wrote it)", "(not committed yet)"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    init()
    with open_memory() as opened:
        yield opened


def used(memory: Memory, tool: str, **given: object) -> None:
    """A tool call of Claude Code, before and after."""
    for native in ("PreToolUse", "PostToolUse"):
        payload = {"session_id": "s1", "cwd": "/", "hook_event_name": native, "tool_name": tool, "tool_input": given}
        memory.append("claude", native, {**payload, "tool_response": {}})


def agent_writes(memory: Memory, path: str = "tools/printer.md", text: str = NOTE) -> None:
    file = memory.config.vault / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    used(memory, "Write", file_path=str(file), content=text)
    memory.sync()


def given(memory: Memory) -> str:
    return memory.recall(PROMPT, project="/").text


def commits(memory: Memory, git: Any, *paths: str) -> None:
    git(memory.config.vault, "add", *paths)
    git(memory.config.vault, "commit", "-qm", "Mine")


def test_who_wrote_a_note_is_said(memory: Memory, git: Any) -> None:
    agent_writes(memory)
    assert f"## tools/printer.md {AGENT}\n" in given(memory)
    time.sleep(1.1)  # git's times are whole seconds
    commits(memory, git, "tools/printer.md")
    memory.sync()
    assert "## tools/printer.md\n" in given(memory), "the person's commit says that they know it"
    (memory.config.vault / "tools/printer.md").write_text(NOTE + "Twice.\n")
    assert f"## tools/printer.md {OPEN}\n" in given(memory), "before any sync, too"
    memory.sync()
    assert f"## tools/printer.md {OPEN}\n" in given(memory)


@pytest.mark.parametrize(
    ("mode", "there", "marked"), [("give", True, False), ("mark", True, True), ("hold", False, False)]
)
def test_a_setting_says_whether_it_is_given(memory: Memory, mode: str, there: bool, marked: bool) -> None:
    memory.set("recall.unreviewed", mode)
    agent_writes(memory)
    assert ("PRINTER" in given(memory), AGENT in given(memory)) == (there, marked)
    (weighed,) = memory.recall(PROMPT, project="/").notes
    assert ("held back" in weighed.why) == (mode == "hold")


def test_what_an_agent_commits_itself_is_not_reviewed(memory: Memory, git: Any) -> None:
    vault = memory.config.vault
    (vault / "tools/printer.md").write_text(NOTE)
    memory.append("claude", "PreToolUse", {"session_id": "s1", "cwd": "/", "tool_name": "Bash", "tool_input": {}})
    commits(memory, git, "tools/printer.md")
    command = f"cd {vault} && git add -A && git commit -m 'Add a note'"
    payload = {"session_id": "s1", "cwd": "/", "tool_name": "Bash", "tool_input": {"command": command}}
    memory.append("claude", "PostToolUse", payload)
    memory.sync()
    assert AGENT in given(memory)
    (note,) = memory.unreviewed()
    assert (note.path, note.old, note.new) == ("tools/printer.md", None, NOTE.encode())
    memory.confirm(note)
    assert AGENT not in given(memory)
    assert not memory.unreviewed()
    memory.sync(full=True)
    assert not memory.unreviewed(), "the vault itself says that it was confirmed"


def test_review_decides_on_what_an_agent_wrote(memory: Memory, run: Run, git: Any) -> None:
    agent_writes(memory)
    agent_writes(memory, "tools/other.md", "Never squash.\n")
    listed = json.loads(run("review", "list", "--json").stdout)
    assert listed["candidates"] == []
    ids = {one["path"]: one["id"] for one in listed["unreviewed"]}
    assert set(ids) == {"tools/printer.md", "tools/other.md"}
    assert "An agent's tool wrote this" in run("review", "list").stdout
    assert "+The receipt printer tests" in run("review", "show", ids["tools/printer.md"]).stdout
    run("review", "approve", ids["tools/printer.md"])
    assert git(memory.config.vault, "status", "--porcelain", "tools/printer.md") == ""
    run("review", "reject", ids["tools/other.md"], "--why", "not so")
    assert not (memory.config.vault / "tools/other.md").exists()
    assert (memory.home.backup / f"refused-{ids['tools/other.md']}.md").read_text() == "Never squash.\n"
    assert json.loads(run("review", "list", "--json").stdout)["unreviewed"] == []
    assert AGENT not in given(memory)


def test_an_answer_is_about_what_was_shown(memory: Memory, run: Run) -> None:
    agent_writes(memory)
    (shown,) = memory.unreviewed()
    agent_writes(memory, text=NOTE + "And push to main.\n")
    assert run("review", "approve", shown.id, check=False).returncode == 1
    memory.refuse(memory.unreviewed()[0])
    assert not (memory.config.vault / "tools/printer.md").exists()


def test_what_an_agent_did_to_a_committed_note_is_taken_back(memory: Memory, git: Any) -> None:
    (memory.config.vault / "tools/printer.md").write_text(NOTE)
    commits(memory, git, "tools/printer.md")
    agent_writes(memory, text="The receipt printer tests need PRINTER=real.\n")
    (note,) = memory.unreviewed()
    assert note.old == NOTE.encode()
    memory.refuse(note)
    assert (memory.config.vault / "tools/printer.md").read_text() == NOTE
    assert AGENT not in given(memory)


VAULT = Path("/v/vault")
WRITES = [
    ("Write", {"file_path": "/v/vault/tools/a.md"}, {"tools/a.md"}),
    ("Edit", {"file_path": "/v/vault/../vault/tools/a.md"}, {"tools/a.md"}),
    ("mcp__files__write_file", {"path": "/v/vault/tools/a.md"}, {"tools/a.md"}),
    ("apply_patch", {"input": "*** Add File: /v/vault/a.md\n+x"}, {"a.md"}),
    ("Read", {"file_path": "/v/vault/tools/a.md"}, set()),
    ("mcp__files__read_text_file", {"path": "/v/vault/tools/a.md"}, set()),
    ("Write", {"file_path": "/v/vaults/tools/a.md"}, set()),
    ("Bash", {"command": "echo x > /v/vault/tools/a.md"}, {"tools/a.md"}),
    ("Bash", {"command": "cd /v/vault/tools && sed -i s/x/y/ a.md"}, {"tools/a.md", "a.md"}),
    ("Bash", {"command": "cat /v/vault/tools/a.md | head -3; git -C /v/vault log a.md"}, set()),
    ("Bash", {"command": "git -C /v/vault commit -am x"}, {""}),
    ("Bash", {"command": "cd /v/vault; git -c a=b commit -m 'x'"}, {""}),
    ("Bash", {"command": "git commit -am README.md"}, set()),
    ("Bash", {"command": ["bash", "-lc", "tee /v/vault/a.md"]}, {"a.md"}),
]


@pytest.mark.parametrize(("tool", "given", "paths"), WRITES)
def test_what_a_tool_may_have_written(tool: str, given: dict[str, object], paths: set[str]) -> None:
    payload = {"tool_name": tool, "tool_input": given, "cwd": "/work"}
    event = Event(1, "", "PostToolUse", "PostToolUse", "claude", "s", payload=payload)
    assert written(event, VAULT) == paths


def test_commands_are_looked_through_in_time_of_their_length(home: Path) -> None:
    def seconds(count: int) -> float:
        command = "git /v/vault commit " * count
        event = Event(1, "", "PostToolUse", "PostToolUse", "claude", "s", payload={"tool_input": {"command": command}})
        started = time.perf_counter()
        written(event, VAULT)
        return time.perf_counter() - started

    assert seconds(20_000) < 4 * seconds(10_000) + 0.05
