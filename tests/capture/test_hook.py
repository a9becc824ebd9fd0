"""The installed hook script: what it stores, what it prints, and that nothing broken reaches its host."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.config import Home
from memwiki.hosts import HERE, NAMES, codec, host
from memwiki.hosts.programs import install, interpreter, works
from memwiki.hosts.registration import events
from memwiki.init import init
from tests.capture.conftest import Hook, spooled
from tests.conftest import CASES

EVENTS = [(name, event) for name in NAMES for event in events(name)]
STOPS = ("stop.json", "stop-active.json", "codex-stop.json")


@pytest.fixture
def alone(place: Home) -> Home:
    """A home whose hooks start no sync, so that the spool keeps what they put there."""
    script = place.bin / "hook"
    script.write_text(script.read_text().replace(f"memwiki={sys.executable} ", "memwiki= "))
    return place


@pytest.mark.parametrize(("name", "event"), EVENTS)
def test_every_registered_event_is_spooled_and_answered_as_its_host_wants(
    alone: Home, hook: Hook, name: str, event: str
) -> None:
    raw = json.dumps({"session_id": "s", "cwd": "/x", "prompt": "hello", "text": "é\n"}).encode()
    done = hook(name, event, raw, CLAUDE_PROJECT_DIR="/home/dev/a shop")
    folder = "/home/dev/a shop" if name == "claude" else str(Path.cwd()) if name in HERE else ""
    assert spooled(alone) == [(name, event, folder, raw)]
    assert done.stdout == codec.encode(name, event, "")
    assert [stat.S_IMODE(file.stat().st_mode) for file in alone.spool.iterdir()] == [0o600]


def test_the_script_knows_which_events_inject_and_which_want_an_answer(alone: Home) -> None:
    lines = (alone.bin / "hook").read_text().splitlines()
    asks = next(line for line in lines if "ask=y" in line).partition(")")[0].split(" | ")
    answers = next(line for line in lines if "echo '{}'" in line).partition(")")[0].split(" | ")
    for name, event in EVENTS:
        table, pattern = host(name), f"{name}.{event}"
        asked = event in table.injects or event in table.resets
        assert (pattern in map(str.strip, asks)) == asked
        assert (pattern in map(str.strip, answers)) == (event in table.empty)
        assert not (asked and event in table.empty)  # for nothing would answer while memwiki is paused
    assert "@" not in "".join(line for line in lines if "case" in line)


@pytest.mark.parametrize("payload", STOPS)
def test_case_03_hook_stop_never_blocks(alone: Home, hook: Hook, payload: str) -> None:
    raw = (CASES / "03-hook-stop-never-blocks" / payload).read_bytes()
    name = "codex" if payload.startswith("codex") else "claude"
    for event in ("Stop", "SubagentStop"):
        assert hook(name, event, raw).stdout == (b"{}\n" if name == "codex" else b"")
    for folder in (alone.journal, alone.spool):
        folder.chmod(0o500)
    done = hook(name, "Stop", raw)
    assert done.stdout == (b"{}\n" if name == "codex" else b"")


@pytest.mark.parametrize(
    "env", ["PYTHONIOENCODING=cp932", "PYTHONIOENCODING=cp1252", "PYTHONIOENCODING=ascii:strict", "LC_ALL=C"]
)
@pytest.mark.parametrize("name", ["utf8.bin", "bom.bin", "bad-byte.bin", "utf16.bin"])
def test_case_04_bytes_pass_through_whatever_the_locale(alone: Home, hook: Hook, name: str, env: str) -> None:
    raw = (CASES / "04-hook-stdin-encoding" / name).read_bytes()
    key, _, value = env.partition("=")
    for event in ("UserPromptSubmit", "PostToolUse"):
        hook("claude", event, raw, PYTHONUTF8="0", **{key: value})
    assert [one[3] for one in spooled(alone)] == [raw, raw]


def test_case_06_hook_huge_payload(alone: Home, tmp_path: Path) -> None:
    payload = tmp_path / "payload.json"
    with payload.open("wb") as out:
        subprocess.run([sys.executable, CASES / "06-hook-huge-payload" / "gen.py"], stdout=out, check=True)
    assert payload.stat().st_size > 11_000_000
    peak = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
    peak += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"  # KiB
    for event in ("PostToolUse", "UserPromptSubmit"):  # the second goes through the launcher
        command = [sys.executable, "-c", peak, str(alone.bin / "hook"), "claude", event]
        started = time.monotonic()
        with payload.open("rb") as stdin:
            done = subprocess.run(command, stdin=stdin, capture_output=True, check=True, timeout=30)
        assert time.monotonic() - started < 2.0
        assert int(done.stdout) * (1 if sys.platform != "darwin" else 1 / 1024) < 150 * 1024
    assert [one[3] for one in spooled(alone)] == [payload.read_bytes()] * 2


@pytest.mark.parametrize("state", ["missing", "directory", "garbage", "unreadable"])
def test_case_01_hook_backend_down(alone: Home, hook: Hook, state: str) -> None:
    snapshot = alone.snapshot
    for path in (snapshot, alone.index):
        if state == "directory":
            path.mkdir()
        elif state == "garbage":
            path.write_bytes(os.urandom(70_000))
        elif state == "unreadable":
            path.write_bytes(b"x")
            path.chmod(0)
    raw = (CASES / "01-hook-backend-down" / "prompt.json").read_bytes()
    started = time.monotonic()
    done = hook("claude", "UserPromptSubmit", raw)
    assert time.monotonic() - started < 1.0
    assert done.stdout == b""
    assert spooled(alone) == [("claude", "UserPromptSubmit", "", raw)]
    # No process of the hook's is left; and mended, a sync finds the event, once.
    child = subprocess.Popen(
        [alone.bin / "hook", "claude", "UserPromptSubmit"], stdin=subprocess.DEVNULL, process_group=0
    )
    assert child.wait(timeout=10) == 0
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)
    for path in (snapshot, alone.index):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    init()
    with memwiki.open() as memory:
        memory.sync()
        prompts = [one.payload.get("prompt") for one in memory.events("claude/5a0c0000-0000-4000-8000-000000000001")]
        assert prompts == ["Which port does the staging proxy use?"]
        assert len(memory.search_events("staging proxy")) == 1


@pytest.mark.parametrize("answers", [False, True])
def test_case_01_no_hook_opens_a_socket(alone: Home, hook: Hook, answers: bool) -> None:
    """A closed port, and one that accepts and never answers: the hook does not even knock."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    if answers:
        server.listen()
        server.settimeout(0.2)
    port = server.getsockname()[1]
    with alone.config.open("a") as config:
        config.write(f'# [neo4j]\n# uri = "bolt://127.0.0.1:{port}"\n')
    started = time.monotonic()
    hook("claude", "UserPromptSubmit", b'{"session_id": "s", "prompt": "port?"}', NEO4J_URI=f"bolt://127.0.0.1:{port}")
    assert time.monotonic() - started < 1.0
    if answers:
        with pytest.raises(TimeoutError):
            server.accept()
    server.close()
    assert len(spooled(alone)) == 1


