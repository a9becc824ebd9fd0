"""A Messages API on loopback that plays answers and keeps requests, and model answers in the engine's schema."""

import json
import time
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from memwiki.dream.edits import Excerpt
from memwiki.dream.engines.claude import Claude

KEY = "sk-" + "ant-" + "stub" * 6
SAID = Excerpt("claude/s#1", "UserPromptSubmit", "person", "we use merge commits now, not squash")


def message(text: str | None, *, stop: str = "end_turn") -> dict[str, Any]:
    content = [] if text is None else [{"type": "text", "text": text}]
    usage = {
        "input_tokens": 900,
        "output_tokens": 120,
        "cache_creation_input_tokens": 3000,
        "cache_read_input_tokens": 2000,
    }
    return {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
    }


def status(code: int, words: str = "stub", **headers: str) -> Response:
    body = json.dumps({"type": "error", "error": {"type": "stub_error", "message": words}})
    return Response(
        body,
        code,
        mimetype="application/json",
        headers={key.replace("_", "-"): value for key, value in headers.items()},
    )


class Api:
    """Plays a list of answers, the last one again and again, and keeps the requests."""

    def __init__(self, server: HTTPServer) -> None:
        self.server = server
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Response] = []
        self.waits: list[float] = []
        self.delay = 0.0
        server.expect_request("/v1/messages", method="POST").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.requests.append(json.loads(request.get_data()))
        self.headers.append({key.lower(): value for key, value in request.headers.items()})
        time.sleep(self.delay)
        return self.answers[min(len(self.requests), len(self.answers)) - 1]

    def plays(self, *answers: dict[str, Any] | Response) -> "Api":
        self.answers = [
            one if isinstance(one, Response) else Response(json.dumps(one), 200, mimetype="application/json")
            for one in answers
        ]
        return self

    @property
    def url(self) -> str:
        return self.server.url_for("").rstrip("/")

    def texts(self) -> list[str]:
        """The whole of each request's instructions and messages, as the model would read it."""
        return [
            "\n".join(block["text"] for block in (*one["system"], *one["messages"][0]["content"]))
            for one in self.requests
        ]

    def engine(self, **kwargs: Any) -> Claude:
        values = {"model": "claude-sonnet-5-5", "key": KEY, "key_name": "ANTHROPIC_API_KEY", "timeout": 5.0}
        return Claude(base_url=self.url, pause=self.waits.append, **(values | kwargs))


def edit(path: str, text: str, quote: str, event: str = "e1", **more: Any) -> dict[str, Any]:
    """One edit as a model gives it: `add` of a preference unless `more` says otherwise."""
    return {
        "op": "add",
        "path": path,
        "type": "preference",
        "text": text,
        "old": "",
        "title": "",
        "description": "",
        "tags": [],
        "subject": f"About {path}",
        "why": "The person said so.",
        "confidence": 0.8,
        "source": "turn",
        "quotes": [{"event": event, "text": quote}] if quote else [],
        **more,
    }


EDIT = edit("tools/git.md", "We use merge commits.", "we use merge commits now", confidence=0.9)


def edits(*found: dict[str, Any]) -> dict[str, Any]:
    """A whole answer of the API with these edits."""
    return message(json.dumps({"edits": list(found)}, ensure_ascii=False))


def restated(answer: Path, vault: Path, quotes: dict[str, str]) -> list[dict[str, Any]]:
    """A recorded answer in neutral shape (whole bodies, events without words) as edits of our schema.

    `quotes` gives the words of each event, for the engine's answers must quote. An upsert of a note that there is
    becomes the replacement of its changed lines, an emptied one an empty replacement.
    """
    neutral = json.loads(json.loads(answer.read_text("utf-8"))["content"][0]["text"])["edits"]
    found = []
    for one in neutral:
        said = [{"event": event, "text": quotes[event]} for event in one["evidence"]]
        note = vault / one["path"]
        there = note.read_text("utf-8") if len(one["path"].encode()) < 250 and note.is_file() else None
        base = {"quotes": said, "type": "fact", "why": one.get("reason", "")}
        if one["op"] == "delete":
            found.append(edit(one["path"], "", "", op="delete", **base))
        elif not one["body"].strip():
            found.append(edit(one["path"], one["body"], "", op="replace", **base))
        elif there is None:
            found.append(edit(one["path"], one["body"], "", title=one["title"], **base))
        else:
            old, new = there.splitlines(), one["body"].splitlines()
            gone = [line for line in old[_body(old) :] if line and line not in new]
            come = [line for line in new if line not in old]
            kind = {"op": "replace", "old": "\n".join(gone)} if gone and come else {"op": "add"}
            found.append(edit(one["path"], "\n".join(come or new), "", **base, **kind))
    return found


def _body(lines: list[str]) -> int:
    """Where the body begins, after the first frontmatter block."""
    return lines.index("---", 1) + 1 if lines[:1] == ["---"] and "---" in lines[1:] else 0
