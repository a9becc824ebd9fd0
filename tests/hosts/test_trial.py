"""Doctor runs the registered commands as their hosts do: what is broken is named, and nothing stays behind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import memwiki
from memwiki.config import Home, load
from memwiki.errors import Finding
from memwiki.hosts import NAMES, host
from memwiki.hosts.link import findings, link
from memwiki.hosts.programs import install
from memwiki.hosts.registration import settings_file
from memwiki.hosts.trial import SESSION
from memwiki.init import init
from tests.hosts import processes

NOTE = "---\ntitle: Hooks\ndescription: Which hooks memwiki doctor tries\n---\n- Doctor tries the hooks of memwiki.\n"


@pytest.fixture
def place(home: Path) -> Home:
    """A home with a note that the trial's prompt brings up, so that hooks have something to answer."""
    started = init()
    (started.vault / "tools").mkdir(exist_ok=True)
    (started.vault / "tools" / "hooks.md").write_text(NOTE)
    (started.vault / "profile" / "words.md").write_text("# Words\n\n- Short words.\n")
    for command in (["add", "."], ["commit", "-q", "-m", "notes"]):
        subprocess.run(["git", "-C", str(started.vault), *command], check=True)
    with memwiki.open() as opened:
        opened.sync()
        return opened.home


def wrong(place: Home) -> list[Finding]:
    """What doctor finds of hosts, notes apart."""
    return [one for one in findings(place, load(place)) if one.level != "note"]


def left(place: Home) -> list[str]:
    """What there is of events and deliveries."""
    folders = (place.spool, place.journal, place.delivered)
    return [str(file) for folder in folders for file in folder.rglob("*") if file.is_file() and file.name[0] != "."]


@pytest.mark.parametrize("name", NAMES)
def test_every_host_is_tried_in_the_project_and_nothing_is_left(place: Home, name: str, tmp_path: Path) -> None:
    project, log = tmp_path / "shop", tmp_path / "calls"
    project.mkdir()
    link(place, name, project)
    (place.bin / "hook").rename(place.bin / "real")
    (place.bin / "hook").write_text(f'#!/bin/sh\necho "$PWD $*" >> "{log}"\nexec "{place.bin}/real" "$@"\n')
    (place.bin / "hook").chmod(0o755)
    said = [one.message for one in wrong(place)]
    assert [one for one in said if not any(words in one for words in ("another memwiki", "trust"))] == []
    calls = [line.split() for line in log.read_text().splitlines()]
    events = [event for folder, told, event in calls if (folder, told) == (str(project), name)]
    table = host(name)
    asked = [event for event in events if event in table.injects]
    assert len(asked) == bool(table.injects)
    assert len(events) - len(asked) == 1 + (name == "codex")  # Codex has commands of two forms
    assert left(place) == []


def test_an_answer_is_checked_where_one_comes(place: Home) -> None:
    """The note fits the trial's prompt, so that the hook has something to say, and says it again at the next trial."""
    for name in NAMES:
        link(place, name)
    for _ in range(2):
        assert [one.message for one in wrong(place) if "not trusted" not in one.message] == []
        assert left(place) == []
    with memwiki.open() as opened:
        opened.sync()
        assert opened.sessions() == []