def test_paused_and_a_dreams_own_child_store_nothing(alone: Home, hook: Hook) -> None:
    for name, event in EVENTS:
        assert hook(name, event, MEMWIKI_DREAM="1").stdout == codec.encode(name, event, "")
    alone.paused.touch()
    for name, event in EVENTS:
        assert hook(name, event).stdout == codec.encode(name, event, "")
    assert spooled(alone) == []
    alone.paused.unlink()
    hook("claude", "Stop")
    assert len(spooled(alone)) == 1


@pytest.mark.parametrize("event", ["PostToolUse", "UserPromptSubmit", "Stop"])
@pytest.mark.parametrize("why", ["paused", "a dream's child"])
def test_a_hook_that_stores_nothing_reads_all_the_same(alone: Home, why: str, event: str) -> None:
    """Its host writes more than a pipe holds, and would be told that nobody reads it."""
    env = {**os.environ, "MEMWIKI_DREAM": "1"} if why != "paused" else dict(os.environ)
    if why == "paused":
        alone.paused.touch()
    with subprocess.Popen([alone.bin / "hook", "claude", event], stdin=subprocess.PIPE, env=env) as process:
        assert process.stdin is not None
        process.stdin.write(b"x" * 1_000_000)
    assert process.returncode == 0
    assert list(alone.spool.iterdir()) == []


@pytest.mark.parametrize("state", ["ready", "paused", "no spool"])
def test_a_host_that_gives_no_input_at_all(alone: Home, state: str) -> None:
    if state == "paused":
        alone.paused.touch()
    elif state == "no spool":
        alone.spool.rmdir()
    for event, answer in (("Stop", b"{}\n"), ("PreToolUse", b"")):
        command = ["sh", "-c", f'exec "{alone.bin}/hook" codex {event} <&-']
        done = subprocess.run(command, capture_output=True, timeout=30)
        assert (done.returncode, done.stdout) == (0, answer)


