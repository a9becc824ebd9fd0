"""What each reader makes of a transcript of its host."""

import json
from pathlib import Path
from typing import Any

import pytest

from memwiki.journal.transcripts.entry import Entry
from memwiki.journal.transcripts.source import Transcript, read
from tests.conftest import SHARED
from tests.transcripts.conftest import SESSION, prompt, tool, words

MOST = 10_000_000


def _read(tmp_path: Path, host: str, records: list[dict[str, Any]]) -> Transcript:
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return read(str(path), host, SESSION, MOST)


def _names(found: Transcript) -> list[str]:
    return [one.native for one in found.entries]


def test_claude_leaves_out_what_nobody_said(tmp_path: Path) -> None:
    said = [
        {**prompt("a summary", 0), "isCompactSummary": True},
        {**prompt("a caveat", 1), "isMeta": True},
        prompt("<command-name>/compact</command-name>", 2),
        prompt("<local-command-stdout>Compacted</local-command-stdout>", 3),
        prompt("[Request interrupted by user]", 4),
        {**prompt("a subagent's task", 5), "isSidechain": True},
        {**prompt("of the parent of a fork", 6), "sessionId": "another"},
        prompt("really said", 7),
    ]
    found = _read(tmp_path, "claude", said)
    assert [one.payload["prompt"] for one in found.entries] == ["really said"]
    assert found.left_out == {"said by the client": 5, "of a subagent": 1, "of another session": 1}


def test_claude_closes_a_turn_with_its_last_words_only(tmp_path: Path) -> None:
    turn = [prompt("go", 0), words("I will look.", 1), *tool("t", "ls", "x", 2), words("Done.", 4), prompt("more", 9)]
    found = _read(tmp_path, "claude", turn)
    assert _names(found) == ["UserPromptSubmit", "PostToolUse", "Stop", "UserPromptSubmit"]
    assert found.entries[2].payload["last_assistant_message"] == "Done."


def test_claude_does_not_count_a_tool_that_the_person_refused(tmp_path: Path) -> None:
    refused = tool(
        "t", "rm -r x", "The user doesn't want to proceed with this tool use. It was rejected.", 1, failed=True
    )
    assert _names(_read(tmp_path, "claude", [prompt("go", 0), *refused])) == ["UserPromptSubmit"]


