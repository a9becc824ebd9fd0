"""Every recorded payload in our words, and every answer in the host's."""

import json
from pathlib import Path
from typing import Any

import pytest

from memwiki.hosts import HERE, NAMES, codec, host
from memwiki.hosts.registration import events
from tests.conftest import PAYLOADS

# OpenCode's are what its plugin is handed, not what the plugin tells: see test_opencode.
RECORDED = sorted(file for file in PAYLOADS.glob("*/*.json") if file.parent.name != "opencode")
KEYS = {"event", "native", "host", "session", "agent", "cwd", "folder", "prompt", "typed", "source", "reason"}
KEYS |= {"tool_name", "tool_input", "tool_response", "tool_use_id", "failed", "error", "last_message", "model", "turn"}
KEYS |= {"transcript", "stop_active", "agent_type", "trigger", "rule", "scope", "lost", "kept", "roots"}
SESSION = "parentAgentId sessionContext.rootSessionId conversation_id session_id sessionId trajectory_id"
SAID = {  # our field: where it can stand in a payload, for any host; each that is there must be found
    "prompt": "prompt tool_info.user_prompt",
    "tool_name": "tool_name toolName tool_call.name tool_result.name tool_info.mcp_tool_name",
    "tool_input": "tool_input toolArgs toolInput tool_call.input tool_result.input tool_info.mcp_tool_arguments",
    "tool_response": "tool_response tool_output toolResult tool_result.output tool_info.mcp_result",
    "error": "error error_message tool_response.error.message",
    "last_message": """last_assistant_message prompt_response assistant_response response turn.outputText
    tool_info.response""",
    "agent": "agentId",
    "source": "source",
    "trigger": "trigger",
    "reason": "reason",
}


def named(file: Path) -> str:
    return file.parent.name.split("-")[0]


def native(file: Path, payload: dict[str, Any]) -> str:
    return str(payload.get("hook_event_name", file.stem.partition(".")[0]))


def at(payload: Any, place: str) -> Any:
    """What stands at a dotted place, None for nothing."""
    for step in place.split("."):
        payload = payload.get(step) if isinstance(payload, dict) else None
    return payload


def said(file: str, folder: str = "") -> dict[str, Any]:
    path = PAYLOADS / f"{file}.json"
    payload = json.loads(path.read_text("utf-8"))
    return codec.decode(named(path), native(path, payload), payload, folder)


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_recorded_payload(file: Path) -> None:
    payload = json.loads(file.read_text("utf-8"))
    event, name = native(file, payload), named(file)
    found = codec.decode(name, event, payload, "/home/dev/shop" if name in HERE else "")
    assert set(found) == KEYS
    assert found["host"] == name
    assert found["native"] == event
    assert found["event"] == host(name).events.get(event, event)
    ids = [at(payload, place) for place in SESSION.split() if at(payload, place)]
    assert found["session"] == (ids[0] if ids else codec.session_id("", "/home/dev/shop"))
    assert str(found["folder"]).startswith("/home/dev/shop")
    for ours, places in SAID.items():  # what the person, the agent and the tools said is all there
        for value in (at(payload, place) for place in places.split()):
            if value and not (ours == "error" and isinstance(value, dict)):
                assert found[ours] == value
    assert "user_email" not in json.dumps(found)


def test_every_event_that_link_registers_has_a_name_of_ours() -> None:
    ours = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart"}
    ours |= {
        "SubagentStop",
        "PreCompact",
        "InstructionsLoaded",
        "PostCompact",
        "Stop",
        "SessionEnd",
        "Interrupt",
        "AgentResponse",
        "Transcript",
    }
    for name in NAMES:
        table = host(name)
        natives = events(name)
        assert {table.events.get(event, event) for event in natives} <= ours
        assert {*table.injects, *table.resets, *table.empty} <= set(natives)


