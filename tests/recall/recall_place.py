"""A memory made of notes and hooks run on it as a host runs them: the installed launcher in a bare interpreter."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from memwiki.config import Home, load
from memwiki.hosts.programs import interpreter
from memwiki.index import notes, upkeep
from memwiki.index.sqlite import SqliteIndex
from memwiki.vault.git import Git

TESTS = Path(__file__).parent.parent
CASES, PAYLOADS = TESTS / "cases", TESTS / "payloads"


class Place:
    """One home and its vault."""

    def __init__(self, home: Path, vault: Path) -> None:
        self.home, self.vault = Home(home), vault
        self.notice = ""  # the line for the user in the last answer

    def sync(self) -> None:
        """Bring index and snapshot in step with the vault."""
        config = load(self.home)
        index = SqliteIndex(self.home.index)
        git = Git(config.vault, branch=config.branch)
        notes.take_in(index, git)
        upkeep.write(index, self.home, config, git)
        index.close()

    def write(self, path: str, text: str) -> None:
        """A person saves a note."""
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def git(self, *args: str, check: bool = True) -> str:
        """Plain git in the vault."""
        done = subprocess.run(["git", "-C", str(self.vault), *args], capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def raw(
        self, host: str, event: str, payload: bytes, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """One hook process."""
        command = [interpreter(), "-I", "-S", str(self.home.bin / "launch"), host, event]
        return subprocess.run(
            command, input=payload, capture_output=True, env={**os.environ, **(env or {})}, timeout=20
        )

    def hook(self, event: str, host: str = "claude", env: Mapping[str, str] | None = None, **payload: object) -> str:
        """What one hook call injects; the process must end well and silently, and print one JSON object or nothing."""
        sent = {"session_id": "s1", "cwd": str(self.home.path), **payload}
        done = self.raw(host, event, json.dumps(sent).encode(), env)
        assert (done.returncode, done.stderr) == (0, b"")
        self.notice = ""
        if not done.stdout:
            return ""
        answer = json.loads(done.stdout)
        if host == "cursor":
            return str(answer.get("additional_context", ""))
        self.notice = answer.pop("systemMessage", "")
        if not answer:
            return ""
        assert set(answer) == {"hookSpecificOutput"}
        assert answer["hookSpecificOutput"]["hookEventName"] == event
        return str(answer["hookSpecificOutput"]["additionalContext"])

    def ask(self, prompt: str, session: str = "s1", **more: object) -> str:
        """What a prompt is given."""
        return self.hook("UserPromptSubmit", prompt=prompt, session_id=session, **more)  # type: ignore[arg-type]

    def log(self) -> str:
        """What the hooks had to say for themselves."""
        file = self.home.log / "hook.log"
        return file.read_text("utf-8") if file.exists() else ""


def note(body: str, title: str = "", **fields: str) -> str:
    """A note's text."""
    lines = [f"title: {title}"] if title else []
    lines += [f"{key}: {value}" for key, value in fields.items()]
    return "---\n" + "".join(f"{line}\n" for line in lines) + f"---\n{body}\n"
