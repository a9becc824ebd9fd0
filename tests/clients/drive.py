"""The real Claude Code and Codex from npm, driven without a terminal against a model on loopback."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.model import Model


@dataclass
class Claude:
    """`claude -p`, one process a prompt; a session goes on by its id."""

    binary: Path
    home: Path
    project: Path
    model: Model

    def say(self, prompt: str, session: str = "") -> Any:
        """The client's own JSON result of one prompt; fails the test when it exits badly."""
        env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "dumb",
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "sk-" + "ant-fake",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
        command = [str(self.binary), "-p", prompt, "--model", "claude-sonnet-4-5", "--output-format", "json"]
        command += ["--allowedTools", "Bash,Write,Edit,Read"] + (["--resume", session] if session else [])
        done = subprocess.run(command, cwd=self.project, env=env, input="", capture_output=True, text=True, timeout=150)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)


@dataclass
class Codex:
    """`codex app-server`, spoken to as an editor does, for `exec` cannot compact."""

    binary: Path
    home: Path
    project: Path
    model: Model

    def configure(self) -> None:
        """Its settings: the model on loopback, the project trusted (its hooks not)."""
        folder = self.home / ".codex"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(
            'model = "gpt-5.5"\nmodel_provider = "loopback"\ncheck_for_update_on_startup = false\n'
            f'[model_providers.loopback]\nname = "loopback"\nbase_url = "{self.model.url}/v1"\nwire_api = "responses"\n'
            f'requires_openai_auth = false\n[analytics]\nenabled = false\n[projects."{self.project}"]\n'
            'trust_level = "trusted"\n'
        )

    @contextmanager
    def serve(self) -> Iterator["Server"]:
        """A running app-server."""
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "dumb", "LANG": "C.UTF-8"}
        process = subprocess.Popen(
            [str(self.binary), "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=env,
            cwd=self.project,
        )
        server = Server(process)
        try:
            server.call("initialize", clientInfo={"name": "memwiki-test", "version": "0"})
            server.send(method="initialized")
            yield server
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=30)


class Server:
    """JSON-RPC over the app-server's pipes; `hooks` are the runs of hooks that it reported."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.number = 0
        self.inbox: list[Any] = []
        self.hooks: list[Any] = []

    def send(self, **message: Any) -> None:
        """One message to the server."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        """One message from the server; its questions are answered with yes."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the app-server closed its pipe"
        message = json.loads(line)
        if "id" in message and "method" in message:
            self.send(id=message["id"], result={"decision": "accept"})
        elif message.get("method") == "hook/completed":
            self.hooks.append(message["params"]["run"])
        return message

    def call(self, method: str, **params: Any) -> Any:
        """A request's result."""
        self.number += 1
        number = self.number
        self.send(id=number, method=method, params=params)
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, f"{method}: {message}"
                return message["result"]
            self.inbox.append(message)

    def wait(self, *methods: str) -> Any:
        """The parameters of the next notification of these."""
        while True:
            message = self.inbox.pop(0) if self.inbox else self.read()
            if message.get("method") in methods:
                return message["params"]

    def trust(self, project: Path) -> None:
        """What a person does in /hooks."""
        hooks = self.call("hooks/list", cwds=[str(project)])["data"][0]["hooks"]
        state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
        edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
        self.call("config/batchWrite", edits=[edit])

    def start(self, project: Path) -> str:
        """A new thread's id."""
        policy = {"approvalPolicy": "never", "sandbox": "danger-full-access"}
        return str(self.call("thread/start", cwd=str(project), **policy)["thread"]["id"])

    def say(self, thread: str, prompt: str) -> str:
        """One turn, to its end; its status."""
        self.call("turn/start", threadId=thread, input=[{"type": "text", "text": prompt}])
        return str(self.wait("turn/completed")["turn"]["status"])

    def compact(self, thread: str) -> None:
        """Compact the thread, to the end."""
        self.call("thread/compact/start", threadId=thread)
        self.wait("thread/compacted", "turn/completed")


def settled(folder: Path, seconds: float = 5.0) -> None:
    """Wait until no file has come or gone in `folder` for half a second: hooks at the end overlap the client's exit."""
    deadline, before = time.monotonic() + seconds, None
    while time.monotonic() < deadline:
        now = sorted(file.name for file in folder.iterdir())
        if now == before:
            return
        before = now
        time.sleep(0.5)
