"""A note that belongs to a path reaches the model of the real client when a tool has touched that path."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from tests.clients.drive import Claude, Codex, settled
from tests.clients.model import Handler, Model, model
from tests.clients.others import Gemini, Qwen

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

RULE = "---\ntitle: Migrations\napplies_to: ['*.sql']\n---\n- Name every zebra index.\n"
ASK = "please write it down"
PATCH = "*** Begin Patch\n*** Add File: new.sql\n+select 1;\n*** End Patch\n"


class Patching(Handler):
    """Plays Codex's patches."""

    @staticmethod
    def shell(body: object, command: str) -> dict[str, object]:
        """The tool as this model's client offers it."""
        code = f"text(await tools.apply_patch({json.dumps(command)}));"
        tools = json.dumps(body)
        if '"name": "exec"' in tools:
            return {"type": "custom_tool_call", "name": "exec", "input": code}
        return {"type": "custom_tool_call", "name": "apply_patch", "input": command}


def writes(name: str, project: Path) -> list[tuple[str, dict[str, str]]]:
    """Two files written by the client's own tool."""
    tool = "Write" if name == "claude" else "write_file"
    return [(tool, {"file_path": str(project / f"{n}.sql"), "content": "select 1;\n"}) for n in "ab"]


def played(
    name: str,
    binary: Callable[[str], Path],
    home: Path,
    project: Path,
    linked: Callable[[str], memwiki.Memory],
    server: Model,
) -> str:
    """One prompt, and the tools; the session's id."""
    if name == "claude":
        linked(name)
        return str(Claude(binary(name), home, project, server).say(ASK)["session_id"])
    if name == "codex":
        linked(name)
        server.RequestHandlerClass = Patching
        codex = Codex(binary(name), home, project, server)
        codex.configure()
        with codex.serve() as editor:
            editor.trust(project)
            session = editor.start(project)
            assert editor.say(session, ASK) == "completed"
        return session
    if name == "gemini":
        client: Gemini | Qwen = Gemini(binary(name), home, project, server)
    else:
        client = Qwen(binary(name), home, project, server, binary("node22"))
    client.configure()
    linked(name)
    return client.say(ASK)


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "qwen"])
def test_a_touched_path_brings_its_note(
    name: str,
    binary: Callable[[str], Path],
    home: Path,
    project: Path,
    memory: memwiki.Memory,
    linked: Callable[[str], memwiki.Memory],
) -> None:
    file = memory.git.top / "tools" / "sql.md"
    file.write_text(RULE)
    for command in (["add", "."], ["commit", "-q", "-m", "rule"]):
        subprocess.run(["git", "-C", str(memory.git.top), *command], check=True)
    memory.sync()
    with model([PATCH] if name == "codex" else writes(name, project)) as server:
        session = played(name, binary, home, project, linked, server)
    assert (memory.home.path / "recall.paths").exists()
    assert list(project.glob("*.sql"))
    last = json.dumps(server.requests[-1])
    assert last.count("Name every zebra index") == 1
    settled(memory.home.spool)
    memory.sync()
    given = [one.payload for one in memory.events(f"{name}/{session}") if one.event == "Given"]
    assert [(one["path"], one["at"]) for one in given if one["path"] == "tools/sql.md"] == [
        ("tools/sql.md", "PostToolUse")
    ]
