"""Whole sessions of the real Gemini, Qwen, OpenCode, Copilot and Cline: every event, and what the model was given."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from memwiki.hosts import codec
from memwiki.hosts.rules import refresh
from memwiki.recall.standing import standing
from tests.clients.drive import settled
from tests.clients.faults import FAULTS, broken, busy
from tests.clients.model import Model, model
from tests.clients.others import CLIENTS, Client
from tests.clients.test_clients import ASK, script_for

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]

Binary = Callable[[str], Path]
Linked = Callable[[str], memwiki.Memory]
Witness = Callable[[str], list[dict[str, Any]]]
BODY, PROFILE = "called heron and listens", "Answer in British English."
BYE, AGAIN = "[[plain]] thank you, and goodbye", f"[[plain]] once more: {ASK}"
PROMPTS = (ASK, BYE, AGAIN)


def client(name: str, binary: Binary, home: Path, project: Path, server: Model) -> Client:
    """The named client, configured."""
    node = binary("node22") if name == "qwen" else Path("node")
    made: Client = CLIENTS[name](binary(name), home, project, server, node)
    made.configure()
    return made


def identity(name: str, payload: dict[str, Any], native: str) -> tuple[str, ...]:
    """What makes an event this one and no other."""
    said = codec.decode(name, native, payload)
    fields = ("source", "trigger", "prompt", "tool_use_id", "agent", "reason") + (
        () if name == "opencode" else ("tool_name", "tool_input")
    )
    return (native, *(str(said[field]) for field in fields))


def once(seen: list[tuple[str, ...]], name: str) -> list[tuple[str, ...]]:
    """Without the repeats that some clients fire in one turn: of its end, of the session's, of a compaction."""
    kept: list[tuple[str, ...]] = []
    turn: set[tuple[str, ...]] = set()
    for one in seen:
        ours = codec.decode(name, one[0], {})["event"]
        if ours in ("Stop", "SessionEnd", "PreCompact"):
            if one in turn:
                continue
            turn.add(one)
        elif ours in ("UserPromptSubmit", "SessionStart"):
            turn.clear()
        kept.append(one)
    return kept


def said_in(server: Model, prompt: str) -> list[str]:
    """The requests whose last word of the person's is `prompt`, of the main agent's."""
    tools = [len(json.dumps(body.get("tools") or "")) for body in server.requests]  # side agents have fewer
    bodies = [body for body, size in zip(server.requests, tools, strict=True) if size == max(tools)]
    texts = [json.dumps(body, ensure_ascii=False) for body in bodies]
    ends = [[(text.rfind(one) + len(one), len(one), one) for one in PROMPTS if one in text] for text in texts]
    return [text for text, found in zip(texts, ends, strict=True) if found and max(found)[2] == prompt]


@pytest.mark.parametrize("name", CLIENTS)
def test_every_event_once_in_order_and_each_note_once(
    name: str, binary: Binary, home: Path, project: Path, memory: memwiki.Memory, linked: Linked, witness: Witness
) -> None:
    (project / "big.md").write_text("".join(f"Line {number} of a long file.\n" for number in range(3000)))
    script = script_for(name, project)
    if name == "qwen":  # else there is too little to compress
        script.append(("read_file", {"file_path": str(project / "big.md")}))
    with model(script) as server:
        driven = client(name, binary, home, project, server)
        witness(name)
        linked(name)
        refresh(memory.home, lambda block: standing(memory.home, block))  # as a sync does
        session = driven.say(ASK)
        driven.say(BYE, session)
        compacted = driven.compact(session)
        driven.say(AGAIN, session)
    assert (project / "notes.md").read_text() == "hello\n"  # the tools ran
    settled(memory.home.spool)
    memory.sync()
    assert [file.name for file in memory.home.spool.iterdir()] == []
    sessions = sorted(memory.sessions(), key=lambda one: one.first_at)
    keys = [one.key for one in sessions if one.key.startswith(name)]
    events = [one for key in keys for one in memory.events(key) if one.event != "Given"]
    seen = witness(name)
    natives = {one["hook_event_name"] for one in seen}
    mine = [identity(name, dict(one.payload), one.native) for one in events if one.native in natives]
    theirs = once([identity(name, one, one["hook_event_name"]) for one in seen], name)
    assert sorted(mine) == sorted(theirs)  # each as often as the client fired it
    if name == "copilot":  # which starts a session and its first prompt at the same time
        mine, theirs = ([one for one in all if one[0] != "sessionStart"] for all in (mine, theirs))
    assert mine == theirs
    assert {one.event for one in events} >= {"SessionStart", "PreToolUse", "PostToolUse", "Stop"}
    assert len([one for one in events if one.event == "UserPromptSubmit" and one.payload.get("prompt") != ""]) >= (
        0 if name == "cline" else 3
    )
    # What the model was given: at each request each note once at most, and there where it should be.
    texts = [json.dumps(body, ensure_ascii=False) for body in server.requests]
    assert all(text.count(BODY) <= 1 and text.count(PROFILE) <= 1 for text in texts)
    if name == "cline":  # takes nothing from hooks but at tools, and reads a rules file
        assert not any(BODY in text for text in texts)
        assert all(text.count(PROFILE) == 1 for text in said_in(server, ASK))
        return
    for prompt in (ASK, AGAIN):
        found = said_in(server, prompt)
        assert found
        assert all((text.count(BODY), text.count(PROFILE)) == (1, 1) for text in found)
    assert all(text.count(PROFILE) == 1 for text in said_in(server, BYE))
    given = [one.payload["path"] for key in keys for one in memory.events(key) if one.event == "Given"]
    times = 2 if compacted or name == "gemini" else 1  # Gemini's history keeps nothing of what hooks said
    assert given.count("tools/staging.md") == times


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", CLIENTS)
def test_a_broken_memwiki_blocks_nothing(
    name: str, fault: str, binary: Binary, home: Path, project: Path, memory: memwiki.Memory, linked: Linked
) -> None:
    with model(script_for(name, project)) as server:
        driven = client(name, binary, home, project, server)
        linked(name)
        broken(memory, fault)
        if fault == "32 at once":
            with busy(memory):
                driven.say(ASK)
        else:
            driven.say(ASK)
    assert (project / "notes.md").read_text() == "hello\n"
    assert any(ASK in json.dumps(body) for body in server.requests)
    if fault == "32 at once":
        settled(memory.home.spool)
        memory.sync()
        counts = {one.key: len(list(memory.events(one.key))) for one in memory.sessions()}
        assert counts["claude/crowd"] % 32 == 0
        assert any(key.startswith(name) and count > 4 for key, count in counts.items())
