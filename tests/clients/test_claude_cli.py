"""The engine claude-cli with the real Claude Code, against a model server of our own."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memwiki.dream.edits import Batch, Conversation
from memwiki.dream.engines.claude_cli import ClaudeCli
from tests.dream.model_stub import EDIT, SAID

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

BATCH = Batch((Conversation("claude/s", "claude", "", "", "", (SAID,)),))
EDITS = {"edits": [EDIT]}


class FakeModel(ThreadingHTTPServer):
    """Answers the Messages API over SSE with our edits, as the structured-output tool where the client offers one."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeModel

    def log_message(self, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._send(200, b"", "application/json")

    def do_GET(self) -> None:
        self._send(404, b'{"type":"error","error":{"type":"not_found_error","message":"fake"}}', "application/json")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self._send(200, b'{"input_tokens": 10}', "application/json")
            return
        self.server.bodies.append(body)
        blocks = _blocks(body)
        stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
        whole = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": blocks,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 7, "output_tokens": 5},
        }
        if not body.get("stream"):
            self._send(200, json.dumps(whole).encode(), "application/json")
            return
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
        ]
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
            else:
                start = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events += [
                {"type": "content_block_start", "index": index, "content_block": start},
                {"type": "content_block_delta", "index": index, "delta": delta},
                {"type": "content_block_stop", "index": index},
            ]
        events += [
            {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": 5},
            },
            {"type": "message_stop"},
        ]
        data = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        self._send(200, data.encode(), "text/event-stream")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _blocks(body: dict[str, Any]) -> list[dict[str, Any]]:
    answered = any(
        block.get("type") == "tool_result"
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    )
    tool = next((tool for tool in body.get("tools", []) if "edits" in json.dumps(tool.get("input_schema", {}))), None)
    if tool and not answered:
        return [{"type": "tool_use", "id": "toolu_1", "name": tool["name"], "input": EDITS}]
    return [{"type": "text", "text": json.dumps(EDITS)}]


@pytest.fixture
def model() -> Iterator[FakeModel]:
    server = FakeModel()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_it_answers_without_tools_hooks_or_notes_of_the_person(
    model: FakeModel, binary: Callable[[str], Path], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = str(binary("claude"))
    settings = home / ".claude"
    settings.mkdir()
    fired = home / "fired"
    hook = {"hooks": [{"type": "command", "command": f"touch {fired}"}]}
    events = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
    (settings / "settings.json").write_text(json.dumps({"hooks": {event: [hook] for event in events}}))
    (settings / "CLAUDE.md").write_text("PERSONAL-NOTE-41\n")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{model.server_port}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-" + "ant-" + "fake")
    monkeypatch.setenv("DISABLE_AUTOUPDATER", "1")
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
    client = ClaudeCli("claude-sonnet-5-5", program, tmp_path / "log", 100.0)
    answer = client.distil(BATCH)
    assert answer.edits[0].text == "We use merge commits." and answer.usage.output_tokens > 0
    asked = [body for body in model.bodies if SAID.text in json.dumps(body, ensure_ascii=False)]
    assert asked
    names = {tool["name"] for body in asked for tool in body.get("tools", [])}
    assert not names & {"Bash", "Read", "Write", "Edit", "Task", "Agent", "WebFetch", "Skill"}, names
    assert "PERSONAL-NOTE-41" not in json.dumps(asked) and not fired.exists()
    assert "long-term memory" in json.dumps(asked[0]["system"])
