"""Codex's trust, by its own word: a stand-in repeats what the real one (0.171.0) answered; see `codex-app-server/`."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.config import Home, load
from memwiki.errors import Finding
from memwiki.hosts.link import findings, link
from memwiki.hosts.registration import settings_file
from memwiki.hosts.trust import Unanswered, asked
from tests.hosts import processes

RECORDED = Path(__file__).parent / "codex-app-server"
STAND_IN = """#!{python}
import json, os, sys, time
if sys.argv[1:] != ["app-server"]:
    sys.exit("this Codex knows no " + " ".join(sys.argv[1:]))
names = ("CODEX_HOME", "MEMWIKI_DREAM")
seen = {{"pid": os.getpid(), "cwd": os.getcwd(), "env": {{name: os.environ.get(name) for name in names}}, "asked": []}}
recorded = open({recorded!r}).read()
for here, there in {places!r}.items():
    recorded = recorded.replace(here, there)
*before, last = recorded.splitlines()
greeted = False
for line in sys.stdin:
    message = json.loads(line)
    seen["asked"].append(message)
    with open({log!r}, "w") as log:
        log.write(json.dumps(seen))
    if message["method"] == "initialize":
        print(before.pop(0), flush=True)
    elif message["method"] == "initialized":
        greeted = True
        print(*before, sep="\\n", flush=True)
    elif greeted:
        print(last, flush=True)
time.sleep(600)  # as the real one, which goes on while nobody ends it
"""


@pytest.fixture
def place(home: Path) -> Home:
    """A home in which Codex is linked."""
    made = Home(home / ".memwiki")
    made.make()
    return made


@pytest.fixture
def codex(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """`codex(state)`: a `codex` on PATH that answers as recorded; the file in which it writes what it was asked."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "shop").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    def put(state: str, text: str = "") -> Path:
        places = {"@CODEX_HOME@": str(settings_file("codex").parent), "@PROJECT@": str(tmp_path / "shop")}
        recorded = str(RECORDED / f"{state}.jsonl")
        log = str(tmp_path / "asked.json")
        script = text or STAND_IN.format(python=sys.executable, recorded=recorded, places=places, log=log)
        (tmp_path / "bin" / "codex").write_text(script)
        (tmp_path / "bin" / "codex").chmod(0o755)
        return Path(log)

    return put


def told(place: Home) -> list[Finding]:
    """What doctor says of Codex."""
    return [one for one in findings(place, load(place)) if "Codex" in one.message]


def test_it_is_asked_as_it_wants_to_be_and_ended(
    place: Home, codex: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    log = codex("trusted")
    link(place, "codex")
    monkeypatch.chdir(tmp_path / "shop")
    assert told(place) == []
    seen = json.loads(log.read_text())
    assert seen["env"] == {"CODEX_HOME": str(tmp_path / "codex"), "MEMWIKI_DREAM": "1"}
    assert seen["cwd"] == str(tmp_path / "shop")
    assert [one["method"] for one in seen["asked"]] == ["initialize", "initialized", "hooks/list"]
    assert seen["asked"][2]["params"] == {"cwds": [str(tmp_path / "shop")]}
    with pytest.raises(ProcessLookupError):
        os.kill(seen["pid"], 0)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            "untrusted",
            ["Codex has memwiki's hooks installed, not trusted, and skips them (SessionStart, UserPromptSub"],
        ),
        ("trusted", []),
        ("disabled", ["Codex has memwiki's hooks switched off (PostToolUse)."]),
        (
            "modified",
            [
                "Codex skips memwiki's hooks that have changed since you trusted them (SessionStart).",
                "Codex has memwiki's hooks switched off (PostToolUse).",
            ],
        ),
    ],
)
def test_what_it_says_of_each_hook(place: Home, codex: Callable[..., Path], state: str, said: list[str]) -> None:
    codex(state)
    link(place, "codex")
    found = told(place)
    assert len(found) == len(said)
    assert all(one.message.startswith(words) for one, words in zip(found, said, strict=True))
    assert all("/hooks" in one.remedy and one.level == "warning" for one in found)


