"""A scripted model on loopback: Anthropic Messages, OpenAI Responses and Chat Completions, and Gemini's own.

It plays tool calls, then says a word.

What it answers is read from the request alone: how many tool results it holds since the last closing word. A prompt
with `[[plain]]` is answered at once. Every request's body is kept, so that a test can see what reached the model.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CLOSING = "All done."
Event = dict[str, Any]


class Model(ThreadingHTTPServer):
    """`script` is a list of calls: (tool name, input), or a shell command for Codex."""

    daemon_threads = True

    def __init__(self, script: list[Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[Any] = []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def step(self, done: int, plain: bool) -> Any:
        """The next call of the script, None when the model should close."""
        return None if plain or done >= len(self.script) else self.script[done]


@contextmanager
def model(script: list[Any]) -> Iterator[Model]:
    """A running model."""
    server = Model(script)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_: object) -> None:
        """Silence."""

    def reply(self, value: Any, status: int = 200) -> None:
        """One JSON object."""
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events: list[Event]) -> None:
        """Server-sent events with their types."""
        self.sent("".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events))

    def sent(self, text: str) -> None:
        """Server-sent events as they are."""
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_HEAD(self) -> None:
        """A client that looks whether anyone is there."""
        self.reply({})

    def do_GET(self) -> None:
        """Lists of models and the like."""
        self.reply({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        """The two protocols."""
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self.reply({"input_tokens": 1000})
        elif path.endswith("/messages"):
            self.server.requests.append(body)
            self.anthropic(body)
        elif path.endswith("/responses"):
            self.server.requests.append(body)
            self.openai(body)
        elif path.endswith("/chat/completions"):
            self.server.requests.append(body)
            self.chat(body)
        elif "countTokens" in path:
            self.reply({"totalTokens": 1000})
        elif "enerateContent" in path:
            self.server.requests.append(body)
            self.gemini(body, "stream" in path)
        else:
            self.reply({})

    def anthropic(self, body: Any) -> None:
        """Anthropic Messages."""
        turn: list[Any] = []
        for message in body.get("messages", []):
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            turn = [] if message["role"] == "assistant" and CLOSING in json.dumps(blocks) else [*turn, *blocks]
        done = sum(block.get("type") == "tool_result" for block in turn)
        summary = "detailed summary" in json.dumps(turn[-1:])  # what Claude Code asks for at a compaction
        call = self.server.step(done, summary or "[[plain]]" in json.dumps(turn) or not body.get("tools"))
        block: Event = {"type": "text", "text": CLOSING}
        delta: Event = {"type": "text_delta", "text": CLOSING}
        if call:
            block = {
                "type": "tool_use",
                "id": f"toolu_{len(self.server.requests):06d}",
                "name": call[0],
                "input": call[1],
            }
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        stop = "tool_use" if call else "end_turn"
        head = {
            "id": f"msg_{len(self.server.requests)}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
        }
        size = len(json.dumps(body)) // 4  # by this a client judges whether a compaction was worth it
        head |= {"stop_sequence": None, "usage": {"input_tokens": size, "output_tokens": 10}}
        if not body.get("stream"):
            self.reply(head | {"content": [block], "stop_reason": stop})
            return
        empty = block | ({"input": {}} if call else {"text": ""})
        self.stream(
            [
                {"type": "message_start", "message": head | {"content": [], "stop_reason": None}},
                {"type": "content_block_start", "index": 0, "content_block": empty},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {
                    "type": "message_delta",
                    "delta": {"stop_reason": stop, "stop_sequence": None},
                    "usage": {"output_tokens": 9},
                },
                {"type": "message_stop"},
            ]
        )

    def chat(self, body: Any) -> None:
        """OpenAI Chat Completions."""
        turn: list[Any] = []
        for message in body.get("messages", []):
            turn = [] if message["role"] == "assistant" and CLOSING in json.dumps(message) else [*turn, message]
        done = sum(message["role"] == "tool" for message in turn)
        call = self.server.step(done, "[[plain]]" in json.dumps(turn) or not body.get("tools"))
        number = len(self.server.requests)
        message = {"role": "assistant", "content": CLOSING}
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            tool = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [tool]}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        base = {"id": f"chat_{number}", "created": 0, "model": body.get("model")}
        end = "tool_calls" if call else "stop"
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": end}
            self.reply(base | {"object": "chat.completion", "choices": [choice], "usage": usage})
            return
        chunk = base | {"object": "chat.completion.chunk"}
        first = chunk | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
        last = chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage}
        self.sent("".join(f"data: {json.dumps(one)}\n\n" for one in (first, last)) + "data: [DONE]\n\n")

    def gemini(self, body: Any, streamed: bool) -> None:
        """Gemini's generateContent."""
        turn: list[Any] = []
        for content in body.get("contents", []):
            closed = content.get("role") == "model" and CLOSING in json.dumps(content)
            turn = [] if closed else [*turn, *content.get("parts", [])]
        done = sum("functionResponse" in part for part in turn)
        call = self.server.step(done, "[[plain]]" in json.dumps(turn) or not body.get("tools"))
        number = len(self.server.requests)
        part: Any = {"text": CLOSING}
        if body.get("generationConfig", {}).get("responseMimeType") == "application/json":
            part = {"text": json.dumps({"reasoning": "none", "next_speaker": "user"})}
        elif call:
            part = {"functionCall": {"id": f"call-{number}", "name": call[0], "args": call[1]}}
        elif not body.get("tools"):
            part = {"text": "<state_snapshot>A summary.</state_snapshot>"}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1200, "candidatesTokenCount": 20, "totalTokenCount": 1220}
        whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake", "responseId": str(number)}
        self.sent(f"data: {json.dumps(whole)}\r\n\r\n") if streamed else self.reply(whole)

    def openai(self, body: Any) -> None:
        """OpenAI Responses, with the shell tool in whichever form the client offers it."""
        turn: list[Any] = []
        for item in body.get("input") or []:
            turn = [] if item.get("role") == "assistant" and CLOSING in json.dumps(item) else [*turn, item]
        done = sum(str(item.get("type")).endswith("_output") for item in turn)
        command = self.server.step(done, "[[plain]]" in json.dumps(turn))
        number = len(self.server.requests)
        text = {"type": "output_text", "text": CLOSING, "annotations": []}
        item: Event = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": [text]}
        if command:
            call = self.shell(body, command) if isinstance(command, str) else self.tool(body, *command)
            item = {"id": f"fc_{number}", "call_id": f"call_{number}", **call}
        item["status"] = "completed"
        usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        whole = {"id": f"resp_{number}", "object": "response", "status": "completed", "model": body.get("model")}
        whole |= {"created_at": 0, "output": [item], "usage": usage}
        events: list[Event] = [
            {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        for place, event in enumerate(events):
            event["sequence_number"] = place
        self.stream(events) if body.get("stream") else self.reply(whole)

    @staticmethod
    def offered(body: Any) -> dict[str, Event]:
        """The tools that a request of Codex's offers, or that its search for tools has found, as what a call needs."""
        found: dict[str, Event] = {}
        later = [item["tools"] for item in body.get("input") or [] if isinstance(item.get("tools"), list)]
        for tool in [one for tools in [body.get("tools") or [], *later] for one in tools]:
            if tool.get("type") == "namespace":
                space = str(tool["name"])
                found |= {f"{space}__{one['name']}": {"name": one["name"], "namespace": space} for one in tool["tools"]}
            else:
                found[str(tool.get("name"))] = {"name": tool.get("name")}
        return found

    def tool(self, body: Any, name: str, arguments: Any) -> Event:
        """A call of the tool `name`; of a server's tools Codex tells only whoever has searched for them."""
        if name == "tool_search":
            return {"type": "tool_search_call", "execution": "client", "arguments": arguments}
        return {"type": "function_call", "arguments": json.dumps(arguments), **self.offered(body)[name]}

    def shell(self, body: Any, command: str) -> Event:
        """A call of the shell tool that the request offers."""
        names = self.offered(body)
        if "exec" in names:  # code mode: JavaScript that calls the real tools
            code = f"text(await tools.exec_command({json.dumps({'cmd': command})}));"
            return {"type": "custom_tool_call", "name": "exec", "input": code}
        arguments = {"cmd": command} if "exec_command" in names else {"command": command}
        name = "exec_command" if "exec_command" in names else "shell_command"
        return {"type": "function_call", "name": name, "arguments": json.dumps(arguments)}
