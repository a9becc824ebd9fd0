"""What each reader makes of a transcript of its host."""

import json
from pathlib import Path
from typing import Any

import pytest

from memwiki.hosts.codec import session_id
from memwiki.journal.transcripts.entry import Entry
from memwiki.journal.transcripts.source import READERS, Transcript, read
from tests.conftest import SHARED
from tests.transcripts.conftest import SESSION, prompt, tool, words

MOST = 10_000_000
NAMES = {  # of those that are named by the session
    "cline": f"{SESSION}/{SESSION}.messages.json",
    "copilot": f"{SESSION}/events.jsonl",
    "qwen": f"{SESSION}.jsonl",
}


def _read(tmp_path: Path, host: str, records: list[dict[str, Any]]) -> Transcript:
    path = tmp_path / NAMES.get(host, "transcript.jsonl")
    path.parent.mkdir(exist_ok=True)
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


def test_claude_knows_a_session_whose_id_is_no_file_name(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text(json.dumps({**prompt("hello", 0), "sessionId": "a/../b"}))
    assert len(read(str(path), "claude", session_id("a/../b", ""), MOST).entries) == 1


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


def test_windsurf_gives_paths_as_its_hooks_do_and_how_a_command_ended(tmp_path: Path) -> None:
    step = {"path": "file:///src/a%20b.py", "new_content": "x"}
    ran = {"command": "make", "cwd": "/src", "exit_code": 2, "output": "no rule", "user_rejected": False}
    said = [{"type": "code_action", "status": "done", "code_action": step}]
    said += [{"type": "run_command", "status": "done", "run_command": ran}]
    said += [{"type": "run_command", "status": "done", "run_command": {**ran, "user_rejected": True}}]
    said += [{"type": "view_file", "status": "done", "view_file": {"path": "file://[odd/x"}}]
    found = _read(tmp_path, "windsurf", said)
    assert [one.payload["tool_info"].get("file_path") for one in found.entries] == [
        "/src/a b.py",
        None,
        "file://[odd/x",
    ]
    assert found.entries[1].payload["tool_info"]["output"] == "Exit code: 2\nno rule"


def test_cline_leaves_out_what_nobody_said(tmp_path: Path) -> None:
    def said(text: str, **about: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "text", "text": text}], "metadata": about, "ts": 1_769_940_000_000}

    found = _read(
        tmp_path,
        "cline",
        [
            said("Context summary: ...", kind="compaction_summary", displayRole="system"),
            said("[TASK RESUMPTION] go on"),
            said('<mode_notice>plan to act</mode_notice><user_input mode="act">go\non</user_input>'),
            {"role": "assistant", "content": [{"type": "text", "text": "No."}], "metadata": {"displayRole": "error"}},
            said("plain words"),
        ],
    )
    assert [one.payload["userPromptSubmit"]["prompt"] for one in found.entries] == ["go\non", "plain words"]
    assert found.entries[0].at == "2026-02-01T10:00:00.000Z"
    assert found.left_out == {"said by the client": 3}


def test_qwen_has_what_was_typed_while_the_agent_worked(tmp_path: Path) -> None:
    def said(kind: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"type": kind, "sessionId": SESSION, "message": {"parts": list(parts)}, **more}

    context = {"text": "<qwen:user-prompt-submit-context>\n&lt;memwiki&gt;\n</qwen:user-prompt-submit-context>"}
    found = _read(
        tmp_path,
        "qwen",
        [
            said("user", {"text": "go"}, context),
            said(
                "assistant", {"text": "hm", "thought": True}, {"functionCall": {"id": "c", "name": "look", "args": {}}}
            ),
            said("tool_result", {"functionResponse": {"id": "c", "response": {"error": "gone"}}}),
            said("user", {"text": "in red"}, subtype="mid_turn_user_message", systemPayload={"displayText": "in red"}),
            said("user", {"text": "task done"}, subtype="notification"),
            said("assistant", {"text": "Done."}),
            said("user", {"text": "of another"}) | {"sessionId": "another"},
        ],
    )
    assert _names(found) == ["UserPromptSubmit", "PostToolUseFailure", "UserPromptSubmit", "Stop"]
    assert [one.payload.get("prompt") for one in found.entries] == ["go", None, "in red", None]
    assert found.left_out == {"notification": 1, "of another session": 1}


