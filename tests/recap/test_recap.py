"""The recap of a project's last sessions: what it tells, within its bytes, whatever the host."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.capture.private import without_injected
from memwiki.init import init
from memwiki.journal.recap import LIMIT, recap, tagged

PROJECT = "github.com/acme/shop"
Session = Callable[..., None]


@pytest.fixture
def project(tmp_path: Path, git: Callable[..., str]) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "feature/pay")
    git(folder, "remote", "add", "origin", "git@github.com:acme/shop.git")
    return folder


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    init()
    return memwiki.open()


@pytest.fixture
def session(memory: memwiki.Memory, project: Path) -> Session:
    """`session(host, id, prompt, words, *files, folder=...)`: what hooks of a session would have said, drained."""

    def happened(host: str, id: str, prompt: str, words: str, *files: str, folder: Path = project) -> None:
        base = {"session_id": id, "cwd": str(folder)}
        memory.append(host, "UserPromptSubmit", {**base, "prompt": prompt})
        for file in files:
            if host == "codex":
                patch = f"*** Begin Patch\n*** Update File: {file}\n+x\n*** End Patch\n"
                memory.append(
                    host, "PostToolUse", {**base, "tool_name": "apply_patch", "tool_input": {"command": patch}}
                )
            else:
                given = {"file_path": f"{folder}/{file}", "old_string": "a", "new_string": "b"}
                memory.append(
                    host, "PostToolUse", {**base, "tool_name": "Edit", "tool_input": given, "tool_response": {}}
                )
        memory.append(host, "Stop", {**base, "last_assistant_message": words})
        memory.sync()

    return happened


def test_it_tells_the_last_three_sessions_of_any_host(memory: memwiki.Memory, session: Session, project: Path) -> None:
    session("claude", "one", "first of all", "Did the first.")
    session("claude", "two", "add a discount", "Added it.", "shop.py", "tests/test_shop.py")
    session("codex", "three", "now the tax", "The tax is in.", "tax.py")
    session("claude", "four", "and the receipt", "Printed.", "shop.py", "shop.py")
    session("claude", "elsewhere", "not this project", "No.", folder=project.parent)
    found = memory.recap(project)
    assert [one.key for one in found.sessions] == ["claude/four", "codex/three", "claude/two"]
    assert found.sessions[1].files == ("tax.py",) and found.sessions[0].files == ("shop.py",)
    assert {one.branch for one in found.sessions} == {"feature/pay"}
    assert "the person's last words: now the tax" in found.text
    assert "the agent's own closing words, not checked: The tax is in." in found.text
    assert "files changed: shop.py, tests/test_shop.py" in found.text
    assert "first of all" not in found.text and "not this project" not in found.text


def test_only_what_the_person_typed_last_counts(memory: memwiki.Memory, session: Session, project: Path) -> None:
    base = {"session_id": "s", "cwd": str(project)}
    memory.append("claude", "UserPromptSubmit", {**base, "prompt": "fix it <private>boat</private> please"})
    memory.append("claude", "Stop", {**base, "last_assistant_message": "An earlier turn's words."})
    memory.append("claude", "UserPromptSubmit", {**base, "prompt": "go on <memwiki x>injected</memwiki>"})
    memory.append("claude", "UserPromptSubmit", {**base, "prompt": "<task-notification>done</task-notification>"})
    memory.append("claude", "UserPromptSubmit", {**base, "agent_id": "a1", "prompt": "a subagent's task"})
    memory.append("claude", "Stop", {**base, "agent_id": "a1", "last_assistant_message": "a subagent's words"})
    found = memory.recap(project)
    assert found.sessions[0].asked == "go on" and found.sessions[0].closing == ""


def test_failed_and_reading_tools_change_no_file(memory: memwiki.Memory, session: Session, project: Path) -> None:
    base = {"session_id": "s", "cwd": str(project)}
    memory.append("claude", "UserPromptSubmit", {**base, "prompt": "look around"})
    for native, name in (("PostToolUse", "Read"), ("PostToolUseFailure", "Edit"), ("PreToolUse", "Write")):
        memory.append("claude", native, {**base, "tool_name": name, "tool_input": {"file_path": f"{project}/a.py"}})
    assert memory.recap(project).sessions[0].files == ()


def test_files_that_other_hosts_tell_of(memory: memwiki.Memory, project: Path) -> None:
    edits = [{"old_string": "a", "new_string": "b"}]
    cursor = {"conversation_id": "c", "workspace_roots": [str(project)]}
    memory.append("cursor", "beforeSubmitPrompt", {**cursor, "prompt": "in cursor"})
    memory.append("cursor", "afterFileEdit", {**cursor, "file_path": f"{project}/a.py", "edits": edits})
    gemini = {"session_id": "g", "cwd": str(project)}
    memory.append("gemini", "BeforeAgent", {**gemini, "prompt": "in gemini"})
    for name, response in (("b.py", {"llmContent": "done"}), ("c.py", {"error": {"message": "not found"}})):
        given = {"tool_name": "replace", "tool_input": {"file_path": f"{project}/{name}"}, "tool_response": response}
        memory.append("gemini", "AfterTool", {**gemini, **given})
    assert {one.key: one.files for one in memory.recap(project).sessions} == {
        "cursor/c": ("a.py",),
        "gemini/g": ("b.py",),
    }


@pytest.mark.parametrize("letter", ["a", "界", "🎉", "word "])
def test_it_is_whole_lines_within_its_bytes(
    letter: str, memory: memwiki.Memory, session: Session, project: Path
) -> None:
    for n in range(3):
        session("claude", f"s{n}", letter * 900, letter * 900, *(f"{letter.strip() * 30}-{i}.py" for i in range(9)))
    found = memory.recap(project)
    assert len(found.sessions) == 3
    assert 0 < len(tagged(found.text).encode()) <= LIMIT
    assert all(line.startswith("  ") or " UTC, claude/s" in line for line in found.text.splitlines())
    assert without_injected(tagged(found.text)) == ""
    assert len(recap(memory.journal, PROJECT, 260).text.encode()) <= 260


def test_a_session_without_words_is_none(memory: memwiki.Memory, session: Session, project: Path) -> None:
    session("claude", "one", "first of all", "Did the first.")
    for n in range(4):
        memory.append("claude", "SessionStart", {"session_id": f"empty{n}", "cwd": str(project), "source": "startup"})
    assert [one.key for one in memory.recap(project).sessions] == ["claude/one"]


def test_secrets_are_not_told(memory: memwiki.Memory, session: Session, project: Path) -> None:
    secret = "AK" + "IA" + "Q3EGRIN7PLXW5TZC"
    session("claude", "one", f"use the key {secret}", f"Used {secret}.")
    assert secret not in memory.recap(project).text and "redacted" in memory.recap(project).text


def test_command(
    memory: memwiki.Memory,
    session: Session,
    project: Path,
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    session("codex", "one", "first of all", "Did the first.", "a.py")
    plain = run("recap", cwd=project).stdout
    assert plain == run("recap", "--project", str(project)).stdout and "first of all" in plain
    found = json.loads(run("recap", "--json", cwd=project).stdout)
    assert found["project"] == PROJECT and found["sessions"][0]["files"] == ["a.py"] and found["text"] in plain
    assert "not in a repository" in run("recap", cwd=project.parent).stdout