def test_a_name_that_is_taken_is_left_alone(alone: Home) -> None:
    """Process ids repeat: the spool may hold a file of that name, finished or reserved."""
    script = f'echo old > "{alone.spool}/$$"; : > "{alone.spool}/$$x"; exec "{alone.bin}/hook" claude PostToolUse'
    done = subprocess.run(["sh", "-c", script], input=b'{"a": 1}', capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    files = sorted(alone.spool.iterdir(), key=lambda file: len(file.name))
    assert [file.read_bytes()[-8:] for file in files] == [b"old\n", b"", b'{"a": 1}']
    assert [file.name.count("x") for file in files] == [0, 1, 2]


@pytest.mark.parametrize("event", ["PostToolUse", "UserPromptSubmit", "Stop"])
def test_a_broken_home_never_reaches_the_host(place: Home, hook: Hook, event: str) -> None:
    big = b'{"a": "' + b"x" * 300_000 + b'"}'  # more than a pipe holds: the hook must read it, or its writer hangs
    shutil.rmtree(place.spool)
    hook("claude", event, big)
    place.spool.write_text("a file where the folder should be")
    hook("claude", event, big)


def test_a_full_disk_leaves_nothing_behind(alone: Home, hook: Hook) -> None:
    """A file size limit of zero fails every write, as a full disk does, while names can still be made."""
    for event in ("PostToolUse", "UserPromptSubmit", "Stop"):
        done = subprocess.run(
            ["bash", "-c", f"trap '' XFSZ; ulimit -f 0; exec {alone.bin}/hook claude {event}"],
            input=b"x" * 200_000,
            capture_output=True,
            timeout=30,
        )
        assert (done.returncode, done.stdout) == (0, b"")
    assert list(alone.spool.iterdir()) == []


@pytest.mark.parametrize("fault", ["no python", "no modules", "garbage modules", "python that cannot start"])
def test_without_its_python_the_script_stores_the_payload_itself(alone: Home, hook: Hook, fault: str) -> None:
    script = alone.bin / "hook"
    modules = next(alone.bin.glob("hot-*"))
    line = next(line for line in script.read_text().splitlines() if line.startswith("python="))
    if fault == "no python":
        script.write_text(script.read_text().replace(line, "python=/gone/python"))
    elif fault == "no modules":
        modules.unlink()
    elif fault == "garbage modules":
        modules.write_bytes(b"not marshalled")
    else:
        broken = alone.path / "python"
        broken.write_text("#!/gone/loader\n")
        broken.chmod(0o755)
        script.write_text(script.read_text().replace(line, f"python={broken}"))
    raw = b'{"session_id": "s", "prompt": "kept"}'
    for event in ("SessionStart", "UserPromptSubmit"):
        assert hook("claude", event, raw, CLAUDE_PROJECT_DIR="/p").stdout == b""
    assert spooled(alone) == [("claude", "SessionStart", "/p", raw), ("claude", "UserPromptSubmit", "/p", raw)]


def test_the_hook_outlives_its_virtual_environment(place: Home, tmp_path: Path) -> None:
    """memwiki in an environment that is then moved: prompts are still answered from `bin/`, nothing is lost."""
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    package = next(environment.glob("lib/python3*/site-packages"))
    source = Path(__file__).parents[2]
    # Its own memwiki, and everything that memwiki needs from this environment.
    shutil.copytree(source / "memwiki", package / "memwiki", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(source / "hooks", package / "memwiki" / "data" / "hooks")
    (package / "rest.pth").write_text(str(Path(pytest.__file__).parents[1]) + "\n")
    python = environment / "bin" / "python"
    code = "from memwiki.config import find_home; from memwiki.hosts.programs import install; install(find_home())"
    subprocess.run([str(python), "-I", "-c", code], check=True, env={**os.environ, "HOME": str(place.path.parent)})
    assert str(python) in (place.bin / "hook").read_text()
    environment.rename(tmp_path / "moved")
    raw = b'{"session_id": "s", "prompt": "kept"}'
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"):
        done = subprocess.run([str(place.bin / "hook"), "claude", event], input=raw, capture_output=True, timeout=30)
        assert (done.returncode, done.stderr) == (0, b"")
    assert len(spooled(place)) == 4
    assert not (place.log / "hook.log").exists() or "No module" not in (place.log / "hook.log").read_text()
    assert works(place) == ""
    assert install(place)  # any command of the memwiki that is there now takes over
    assert str(python) not in (place.bin / "hook").read_text()


@pytest.fixture
def starts(place: Home, tmp_path: Path) -> Callable[[int], list[str]]:
    """`starts(n)`: what was started in the background, once there are n lines of it: a folder and a home each.

    Instead of memwiki a sleeper is started, which ends as a pass does once the file `go` is there.
    """
    witness, fake = tmp_path / "witness", tmp_path / "python"
    fake.write_text(
        f'#!/bin/sh\necho "$PWD $4" >> {witness}\nuntil [ -e {tmp_path}/go ]; do sleep .1; done\nrm "$4/lock/pass"\n'
    )
    fake.chmod(0o755)
    script = place.bin / "hook"
    script.write_text(script.read_text().replace(f"memwiki={sys.executable} ", f"memwiki={fake} "))

    def lines(number: int) -> list[str]:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            found = witness.read_text().splitlines() if witness.exists() else []
            if len(found) >= number:
                return found
            time.sleep(0.05)
        return found

    return lines


def test_a_stop_starts_a_sync_that_nobody_waits_for(
    place: Home, hook: Hook, starts: Callable[[int], list[str]], tmp_path: Path
) -> None:
    hook("claude", "PostToolUse")
    hook("claude", "UserPromptSubmit")
    for number, (name, event) in enumerate(
        [("claude", "Stop"), ("codex", "SessionEnd"), ("cursor", "sessionEnd"), ("claude", "SessionStart")], 1
    ):
        hook(name, event)
        assert (place.locks / "pass").exists()
        assert starts(number) == [f"/ {place.path}"] * number  # and it is still at work
        (tmp_path / "go").touch()
        deadline = time.monotonic() + 20
        while (place.locks / "pass").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        (tmp_path / "go").unlink()
    assert not (place.locks / "again").exists()


def test_forty_sessions_that_start_at_once_start_one_sync(
    place: Home, starts: Callable[[int], list[str]], tmp_path: Path
) -> None:
    hooks = [
        subprocess.Popen([str(place.bin / "hook"), "claude", event], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for event in ["SessionStart"] * 40 + ["Stop"] * 5
    ]
    for one in hooks:
        one.communicate(b'{"session_id": "s"}', timeout=60)
    assert len(starts(1)) == 1
    assert (place.locks / "again").exists()  # the one that runs goes on for the others
    assert len(spooled(place)) == 45
    (tmp_path / "go").touch()


def test_a_sync_that_was_killed_keeps_no_session_from_starting_another(
    place: Home, hook: Hook, starts: Callable[[int], list[str]], tmp_path: Path
) -> None:
    (tmp_path / "go").touch()
    left = place.locks / "pass"
    left.touch()
    hook("claude", "SessionStart")
    assert starts(0) == []
    minutes_ago = time.time() - 150
    os.utime(left, (minutes_ago, minutes_ago))
    hook("claude", "Stop")  # no process is spent on it at the end of a turn
    assert starts(0) == []
    hook("claude", "SessionStart")
    assert len(starts(1)) == 1


@pytest.mark.parametrize("python", [True, False])
def test_case_73_what_nothing_will_drain_goes_and_the_next_session_is_told(
    place: Home, hook: Hook, python: bool
) -> None:
    script = place.bin / "hook"
    text = script.read_text().replace(f"memwiki={sys.executable} ", "memwiki=/no/such/python ")
    script.write_text(text if python else text.replace(f"python={interpreter()} ", "python=/no/such/python "))
    for number in range(20):
        hook("claude", "UserPromptSubmit", b'{"session_id": "s", "prompt": "password=hunter2-%d"}' % number)
    hook("claude", "Stop")
    hook("claude", "Stop")
    assert len(spooled(place)) == 22  # an upgrade may be under way
    time.sleep(0.02)
    told = hook("claude", "SessionStart", b'{"session_id": "t", "source": "startup"}').stdout
    assert b"memwiki is no longer installed: /no/such/python is missing" in told or not python
    assert [native for _, native, _, _ in spooled(place)] == ["SessionStart"]
    assert hook("claude", "UserPromptSubmit", b'{"session_id": "t", "prompt": "hi"}').stdout == b""
    started, _ = sorted(place.spool.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    yesterday = time.time() - 86400 * 1.5
    os.utime(started, (yesterday, yesterday))
    hook("claude", "Stop")  # of a session that goes on for days
    assert [native for _, native, _, _ in spooled(place)] == ["UserPromptSubmit", "Stop"]


@pytest.mark.skipif(os.getuid() != 0, reason="acts as another user")
def test_case_64_a_hook_of_another_user_stores_nothing(alone: Home) -> None:
    os.chown(alone.path, 65534, 65534)
    for event in ("PostToolUse", "UserPromptSubmit", "Stop"):
        subprocess.run([str(alone.bin / "hook"), "claude", event], input=b"{}", check=True, timeout=30)
    assert list(alone.spool.iterdir()) == []


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUse"])
def test_a_payload_of_hundreds_of_megabytes_is_stored_whole_in_little_memory(alone: Home, event: str) -> None:
    size = 300_000_000
    code = f"""if True:
        import resource, subprocess, sys
        hook = subprocess.Popen([{str(alone.bin / "hook")!r}, "claude", {event!r}], stdin=subprocess.PIPE)
        hook.stdin.write(b'{{"session_id": "s", "prompt": "')
        for _ in range({size // 1_000_000}):
            hook.stdin.write(b"word " * 200_000)
        hook.stdin.write(b'"}}')
        hook.stdin.close()
        code = hook.wait()
        print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    returned, megabytes = map(int, done.stdout.split())
    assert returned == 0 and megabytes < 100
    (file,) = alone.spool.iterdir()
    assert file.stat().st_size == len(f"memwiki1 claude {event} \n") + len('{"session_id": "s", "prompt": ""}') + size


def test_bin_is_written_once_and_again_when_it_is_not_as_it_should_be(place: Home) -> None:
    assert not install(place)
    (place.bin / "hot-cpython-20").write_bytes(b"an interpreter ago")
    (place.bin / "hook").chmod(0o600)
    assert install(place)
    assert sorted(file.name.partition("-")[0] for file in place.bin.iterdir()) == ["hook", "hot", "launch"]
    assert os.access(place.bin / "hook", os.X_OK)
    (place.bin / "launch").write_text("edited")
    assert install(place)
    assert not install(place)


def test_a_home_with_an_odd_name_works(tmp_path: Path) -> None:
    odd = Home(tmp_path / 'it\'s a "home" $HOME `x` é\\n')
    odd.make()
    install(odd)
    assert works(odd) == ""
    subprocess.run([str(odd.bin / "hook"), "claude", "PostToolUse"], input=b"{}", check=True, timeout=30)
    subprocess.run([str(odd.bin / "hook"), "claude", "UserPromptSubmit"], input=b"{}", check=True, timeout=30)
    assert len(spooled(odd)) == 2


SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox", "ksh", "mksh", "yash", "zsh") if shutil.which(shell)]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_portable(alone: Home, shell: str) -> None:
    command = [shell, "sh"] if shell == "busybox" else [shell]
    for event in ("PostToolUse", "UserPromptSubmit", "Stop"):
        done = subprocess.run(
            [*command, str(alone.bin / "hook"), "claude", event], input=b'{"a": 1}', capture_output=True, timeout=30
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(spooled(alone)) == 3


def test_a_prompt_hook_loads_only_what_is_cheap(alone: Home) -> None:
    """The modules of a whole prompt hook, by name: an import of anything dear would slow every prompt."""
    probe = (
        "import atexit, posix, sys; out = posix.dup(2);"
        "posix._exit = lambda code: posix.write(out, ' '.join(sys.modules).encode());"
        f"sys.argv = ['launch', 'claude', 'UserPromptSubmit']; exec(open({str(alone.bin / 'launch')!r}).read())"
    )
    python = interpreter()
    done = subprocess.run(
        [python, "-I", "-S", "-c", probe],
        input=b'{"session_id": "s", "cwd": "/", "prompt": "which package manager"}',
        capture_output=True,
        timeout=30,
    )
    loaded = set(done.stderr.decode().split())
    bare = subprocess.run([python, "-I", "-S", "-c", "import sys; print(*sys.modules)"], capture_output=True).stdout
    assert "memwiki.recall.hook" in loaded
    allowed = {"marshal", "select", "math", "_json", "atexit", "time", "_sha2", "_sha256", "_signal", "array", "fcntl"}
    assert {name for name in loaded - set(bare.decode().split()) if not name.startswith("memwiki")} <= allowed
