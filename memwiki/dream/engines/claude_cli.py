"""The `claude-cli` engine: Claude Code itself, run as `claude -p` with whatever it is logged in with."""

import json
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...config import Config
from ...errors import MemwikiError
from ...journal.intake import OWN
from ...vault.process import end
from ..answer import SCHEMA, edits_of
from ..edits import Answer, Batch, Usage
from ..prompt import ONCE_MORE, prompt
from .failure import LARGER, LATER, REFUSED, Failed

MARK = "MEMWIKI_DREAM"  # in the child's environment: memwiki's hooks exit at once when they see it
_LIMITS = ("rate limit", "usage limit", "overloaded", "429", "529", "limit reached", "hit your limit")
_LOGIN = ("/login", "log in", "api key", "authenticat", "401", "403", "oauth")


@dataclass(frozen=True, slots=True)
class ClaudeCli:
    """Claude Code without tools, hooks, servers or a project, in an empty folder; the prompt goes in on stdin.

    `log` is the home's log folder. A call ends after `timeout` seconds with its whole process group. Nothing is paid
    per call with a subscription, so cost counts only where the child has an API key in its environment.
    """

    model: str
    program: str
    log: Path
    timeout: float = 300.0
    name: str = field(default="claude-cli", init=False)

    def distil(self, batch: Batch) -> Answer:
        """Edits for one batch. Raises Failed; an answer that is no valid JSON is asked for once more."""
        request = prompt(batch)
        usage = Usage()
        for more in ("", ONCE_MORE):
            result = self._run(request.system, f"{request.stable}\n{request.batch}\n{more}\n")
            usage = usage.plus(_usage(result))
            try:
                return Answer(edits_of(_text(result), request.ids), usage)
            except Failed as error:
                if more or error.kind not in ("not parseable", "wrong shape"):
                    error.usage = usage
                    raise
        raise AssertionError("unreachable")

    def _run(self, system: str, words: str) -> dict[str, Any]:
        """One `claude -p`; the object that it printed."""
        session = str(uuid.uuid4())
        _remember(self.log / OWN, session)
        with tempfile.TemporaryDirectory(prefix="memwiki-") as folder:
            child = subprocess.Popen(
                [self.program, *_arguments(self.model, session, system)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,  # no project, so no CLAUDE.md, settings or servers of one
                env={**os.environ, MARK: "1", "CLAUDE_CODE_SAFE_MODE": "1"},
                start_new_session=True,
            )
            try:
                out, err = child.communicate(words.encode("utf-8", "replace"), self.timeout)
            except subprocess.TimeoutExpired:
                raise Failed(
                    "unavailable",
                    f"`claude -p` did not answer in {self.timeout:g} s.",
                    "Dream again later, or raise dream.timeout: nothing is lost.",
                ) from None
            finally:
                end(child)
        return _result(child.returncode, out, err.decode("utf-8", "replace").strip())


def claude_cli(config: Config) -> ClaudeCli:
    """The engine as config sets it; MemwikiError when there is no `claude` on the PATH."""
    program = shutil.which("claude")
    if program is None:
        raise MemwikiError(
            "The claude-cli engine needs Claude Code, and there is no `claude` on the PATH.",
            "Install Claude Code and log in, or use `--engine rules`.",
        )
    return ClaudeCli(config.get("dream.model"), program, config.home.log, float(config.get("dream.timeout")))


def _arguments(model: str, session: str, system: str) -> list[str]:
    """What the child is told; read from `claude --help` of 2.1.332. The prompt is not among it: it may be long."""
    return [
        "-p",
        *("--model", model),
        *("--output-format", "json"),
        *("--json-schema", json.dumps(SCHEMA)),
        *("--system-prompt", system),
        *("--tools", ""),
        *("--settings", json.dumps({"disableAllHooks": True})),
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
        *("--session-id", session),
    ]


def _result(code: int, out: bytes, err: str) -> dict[str, Any]:
    """The one object that `--output-format json` prints; Failed when there is none or it says that it failed."""
    raw = out.decode("utf-8", "replace")
    try:
        value = json.loads(raw)
    except ValueError:
        value = None
    result = value if isinstance(value, dict) else {}
    if code == 0 and result and not result.get("is_error"):
        return result
    words = " ".join(str(result.get("result") or err or raw or f"exit code {code}").split())[:300].rstrip(".")
    lower = words.lower()
    if any(mark in lower for mark in _LIMITS):
        raise Failed("rate-limited", f"Claude Code is at its limit: {words}.", LATER, raw=raw)
    if "too long" in lower:
        raise Failed("too long", "The prompt is too long for the model.", LARGER, raw=raw)
    if any(mark in lower for mark in _LOGIN):
        raise Failed(
            "key", f"Claude Code is not logged in: {words}.", "Run `claude` and log in, then dream again.", raw=raw
        )
    raise Failed("unavailable", f"`claude -p` failed: {words}.", "Run `claude -p hello` to see what it says.", raw=raw)


def _text(result: Mapping[str, Any]) -> str:
    """The model's answer: checked output where the client gives it, else its text. Why it stopped comes first."""
    reason = result.get("stop_reason")
    text = str(result.get("result", ""))
    if reason == "refusal":
        raise Failed("refused", "The model refused to read this batch.", REFUSED, raw=text)
    if reason == "max_tokens":
        raise Failed("too long", "The model's answer was cut off.", LARGER, raw=text)
    given = result.get("structured_output")
    return json.dumps(given, ensure_ascii=False) if given is not None else text


def _usage(result: Mapping[str, Any]) -> Usage:
    used = result.get("usage")
    used = used if isinstance(used, dict) else {}
    paid = "ANTHROPIC_API_KEY" in os.environ

    def count(name: str) -> int:
        value = used.get(name)
        return value if isinstance(value, int) else 0

    return Usage(
        calls=1,
        input_tokens=count("input_tokens"),
        output_tokens=count("output_tokens"),
        cache_read_tokens=count("cache_read_input_tokens"),
        cache_write_tokens=count("cache_creation_input_tokens"),
        cost=float(result.get("total_cost_usd") or 0.0) if paid else 0.0,
    )


def _remember(path: Path, session: str) -> None:
    """Note a session of our own before it starts, should a hook of it be heard in spite of everything."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(fd, "a", encoding="ascii") as out:
        out.write(f"{session}\n")
