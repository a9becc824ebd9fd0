"""OpenCode's plugin, handed what the real client hands to plugins: what it tells the hook, and what it says then."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memwiki.capture.spool import split
from memwiki.config import Home
from memwiki.hosts import codec
from memwiki.hosts.link import link
from tests.conftest import PAYLOADS

NODE = shutil.which("node") or ""
pytestmark = pytest.mark.skipif(not NODE, reason="the plugin runs in Node.js, which is not here")
DRIVER = """
import { readFileSync } from "node:fs"
const [plugin, calls] = process.argv.slice(2)
const { Memwiki } = await import(plugin)
const hooks = await Memwiki({ directory: "/home/dev/shop" })
const outputs = []
for (const [name, input, output] of JSON.parse(readFileSync(calls))) {
  await hooks[name](input, output)
  outputs.push(output)
}
console.log(JSON.stringify(outputs))
"""


@pytest.fixture
def place(home: Path) -> Home:
    """A linked home, whose hook keeps what it is told and answers with the event's name."""
    made = Home(home / ".memwiki")
    made.make()
    link(made, "opencode")
    return made


def answering(place: Home, script: str) -> None:
    (place.bin / "hook").write_text(f"#!/bin/sh\n{script}\n")


def recorded(name: str) -> tuple[Any, Any]:
    """What a plugin's hook was handed: (input, output)."""
    value = json.loads((PAYLOADS / "opencode" / f"{name}.json").read_text())
    return ({"event": value["event"]} if "event" in value else value["input"]), value.get("output")


def driven(home: Path, tmp_path: Path, calls: list[tuple[str, Any, Any]]) -> list[Any]:
    """Call the plugin's hooks in order; their outputs after it."""
    (tmp_path / "driver.mjs").write_text(DRIVER)
    (tmp_path / "calls.json").write_text(json.dumps(calls))
    plugin = tmp_path / "memwiki.mjs"
    plugin.write_text((home / ".config/opencode/plugins/memwiki.js").read_text())
    command = [NODE, str(tmp_path / "driver.mjs"), str(plugin), str(tmp_path / "calls.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def session() -> list[tuple[str, Any, Any]]:
    """A session as it was recorded: a prompt, two tools, the agent's words, the end."""
    calls = [("event", *recorded("event.session.created")), ("chat.message", *recorded("chat.message"))]
    for tool in ("bash", "write"):
        calls.append(("tool.execute.before", *recorded(f"tool.execute.before.{tool}")))
        calls.append(("tool.execute.after", *recorded(f"tool.execute.after.{tool}")))
    calls.append(("experimental.text.complete", *recorded("text.complete")))
    return [*calls, ("event", *recorded("event.session.idle")), ("dispose", None, None)]


def test_every_event_of_a_session_in_our_words(place: Home, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "told"
    answering(place, f'printf "memwiki1 $1 $2 \\n" >> {out}; cat >> {out}; echo >> {out}; echo "<$2>"')
    outputs = driven(home, tmp_path, session())
    lines = out.read_bytes().splitlines()
    told = [split(b"\n".join(pair)) for pair in zip(lines[::2], lines[1::2], strict=True)]
    said = [codec.decode(host, native, json.loads(raw)) for host, native, _, raw in told]
    assert [one["event"] for one in said] == [
        "SessionStart",
        "UserPromptSubmit",
        *["PreToolUse", "PostToolUse"] * 2,
        "Stop",
        "SessionEnd",
    ]
    assert {(one["session"], one["cwd"], one["agent"]) for one in said} == {
        ("ses_00000000000000000000000020", "/home/dev/shop", "")
    }
    assert (said[1]["typed"], said[1]["prompt"]) == (True, '"what is the staging database called?"')
    assert (said[2]["tool_name"], said[3]["tool_response"]) == ("bash", "hello\nREADME.md\n")
    assert said[-2]["last_message"] == "Done: listed the files and wrote notes.txt."
    # What the hook answers to the start and to the prompt stands beside the prompt, in a part of its own.
    part = outputs[1]["parts"][-1]
    assert (part["synthetic"], part["text"]) == (True, "<session.start>\n<chat.message>")
    assert part["messageID"] == outputs[1]["message"]["id"]


def test_a_subagents_session_belongs_to_its_parents(place: Home, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "told"
    answering(place, f'cat >> {out}; echo >> {out}; echo "<$2>"')
    child = {"event": {"type": "session.created", "properties": {"info": {"id": "child", "parentID": "ses_0"}}}}
    message = {"message": {"id": "m"}, "parts": [{"type": "text", "text": "look"}]}
    idle = {"event": {"type": "session.idle", "properties": {"sessionID": "child"}}}
    calls = [("event", child, None), ("chat.message", {"sessionID": "child"}, message), ("event", idle, None)]
    driven(home, tmp_path, calls)
    told = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(one["hook_event_name"], one["session_id"], one["agent_id"]) for one in told] == [
        ("chat.message", "ses_0", "child"),
        ("session.done", "ses_0", "child"),
    ]
    assert codec.decode("opencode", "chat.message", told[0])["typed"] is False


def test_resuming_and_compaction(place: Home, home: Path, tmp_path: Path) -> None:
    out = tmp_path / "told"
    answering(place, f"cat >> {out}; echo >> {out}")
    prompt = ("chat.message", *recorded("chat.message"))
    compacted = {"type": "session.compacted", "properties": {"sessionID": "ses_00000000000000000000000020"}}
    driven(home, tmp_path, [prompt, prompt, ("event", {"event": compacted}, None), prompt])
    told = [json.loads(line) for line in out.read_text().splitlines()]
    assert [one.get("source", "-") for one in told] == ["resume", "-", "-", "compact", "-"]


@pytest.mark.parametrize("script", ["exit 2", "kill -9 $$", "echo broken; exit 1", "sleep 30", "gone"])
def test_nothing_that_is_broken_reaches_the_client(place: Home, home: Path, tmp_path: Path, script: str) -> None:
    answering(place, script)
    if script == "gone":
        (place.bin / "hook").unlink()
    outputs = driven(home, tmp_path, session())
    assert outputs[1]["parts"] == recorded("chat.message")[1]["parts"]
