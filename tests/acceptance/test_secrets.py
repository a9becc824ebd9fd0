"""Secrets of some hundred shapes through everything: hooks, sync, dream, review, recall, log; then a look all over."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from secret_shapes import pieces, shapes
from werkzeug import Request, Response

Run = Callable[..., subprocess.CompletedProcess[str]]
SHAPES = list(shapes(11))
EACH = 12  # shapes in one session
ASKED = "Do I always run the release checks with `make release-s0-3` before I merge?"
RULE = "From now on, always run the release checks with `make release-{}` before you merge."


class Machine:
    """A person's machine: home, vault, project, and the installed hook run as Claude Code runs it."""

    def __init__(self, home: Path, run: Run) -> None:
        self.home, self.run = home, run
        self.project = home / "shop"
        self.project.mkdir()
        self.plain("git", "init", "-q", str(self.project))
        self.plain("git", "-C", str(self.project), "remote", "add", "origin", "git@github.com:acme/shop.git")
        run("init")

    def plain(self, *args: str) -> str:
        return subprocess.run(args, check=True, capture_output=True, text=True).stdout

    def hook(self, event: str, session: str, **payload: Any) -> str:
        """One hook call; what it answered."""
        raw = {"session_id": session, "cwd": str(self.project), "hook_event_name": event, **payload}
        done = subprocess.run(
            ["sh", str(self.home / ".memwiki" / "bin" / "hook"), "claude", event],
            input=json.dumps(raw).encode(),
            capture_output=True,
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(self.project)},
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def session(self, name: str, chosen: list[tuple[str, str, list[str]]]) -> str:
        """A session in which each secret comes up in every kind of event; all that the hooks answered."""
        said = [self.hook("SessionStart", name, source="startup")]
        for number, (what, text, (secret, *_)) in enumerate(chosen):
            talk = f"{RULE.format(f'{name}-{number}')} For {what} I have this:\n{text}\nThat is all."
            command = {"command": text, "file_path": f"/home/dev/{secret}/notes.txt", secret: 1}
            # The secret stands on both sides of where a long output is cut.
            long = "x" * 4000 + "\n" + text + "\n" + "line of output\n" * 3000 + text + "\n" + "y" * 4070
            said.append(self.hook("UserPromptSubmit", name, prompt=talk))
            tool = {"tool_name": "Bash", "tool_use_id": f"t{number}", "tool_input": command}
            self.hook("PreToolUse", name, **tool)
            if number % 2:
                self.hook("PostToolUse", name, **tool, tool_response={"stdout": long, "stderr": text, "lines": [text]})
            else:
                self.hook("PostToolUseFailure", name, **tool, error=f"Exit code 1\n{text}")
            self.hook("Stop", name, stop_hook_active=False, last_assistant_message=f"Done. I used this:\n{text}\n")
        self.hook("SessionEnd", name, reason="other")
        return "".join(said)

    def everything(self) -> Iterator[tuple[str, bytes]]:
        """(where, bytes) of every file below HOME but the project, and of every object in the vault's git, unpacked."""
        for path in self.home.rglob("*"):
            if path.is_file():
                yield str(path.relative_to(self.home)), path.read_bytes()
        vault = self.home / ".memwiki" / "vault"
        objects = ["git", "-C", str(vault), "cat-file", "--batch-all-objects", "--batch"]
        yield "git objects", subprocess.run(objects, check=True, capture_output=True).stdout
        yield "git refs", self.plain("git", "-C", str(vault), "for-each-ref").encode()


def found(texts: Mapping[str, bytes] | Iterator[tuple[str, bytes]], ours: Mapping[str, set[str]]) -> list[str]:
    """Which secrets have a piece in which text."""
    places = dict(texts)
    return [
        f"{what} in {where}"
        for where, text in places.items()
        for what, their in ours.items()
        if any(piece.encode() in text for piece in their)
    ]


@pytest.fixture
def machine(home: Path, run: Run) -> Machine:
    return Machine(home, run)


def model(server: HTTPServer, asked: list[str], own: str) -> str:
    """A model that proposes what was asked of it, and once a note with a secret of its own; its address."""

    def answer(request: Request) -> Response:
        body = request.get_data(as_text=True)
        asked.append(body)
        edits = [
            {
                "op": "add",
                "path": f"project/acme-shop/{name}.md",
                "type": "preference",
                "text": text,
                "old": "",
                "title": "",
                "description": "",
                "tags": [],
                "subject": f"About {name}",
                "why": "The person said so.",
                "confidence": 0.8,
                "source": "turn",
                "quotes": [{"event": "e1", "text": "always run the release checks"}],
            }
            for name, text in (("checks", "Run the release checks."), ("login", f"- The deploy password is {own}"))
        ]
        content = [{"type": "text", "text": json.dumps({"edits": edits})}]
        message = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "stub",
            "content": content,
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 9},
        }
        return Response(json.dumps(message), 200, mimetype="application/json")

    server.expect_request("/v1/messages", method="POST").respond_with_handler(answer)
    return server.url_for("").rstrip("/")


