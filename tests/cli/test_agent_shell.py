"""What becomes memory is a person's decision, also where an agent can run our commands."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.hosts.shells import MARKS, agent

Run = Callable[..., "subprocess.CompletedProcess[str]"]
EDITOR = {"EDITOR": "sed -i -e '$s/$/ (checked)/'", "VISUAL": ""}
VERBS = {
    "approve": ("review", "approve", "ID"),
    "edit": ("review", "edit", "ID"),
    "reject": ("review", "reject", "ID", "--why", "no"),
    "the walk": ("review",),
    "revert": ("revert", "ID"),
    "forget": ("forget", "tools/git"),
    "mv": ("mv", "tools/git", "tools/vcs"),
    "the setting itself": ("config", "set", "review.agents", "allow"),
}


@pytest.fixture
def id(home: Path) -> str:
    """The id of a pending candidate, beside a committed note."""
    memwiki.setup()
    with memwiki.open() as m:
        m.approve(m.propose("tools/git", "# Git\n\n- sign commits\n").id)
        return m.propose("tools/pnpm", "# pnpm\n\n- use pnpm\n").id


@pytest.mark.parametrize("verb", VERBS)
def test_a_decision_in_an_agents_shell_needs_a_terminal(verb: str, id: str, run: Run, git: Callable[..., str]) -> None:
    with memwiki.open() as m:
        vault, config = m.config.vault, m.home.path / "config.toml"
    before = git(vault, "rev-parse", "main"), config.read_text("utf-8")
    words = [id if word == "ID" else word for word in VERBS[verb]]
    refused = run(*words, check=False, input="a\n", env={"CLAUDECODE": "1", **EDITOR})
    assert refused.returncode == 1 and "Claude Code runs this command" in refused.stderr
    assert "review.agents allow" in refused.stderr
    assert before == (git(vault, "rev-parse", "main"), config.read_text("utf-8"))


@pytest.mark.parametrize("variable", [name for variables in MARKS.values() for name in variables])
def test_each_host_is_known_by_its_mark(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert agent() == ""
    monkeypatch.setenv(variable, "1")
    assert variable in MARKS[agent()]
    monkeypatch.setenv(variable, "0")
    assert agent() == ""


def test_looking_and_proposing_are_free_and_the_setting_allows_the_rest(id: str, run: Run) -> None:
    shell = {"CODEX_THREAD_ID": "t-1"}
    assert id in run("review", "list", env=shell).stdout
    run("review", "show", id, env=shell)
    run("review", "add", "tools/uv", "--text", "-", input="- use uv\n", env=shell)
    run("config", "set", "review.agents", "allow")
    run("review", "approve", id, env=shell)


@pytest.mark.parametrize("answer, state", [("y", "approved"), ("n", "pending")])
def test_a_person_at_the_terminal_is_asked(answer: str, state: str, id: str, home: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memwiki", "review", "approve", id],
        **dict.fromkeys(("stdin", "stdout", "stderr"), slave),
        env={**os.environ, "GEMINI_CLI": "1"},
        start_new_session=True,
    )
    os.close(slave)
    shown = b""
    while not shown.rstrip().endswith(b"[y/N]:"):
        shown += os.read(master, 4096)
    assert b"Gemini CLI runs this command" in shown
    os.write(master, f"{answer}\n".encode())
    assert process.wait(60) == (0 if answer == "y" else 1)
    os.close(master)
    with memwiki.open() as m:
        assert m.candidate(id).state == state