def test_copilot_leaves_out_subagents_and_what_nobody_said(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        "copilot",
        [
            {"type": "session.start", "data": {"context": {"cwd": "/src", "branch": "main"}}},
            {"type": "user.message", "data": {"content": "a skill", "source": "skill-pdf"}},
            {"type": "user.message", "data": {"content": "go"}},
            {"type": "tool.execution_start", "agentId": "a1", "data": {"toolCallId": "c", "toolName": "bash"}},
            {"type": "assistant.message", "data": {"content": "part", "parentToolCallId": "c0"}},
            {"type": "assistant.message", "data": {"content": "Done."}},
        ],
    )
    assert [(one.native, one.payload["cwd"], one.branch) for one in found.entries] == [
        ("userPromptSubmitted", "/src", "main"),
        ("agentStop", "/src", "main"),
    ]
    assert found.left_out == {"session.start": 1, "said by the client": 1, "of a subagent": 2}


def test_a_tool_that_was_not_allowed_is_none(tmp_path: Path) -> None:
    def copilot(kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": {"toolCallId": "c", **data}}

    denied = {"success": False, "error": {"message": "Permission was denied", "code": "denied"}}
    asked = copilot("tool.execution_start", toolName="create", arguments={})
    found = _read(tmp_path, "copilot", [asked, copilot("tool.execution_complete", **denied)])
    assert (found.entries, found.left_out) == ((), {"not run": 1})
    call = {"functionCall": {"id": "c", "name": "write_file", "args": {}}}
    answer = {"functionResponse": {"id": "c", "response": {"error": "permission was declined"}}}
    said = [
        {"type": "assistant", "message": {"parts": [call]}},
        {"type": "tool_result", "message": {"parts": [answer]}},
    ]
    said[1]["toolCallResult"] = {"status": "error", "executionStatus": "not_started"}
    found = _read(tmp_path, "qwen", said)
    assert (found.entries, found.left_out) == ((), {"not run": 1})


def test_a_document_is_read_as_far_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    messages = [{"type": "user", "id": str(n), "content": f'say "messages": [ {n}'} for n in range(3)]
    whole = json.dumps({"sessionId": "s", "note": '"messages": [', "messages": messages, "end": 1}, indent=2)
    path.write_text(whole)
    assert len(read(str(path), "gemini", SESSION, MOST).entries) == 3
    path.write_text(whole[: whole.rindex("say")])
    found = read(str(path), "gemini", SESSION, MOST)
    assert (len(found.entries), [one.line for one in found.damage]) == (2, [15])
    path.write_text('{\n  "sessionId": "s"')
    assert [one.line for one in read(str(path), "gemini", SESSION, MOST).damage] == [1]


@pytest.mark.parametrize("host", READERS)
@pytest.mark.parametrize("value", [None, 1, "x", [], [[]], [None], {}, {"type": []}, [{"type": 3}], [{"text": {}}]])
def test_no_shape_of_a_record_ends_a_reader(host: str, value: Any, tmp_path: Path) -> None:
    keys = ("message", "content", "payload", "toolCalls", "user_input", "sessionId", "timestamp", "toolUseResult")
    keys += ("ts", "metadata", "systemPayload", "data")
    kinds = ("user", "assistant", "gemini", "response_item", "event_msg", "session_meta", "user_input", "tool_result")
    kinds += ("user.message", "assistant.message", "tool.execution_start", "tool.execution_complete", "run_command")
    records: list[dict[str, Any]] = [{"type": kind, "role": kind, key: value} for kind in kinds for key in keys]
    shapes = ("message", "function_call", "function_call_output", "item_completed", "task_complete")
    records += [
        {"type": "response_item", "payload": {"type": kind, "role": "user", "content": value}} for kind in shapes
    ]
    records += [{"type": "user", "message": {"content": value}}, {"type": value, "role": value}]
    records += [{"type": kind, "message": {"parts": value}} for kind in kinds]
    for name in ("functionCall", "functionResponse", "text", "thought"):
        records += [{"type": kind, "message": {"parts": [{name: value}, value]}} for kind in kinds]
    for name in ("content", "toolCallId", "context", "error", "result", "success", "source"):
        records += [{"type": kind, "data": {name: value}} for kind in kinds]
    blocks = [
        {"type": "tool_use", "id": "x", "name": "y"},
        {"type": "tool_result", "tool_use_id": "x", "content": value},
    ]
    records += [{"role": role, "content": blocks} for role in ("assistant", "user")]
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
