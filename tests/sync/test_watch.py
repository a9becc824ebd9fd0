"""Watching: every way in which editors save, and nothing of what they leave lying about."""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.app import Memory
from memwiki.errors import MemwikiError
from memwiki.index.report import SyncReport
from memwiki.watch import Watch

CASE = Path(__file__).parent.parent / "cases/39-watch-atomic-save"
STYLES = ["inplace", "rename", "vim", "delete-create", "swap-only", "truncate", "dir-rename", "move-out", "move-in"]


class Running:
    """A watch in a thread, with what it told."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.told: list[SyncReport] = []
        self.failed: list[MemwikiError] = []
        self.watch = Watch(memory.home, self.told.append, self.failed.append, threading.Event())
        self.turns = 0
        turn = self.watch.turn

        def counted() -> None:
            turn()
            self.turns += 1

        self.watch.turn = counted  # type: ignore[method-assign]
        self.thread = threading.Thread(target=self.watch.run)
        self.thread.start()
        self.wait(lambda: self.turns >= 2)  # the second pass is made by the standing watcher

    def wait(self, true: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "nothing happened in time"
            time.sleep(0.05)

    def settle(self) -> None:
        """Wait until no pass has been made for a while."""
        turns = -1
        while turns != self.turns:
            turns = self.turns
            time.sleep(1.0)

    def found(self, word: str) -> set[str]:
        return {hit.path for hit in self.memory.search(word)}

    def end(self) -> None:
        self.watch.stop.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture(params=["notices", "polling"])
def running(memory: Memory, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    if request.param == "polling":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "true")
    shutil.copytree(CASE / "vault", memory.config.vault, dirs_exist_ok=True)
    watched = Running(memory)
    yield watched
    watched.end()


def test_case_39_every_way_to_save(running: Running) -> None:
    vault = running.memory.config.vault
    for style in STYLES:
        running.wait(lambda: running.found("OLDTEXT") == {"tools/note.md"} and not running.found("NEWTEXT"))
        saving = subprocess.Popen([sys.executable, CASE / "save.py", style, vault])
        seen = time.monotonic()
        longest = 0.0
        while saving.poll() is None:
            if running.found("OLDTEXT") | running.found("NEWTEXT"):
                seen = time.monotonic()
            longest = max(longest, time.monotonic() - seen)
            time.sleep(0.02)
        if style in ("inplace", "rename", "vim", "delete-create"):
            assert longest <= 1.0, style
        expected = {
            "swap-only": ({"tools/note.md"}, set()),
            "dir-rename": ({"kit/note.md"}, set()),
            "move-out": (set(), set()),
            "move-in": ({"tools/note.md"}, {"tools/in.md"}),
        }.get(style, (set(), {"tools/note.md"}))
        running.wait(lambda: (running.found("OLDTEXT"), running.found("NEWTEXT")) == expected, 3.0)  # noqa: B023
        assert not any(running.found(word) for word in ("OLDSWAP", "SWAPTEXT", "LOCKTEXT")), style
        names = {row.path for row in running.memory.notes()}
        assert not any(name.endswith(("4913", "~", ".swp", ".1234")) or "/." in name for name in names), style
        for folder in ("kit", "tools"):
            shutil.rmtree(vault / folder, ignore_errors=True)
        shutil.copytree(CASE / "vault", vault, dirs_exist_ok=True)
    assert running.failed == []


def test_what_hooks_spool_and_people_commit_is_there_at_once(running: Running) -> None:
    running.memory.append("claude", "UserPromptSubmit", {"session_id": "s1", "cwd": "/", "prompt": "use pnpm"})
    running.wait(lambda: bool(running.memory.search_events("pnpm")))
    vault = running.memory.config.vault
    for command in (["checkout", "-q", "-b", "other"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run(["git", "-C", vault, *command], check=True)
    (vault / "tools/pending.md").write_text("PENDINGWORD")
    running.settle()
    assert running.found("PENDINGWORD") == set()
    for command in (["checkout", "-q", "main"], ["merge", "-q", "other"]):
        subprocess.run(["git", "-C", vault, *command], check=True)
    running.wait(lambda: running.found("PENDINGWORD") == {"tools/pending.md"})


def test_it_is_quiet_about_its_own_writes(running: Running) -> None:
    running.settle()
    before, told = running.turns, len(running.told)
    (running.memory.config.vault / "tools/new.md").write_text("one change")
    running.wait(lambda: len(running.told) > told)
    running.settle()
    assert running.told[told:][0].notes == 1 and len(running.told) == told + 1
    assert running.turns - before <= 3


def test_a_vault_that_is_away_for_a_while_is_waited_for(running: Running) -> None:
    vault = running.memory.config.vault
    hidden = vault.with_name("hidden")
    vault.rename(hidden)
    running.wait(lambda: bool(running.failed), 40)
    hidden.rename(vault)
    (vault / "tools/new.md").write_text("ZEBRA")
    running.wait(lambda: running.found("ZEBRA") == {"tools/new.md"}, 40)