def test_an_older_one_that_knows_fewer_events(place: Home, codex: Callable[..., Path]) -> None:
    """0.130 knows seven of the eleven."""
    codex("older")
    link(place, "codex")
    note, untrusted = told(place)
    words = "This Codex does not know SubagentStart, SubagentStop, Interrupt, SessionEnd, so nothing of them comes in."
    assert (note.message, note.level) == (words, "note")
    assert "not trusted, and skips them (SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, " in untrusted.message


def test_its_word_counts_not_the_computed_one(place: Home, codex: Callable[..., Path]) -> None:
    """No trust is written down here; and there, some that Codex does not take."""
    codex("trusted")
    link(place, "codex")
    assert told(place) == []
    trust = (Path(__file__).parent / "codex-trust.toml").read_text()
    file = settings_file("codex")
    (file.parent / "config.toml").write_text(trust.replace('state."', f'state."{file}:'))
    codex("untrusted")
    assert "not trusted" in told(place)[0].message


def test_all_hooks_off_is_said_once(place: Home, codex: Callable[..., Path]) -> None:
    codex("off")
    link(place, "codex")
    (settings_file("codex").parent / "config.toml").write_text("[features]\nhooks = false\n")
    assert ["turns all of Codex's hooks off" in one.message for one in told(place)] == [True]
    (settings_file("codex").parent / "config.toml").write_text("")
    assert ["something keeps it from reading them" in one.message for one in told(place)] == [True]


def test_a_project_is_asked_for_by_its_folder(place: Home, codex: Callable[..., Path], tmp_path: Path) -> None:
    log = codex("project")
    link(place, "codex", tmp_path / "shop")
    (found,) = told(place)
    assert "as in a folder that it does not trust" in found.message
    assert found.remedy == f"Start `codex` in {tmp_path / 'shop'} and trust it."
    assert json.loads(log.read_text())["asked"][2]["params"] == {"cwds": [str(tmp_path / "shop")]}
    codex("project-trusted")
    (found,) = told(place)
    assert "installed, not trusted, and skips them" in found.message


@pytest.mark.parametrize(
    ("state", "text", "why"),
    [
        ("unknown", "", "it does not know `hooks/list`, as an older one"),
        ("", "#!/bin/sh\necho error: unexpected argument >&2\nexit 2\n", "it ended without an answer"),
        ("", "#!/bin/sh\ncat >/dev/null\n", "it did not answer within 1 s"),
        ("", "#!/bin/sh\necho Welcome!\ncat >/dev/null\n", "its answer has another form"),
        ("", '#!/bin/sh\necho \'{"id":2,"result":{"hooks":[]}}\'\ncat >/dev/null\n', "its answer has another form"),
        ("", "#!/gone/node\n", "could not be run"),
    ],
)
def test_where_it_does_not_answer_its_hash_is_computed(
    place: Home, codex: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, state: str, text: str, why: str
) -> None:
    monkeypatch.setattr("memwiki.hosts.trust.SECONDS", 1.0 if "not answer" in why else 20.0)
    codex(state, text)
    link(place, "codex")
    untrusted, note = told(place)
    assert "not trusted, by the hash that memwiki computes as Codex does" in untrusted.message
    assert (note.level, why in note.message) == ("note", True)
    trust, file = (Path(__file__).parent / "codex-trust.toml").read_text(), settings_file("codex")
    (file.parent / "config.toml").write_text(trust.replace('state."', f'state."{file}:'))
    assert [one.level for one in told(place)] == ["note"]


def test_a_codex_that_hangs_is_given_up_and_ended(
    codex: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that it started: npm's `codex` starts the real program and waits for it."""
    monkeypatch.setattr("memwiki.hosts.trust.SECONDS", 2.0)
    codex("", f'#!/bin/sh\nsh -c "echo \\$\\$ > {tmp_path}/child; sleep 300"\n')
    with pytest.raises(Unanswered, match="did not answer"):
        asked([tmp_path])
    assert processes.left([int((tmp_path / "child").read_text())]) == []
