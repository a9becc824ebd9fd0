"""What a distiller sees of recorded payloads: who said what, and nothing that was private, injected or host-made."""

import json
from pathlib import Path
from typing import Any

import pytest

from memwiki.dream.excerpt import COMMAND, OTHER_OUTPUT, SAID, SHELL_OUTPUT, excerpt, seen
from memwiki.hosts.codec import decode
from memwiki.journal.event import Event

PAYLOADS = Path(__file__).parent.parent / "payloads"


def event(host: str, native: str, payload: dict[str, Any], **more: Any) -> Event:
    said = decode(host, native, payload)
    return Event(1, "2026-11-30T10:00:00.000Z", str(said["event"]), native, host, "s", payload=payload, **more)


def tool(command: str, output: object, name: str = "Bash") -> Event:
    payload = {"tool_name": name, "tool_input": {"command": command}, "tool_response": output}
    return event("claude", "PostToolUse", payload)


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_recorded_payload_is_taken_without_complaint(path: Path) -> None:
    host = path.parent.name.split("-")[0]
    value = json.loads(path.read_text("utf-8"))
    native = str(value.get("hook_event_name") or path.stem.split(".")[0])
    found = excerpt(event(host, native, value))
    kinds = ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "AgentResponse")
    assert found is None or (found.event in kinds and (found.text or found.command))


def test_the_person_the_tool_and_the_agent() -> None:
    asked = excerpt(event("claude", "UserPromptSubmit", {"prompt": "use pnpm"}))
    assert asked and (asked.who, asked.text, asked.id) == ("person", "use pnpm", "claude/s#1")
    ran = excerpt(tool("pnpm test", {"stdout": "ok", "stderr": "warn", "interrupted": False}))
    assert ran and (ran.who, ran.tool, ran.command, ran.text, ran.failed) == (
        "tool",
        "Bash",
        "pnpm test",
        "ok\nwarn",
        False,
    )
    closing = excerpt(event("claude", "Stop", {"last_assistant_message": "Done."}))
    assert closing and (closing.who, closing.text) == ("agent", "Done.")


def test_a_failure_says_so() -> None:
    payload = {"tool_name": "Bash", "tool_input": {"command": "npm ci"}, "error": "Exit code 1: lockfile"}
    failed = excerpt(event("claude", "PostToolUseFailure", payload))
    assert failed and failed.failed and "lockfile" in failed.text


@pytest.mark.parametrize("name", ["exit_code", "exitCode"])
def test_a_shell_that_only_tells_its_exit_code_fails_too(name: str) -> None:
    found = [excerpt(tool("npm ci", {"stdout": "", "stderr": "no lock file", name: code})) for code in (1, 0)]
    assert [one and one.failed for one in found] == [True, False]


def test_what_memory_itself_served_is_not_heard() -> None:
    for name in ("mcp__memwiki__remember", "memwiki.search", "memwiki__read"):
        assert excerpt(tool("x", "use pnpm", name=name)) is None
    assert excerpt(tool("memwiki sync", "ok")) is not None


@pytest.mark.parametrize(
    ("made", "who"),
    [
        (tool("curl -s https://example.com", "page"), "web"),
        (tool("x", "page", name="WebFetch"), "web"),
        (tool("x", "page", name="web_search"), "web"),
        (tool("x", "page", name="mcp__browser__open"), "web"),
        (tool("make", "page"), "tool"),
    ],
)
def test_what_the_web_says_is_told_from_what_a_command_says(made: Event, who: str) -> None:
    found = excerpt(made)
    assert found and found.who == who


def test_codex_commands_come_as_lists() -> None:
    payload = {"tool_name": "shell", "tool_input": {"command": ["bash", "-lc", "make test"]}, "tool_response": "ok"}
    found = excerpt(event("codex", "PostToolUse", payload))
    assert found and found.command == "make test"


def test_an_answer_is_heard_without_the_fields_around_it_and_one_without_words_as_it_is() -> None:
    answers = {
        "line one\nline two": {"type": "text", "file": {"filePath": "a.md", "content": "line one\nline two"}},
        "built": json.dumps({"output": "built", "metadata": {"exit_code": 0}}),
        '{"filePath": "a.md", "userModified": false}': {"filePath": "a.md", "userModified": False},
    }
    for text, answer in answers.items():
        found = excerpt(tool("x", answer, name="Read"))
        assert found and found.text == text


@pytest.mark.parametrize("native", ["SessionStart", "PreToolUse", "Notification", "PreCompact", "SessionEnd", "Given"])
def test_other_events_have_nothing_to_say(native: str) -> None:
    assert excerpt(Event(1, "", native, native, "claude", "s", payload={"prompt": "x", "tool_name": "Bash"})) is None


def test_texts_are_cut_in_the_middle_and_say_so() -> None:
    found = excerpt(tool("a" * 5000, "b" * 50_000))
    assert found and len(found.command) <= COMMAND and len(found.text) <= SHELL_OUTPUT
    assert "characters left out" in found.text and found.text.startswith("bb") and found.text.endswith("bb")
    read = excerpt(tool("x", "c" * 5000, name="Read"))
    assert read and len(read.text) <= OTHER_OUTPUT


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <memwiki vault='x'>OLD</memwiki> b", "a  b"),
        ("a <system-reminder>OLD</system-reminder> b", "a  b"),
        ("a <system_reminder>OLD</system_reminder> b", "a  b"),  # Copilot
        ("a <hook_context>OLD b", "a"),
        ("OLD rest of a block</memwiki> b", "b"),
        ("OLD</memwiki> b <memwiki>OLD</memwiki>", "b"),
        ("a <private>OLD", "a"),
        ("a <PRIVATE >OLD</private > b", "a  b"),
    ],
)
def test_injected_and_private_text_goes_also_where_a_tag_was_cut_away(text: str, left: str) -> None:
    assert seen(text, SAID) == left