def test_no_secret_gets_further_than_the_spool(machine: Machine, httpserver: HTTPServer) -> None:
    ours = {what: pieces(secrets) for what, _, secrets in SHAPES}
    assert len(ours) == len(SHAPES) > 90 and all(ours.values())
    run = machine.run
    shown: dict[str, bytes] = {}
    sessions = [SHAPES[at : at + EACH] for at in range(0, len(SHAPES), EACH)]
    for number, chosen in enumerate(sessions):
        shown[f"hook {number}"] = machine.session(f"s{number}", chosen).encode()
    run("sync")
    assert list((machine.home / ".memwiki" / "spool").iterdir()) == []
    listed = json.loads(run("log", "--json").stdout)["sessions"]
    assert sum(one["events"] for one in listed) == sum(2 + 4 * len(chosen) for chosen in sessions)

    run("config", "set", "dream.max_candidates", "60")
    run("dream", "--engine", "rules")
    pending = [one["id"] for one in json.loads(run("review", "list", "--json").stdout)["candidates"]]
    assert pending, "the rules heard nothing, so nothing was tried"
    shown["diffs"] = run("review", "list", "--json").stdout.encode()
    for one in pending:
        shown[f"show {one}"] = run("review", "show", one).stdout.encode()
    run("review", "approve", *pending)
    run("review", "list", "--state", "all")

    asked: list[str] = []
    own = "Zk7" + "qPw9" + "xTb2" + "LmC4v"
    address = model(httpserver, asked, own)
    machine.hook("UserPromptSubmit", "late", prompt=f"Please always run the release checks.\n{SHAPES[0][1]}")
    machine.hook("Stop", "late", stop_hook_active=False, last_assistant_message="Yes.")
    env = {"ANTHROPIC_API_KEY": "stub" * 6, "ANTHROPIC_BASE_URL": address}
    run("dream", "--engine", "claude", env=env)
    assert asked
    shown |= {f"request {number}": text.encode() for number, text in enumerate(asked)}
    (second,) = json.loads(run("review", "list", "--json").stdout)["candidates"]
    assert second["path"].endswith("checks.md")  # the note with a password in it was refused
    run("review", "approve", second["id"])
    ours["the model's own"] = pieces([own])

    shown["start"] = machine.hook("SessionStart", "new", source="startup").encode()
    given = machine.hook("UserPromptSubmit", "new", prompt=ASKED)
    assert "release" in given
    shown["given"] = given.encode()
    for command in (
        ("log",),
        ("log", "claude/s0"),
        ("log", "claude/s1#4"),
        ("log", "claude/s1", "--json"),
        ("log", "--search", "release checks"),
        ("log", "--search", "password token key secret", "--json"),
        ("search", "release checks password", "--json"),
        ("recall", ASKED, "--project", str(machine.project)),
        ("status", "--json"),
        ("list", "--json"),
        ("why", second["path"], "--json"),
    ):
        shown[" ".join(command)] = run(*command).stdout.encode()
    assert found(shown, ours) == []
    assert found(machine.everything(), ours) == []


def test_a_secret_found_in_a_note_is_named_and_given_to_nobody(machine: Machine, run: Run) -> None:
    secret = SHAPES[20][2][0]
    note = machine.home / ".memwiki" / "vault" / "tools" / "deploy.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(f"# Deploying the shop\n\nDeploy the shop with `make deploy TOKEN={secret}`.\n", "utf-8")
    run("sync")
    assert "tools/deploy.md" in run("doctor", check=False).stdout
    given = machine.hook("UserPromptSubmit", "s", prompt="How do I deploy the shop with make deploy?")
    ours = {"it": pieces([secret])}
    assert found({"given": given.encode()}, ours) == []
    for command in (("search", "deploy the shop", "--json"), ("recall", "How do I deploy the shop?", "--json")):
        assert found({command[0]: run(*command).stdout.encode()}, ours) == []
    assert found({"status": run("doctor", check=False).stdout.encode()}, ours) == []
