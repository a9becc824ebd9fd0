"""Who said what, in one shape over the hosts' recorded payloads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwiki.config import Config, Home
from memwiki.journal.drain import drain
from memwiki.journal.event import Event
from memwiki.journal.sessions import Journal
from memwiki.journal.view import Said, line, output, said

PAYLOADS = Path(__file__).parent.parent / "payloads"
Stored = Callable[[str, str], Event]


@pytest.fixture
def stored(store: Home, config: Config, put: Callable[..., Path]) -> Stored:
    """`stored(host, file)`: the event that a recorded payload becomes."""

    def event(host: str, name: str) -> Event:
        payload: dict[str, Any] = json.loads((PAYLOADS / f"{host}/{name}.json").read_bytes())
        payload["session_id"] = payload["conversation_id"] = name  # else one would repeat another
        put(payload, payload["hook_event_name"], host.removesuffix("-docs"))
        (key,) = drain(store, config).sessions
        return list(Journal(store.journal).events(key))[-1]

    return event


@pytest.mark.parametrize(
    ("host", "name", "right"),
    [
        ("claude", "UserPromptSubmit", Said(prompt="Please fix the checkout total in shop.py", typed=True)),
        ("codex", "UserPromptSubmit", Said(prompt="what is the staging database called?", typed=True)),
        ("cursor-docs", "beforeSubmitPrompt", Said(prompt="what is the staging database called?", typed=True)),
        (
            "claude",
            "PostToolUse.Bash",
            Said(tool="Bash", command="echo hi && cat notes.md", output="hi\ntotal() ignores tax"),
        ),
        (
            "claude",
            "PostToolUse.Read",
            Said(tool="Read", command="/home/dev/shop/shop.py", output="def total(items):\n    return sum(items)"),
        ),
        (
            "claude",
            "PostToolUseFailure.Bash",
            Said(tool="Bash", command="echo boom >&2; exit 3", output="Exit code 3\nboom", failed=True),
        ),
        ("codex", "PostToolUse.Bash", Said(tool="Bash", command="touch /home/dev/outside.txt")),
        ("cursor-docs", "postToolUse.Shell", Said(tool="Shell", command="ls", output="README.md")),
        ("cursor-docs", "afterShellExecution", Said(tool="Shell", command="ls", output="README.md")),
        (
            "cursor-docs",
            "postToolUseFailure.Shell",
            Said(tool="Shell", command="npm test", output="Command timed out after 30s", failed=True),
        ),
        ("claude", "PreToolUse.Bash", Said(tool="Bash", command="echo hi && cat notes.md")),
        ("claude", "Stop", Said(words="All done.")),
        ("claude", "SubagentStop", Said(words="Subagent says hello.")),
        ("codex", "Stop", Said(words="Done: listed the files and wrote notes.txt.")),
        ("cursor-docs", "afterAgentResponse", Said(words="Done.")),
        ("claude", "SessionStart.startup", Said()),
    ],
)
def test_one_shape(stored: Stored, host: str, name: str, right: Said) -> None:
    assert said(stored(host, name)) == right


def test_a_prompt_that_nobody_typed(stored: Stored) -> None:
    view = said(stored("claude", "UserPromptSubmit.task-notification"))
    assert view.prompt.startswith("<task-notification>") and not view.typed


def test_every_recorded_payload_has_a_line(stored: Stored) -> None:
    for file in sorted(file for host in ("claude", "codex", "cursor-docs") for file in PAYLOADS.glob(f"{host}/*.json")):
        event = stored(file.parent.name, file.name.removesuffix(".json"))
        assert len(line(event)) <= 160 and "\n" not in line(event), file


def test_lines_of_tools_and_of_events_without_words(stored: Stored) -> None:
    assert (
        line(stored("claude", "PostToolUseFailure.Bash")) == "Bash: echo boom >&2; exit 3 -> failed: Exit code 3 boom"
    )
    assert line(stored("claude", "SessionStart.startup")) == "source startup"


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        (None, ""),
        ('{"exitCode": 0, "stdout": "a\\n", "stderr": "b"}', "a\nb"),
        ("{not json", "{not json"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image", "source": {"data": "x"}}]}, "a"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ({"filenames": ["a.py", "b.py"], "numFiles": 2}, "a.py\nb.py"),
    ],
)
def test_outputs_without_the_fields_around_them(response: object, text: str) -> None:
    assert output(response) == text


def test_what_memwiki_itself_wrote() -> None:
    given = Event(1, "", "Given", "", "claude", "s", payload={"path": "tools/pnpm.md", "hash": "x"})
    assert said(given).output == line(given) == "tools/pnpm.md"
    assert said(Event(1, "", "Unparsed", "Stop", "claude", "s", payload={"text": "[1"})).output == "[1"


def test_a_command_that_is_a_list_of_words_is_the_line_that_the_shell_runs() -> None:
    for words, shown in ((["bash", "-lc", "make test"], "make test"), (["ls", "-l", "docs"], "ls -l docs")):
        payload = {"tool_name": "shell", "tool_input": {"command": words}}
        assert said(Event(1, "", "PreToolUse", "PreToolUse", "codex", "s", payload=payload)).command == shown
