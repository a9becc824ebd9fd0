"""The claude-cli engine with a stand-in `claude` on the PATH; tests/clients runs the real one."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from model_stub import EDIT, SAID

from memwiki.config import Config, Home
from memwiki.dream.edits import Batch, Conversation
from memwiki.dream.engines.claude_cli import ClaudeCli, claude_cli
from memwiki.dream.engines.failure import Failed
from memwiki.errors import MemwikiError
from memwiki.journal.intake import OWN

BATCH = Batch((Conversation("claude/s", "claude", "", "", "", (SAID,)),))
EDITS = {"edits": [EDIT]}
USAGE = {"input_tokens": 10, "output_tokens": 20, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 40}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": json.dumps(EDITS),
    "stop_reason": "end_turn",
    "total_cost_usd": 0.25,
    "usage": USAGE,
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A `claude` on the PATH that records how it was called in `calls.jsonl` and then runs the given Python lines."""

    def make(lines: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "claude"
        program.write_text(
            f"#!{sys.executable}\nimport json, os, sys, time\nprompt = sys.stdin.read()\n"
            f"calls = {str(tmp_path / 'calls.jsonl')!r}\n"
            "number = len(open(calls).readlines()) if os.path.exists(calls) else 0\n"
            "with open(calls, 'a') as out:\n"
            "    out.write(json.dumps({'args': sys.argv[1:], 'prompt': prompt, 'cwd': os.getcwd(),\n"
            "        'files': os.listdir('.'), 'mark': os.environ.get('MEMWIKI_DREAM')}) + '\\n')\n" + lines
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return tmp_path / "calls.jsonl"

    return make


def engine(log: Path, timeout: float = 20.0) -> ClaudeCli:
    program = shutil.which("claude")
    assert program
    return ClaudeCli("claude-sonnet-5-5", program, log, timeout)


def test_called_without_tools_hooks_or_project_and_with_the_prompt_on_stdin(
    stand_in: Callable[[str], Path], log: Path, tmp_path: Path
) -> None:
    calls = stand_in(f"print({json.dumps(json.dumps(RESULT))})")
    answer = engine(log).distil(BATCH)
    assert answer.edits[0].quotes[0].event == "claude/s#1"
    (call,) = map(json.loads, calls.read_text().splitlines())
    args = call["args"]
    assert args[0] == "-p" and args[args.index("--tools") + 1] == ""
    assert json.loads(args[args.index("--settings") + 1]) == {"disableAllHooks": True}
    assert "--strict-mcp-config" in args and "--no-session-persistence" in args
    assert call["mark"] == "1" and call["files"] == [] and not Path(call["cwd"]).exists()
    assert SAID.text in call["prompt"] and not any(SAID.text in arg for arg in args)
    assert (log / OWN).read_text().split() == [args[args.index("--session-id") + 1]]


def test_usage_is_counted_and_a_subscription_costs_nothing(
    stand_in: Callable[[str], Path], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(f"print({json.dumps(json.dumps(RESULT))})")
    used = engine(log).distil(BATCH).usage
    assert (used.calls, used.input_tokens, used.output_tokens) == (1, 10, 20)
    assert (used.cache_read_tokens, used.cache_write_tokens, used.cost) == (30, 40, 0.0)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    assert engine(log).distil(BATCH).usage.cost == 0.25


def test_checked_output_is_preferred(stand_in: Callable[[str], Path], log: Path) -> None:
    stand_in(f"print({json.dumps(json.dumps({**RESULT, 'result': 'Done.', 'structured_output': EDITS}))})")
    assert len(engine(log).distil(BATCH).edits) == 1


def test_bad_answer_is_asked_for_once_more(stand_in: Callable[[str], Path], log: Path) -> None:
    bad, good = json.dumps({**RESULT, "result": "Sure!"}), json.dumps(RESULT)
    calls = stand_in(f"print([{bad!r}, {good!r}][number])")
    assert len(engine(log).distil(BATCH).edits) == 1
    assert len(calls.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        ("Claude usage limit reached. Your limit will reset at 3pm.", 1, "rate-limited"),
        ("Invalid API key · Please run /login", 1, "key"),
        ("API Error: 529 Overloaded", 1, "rate-limited"),
        ("Prompt is too long", 1, "too long"),
        ("something else", 1, "unavailable"),
        ("it says success but is an error", 0, "unavailable"),
    ],
)
def test_failures_have_a_class(stand_in: Callable[[str], Path], log: Path, words: str, code: int, kind: str) -> None:
    stand_in(f"print(json.dumps({{**{RESULT!r}, 'is_error': True, 'result': {words!r}}}))\nsys.exit({code})")
    with pytest.raises(Failed) as failed:
        engine(log).distil(BATCH)
    assert failed.value.kind == kind


@pytest.mark.parametrize("reason", [("refusal", "refused"), ("max_tokens", "too long")])
def test_stop_reason_comes_first(stand_in: Callable[[str], Path], log: Path, reason: tuple[str, str]) -> None:
    calls = stand_in(f"print({json.dumps(json.dumps({**RESULT, 'stop_reason': reason[0]}))})")
    with pytest.raises(Failed) as failed:
        engine(log).distil(BATCH)
    assert failed.value.kind == reason[1] and len(calls.read_text().splitlines()) == 1


def test_no_json_at_all(stand_in: Callable[[str], Path], log: Path) -> None:
    stand_in("sys.stderr.write('segmentation fault')\nsys.exit(139)")
    with pytest.raises(Failed, match="segmentation fault") as failed:
        engine(log).distil(BATCH)
    assert failed.value.kind == "unavailable"


def test_a_hanging_client_and_its_children_are_ended(
    stand_in: Callable[[str], Path], log: Path, tmp_path: Path
) -> None:
    note = tmp_path / "pids"
    stand_in(
        f"import subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\ntime.sleep(600)"
    )
    with pytest.raises(Failed, match="did not answer in 2 s") as failed:
        engine(log, timeout=2.0).distil(BATCH)
    assert failed.value.kind == "unavailable"
    for pid in note.read_text().split():
        assert _gone(int(pid))


def _gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_missing_client_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home))
    with pytest.raises(MemwikiError, match="no `claude` on the PATH"):
        claude_cli(Config(Home(home / ".memwiki")))
