"""`memwiki log`, `pause` and `resume`, as a person runs them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SESSION = "9b1c0000-0000-4000-8000-000000000001"
KEY = f"claude/{SESSION}"
Run = Callable[..., Any]


def hook(run: Run, event: str, **payload: object) -> None:
    said = {"session_id": SESSION, "cwd": "/home/dev/shop", "hook_event_name": event, **payload}
    run("hook", "claude", event, input=json.dumps(said))


@pytest.fixture
def spoken(run: Run) -> None:
    """A home and a session of three events in it."""
    run("init")
    hook(run, "UserPromptSubmit", prompt="which staging database do we use?")
    hook(run, "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": "a\nb"})
    hook(run, "Stop", last_assistant_message="It is orion-2.")


@pytest.mark.usefixtures("spoken")
def test_log_from_sessions_to_one_event(run: Run) -> None:
    head, row = run("log").stdout.splitlines()
    assert head.split() == ["SESSION", "PROJECT", "BRANCH", "FIRST", "LAST", "EVENTS"]
    assert row.startswith(KEY) and row.endswith("3")
    key, *events = run("log", "9b1c").stdout.splitlines()
    assert key == KEY
    assert [line.split(None, 4)[0] + " " + line.split(None, 3)[3] for line in events] == [
        "1 UserPromptSubmit  which staging database do we use?",
        "2 PostToolUse  Bash: ls -> a b",
        "3 Stop  It is orion-2.",
    ]
    one = run("log", f"{KEY}#3").stdout
    assert f"id: {KEY}#3\n" in one and '"last_assistant_message": "It is orion-2."' in one


@pytest.mark.usefixtures("spoken")
def test_log_as_json(run: Run) -> None:
    (session,) = json.loads(run("log", "--json").stdout)["sessions"]
    assert (session["key"], session["events"]) == (KEY, 3)
    events = json.loads(run("log", "claude/9b1c", "--json").stdout)
    assert events["session"] == KEY and [event["id"] for event in events["events"]] == [f"{KEY}#{n}" for n in (1, 2, 3)]
    assert json.loads(run("log", "9b1c#2", "--json").stdout)["payload"]["tool_response"] == {"stdout": "a\nb"}
    (hit,) = json.loads(run("log", "--search", "staging", "--json").stdout)["results"]
    assert hit["id"] == f"{KEY}#1"


@pytest.mark.usefixtures("spoken")
def test_log_search_and_delete(run: Run, home: Path) -> None:
    assert f"{KEY}#3" in run("log", "--search", "orion-2").stdout
    assert run("log", "--search", "nowhere-said").stdout == "No such events.\n"
    hook(run, "UserPromptSubmit", prompt="not drained yet, about orion-2")
    assert run("log", "9b1c", "--delete").stdout.startswith(f"Deleted {KEY}.")
    assert run("log").stdout == "No sessions yet.\n"
    assert run("log", "--search", "orion-2").stdout == "No such events.\n"
    kept = [path for path in (home / ".memwiki").rglob("*") if path.is_file() and b"orion-2" in path.read_bytes()]
    assert kept == []


@pytest.mark.usefixtures("spoken")
def test_log_refusals(run: Run) -> None:
    for args, words in (
        (("log", "zzz"), "There is no session 'zzz'."),
        (("log", "9b1c#77"), f"{KEY} has no event '77'."),
        (("log", "9b1c#x"), f"{KEY} has no event 'x'."),
    ):
        done = run(*args, check=False)
        assert (done.returncode, done.stdout) == (1, "") and words in done.stderr
    for args in (("log", "--delete"), ("log", "9b1c#1", "--delete"), ("log", "9b1c", "--search", "x")):
        assert run(*args, check=False).returncode == 2


@pytest.mark.usefixtures("spoken")
def test_log_names_damage(run: Run, home: Path) -> None:
    run("log")
    with (home / ".memwiki" / "journal" / f"{KEY}.jsonl").open("ab") as file:
        file.write(b'{"v":1,"n":4,"at"\n')
    done = run("log", "9b1c")
    assert len(done.stdout.splitlines()) == 4
    assert "line 4" in done.stderr and "torn" in done.stderr


def test_pause_and_resume_everywhere(run: Run, home: Path) -> None:
    run("init")
    assert run("pause").stdout == "Capture and recall are paused everywhere.\n"
    assert (home / ".memwiki" / "paused").exists()
    assert json.loads(run("resume", "--json").stdout) == {"paused": False, "project": ""}
    assert not (home / ".memwiki" / "paused").exists()
    hook(run, "Stop")
    assert KEY in run("log").stdout


def test_pause_in_one_project(run: Run, tmp_path: Path, git: Callable[..., str]) -> None:
    run("init")
    shop = tmp_path / "shop"
    (shop / "src").mkdir(parents=True)
    git(shop, "init", "-q")
    run("pause", "--project", cwd=shop / "src")
    hook(run, "Stop", cwd=str(shop))
    assert run("log").stdout == "No sessions yet.\n"
    run("resume", "--project", str(shop))
    hook(run, "Stop", cwd=str(shop))
    assert KEY in run("log").stdout
    refused = run("pause", "--project", str(tmp_path), check=False)
    assert refused.returncode == 1 and "no project" in refused.stderr


def test_resume_names_what_is_still_paused(run: Run, tmp_path: Path, git: Callable[..., str]) -> None:
    shop = tmp_path / "shop"
    git(tmp_path, "init", "-q", str(shop))
    git(shop, "remote", "add", "origin", "https://github.com/acme/shop.git")
    run("init")
    assert run("pause", "--project", cwd=shop).stdout == "Capture and recall are paused in github.com/acme/shop.\n"
    run("pause")
    assert "still paused everywhere" in run("resume", "--project", cwd=shop).stdout
    run("pause", "--project", cwd=shop)
    assert "still paused in github.com/acme/shop" in run("resume").stdout
    assert "still" not in run("resume", "--project", cwd=shop).stdout
