"""One pass over everything derived: complete, repeatable, alone, and right again after any death."""

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwiki import sync
from memwiki.app import Memory
from memwiki.errors import MemwikiError
from memwiki.index import notes
from memwiki.index.report import OutOfTime
from memwiki.index.sqlite import SqliteIndex

Run = Callable[..., subprocess.CompletedProcess[str]]


def write(memory: Memory, path: str, text: str) -> Path:
    file = memory.config.vault / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def answers(memory: Memory) -> dict[str, object]:
    """What the memory answers, whatever the files behind it look like."""
    return {
        "notes": memory.notes(),
        "links": {row.path: memory.index.links(row.path) for row in memory.notes()},
        "search": memory.search("which package manager"),
        "recall": [str(memory.recall("install the dependencies with the package manager").text)],
        "events": memory.search_events("pnpm 依赖", limit=50),
        "sessions": memory.index.sessions(),
        "givens": memory.index.givens(),
    }


def fill(memory: Memory, prompt: Callable[..., None]) -> None:
    write(memory, "tools/pnpm.md", "---\ntitle: Package manager\ntype: preference\n---\n- Use pnpm, see [[yarn]].\n")
    write(memory, "profile/me.md", "I am Ada. [[tools/pnpm]]\n")
    prompt("please use pnpm for dependencies")
    prompt("请用 pnpm 管理依赖", session="s2")
    prompt("", "s2", "PreToolUse", tool_name="Bash", tool_input={"command": "pnpm install --frozen-lockfile"})
    prompt("", "s2", "Stop", last_assistant_message="Installed with pnpm as you wished.")


def test_everything_that_was_captured_and_written_is_found(memory: Memory, prompt: Callable[..., None]) -> None:
    fill(memory, prompt)
    report = memory.sync()
    assert (report.events, report.sessions, report.notes, report.snapshot) == (4, 2, 2, True)
    assert {hit.id for hit in memory.search_events("pnpm")} == {
        "claude/s1#1",
        "claude/s2#1",
        "claude/s2#2",
        "claude/s2#3",
    }
    assert [hit.id for hit in memory.search_events("依赖")] == ["claude/s2#1"]
    assert [hit.id for hit in memory.search_events("frozen-lockfile")] == ["claude/s2#2"]
    assert [hit.event for hit in memory.search_events("as you wished")] == ["Stop"]
    assert memory.search_events("NOT pnpm OR *") == memory.search_events("not PNPM or")
    assert [hit.path for hit in memory.search("package manager")][:1] == ["tools/pnpm.md"]
    again = memory.sync()
    assert (again.events, again.notes, again.snapshot, again.complete) == (0, 0, False, True)


def test_deleting_what_is_derived_changes_no_answer(memory: Memory, prompt: Callable[..., None]) -> None:
    fill(memory, prompt)
    memory.sync()
    before = answers(memory)
    assert all(before[key] for key in ("notes", "links", "search", "recall", "events", "sessions"))
    for full in (False, True):
        memory.close()
        memory.home.index.unlink()
        memory.home.snapshot.unlink()
        memory.sync(full=full)
        assert answers(memory) == before
    memory.close()
    memory.home.index.write_bytes(b"garbage" * 999)
    memory.home.snapshot.write_bytes(b"garbage" * 999)
    report = memory.sync()
    assert report.snapshot and answers(memory) == before


def test_a_session_that_is_deleted_is_forgotten(memory: Memory, prompt: Callable[..., None]) -> None:
    fill(memory, prompt)
    memory.sync()
    memory.delete_session("claude/s2")
    assert {hit.id for hit in memory.search_events("pnpm")} == {"claude/s1#1"}
    assert memory.search_events("依赖") == []
    prompt("pnpm once more", session="s2")
    memory.sync()
    assert {hit.id for hit in memory.search_events("pnpm")} == {"claude/s1#1", "claude/s2#4"}
    shutil.rmtree(memory.home.journal / "claude")
    memory.sync()
    assert memory.search_events("pnpm") == [] and memory.index.sessions() == []
    assert memory.index.rows("SELECT count(*) FROM events")[0][0] == 0


