"""The pipeline at a glance: every figure comes from where it happens."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memwiki.app import Memory
from memwiki.candidates.candidate import Proposal
from memwiki.candidates.ledger import Run
from memwiki.candidates.runs import write
from memwiki.dream import diary
from memwiki.errors import MemwikiError
from memwiki.files import locked
from memwiki.status import foreign, spool_findings

Runner = Callable[..., subprocess.CompletedProcess[str]]


def test_a_new_home_has_nothing_and_says_so(memory: Memory, run: Runner) -> None:
    shown = run("status").stdout
    assert "none in the last 7 days" in shown and "never" in shown and "0 pending" in shown
    assert len(shown.splitlines()) <= 24


def test_every_room_is_counted(memory: Memory, prompt: Callable[..., None], run: Runner) -> None:
    for number in range(3):
        prompt(f"prompt {number}")
    memory.append("codex", "UserPromptSubmit", {"session_id": "c1", "cwd": "/", "prompt": "hello"})
    (memory.config.vault / "tools/new.md").write_text("not committed")
    memory.sync()
    proposal = Proposal("tools/p.md", "- p\n", "Add p", "They said so.", "fact", "turn", 0.8)
    spans = {"claude/s1": (1, 2)}
    made = Run("20261130-100000-aaaa", "rules", spans=spans, usage={"cost": 0.25})
    write(memory.git, memory.config.machine, made, [proposal])
    write(memory.git, memory.config.machine, Run("20261130-110000-bbbb", "claude", usage={"cost": 0.5}), [])
    found = json.loads(run("status", "--json").stdout)
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert found["days"] == {"claude": {today: 3}, "codex": {today: 1}}
    assert (found["events"], found["sessions"], found["waiting"], found["spool"]) == (4, 2, 2, 0)
    assert (found["pending"], found["cost"]) == (1, 0.75)
    assert found["uncommitted"] == ["tools/new.md"] and found["memory"] == "work tree"
    assert found["journal_bytes"] == sum(file.stat().st_size for file in memory.home.journal.rglob("*.jsonl"))
    assert found["synced_at"].startswith(today) and found["problems"] == []


def test_it_takes_up_the_spool_first_unless_a_sync_is_at_it(memory: Memory, prompt: Callable[..., None]) -> None:
    memory.sync()
    prompt("one")
    with locked(memory.home.locks / "sync"):
        busy = memory.status()
    assert (busy.events, busy.spool) == (0, 1) and any("sync is running" in problem for problem in busy.problems)
    done = memory.status()
    assert (done.events, done.spool, done.problems) == (1, 0, ())


def test_what_killed_hooks_left_is_counted(memory: Memory) -> None:
    torn, whole = memory.home.spool / ".123", memory.home.spool / ".124"
    torn.write_bytes(b'memwiki1 claude Stop \n{"session_id": "s1", "cw')
    whole.write_bytes(b'memwiki1 claude Stop \n{"session_id": "s1", "cwd": "/"}')
    old = time.time() - 7200
    for file in (torn, whole):
        os.utime(file, (old, old))
    found = memory.status()
    assert (found.leftovers["adopted"], found.leftovers["dropped"]) == (1, 1)
    assert memory.status().leftovers == found.leftovers


def test_case_30_a_dream_that_fails_is_shown_with_the_age_of_the_last_good_one(memory: Memory, run: Runner) -> None:
    diary.note_success(memory.home, "20261130-100000-aaaa", 0)
    good = memory.status().dreamed_at
    assert good
    diary.note_failure(memory.home, MemwikiError("There is a lock at .git/index.lock.", "Remove it."), 3)
    found = memory.status()
    assert found.dreamed_at == good and "index.lock" in found.dream_failure
    assert any("index.lock" in finding.message for finding in memory.doctor())
    assert "index.lock" in run("status").stdout


def test_pause_and_whose_text_serves_are_shown(memory: Memory, git: Callable[..., str], tmp_path: Path) -> None:
    memory.pause()
    assert memory.status().paused
    memory.pause(paused=False)
    project = tmp_path / "shop"
    project.mkdir()
    git(project, "init", "--quiet")
    memory.pause(project=str(project))
    found = memory.status()
    assert not found.paused and len(found.paused_projects) == 1
    git(memory.config.vault, "checkout", "--quiet", "-b", "dream/x")
    assert memory.status().memory == "tip of main (dream/x is checked out)"


def test_a_spool_that_nobody_drains_is_a_finding(memory: Memory, prompt: Callable[..., None]) -> None:
    prompt("waits")
    (waiting,) = memory.home.spool.iterdir()
    assert not any("spool" in finding.message for finding in memory.doctor())
    os.utime(waiting, (time.time() - 700,) * 2)
    assert any("spool" in finding.message and "memwiki sync" in finding.remedy for finding in memory.doctor())
    with locked(memory.home.locks / "sync"):
        assert any("for 11 minutes: nothing drains it" in problem for problem in memory.status().problems)
    assert memory.status().problems == ()


def test_what_was_set_aside_is_named_with_what_to_do(memory: Memory, run: Runner) -> None:
    deep = b'{"session_id": "s1", "x": ' + b"[" * 100_000
    (memory.home.spool / "77").write_bytes(b"memwiki1 claude PostToolUse \n" + deep)
    found = json.loads(run("status", "--json").stdout)
    (problem,) = found["problems"]
    assert "1 event could not be taken up" in problem and "-77.deep (claude PostToolUse: it is nested" in problem
    assert "77.deep" in run("doctor", check=False).stdout
    assert "set_aside it is nested too deeply" in run("log", "claude/s1").stdout
    (finding,) = [one for one in memory.doctor() if "could not be taken up" in one.message]
    again = finding.remedy.split("`")[3]
    subprocess.run(["sh", "-c", again], check=True)  # to be tried again, for instance by a later version
    assert memory.sync().events == 1
    (finding,) = [one for one in memory.doctor() if "could not be taken up" in one.message]
    subprocess.run(["sh", "-c", finding.remedy.split("`")[1]], check=True)
    assert memory.doctor() == [one for one in memory.doctor() if one.area != "pipeline"]
    assert list(memory.home.spool.iterdir()) == []


HANGS = """
import os, signal
from memwiki.config import find_home
from memwiki.files import locked
from memwiki.status import foreign, spool_findings
with locked(find_home().locks / "sync"):
    print("held", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.fixture
def stopped(memory: Memory) -> Iterator[int]:
    """The number of a process that holds the lock of the drain and does nothing."""
    process = subprocess.Popen([sys.executable, "-c", HANGS], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    yield process.pid
    process.kill()
    process.communicate()


def test_nothing_waits_for_ever_for_a_drain_that_hangs(
    memory: Memory, prompt: Callable[..., None], run: Runner, stopped: int
) -> None:
    prompt("waits")
    assert "a sync is running" in run("status").stdout
    shown = run("log")
    assert "No sessions yet" in shown.stdout and "A sync is running or hangs" in shown.stderr
    assert "paused everywhere" in run("pause").stdout and memory.home.paused.exists()
    assert "on everywhere" in run("resume").stdout and not memory.home.paused.exists()
    assert memory.home.locks.joinpath("again").exists()  # for the pass after
    gone = run("uninstall").stdout
    assert f"A sync is running (pid {stopped})" in gone and "not redacted" in gone and "Your notes stay" in gone
    with pytest.raises(MemwikiError, match=f"A sync is running .pid {stopped}"):
        memory.sync(wait=0.1)


def test_case_64_files_of_another_user_are_named_with_their_owner(memory: Memory, prompt: Callable[..., None]) -> None:
    """As root everything can be read, so the look is a process of the user whose files they are not."""
    if os.getuid() != 0:
        pytest.skip("makes files of another user")
    prompt("one")
    memory.sync()
    prompt("two")
    os.chown(memory.home.path, 65534, 65534)
    for path in memory.home.path.rglob("*"):
        os.chown(path, 65534, 65534)
    (spooled,) = memory.home.spool.iterdir()
    taken = [spooled, memory.home.locks / "sync", memory.home.journal / "claude" / "s1.jsonl"]
    for path in taken:
        os.chown(path, 0, 0)
        path.chmod(0o600)
    foreign(memory.home)  # imports what the other user's process could not
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            for folder in (memory.home.path, *memory.home.path.parents):
                if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
                    folder.chmod(folder.stat().st_mode | 0o011)  # pytest's own folders
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            found = [*foreign(memory.home), *spool_findings(memory.home)]
            os.write(writing, json.dumps([[one.message, one.remedy] for one in found]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    (home, home_remedy), (spool, spool_remedy) = json.loads(os.read(reading, 1 << 16))
    os.close(reading)
    assert all(path.relative_to(memory.home.path).as_posix() in home for path in taken)
    assert f"1 payload in the spool cannot be read, for another user owns them: {spooled.name}" in spool
    assert "chown" in home_remedy and "chown" in spool_remedy


def test_status_works_without_a_vault(memory: Memory) -> None:
    memory.config.vault.rename(memory.config.vault.with_name("hidden"))
    assert any("vault" in problem for problem in memory.status().problems)


def test_what_cannot_be_read_is_a_finding_beside_the_others(memory: Memory) -> None:
    (memory.config.vault / "tools/odd.md").write_text("---\ntype: poem\n---\nx\n")
    memory.home.spool.rename(memory.home.path / "old")
    memory.home.spool.symlink_to(memory.home.spool)
    found = memory.doctor()
    assert any(one.area == "pipeline" and str(memory.home.spool) in one.message and one.remedy for one in found)
    assert any("tools/odd.md" in one.message for one in found)


def test_a_spool_that_cannot_be_read_is_a_problem_not_a_bug(memory: Memory, run: Runner) -> None:
    memory.home.spool.rename(memory.home.path / "old")
    memory.home.spool.touch()
    found = json.loads(run("status", "--json").stdout)
    assert any(str(memory.home.spool) in problem for problem in found["problems"])
    assert found["notes"] == len(memory.notes())
    failed = run("log", check=False)
    assert failed.returncode == 1 and "writable" in failed.stderr


def test_case_83_sync_and_status_say_whose_text_serves(memory: Memory, run: Runner, git: Callable[..., str]) -> None:
    vault = memory.git.top
    (vault / "tools/kafka.md").write_text("The kafka topic is orders-v3.\n", "utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "mine")
    assert "Memory is" not in run("sync").stdout
    git(vault, "checkout", "-q", "--detach")
    assert "Memory is the tip of main: no branch is checked out" in run("sync").stdout
    git(vault, "checkout", "-q", "main")
    assert "Memory is" not in run("sync").stdout
    git(vault, "branch", "-m", "main", "trunk")
    assert "There is no branch main, so memory is empty." in run("sync").stdout
    assert "There is no branch main, so memory is empty." in run("status").stdout


def test_a_save_with_other_line_ends_alone_is_no_change(memory: Memory, run: Runner, git: Callable[..., str]) -> None:
    vault = memory.git.top
    (vault / ".gitattributes").unlink()  # with the template's, git itself takes no notice
    note = vault / "tools/kafka.md"
    note.write_bytes(b"---\ntitle: Kafka\n---\nThe kafka topic is orders-v3.\n")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "mine")
    memory.sync()
    note.write_bytes(note.read_bytes().replace(b"\n", b"\r\n"))
    assert "M tools/kafka.md" in git(vault, "status", "--porcelain")
    assert memory.sync().notes == 0
    assert memory.status().uncommitted == ()
    note.write_bytes(note.read_bytes().replace(b"v3", b"v4"))
    assert memory.sync().notes == 1
    assert memory.status().uncommitted == ("tools/kafka.md",)