def test_what_other_agents_do_differently() -> None:
    assert said("gemini/AfterTool.read_file-error")["failed"] is True
    assert said("gemini/AfterTool.read_file")["failed"] is False
    assert said("copilot/postToolUseFailure.view")["failed"] is True
    assert said("copilot/postToolUse.bash")["failed"] is False
    assert said("cline-cli/PostToolUse.run_commands")["failed"] is False
    assert codec.decode("cline", "PostToolUse", {"tool_result": {"output": [{"success": False}]}})["failed"] is True
    assert codec.decode("copilot", "postToolUse", {"toolResult": {"resultType": "failure"}})["failed"] is True
    assert said("qwen/UserPromptSubmit.tool-turn-empty-prompt")["typed"] is False
    assert said("gemini/BeforeAgent")["typed"] is True
    # A session's start that nobody hears: Gemini's after /clear, Cline's in its CLI.
    assert [said(f"gemini/SessionStart.{source}")["lost"] for source in ("clear", "startup")] == [True, False]
    assert said("cline-cli/TaskStart")["lost"] is True
    assert codec.decode("cline", "TaskStart", {"clineVersion": "4.1.0", "taskId": "1"})["lost"] is False
    assert codec.decode("cline", "TaskResume", {"taskId": "1"})["source"] == "resume"
    # What a resumed session still has: all; in Qwen what prompts got; in Gemini nothing.
    kept = {name: codec.decode(name, "SessionStart", {"source": "resume"})["kept"] for name in NAMES}
    assert (kept["claude"], kept["qwen"], kept["gemini"]) == ("all", "prompts", "")
    assert codec.decode("claude", "SessionStart", {"source": "clear"})["kept"] == ""
    # A subagent's events belong to the session of the agent that it works for.
    inside, outside = said("copilot/preToolUse.bash.subagent"), said("copilot/preToolUse.task")
    assert (inside["session"], bool(inside["agent"]), outside["agent"]) == (outside["session"], True, "")
    assert said("cline-cli/PreToolUse.editor")["agent"] == ""
    child = {"taskId": "1", "agent_id": "a2", "parent_agent_id": "a1"}
    assert codec.decode("cline", "PreToolUse", child)["agent"] == "a2"
    assert said("windsurf-docs/post_write_code", "/home/dev/shop")["tool_name"] == "Edit"


def test_who_typed_a_prompt() -> None:
    assert said("claude/UserPromptSubmit")["typed"] is True
    assert said("codex/UserPromptSubmit")["typed"] is True
    assert said("cursor-docs/beforeSubmitPrompt")["typed"] is True
    assert said("claude/UserPromptSubmit.task-notification")["typed"] is False
    assert said("cursor-docs/subagentStart")["typed"] is False  # its task is the agent's own
    for name, text in (("claude", " <system-reminder>x"), ("codex", "<hook_prompt hook_run_id='1'>x"), ("claude", "")):
        assert codec.decode(name, "UserPromptSubmit", {"session_id": "s", "prompt": text})["typed"] is False
    inside = codec.decode("codex", "UserPromptSubmit", {"session_id": "s", "prompt": "list", "agent_id": "a"})
    assert inside["typed"] is False


def test_what_failed() -> None:
    assert said("claude/PostToolUseFailure.Bash")["failed"] is True
    assert said("cursor-docs/postToolUseFailure.Shell")["failed"] is True
    assert said("claude/PostToolUse.Bash")["failed"] is False
    assert said("codex/PostToolUse.apply_patch")["failed"] is False
    for text in ("Exit code: 1\nWall time: 0", '{"exitCode": 2, "stdout": ""}', '{"exitCode":127}'):
        assert codec.decode("codex", "PostToolUse", {"session_id": "s", "tool_response": text})["failed"] is True
    for text in ("Exit code: 0\n", '{"exitCode": 0}', '{"exitCode": null}', "no code here", ["Exit code: 1"]):
        assert codec.decode("codex", "PostToolUse", {"session_id": "s", "tool_response": text})["failed"] is False


def test_cursors_words() -> None:
    assert said("cursor-docs/afterAgentResponse")["last_message"] == "Done."
    assert said("cursor-docs/subagentStop")["last_message"] == "One file."
    assert said("cursor-docs/afterShellExecution")["tool_name"] == "Shell"
    assert said("cursor-docs/afterShellExecution")["tool_response"] == "README.md\n"
    assert said("cursor-docs/sessionStart")["cwd"] == "/home/dev/shop"