def test_settings_and_exceptions_reach_the_snapshot(memory: Memory) -> None:
    write(memory, "tools/a.md", "one")
    memory.sync()
    assert not memory.sync().snapshot
    memory.set("recall.max_bytes", "4000", host="codex")
    assert not memory.sync().snapshot  # `set` has synced
    write(memory, ".memwiki/projects.toml", 'shop = ["github.com/acme/shop"]\n')
    assert memory.sync().snapshot
    write(memory, ".memwiki/projects.toml", "shop = 3\n")
    assert [fault.path for fault in memory.sync().faults] == [".memwiki/projects.toml"]
    write(memory, ".memwiki/projects.toml", "")
    assert memory.sync().faults == ()


def test_a_vault_that_cannot_be_read_is_said_and_events_are_kept(memory: Memory, prompt: Callable[..., None]) -> None:
    prompt("use pnpm")
    hidden = memory.config.vault.with_name("hidden")
    memory.config.vault.rename(hidden)
    with pytest.raises(MemwikiError):
        memory.sync()
    assert [hit.id for hit in memory.search_events("pnpm")] == ["claude/s1#1"]
    assert any("sync failed" in problem for problem in memory.status().problems)
    hidden.rename(memory.config.vault)
    memory.sync()
    assert memory.status().problems == ()


def test_a_home_that_cannot_be_written_is_said_and_nothing_is_lost(
    memory: Memory, prompt: Callable[..., None], run: Run
) -> None:
    prompt("use pnpm")
    for blocked in (memory.home.index, memory.home.snapshot):
        blocked.unlink(missing_ok=True)
        (blocked / "in the way").mkdir(parents=True)
        done = run("sync", check=False)
        assert (done.returncode, done.stdout) == (1, "") and "Traceback" not in done.stderr, blocked
        assert run("sync", "--background", check=False).returncode == 1
        shutil.rmtree(blocked)
    memory.sync()
    assert [hit.id for hit in memory.search_events("pnpm")] == ["claude/s1#1"]


def test_one_pass_at_a_time_and_none_is_forgotten(memory: Memory, prompt: Callable[..., None], run: Run) -> None:
    again = memory.home.locks / "again"
    with (memory.home.locks / "sync").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert sync.background(memory.home) == 0
        assert again.exists()
        waiting = subprocess.Popen([sys.executable, "-m", "memwiki", "sync", "--json"], stdout=subprocess.PIPE)
        prompt("use pnpm")
        time.sleep(0.5)
        assert waiting.poll() is None
    assert json.loads(waiting.communicate(timeout=60)[0])["events"] == 1
    assert not again.exists()