def _codex(kind: str, seconds: int, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-02-01T10:00:{seconds:02}.000Z", "type": kind, "payload": payload}


def _message(role: str, text: str, seconds: int) -> dict[str, Any]:
    return _codex("response_item", seconds, type="message", role=role, content=[{"type": "input_text", "text": text}])


def test_codex_prefers_what_was_run_to_what_was_asked(tmp_path: Path) -> None:
    item = {"type": "CommandExecution", "id": "exec-1", "command": ["/bin/bash", "-lc", "ls"], "exit_code": 2}
    rollout = [
        _codex("session_meta", 0, cwd="/src/shop", git={"branch": "main"}),
        _message("user", "<environment_context>x</environment_context>", 0),
        _message("user", "list them", 1),
        _codex("response_item", 2, type="custom_tool_call", name="exec", call_id="call_1", input="tools.exec()"),
        _codex("event_msg", 3, type="item_completed", item={**item, "aggregated_output": "no such folder"}),
        _codex("response_item", 4, type="custom_tool_call_output", call_id="call_1", output="Script completed"),
        _codex("response_item", 5, type="function_call", name="look_up", call_id="call_2", arguments='{"q": 1}'),
        _codex("response_item", 6, type="function_call_output", call_id="call_2", output='{"output": "found"}'),
        _message("assistant", "Listed.", 7),
        _codex("event_msg", 8, type="task_complete", last_agent_message="Listed."),
        _codex("response_item", 9, type="function_call", name="shell_command", call_id="call_3", arguments="{}"),
    ]
    found = _read(tmp_path, "codex", rollout)
    assert [(one.native, one.branch) for one in found.entries] == [
        ("UserPromptSubmit", "main"),
        ("PostToolUse", "main"),
        ("PostToolUse", "main"),
        ("Stop", "main"),
    ]
    ran, asked = found.entries[1].payload, found.entries[2].payload
    assert (ran["tool_input"], ran["tool_use_id"]) == ({"command": "ls"}, "exec-1")
    assert ran["tool_response"] == "Exit code: 2\nno such folder" and ran["cwd"] == "/src/shop"
    assert (asked["tool_name"], asked["tool_input"], asked["tool_response"]) == ("look_up", {"q": 1}, "found")


def test_codex_of_older_versions_has_the_dialogue_alone(tmp_path: Path) -> None:
    call = {"type": "function_call", "name": "shell", "call_id": "c", "arguments": '{"command": ["bash", "-lc", "ls"]}'}
    output = {
        "type": "function_call_output",
        "call_id": "c",
        "output": json.dumps({"output": "a.py\n", "metadata": {}}),
    }
    found = _read(
        tmp_path,
        "codex",
        [
            _message("user", "list them", 1),
            _codex("response_item", 2, **call),
            _codex("response_item", 3, **output),
            _message("assistant", "There.", 4),
        ],
    )
    assert _names(found) == ["UserPromptSubmit", "PostToolUse", "Stop"]
    assert found.entries[1].payload["tool_input"] == {"command": "ls"}
    assert found.entries[1].payload["tool_response"] == "a.py\n"


def test_gemini_takes_tools_from_the_agents_messages(tmp_path: Path) -> None:
    failed = {"id": "t2", "name": "replace", "args": {"file_path": "a"}, "status": "error", "error": "not found"}
    running = {"id": "t3", "name": "replace", "args": {}, "status": "executing"}
    chat = [
        {"sessionId": SESSION, "projectHash": "x"},
        {"id": "1", "type": "user", "timestamp": "2026-02-01T10:00:00Z", "content": "change it"},
        {"id": "1", "type": "user", "timestamp": "2026-02-01T10:00:00Z", "content": "change it"},
        {
            "id": "2",
            "type": "gemini",
            "timestamp": "2026-02-01T10:00:05Z",
            "content": "Sorry.",
            "toolCalls": [failed, running],
        },
        {"id": "3", "type": "info", "content": "update available"},
    ]
    found = _read(tmp_path, "gemini", chat)
    assert _names(found) == ["BeforeAgent", "AfterTool", "AfterAgent"]
    assert found.entries[1].payload["tool_response"]["error"] == {"message": "not found"}
    assert found.left_out == {"no message": 1, "told again": 1, "info": 1}


def test_cursor_has_no_times(tmp_path: Path) -> None:
    def record(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
        return {"role": role, "message": {"content": list(blocks)}}

    asked = {"type": "text", "text": "<timestamp>now</timestamp>\n<user_query>\nlist them\n</user_query>"}
    shell = {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}}
    found = _read(
        tmp_path, "cursor", [record("user", asked), record("assistant", {"type": "text", "text": "Yes."}, shell)]
    )
    assert _names(found) == ["beforeSubmitPrompt", "afterAgentResponse", "postToolUse"]
    assert found.entries[0].payload == {"prompt": "list them"} and {one.at for one in found.entries} == {""}


def test_windsurf_leaves_out_what_was_cancelled(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        "windsurf",
        [
            {"type": "user_input", "status": "done", "user_input": {"user_response": "go"}},
            {"type": "planner_response", "status": "canceled", "planner_response": {"response": "no"}},
            {"type": "run_command", "status": "done", "run_command": {"command_line": "ls", "output": "x"}},
            {"type": "planner_response", "status": "done", "planner_response": {"response": "Done."}},
        ],
    )
    assert _names(found) == ["pre_user_prompt", "post_run_command", "post_cascade_response"]


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "cursor", "windsurf"])
@pytest.mark.parametrize("value", [None, 1, "x", [], [[]], [None], {}, {"type": []}, [{"type": 3}], [{"text": {}}]])
def test_no_shape_of_a_record_ends_a_reader(host: str, value: Any, tmp_path: Path) -> None:
    keys = ("message", "content", "payload", "toolCalls", "user_input", "sessionId", "timestamp", "toolUseResult")
    kinds = ("user", "assistant", "gemini", "response_item", "event_msg", "session_meta", "user_input")
    records: list[dict[str, Any]] = [{"type": kind, "role": kind, key: value} for kind in kinds for key in keys]
    shapes = ("message", "function_call", "function_call_output", "item_completed", "task_complete")
    records += [
        {"type": "response_item", "payload": {"type": kind, "role": "user", "content": value}} for kind in shapes
    ]
    records += [{"type": "user", "message": {"content": value}}, {"type": value, "role": value}]
    found = _read(tmp_path, host, records)
    assert all(isinstance(one, Entry) for one in found.entries)


SAMPLES = SHARED / "samples"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not beside this checkout")
@pytest.mark.parametrize(
    ("host", "name", "events"),
    [
        ("claude", "claude-code/agent-history-session_with_compaction.jsonl", 9),
        ("claude", "claude-code/agent-history-claude_with_rejection.jsonl", 6),
        ("codex", "codex/agent-history-codex_with_escalation.jsonl", 10),
        ("codex", "codex/agent-history-session_with_compaction.jsonl", 10),
        ("gemini", "gemini/agent-history-gemini_golden.json", 5),
        ("gemini", "gemini/agent-history-gemini_with_tool_error.jsonl", 12),
        ("cursor", "cursor/claude-mem-cursor-session.jsonl", 5),
    ],
)
def test_published_samples(host: str, name: str, events: int) -> None:
    path = SAMPLES / name
    session = (
        next((one["sessionId"] for one in map(json.loads, path.open()) if "sessionId" in one), "")
        if (host == "claude")
        else ""
    )
    found = read(str(path), host, session, MOST)
    assert (len(found.entries), found.damage) == (events, ())