def test_the_project_folder() -> None:
    assert said("claude/CwdChanged", "/home/dev/shop")["folder"] == "/home/dev/shop"
    assert said("claude/CwdChanged")["folder"] == "/home/dev/shop/sub"
    assert said("cursor-docs/postToolUse.Shell")["folder"] == "/home/dev/shop"


def test_a_claude_hook_that_cursor_runs_is_cursors() -> None:
    payload = json.loads((PAYLOADS / "cursor-docs" / "stop.json").read_text("utf-8"))
    found = codec.decode("claude", "Stop", payload)
    assert (found["host"], found["event"], found["session"]) == ("cursor", "Stop", payload["conversation_id"])
    prompt = json.loads((PAYLOADS / "cursor-docs" / "beforeSubmitPrompt.json").read_text("utf-8"))
    assert codec.decode("claude", "UserPromptSubmit", prompt)["event"] == "UserPromptSubmit"


@pytest.mark.parametrize("payload", [{}, {"session_id": 7, "cwd": None, "prompt": ["x"], "workspace_roots": [3]}])
@pytest.mark.parametrize("name", [*NAMES, "aider"])
def test_a_payload_of_other_shapes_is_no_error(name: str, payload: dict[str, object]) -> None:
    found = codec.decode(name, "Stop", payload, at=1796000000.0)
    assert found["session"] == f"none-{codec.digest('')}-20261130"
    assert (found["prompt"], found["cwd"], found["stop_active"], found["tool_input"]) == ("", "", False, None)


@pytest.mark.parametrize("given", ["a" * 80, "9b1c-4.x_Y", "019b0000-0000-7000-8000-000000000001"])
def test_a_plain_session_id_is_kept(given: str) -> None:
    assert codec.session_id(given, "") == given


@pytest.mark.parametrize("given", ["a" * 81, "../../etc/passwd", "..", ".hidden", "a b", "é", "a/b", "x\n", "\ud800"])
def test_an_odd_session_id_becomes_a_safe_name(given: str) -> None:
    name = codec.session_id(given, "")
    assert name != given
    assert len(name) <= 80
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert not name.startswith(".")
    assert name.endswith(codec.digest(given))
    assert codec.session_id(given + "?", "") != name


def test_answers() -> None:
    text = 'a "b"\n\ttab é 🚀 \\ \x07'
    for name, event in (("claude", "SessionStart"), ("claude", "UserPromptSubmit"), ("codex", "SessionStart")):
        reply = codec.encode(name, event, text)
        assert json.loads(reply) == {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
        assert reply.count(b"\n") == 1
    assert json.loads(codec.encode("cursor", "sessionStart", text)) == {"additional_context": text}
    assert json.loads(codec.encode("copilot", "userPromptSubmitted", text)) == {"additionalContext": text}
    assert json.loads(codec.encode("cline", "TaskStart", text)) == {"cancel": False, "contextModification": text}
    assert codec.encode("kiro", "agentSpawn", text) == text.encode()
    named = "NAME TEXT"  # a template's own words in a text stay
    assert json.loads(codec.encode("qwen", "SessionStart", named))["hookSpecificOutput"]["additionalContext"] == named
    assert codec.encode("claude", "SessionStart", "\ud800") == codec.encode("claude", "SessionStart", "?")


def test_nothing_is_said_where_nothing_can_be() -> None:
    for name in NAMES:
        table = host(name)
        for event in ("Stop", "SubagentStop", "PreToolUse", "stop", "beforeSubmitPrompt"):
            assert not codec.injects(name, event)
            assert codec.encode(name, event, "words") == (b"{}\n" if event in table.empty else b"")
        for event in table.injects:
            assert codec.injects(name, event)
            assert codec.encode(name, event, "") == (b"{}\n" if event in table.empty else b"")
        assert codec.limit(name) == 9500
    assert not codec.injects("aider", "SessionStart")
    with pytest.raises(LookupError):
        host("aider")
