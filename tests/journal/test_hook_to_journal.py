"""From the installed hook script to the journal: every recorded payload, whatever the environment's encoding."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memwiki.config import Config, Home
from memwiki.files import locked
from memwiki.hosts.programs import install
from memwiki.journal.drain import drain
from memwiki.journal.sessions import Journal

TESTS = Path(__file__).parent.parent
HOSTS = {"claude": "claude", "codex": "codex", "cursor-docs": "cursor"}


@pytest.fixture
def hook(store: Home) -> Iterator[Path]:
    """The installed script; no background sync gets the lock, so the test drains alone."""
    install(store)
    with locked(store.locks / "sync"):
        yield store.bin / "hook"


def call(hook: Path, host: str, native: str, raw: bytes, **env: str) -> bytes:
    """One hook call; what it answered."""
    done = subprocess.run(
        ["sh", str(hook), host, native], input=raw, capture_output=True, timeout=30, env={**os.environ, **env}
    )
    assert done.returncode == 0
    assert done.stderr == b""
    return done.stdout


def test_every_recorded_payload_reaches_the_journal_once_and_in_order(hook: Path, store: Home, config: Config) -> None:
    sent: dict[str, list[tuple[str, object]]] = {}
    for folder, host in HOSTS.items():
        for file in sorted((TESTS / "payloads" / folder).glob("*.json")):
            payload = json.loads(file.read_bytes())
            payload["turn"] = file.name  # else two recorded ends of one turn are a repeat
            call(hook, host, payload["hook_event_name"], json.dumps(payload).encode())
            payload.pop("user_email", None)
            sent.setdefault(f"{host}/{payload['session_id']}", []).append((payload["hook_event_name"], payload))
    drained = drain(store, config)
    assert drained.events == sum(map(len, sent.values())) and not drained.duplicates
    journal = Journal(store.journal)
    found = {
        session.key: [(event.native, dict(event.payload)) for event in journal.events(session.key)]
        for session in journal.sessions()
    }
    assert found == sent
    assert list(store.spool.iterdir()) == []


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp932"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
    ],
    ids=lambda env: "-".join(env.values()),
)
def test_case_04_through_the_hook(hook: Path, store: Home, config: Config, env: dict[str, str]) -> None:
    folder = TESTS / "cases" / "04-hook-stdin-encoding"
    expected = (folder / "expected.txt").read_text("utf-8").rstrip("\n")
    for name in ("utf8.bin", "bom.bin", "bad-byte.bin", "utf16.bin"):
        call(hook, "claude", "UserPromptSubmit", (folder / name).read_bytes(), **env)
    drained = drain(store, config)
    assert (drained.events, drained.unsupported) == (3, 1)
    (session,) = Journal(store.journal).sessions()
    prompts = [event.payload["prompt"] for event in Journal(store.journal).events(session.key)]
    assert prompts == [expected, expected, "caf\ufffd au lait"]


def test_paused_hooks_and_dreams_own_calls_leave_nothing(hook: Path, store: Home) -> None:
    call(hook, "claude", "Stop", b"{}", MEMWIKI_DREAM="1")
    store.paused.touch()
    call(hook, "claude", "Stop", b"{}")
    assert list(store.spool.iterdir()) == []