@pytest.mark.parametrize("name", ["gemini", "qwen", "copilot"])
def test_a_shell_whose_start_file_prints(place: Home, name: str, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """These run their hooks by bash, which reads such a file also where nobody types."""
    link(place, name)
    (home / "profile").write_text("echo Welcome to this machine\n")
    monkeypatch.setenv("BASH_ENV", str(home / "profile"))
    found = [one for one in wrong(place) if "takes for an answer: Welcome to this machine" in one.message]
    assert len(found) == 2
    assert all(str(settings_file(name)) in one.message and "BASH_ENV" in one.remedy for one in found)


def broken(place: Home, text: str) -> list[Finding]:
    """What doctor finds when the installed hook is this script."""
    (place.bin / "hook").write_text(text)
    return [one for one in wrong(place) if "the command for" in one.message]


def test_commands_that_do_wrong_are_named_with_their_file(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memwiki.hosts.survey.works", lambda home: "")  # it finds most of them by itself
    link(place, "claude")
    file = settings_file("claude")
    script = (place.bin / "hook").read_text()
    for text, said in (
        ("#!/bin/sh\ncat >/dev/null\n", "the command for UserPromptSubmit runs, but memwiki does not get the event"),
        (
            "#!/bin/sh\ncat >/dev/null\necho hello\n",
            "the command for PreToolUse prints what claude takes for an answer",
        ),
        ("#!/gone/sh\n", "the command for PreToolUse runs, but memwiki does not get the event"),
    ):
        found = broken(place, text)
        assert len(found) == 2
        assert any(said in one.message for one in found)
        assert all(one.message.startswith(f"{file}: ") and one.remedy and one.level == "error" for one in found)
    (place.bin / "hook").write_text(script)
    (place.bin / "hook").chmod(0o644)
    assert all("is not executable" in one.message for one in broken(place, script))
    (place.bin / "hook").unlink()
    gone = [one for one in wrong(place) if "the command for" in one.message]
    assert gone
    assert all(f"{place.bin}/hook is gone" in one.message for one in gone)


@pytest.mark.parametrize("script", ["echo $$ >> {pids}\nsleep 300\n", "sleep 300 &\necho $! >> {pids}\n"])
def test_a_command_that_hangs_is_ended_with_what_it_started(
    place: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str
) -> None:
    """Also one that has ended itself: what it started holds its output, for which an agent waits."""
    monkeypatch.setattr("memwiki.hosts.survey.works", lambda home: "")
    link(place, "claude")
    file = settings_file("claude")
    file.write_text(file.read_text().replace('"timeout": 5', '"timeout": 1'))
    found = broken(place, "#!/bin/sh\n" + script.format(pids=tmp_path / "pids"))
    assert "does not end within its 1 s" in found[0].message
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert pids
    assert processes.left(pids) == []


def test_events_that_speak_of_a_trial_stay(place: Home) -> None:
    """A person asks about doctor's session, or an agent writes of it: that is theirs."""
    link(place, "claude")
    payload = json.dumps({"session_id": "s1", "prompt": f"What is the session {SESSION}?"})
    for event in ("PreToolUse", "Stop"):
        (place.spool / f"1{event}").write_text(f"memwiki1 claude {event} \n{payload}")
    (place.spool / ".77").write_text(f"memwiki1 claude Stop \n{payload}")
    assert wrong(place) == []
    assert sorted(file.name for file in place.spool.iterdir()) == [".77", "1PreToolUse", "1Stop"]


def test_a_spool_with_things_that_cannot_be_read(place: Home) -> None:
    link(place, "claude")
    (place.spool / "folder").mkdir()
    (place.spool / "nowhere").symlink_to("/gone")
    assert wrong(place) == []


def test_an_account_without_an_entry(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs under some number: Codex asks the system for the shell."""

    def none(uid: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr("memwiki.hosts.trial.getpwuid", none)
    link(place, "codex")
    assert [one.message for one in wrong(place) if "the command for" in one.message] == []


def test_a_shell_that_is_not_there(place: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    link(place, "gemini")
    monkeypatch.setattr("memwiki.hosts.survey.works", lambda home: "")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = [one for one in wrong(place) if "the command for" in one.message]
    assert found
    assert all(one.message.endswith("cannot be started: No such file or directory: bash.") for one in found)
    assert not any("chmod" in one.remedy for one in found)


def test_an_executable_of_clines_that_cannot_be_run(place: Home) -> None:
    link(place, "cline")
    file = settings_file("cline") / "UserPromptSubmit"
    file.chmod(0o644)
    (found,) = wrong(place)
    assert f"cannot be started: Permission denied: {file}" in found.message
    assert found.remedy.startswith(f"Run `chmod +x {file}`")


def test_while_paused_no_event_is_missed(place: Home) -> None:
    link(place, "claude")
    place.paused.touch()
    assert wrong(place) == []


def test_a_spool_that_is_gone_is_said_once(place: Home) -> None:
    for name in ("claude", "gemini", "kiro"):
        link(place, name)
    place.spool.rmdir()
    (found,) = wrong(place)
    assert f"{place.spool} is missing or cannot be written" in found.message
    init()
    assert wrong(place) == []


def test_doctor_in_a_folder_that_is_gone(place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("claude", "gemini", "windsurf"):
        link(place, name)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert wrong(place) == []


@pytest.mark.parametrize("folder", ["a shop", "it's $HOME `x` 日本"])
def test_odd_names_of_projects_and_homes(place: Home, tmp_path: Path, folder: str) -> None:
    odd = Home(tmp_path / f"{folder} home")
    odd.make()
    install(odd)
    (tmp_path / folder).mkdir()
    for name in ("claude", "gemini", "cline", "opencode", "windsurf"):
        link(odd, name, tmp_path / folder)
    said = [one.message for one in findings(odd, load(place)) if one.level != "note" and "trust" not in one.message]
    assert said == []
    assert left(odd) == []


def test_an_event_of_a_trial_that_was_left_is_dropped_by_the_drain(place: Home) -> None:
    """As it is when doctor is killed."""
    payload = json.dumps({"session_id": SESSION, "cwd": "/x", "tool_name": "Read"})
    subprocess.run([place.bin / "hook", "claude", "PreToolUse"], input=payload.encode(), check=True)
    assert len(left(place)) == 1
    with memwiki.open() as opened:
        opened.sync()
        assert opened.sessions() == []
    assert left(place) == []


def test_doctor_waits_for_a_sync_and_says_when_it_cannot(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    link(place, "claude")
    monkeypatch.setattr("memwiki.hosts.trial._WAIT", 0.1)
    hold = f"import fcntl, time; f = open({str(place.locks / 'sync')!r}, 'a'); fcntl.flock(f, 2); print(1, flush=True)"
    with subprocess.Popen([sys.executable, "-c", f"{hold}; time.sleep(60)"], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        (found,) = wrong(place)
        other.kill()
    assert "could not be tried: sync is already running" in found.message
