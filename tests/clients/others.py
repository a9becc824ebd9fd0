"""The real Gemini CLI, Qwen Code, OpenCode, GitHub Copilot CLI and Cline CLI from npm, one process a prompt."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients.model import Model


@dataclass
class Client:
    """What all have in common. `say` gives the client's output and fails the test when it exits badly."""

    binary: Path
    home: Path
    project: Path
    model: Model
    node: Path = Path("node")
    extra: dict[str, str] = field(default_factory=dict)

    def run(self, command: list[str], env: dict[str, str], timeout: float = 150) -> str:
        """One process, with nothing of the caller's environment but PATH."""
        base = {"HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "dumb", "LANG": "C.UTF-8"}
        done = subprocess.run(
            command,
            cwd=self.project,
            env=base | env | self.extra,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, f"{done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def configure(self) -> None:
        """Its own settings, before it is linked."""

    def compact(self, session: str) -> bool:
        """Compact the session as its user would; False where there is no way without a terminal."""
        return False

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt, in a new session or the one named; the session's id."""
        raise NotImplementedError

    def settings(self, file: Path, value: Any) -> None:
        """Write a JSON settings file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=2))


class Gemini(Client):
    """`gemini -p`."""

    def configure(self) -> None:
        """No telemetry, no update, a key instead of a login."""
        off = {"usageStatisticsEnabled": False}
        auth = {"auth": {"selectedType": "gemini-api-key"}}
        more = {"general": {"enableAutoUpdate": False}, "telemetry": {"enabled": False}}
        self.settings(self.home / ".gemini" / "settings.json", {"security": auth, "privacy": off, **more})

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt; the session's id."""
        env = {"GOOGLE_GEMINI_BASE_URL": self.model.url, "GEMINI_API_KEY": "fake-key", "NO_BROWSER": "1"}
        env |= {"GEMINI_CLI_NO_RELAUNCH": "1", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        command = [str(self.binary), "-p", prompt, "--model", "gemini-2.5-flash", "--approval-mode", "yolo"]
        said = self.run([*command, "--output-format", "json", *(["--resume", "latest"] if session else [])], env)
        return str(json.loads(said[said.index("{") :])["session_id"])

    def compact(self, session: str) -> bool:
        """By its slash command."""
        self.say("/compress", session)
        return True


class Qwen(Client):
    """`qwen -p`, on a Node of its own."""

    def configure(self) -> None:
        """No telemetry."""
        off = {"privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}
        self.settings(self.home / ".qwen" / "settings.json", off)

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt; the session's id."""
        env = {"ANTHROPIC_BASE_URL": self.model.url, "ANTHROPIC_API_KEY": "sk-" + "ant-fake"}
        env |= {"ANTHROPIC_MODEL": "claude-sonnet-4-5"}
        command = [str(self.node), str(self.binary), "-p", prompt, "--auth-type", "anthropic"]
        command += ["--model", "claude-sonnet-4-5", "--approval-mode", "yolo", "--output-format", "json"]
        said = self.run([*command, *(["--resume", session] if session else [])], env)
        return next(str(one["session_id"]) for one in json.loads(said) if one.get("session_id"))

    def compact(self, session: str) -> bool:
        """By its slash command."""
        self.say("/compress", session)
        return True


class OpenCode(Client):
    """`opencode run`."""

    def configure(self) -> None:
        """One provider: the model on loopback."""
        models = {"fake-model": {"name": "fake", "tool_call": True, "limit": {"context": 100000, "output": 8000}}}
        options = {"baseURL": f"{self.model.url}/v1", "apiKey": "none"}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "rig", "options": options, "models": models}
        value = {"autoupdate": False, "share": "disabled", "model": "rig/fake-model", "small_model": "rig/fake-model"}
        self.settings(self.home / ".config/opencode/opencode.json", {**value, "provider": {"rig": provider}})

    def environment(self) -> dict[str, str]:
        """Nothing is fetched."""
        names = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD")
        return {f"OPENCODE_DISABLE_{name}": "1" for name in names}

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt; the session's id."""
        command = [str(self.binary), "run", "--format", "json", *(["--session", session] if session else []), prompt]
        lines = self.run(command, self.environment()).splitlines()
        return next(str(one["sessionID"]) for line in lines if (one := json.loads(line)).get("sessionID"))

    def compact(self, session: str) -> bool:
        """Over its HTTP server, as its terminal does."""
        port = free_port()
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], **self.environment()}
        server = subprocess.Popen(
            [str(self.binary), "serve", "--port", str(port)], cwd=self.project, env=env, stdout=subprocess.DEVNULL
        )
        try:
            reached(port)
            body = json.dumps({"providerID": "rig", "modelID": "fake-model"}).encode()
            url = f"http://127.0.0.1:{port}/session/{session}/summarize"
            request = urllib.request.Request(url, body, {"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=100) as answer:
                return bool(answer.status == 200)
        finally:
            server.terminate()
            server.wait(timeout=20)


class Copilot(Client):
    """`copilot -p`, offline, with a model of one's own."""

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt; the session's id."""
        env = {"COPILOT_AUTO_UPDATE": "false", "COPILOT_OFFLINE": "true", "COPILOT_MODEL": "fake-model"}
        env |= {"COPILOT_PROVIDER_BASE_URL": f"{self.model.url}/v1", "COPILOT_PROVIDER_TYPE": "openai"}
        env |= {"COPILOT_PROVIDER_WIRE_API": "completions"}
        command = [str(self.binary), "-p", prompt, "--allow-all-tools", "--no-color", "--output-format", "json"]
        said = self.run([*command, *([f"--resume={session}"] if session else [])], env)
        return next(str(one["sessionId"]) for line in said.splitlines() if (one := json.loads(line)).get("sessionId"))

    def compact(self, session: str) -> bool:
        """By its slash command."""
        self.say("/compact", session)
        return True


class Cline(Client):
    """`cline --json`."""

    def environment(self) -> dict[str, str]:
        """Nothing is fetched."""
        return {"CLINE_NO_AUTO_UPDATE": "1", "CLINE_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}

    def configure(self) -> None:
        """Its login: the model on loopback."""
        command = [str(self.binary), "auth", "--provider", "openai-compatible", "--apikey", "none"]
        self.run([*command, "--baseurl", f"{self.model.url}/v1", "--modelid", "fake-model"], self.environment())

    def say(self, prompt: str, session: str = "") -> str:
        """One prompt, in a new session each time: without a terminal it resumes none; the session's id."""
        command = [str(self.binary), "--json", "--auto-approve", "true", "-t", "90"]
        try:
            self.run([*command, prompt], self.environment())
        finally:
            self.end_daemon()
        return max(one.name for one in (self.home / ".cline" / "data" / "sessions").iterdir() if one.is_dir())

    def end_daemon(self) -> None:
        """End the process that Cline leaves behind for this project, which would serve the next test's client."""
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                words = file.read_bytes().decode("utf-8", "replace").split("\0")
                if "--cline-hub-daemon" in words and str(self.project) in words:
                    os.kill(int(file.parent.name), signal.SIGTERM)


def reached(port: int) -> None:
    """Wait until somebody listens on the port, and a little more."""
    for _ in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.2)
    time.sleep(2)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


CLIENTS = {"gemini": Gemini, "qwen": Qwen, "opencode": OpenCode, "copilot": Copilot, "cline": Cline}
