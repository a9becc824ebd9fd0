"""Whatever is broken, a hook ends well, silently and soon, and its event is kept."""

import json
import os
import random
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from recall_place import CASES, Place, note

from memwiki.recall.hook import answer

STATES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "directory": lambda path: (path.unlink(), path.mkdir()),
    "empty": lambda path: path.write_bytes(b""),
    "short": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "garbage": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "header only": lambda path: path.write_bytes(path.read_bytes()[:128] + bytes(path.stat().st_size - 128)),
    "noise in the middle": lambda path: path.write_bytes(
        (data := path.read_bytes())[:128] + random.Random(2).randbytes(len(data) - 128)
    ),
    "pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "forbidden": lambda path: (path.unlink(), path.symlink_to("/proc/1/mem")),
}
PROMPT = json.loads((CASES / "01-hook-backend-down/prompt.json").read_text("utf-8"))


@pytest.fixture
def here(place: Callable[..., Place]) -> Place:
    """A vault that could answer the prompt."""
    return place(
        {"tools/proxy.md": note("The staging proxy listens on port 8443.", "Proxy"), "profile/me.md": note("Ada.")}
    )


def quiet(here: Place) -> None:
    """Prompt and start print nothing, end well within the wide bound of the case, and are in the spool once each."""
    before = len(list(here.home.spool.iterdir()))
    for event, more in (("UserPromptSubmit", {}), ("SessionStart", {"source": "startup"})):
        started = time.monotonic()
        done = here.raw("claude", event, json.dumps({**PROMPT, **more}).encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert time.monotonic() - started < 5  # the case says 1.0 s on a quiet machine; the benchmark holds that
    assert len(list(here.home.spool.iterdir())) == before + 2


@pytest.mark.parametrize("state", STATES)
def test_case_01_a_broken_snapshot_is_silence(here: Place, state: str) -> None:
    STATES[state](here.home.snapshot)
    quiet(here)
    assert here.log().count("nothing injected: ") == 2


def test_case_01_a_snapshot_is_mended_by_the_next_sync(here: Place) -> None:
    here.home.snapshot.write_bytes(b"garbage")
    here.sync()
    assert "8443" in here.ask(PROMPT["prompt"])


@pytest.mark.parametrize("answers", [True, False], ids=["closed", "silent"])
def test_case_01_no_database_is_asked(here: Place, answers: bool) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if answers:
            server.listen()
        server.settimeout(0.1)
        with here.home.config.open("a") as config:
            config.write(f"\n# neo4j at bolt://127.0.0.1:{server.getsockname()[1]}\n")
        assert "8443" in here.ask(PROMPT["prompt"])
        if answers:
            with pytest.raises(TimeoutError):
                server.accept()


def test_flipped_bytes_never_disturb(here: Place) -> None:
    whole = here.home.snapshot.read_bytes()
    for seed in range(200):
        dice, data = random.Random(seed), bytearray(whole)
        for _ in range(dice.choice([1, 5, 300])):
            data[dice.randrange(len(data))] = dice.randrange(256)
        here.home.snapshot.write_bytes(data)
        event = dice.choice(["UserPromptSubmit", "SessionStart"])
        answer(str(here.home.path), "claude", event, "", json.dumps({**PROMPT, "source": "startup"}).encode())


def test_a_damaged_delta_leaves_the_base(here: Place) -> None:
    here.write("tools/other.md", note("The lantern service restarts on Mondays."))
    here.sync()
    delta = here.home.snapshot.with_suffix(".delta")
    assert delta.exists()
    delta.write_bytes(delta.read_bytes()[:-5])
    assert "8443" in here.ask(PROMPT["prompt"])
    assert here.log() == ""


@pytest.mark.parametrize(
    "raw", [b"", b"null", b"[]", b'{"prompt"', b"\xff\xfe{\x00}\x00", b'{"prompt": 7}', b"7" * 9999]
)
def test_payloads_that_are_no_event_get_no_answer(here: Place, raw: bytes) -> None:
    for event in ("UserPromptSubmit", "Stop"):
        done = here.raw("claude", event, raw)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_byte_order_mark_and_a_bad_byte_are_read_over(here: Place) -> None:
    sent = json.dumps({**PROMPT, "prompt": f"{PROMPT['prompt']} X"}).encode().replace(b"X", b"\xff")
    assert b"8443" in here.raw("claude", "UserPromptSubmit", b"\xef\xbb\xbf" + sent).stdout


@pytest.mark.parametrize("lost", ["delivered", "log", "spool"])
def test_a_missing_room_of_the_home_never_disturbs(here: Place, lost: str) -> None:
    for file in (here.home.path / lost).iterdir():
        file.unlink()
    (here.home.path / lost).rmdir()
    done = here.raw("claude", "UserPromptSubmit", json.dumps(PROMPT).encode())
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_answer_that_takes_too_long_is_none(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memwiki.recall.hook.DEADLINE", 0.05)
    monkeypatch.setattr("memwiki.recall.turn.Snapshot", lambda path: time.sleep(5))
    started = time.monotonic()
    assert answer(str(here.home.path), "claude", "UserPromptSubmit", "", json.dumps(PROMPT).encode()) == b""
    assert time.monotonic() - started < 4
    assert "nothing injected: TimeoutError('no answer within" in here.log()


def test_log_events_are_not_answered(here: Place) -> None:
    for event in ("Stop", "PreCompact", "PostToolUse", "Nonsense"):
        assert answer(str(here.home.path), "claude", event, "", json.dumps(PROMPT).encode()) == b""
