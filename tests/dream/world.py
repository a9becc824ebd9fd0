"""One machine for the tests of dreams: a vault in real git, sessions through the real spool, a stubbed model."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_stub import Api

import memwiki
from memwiki import config
from memwiki.journal.event import Event, line_of

if TYPE_CHECKING:
    from memwiki.dream.run import DreamReport

CASES = Path(__file__).parent.parent / "cases"
SESSION = "5a0c0000-0000-4000-8000-0000000000bb"


class World:
    """One machine: `home`, `vault`, what was said on it, and the model it asks."""

    def __init__(self, top: Path, git: Callable[..., str], api: Api) -> None:
        self.home = config.Home(top / ".memwiki")
        self.vault = top / "vault"
        self.api = api
        self._git = git
        self.home.make()
        config.change(self.home, "vault.path", str(self.vault))
        config.change(self.home, "machine.id", "0badcafe")
        config.change(self.home, "dream.model", "claude-sonnet-5-5")

    def git(self, *args: str, check: bool = True) -> str:
        """Plain git in the vault."""
        return self._git(self.vault, *args, check=check)

    def notes(self, source: Path | dict[str, str]) -> "World":
        """A vault with one commit, of a folder or of path -> text."""
        if isinstance(source, Path):
            shutil.copytree(source, self.vault, symlinks=True)
        else:
            for path, text in {".keep": "", **source}.items():
                (self.vault / path).parent.mkdir(parents=True, exist_ok=True)
                (self.vault / path).write_text(text, "utf-8")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")
        return self

    def hears(self, *payloads: dict[str, Any], host: str = "claude") -> "World":
        """Payloads of a host, spooled as its hooks would."""
        with memwiki.open(self.home.path) as memory:
            for payload in payloads:
                memory.append(host, payload["hook_event_name"], payload)
        return self

    def says(self, *prompts: str, session: str = SESSION, answer: str = "Done.") -> "World":
        """A turn for each prompt: the prompt and the agent's closing words."""
        for prompt in prompts:
            base = {"session_id": session, "cwd": "/nowhere"}
            self.hears(
                {**base, "hook_event_name": "UserPromptSubmit", "prompt": prompt},
                {**base, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": answer},
            )
        return self

    def writes(self, *events: Event) -> "World":
        """Journal lines as they are, for times and shapes that no hook gives on demand."""
        for event in events:
            path = self.home.journal / event.host / f"{event.session}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as out:
                out.write(line_of(event))
        return self

    def dream(self, engine: str = "claude", **options: Any) -> "DreamReport":
        """One run, in this process."""
        from memwiki.dream.run import DreamOptions

        with memwiki.open(self.home.path) as memory:
            return memory.dream(DreamOptions(engine=engine, **options))

    def run(self, *args: str, wait: bool = True) -> Any:
        """`memwiki ARGS` as a process of its own; the finished process, or the running one."""
        env = {**os.environ, "MEMWIKI_HOME": str(self.home.path)}
        command = [sys.executable, "-m", "memwiki", *args]
        if not wait:
            return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)

    def branches(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname:short)", "refs/heads/dream/").split()

    def watermarks(self) -> dict[str, int]:
        """Session key -> last event read, as the ledger has it."""
        out = self.git("log", "--first-parent", "--format=%B", "refs/memwiki/runs/0badcafe", check=False)
        found: dict[str, int] = {}
        for line in out.splitlines():
            if line.startswith("Memwiki-Read: "):
                key, _, span = line.removeprefix("Memwiki-Read: ").rpartition("@")
                found[key] = max(found.get(key, 0), int(span.partition("..")[2]))
        return found

    def diff(self, branch: str = "") -> str:
        """What a dream branch would change."""
        return self.git("diff", f"main...{branch or self.branches()[-1]}")


def case_events(name: str) -> list[dict[str, Any]]:
    """The payloads of a recorded case."""
    text = (CASES / name / "events.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]