def test_a_background_pass_takes_up_what_is_asked_for_meanwhile(
    memory: Memory, prompt: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = notes.take_in
    asked = []

    def slow(*args: Any) -> int:
        if not asked:
            asked.append(prompt("use pnpm"))
            (memory.home.locks / "again").touch()
        return real(*args)

    monkeypatch.setattr(notes, "take_in", slow)
    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setattr(signal, "alarm", lambda _: 0)
    assert sync.background(memory.home) == 0
    assert [hit.id for hit in memory.search_events("pnpm")] == ["claude/s1#1"]
    assert "1 events" in (memory.home.log / "sync.log").read_text()


@pytest.mark.parametrize("how", ["background", "foreground", "out of time", "no config", "reader"])
def test_a_pass_that_fails_leaves_the_next_hook_free_to_start_one(
    memory: Memory, run: Run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    again = memory.home.locks / "again"

    def broken(*_: object) -> int:
        again.touch()  # by a hook that came meanwhile
        raise OutOfTime if how == "out of time" else MemwikiError("The vault is gone.", "Bring it back.")

    monkeypatch.setattr(notes, "take_in", broken)
    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setattr(signal, "alarm", lambda _: 0)
    if how == "background":
        assert sync.background(memory.home) == 1
    elif how == "foreground":
        with pytest.raises(MemwikiError):
            memory.sync()
    elif how == "out of time":
        assert not memory.sync().complete
    else:
        again.touch()  # by the hook that has started this one
        if how == "reader":
            assert sync.events(memory.config, memory.journal, memory.index)
        else:
            memory.home.config.write_text("= broken")
            assert run("sync", "--background", check=False).returncode == 1
    assert not again.exists()


def test_a_background_pass_is_silent_and_leaves_its_words_in_the_log(
    memory: Memory, prompt: Callable[..., None], run: Run
) -> None:
    log = memory.home.log / "sync.log"
    log.write_text("x" * 1_100_000)
    prompt("use pnpm")
    done = run("sync", "--background")
    assert (done.stdout, done.stderr) == ("", "")
    assert log.read_text().count("\n") == 1 and log.with_name("sync.log.1").stat().st_size == 1_100_000
    memory.config.vault.rename(memory.config.vault.with_name("hidden"))
    done = run("sync", "--background", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert "failed" in log.read_text()


def test_a_pass_that_runs_out_of_time_says_so_and_the_next_goes_on(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "_BATCH", 3)
    for number in range(9):
        write(memory, f"tools/n{number}.md", f"note {number}")
    report = sync.sync(memory.rooms, deadline=time.monotonic())
    assert not report.complete and 0 < len(memory.index.notes()) < 9
    assert memory.sync().complete
    assert len(memory.notes()) == 9


@pytest.mark.slow
def test_a_sync_killed_anywhere_is_finished_by_the_next(memory: Memory, prompt: Callable[..., None]) -> None:
    dice = random.Random(3)
    written = 0
    for turn in range(25):
        for _ in range(40):
            write(memory, f"tools/n{dice.randrange(300)}.md", f"[[n{dice.randrange(300)}]] {turn} {dice.random()}\n")
        for _ in range(5):
            written += 1
            prompt(f"word{written}", session=f"s{written % 3}")
        if dice.random() < 0.3:
            subprocess.run(["git", "-C", memory.config.vault, "add", "--all"], check=True)
            subprocess.run(["git", "-C", memory.config.vault, "commit", "--quiet", "-m", str(turn)], check=True)
        process = subprocess.Popen([sys.executable, "-m", "memwiki", "sync"], stdout=subprocess.DEVNULL)
        time.sleep(0.15 + 0.35 * dice.random())
        process.kill()
        process.wait()
    memory.sync()
    for number in range(1, written + 1):
        assert len(memory.search_events(f"word{number}")) == 1
    found = answers(memory)
    fresh = SqliteIndex(memory.home.path / "fresh.db")
    notes.take_in(fresh, memory.git)
    query = "SELECT path, hash, text, analysis FROM notes ORDER BY path"
    assert fresh.rows(query) == memory.index.rows(query)
    assert {row.path: fresh.links(row.path) for row in fresh.notes()} == found["links"]
    memory.sync(full=True)
    assert answers(memory) == found


def test_case_18_the_report_names_each_bad_note_with_its_line(memory: Memory, run: Run) -> None:
    case = Path(__file__).parent.parent / "cases/18-fm-unparseable-yaml/vault/tools"
    shutil.copytree(case, memory.config.vault / "tools", dirs_exist_ok=True)
    done = run("sync")
    for name in ("colon", "star", "unclosed", "wikilist", "winpath"):
        (line,) = [line for line in done.stdout.splitlines() if line.startswith(f"tools/{name}.md:")]
        assert line.split(":")[1].isdigit()
    assert "Traceback" not in done.stdout + done.stderr
    for number in range(1, 8):
        assert [hit.path for hit in memory.search(f"MARK-{number}")], number
    assert {file.name: file.read_bytes() for file in case.iterdir()} == {
        file.name: file.read_bytes() for file in (memory.config.vault / "tools").iterdir() if file.name != "README.md"
    }


def test_a_note_with_a_secret_is_searched_but_never_injected(memory: Memory) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    write(memory, "tools/registry.md", f"# Registry of packages\n\nThe zorblax registry token is {token}\n")
    report = memory.sync()
    assert [(fault.path, fault.line, fault.kind) for fault in report.faults] == [("tools/registry.md", 3, "secret")]
    assert token not in memory.recall("what is the zorblax registry of packages").text
    assert memory.status().secrets == ("tools/registry.md",)
    assert any("tools/registry.md" in finding.message for finding in memory.doctor())


def test_case_30_reading_never_touches_gits_index(memory: Memory, run: Run) -> None:
    subprocess.run(
        [
            "bash",
            Path(__file__).parent.parent / "cases/30-git-stale-index-lock/setup.sh",
            memory.home.path / "v",
            "fresh",
        ],
        check=True,
    )
    vault = memory.home.path / "v"
    run("config", "set", "vault.path", str(vault))
    lock, index = vault / ".git/index.lock", vault / ".git/index"
    before = index.read_bytes()
    for state in ("locked", "free"):
        for file in vault.rglob("*.md"):
            os.utime(file)  # git would like to refresh its index
        for command in (
            ["sync"],
            ["search", "old"],
            ["list"],
            ["show", "tools/git"],
            ["status"],
            ["recall", "old git"],
        ):
            run(*command)
            assert lock.exists() == (state == "locked")
            assert index.read_bytes() == before
        lock.unlink(missing_ok=True)


def test_case_37_variables_of_another_repository_change_nothing_there(tmp_path: Path, home: Path, run: Run) -> None:
    case = Path(__file__).parent.parent / "cases/37-git-env-leak"
    place = tmp_path / "case"
    subprocess.run(["bash", case / "setup.sh", place], check=True)

    def state() -> dict[str, bytes]:
        files = (file for file in (place / "code").rglob("*") if file.is_file())
        return {str(file.relative_to(place)): file.read_bytes() for file in files}

    shown = subprocess.run(
        ["bash", "-c", f"DIR={place}; . {case / 'env.sh'}; env -0"], capture_output=True, text=True, check=True
    ).stdout
    leaked = dict(line.split("=", 1) for line in shown.split("\0") if line.startswith("GIT_"))
    leaked["GIT_OBJECT_DIRECTORY"] = str(place / "code/.git/objects")
    leaked["GIT_COMMON_DIR"] = str(place / "code/.git")
    before = state()
    run("init", str(place / "vault"), env=leaked)
    (place / "vault/tools/new.md").write_text("ZEBRA lives here")
    run("sync", env=leaked)
    assert "tools/new.md" in run("search", "zebra", env=leaked).stdout
    assert str(place / "vault") in run("status", env=leaked).stdout
    assert state() == before


def test_case_37_inside_a_commit_of_a_linked_work_tree(tmp_path: Path, home: Path, run: Run, git: Any) -> None:
    place = tmp_path / "case"
    subprocess.run(["bash", Path(__file__).parent.parent / "cases/37-git-env-leak/setup.sh", place], check=True)
    run("init", str(place / "vault"))
    work = place / "code-wt"
    hook = place / "code/.git/hooks/pre-commit"
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwiki sync >"{place}/out" 2>&1\n')
    hook.chmod(0o755)
    (place / "vault/tools/new.md").write_text("ZEBRA")
    (work / "y.c").write_text("y")
    git(work, "add", "y.c")
    git(work, "commit", "--quiet", "-m", "from a hook")
    assert "1 note changed" in (place / "out").read_text() or "2 notes changed" in (place / "out").read_text()
    assert git(work, "show", "--name-only", "--format=%s").split() == ["from", "a", "hook", "y.c"]
    assert git(place / "vault", "log", "--format=%s").splitlines().count("from a hook") == 0
