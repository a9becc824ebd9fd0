"""The clients from npm, a home with one note in its vault, and a witness beside memwiki's hooks."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.hosts.link import link, settings_file
from memwiki.hosts.registration import events
from memwiki.init import init
from tests.conftest import REPOSITORY

CLIENTS = REPOSITORY / ".cache" / "clients"
VERSIONS = {
    "claude": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "qwen": "@qwen-code/qwen-code@0.24.4",
    "opencode": "opencode-ai@1.18.33",
    "copilot": "@github/copilot@1.0.102",
    "cline": "cline@3.0.65",
    "node22": "node@22",  # what Qwen Code runs on
}
TOLD: dict[str, list[str]] = {name: [] for name in VERSIONS if name != "node22"}  # a client -> the tests it passed
PLUGIN = """import { writeFileSync, renameSync } from "node:fs"
let n = 0
const see = (name, session, more) => {
  const file = `${FOLDER}/${Date.now()}${String(++n).padStart(6, "0")}-${name}`
  writeFileSync(FOLDER + "/.w", JSON.stringify({ hook_event_name: name, session_id: session, ...more }))
  renameSync(FOLDER + "/.w", file)
}
export const Witness = async () => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") see("session.idle", event.properties.sessionID, {})
  },
  "chat.message": async (i, o) => {
    const texts = o.parts.filter((part) => part.type === "text" && !part.synthetic)
    see("chat.message", i.sessionID, { prompt: texts.map((part) => part.text).join("\\n") })
  },
  "tool.execute.before": async (i) => see("tool.execute.before", i.sessionID, { tool_use_id: i.callID }),
  "tool.execute.after": async (i) => see("tool.execute.after", i.sessionID, { tool_use_id: i.callID }),
})
"""
NOTE = "---\ntitle: Staging database\ndescription: The staging database is called heron\ntype: fact\n---\n"
NOTE += "- The staging database is called heron and listens on port 6543.\n"
RULE = "---\ntitle: Language\ndescription: Answers are in British English\ntype: preference\n---\n"
RULE += "- Answer in British English.\n"


@pytest.fixture(scope="session")
def binary() -> Callable[[str], Path]:
    """`binary(host)`: the client's executable, installed on first use."""

    def installed(name: str) -> Path:
        if shutil.which("npm") is None:
            pytest.skip("the clients come from npm, which is not here")
        found = CLIENTS / name / "node_modules" / ".bin" / name.removesuffix("22")
        if not found.exists():
            command = ["npm", "install", "--prefix", str(CLIENTS / name), "--no-audit", "--no-fund", VERSIONS[name]]
            (CLIENTS / "home").mkdir(parents=True, exist_ok=True)
            subprocess.run(command, check=True, env={**os.environ, "HOME": str(CLIENTS / "home")}, timeout=400)
        return found

    return installed


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small repository to work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "README.md").write_text("# shop\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "start"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


@pytest.fixture
def memory(home: Path) -> memwiki.Memory:
    """A home with two approved notes: one for prompts about the staging database, one for each session's start."""
    started = init()
    for path, text in (("tools/staging.md", NOTE), ("profile/language.md", RULE)):
        file = started.vault / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    for command in (["add", "."], ["commit", "-q", "-m", "notes"]):
        subprocess.run(["git", "-C", str(started.vault), *command], check=True)
    opened = memwiki.open()
    opened.sync()
    return opened


@pytest.fixture
def witness(home: Path, tmp_path: Path) -> Callable[[str], list[dict[str, Any]]]:
    """`witness(host)` registers somebody else's hook on each event of ours; call it again for what that hook saw."""
    folder = tmp_path / "witness"
    folder.mkdir()
    script = tmp_path / "see"
    script.write_text(f'#!/bin/sh\ncat > "{folder}/.$$" && mv "{folder}/.$$" "{folder}/$(date +%s%N)-$1"\n')
    script.chmod(0o755)

    def seen(name: str) -> list[dict[str, Any]]:
        if not any(folder.iterdir()):
            (folder / ".registered").touch()
            watch(name, script, folder)
        found = sorted(folder.glob("[0-9]*"), key=lambda one: int(one.name.partition("-")[0]))
        return [{"hook_event_name": one.name.partition("-")[2], **json.loads(one.read_bytes())} for one in found]

    return seen


def watch(name: str, script: Path, folder: Path) -> None:
    """Register `script` on each event of ours, beside whatever the client's settings hold."""
    file = settings_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    if name == "opencode":
        (file.parent / "witness.js").write_text(PLUGIN.replace("FOLDER", json.dumps(str(folder))))
        return
    if name == "cline":  # another of the folders in which it looks
        hooks = Path(os.environ["HOME"], "Documents", "Cline", "Hooks")
        hooks.mkdir(parents=True)
        for event in events(name):
            (hooks / event).write_text(f"#!/bin/sh\nexec {script} {event}\n")
            (hooks / event).chmod(0o755)
        return
    value = json.loads(file.read_text()) if file.exists() else {}
    commands = {event: f"{script} {event}" for event in events(name)}
    if name == "copilot":
        flat = {event: [{"type": "command", "bash": command}] for event, command in commands.items()}
        file = file.with_name("witness.json")
        value = {"version": 1, "hooks": flat}
    else:
        nested = {event: [{"hooks": [{"type": "command", "command": one}]}] for event, one in commands.items()}
        value["hooks"] = nested
    file.write_text(json.dumps(value))


@pytest.fixture
def linked(memory: memwiki.Memory) -> Callable[[str], memwiki.Memory]:
    """`linked(host)`: the memory, with that host linked by the product's own command."""

    def done(name: str) -> memwiki.Memory:
        assert link(memory.home, name).changed
        return memory

    return done


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what each client passed or failed: its name is the first word of a test's parameters."""
    name, _, fault = report.nodeid.partition("[")[2].rstrip("]").partition("-")
    if name in TOLD and (report.when == "call" or report.failed):
        topic = Path(report.nodeid.partition("::")[0]).stem.removeprefix("test_").removeprefix("clients_")
        what = fault or ("events and notes" if topic.endswith("clients") else topic.replace("_", " "))
        what = what if report.passed else f"{what} FAILED"
        TOLD[name] += [] if what in TOLD[name] else [what]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line a client, its name first."""
    for name, told in TOLD.items():
        if told:
            terminalreporter.write_line(f"{name} {VERSIONS[name].rpartition('@')[2]}: {', '.join(told)}")
