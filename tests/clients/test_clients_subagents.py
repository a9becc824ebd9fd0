"""Subagents of the real Claude Code and Codex: the note for their task reaches them, the parent keeps its own set."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import memwiki
from tests.clients.drive import Claude, Codex, settled
from tests.clients.model import Event, Handler, Model, model

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

TASK = "[[plain]] Find out what the staging database is called."
ASK = "please have a helper look at it"
Binary = Callable[[str], Path]


class Spawning(Handler):
    """Plays Codex's call of a subagent."""

    @staticmethod
    def shell(body: Any, command: str) -> Event:
        """The call, in the namespace that the client offers it in."""
        arguments = json.dumps({"task_name": "helper", "message": command, "fork_turns": "none"})
        return {"type": "function_call", "name": "spawn_agent", "namespace": "collaboration", "arguments": arguments}


def once(server: Model) -> None:
    """Play each call of the script one time: a subagent that has ended makes the client ask again."""

    def step(done: int, plain: bool) -> Any:
        return server.script.pop(0) if server.script and not plain and not done else None

    server.step = step  # type: ignore[method-assign]


def childs(server: Model) -> list[str]:
    """The subagent's requests."""
    bodies = [json.dumps(body, ensure_ascii=False) for body in list(server.requests)]
    return [body for body in bodies if TASK in body and ASK not in body]


def played(name: str, binary: Binary, home: Path, project: Path) -> tuple[str, Model]:
    """A session whose agent starts a subagent, then is asked for the same; its id and the model."""
    again = "[[plain]] what is the staging database called?"
    if name == "claude":
        call = {"description": "Look it up", "prompt": TASK, "subagent_type": "general-purpose"}
        with model([("Agent", call)]) as server:
            once(server)
            claude = Claude(binary(name), home, project, server)
            session = str(claude.say(ASK)["session_id"])
            claude.say(again, session)
        return session, server
    with model([TASK]) as server:
        server.RequestHandlerClass = Spawning
        once(server)
        codex = Codex(binary(name), home, project, server)
        codex.configure()
        settings = home / ".codex" / "config.toml"
        settings.write_text(settings.read_text().replace("gpt-5.5", "gpt-6.2-sol"))  # that one offers subagents
        with codex.serve() as editor:
            editor.trust(project)
            session = editor.start(project)
            assert editor.say(session, ASK) == "completed"
            deadline = time.monotonic() + 60  # the subagent goes on when its parent's turn has ended
            while not childs(server) and time.monotonic() < deadline:
                time.sleep(0.2)
        with codex.serve() as editor:
            editor.call("thread/resume", threadId=session)
            assert editor.say(session, again) == "completed"
    return session, server


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_a_subagent_is_given_what_its_task_needs(
    name: str, binary: Binary, home: Path, project: Path, linked: Callable[[str], memwiki.Memory]
) -> None:
    memory = linked(name)
    session, server = played(name, binary, home, project)
    settled(memory.home.spool)
    memory.sync()
    events = list(memory.events(f"{name}/{session}"))
    (agent,) = {one.agent for one in events if one.event == "SubagentStart"}
    bodies = [json.dumps(body, ensure_ascii=False) for body in server.requests]
    assert childs(server) and all(body.count("called heron and listens") == 1 for body in childs(server))
    # The parent was not given it by that; at its own prompt it is.
    assert "called heron and listens" not in next(body for body in bodies if ASK in body)
    last = next(body for body in bodies if "[[plain]] what is the staging" in body)
    assert last.count("called heron and listens") == 1
    given = [(one.agent, one.payload["path"]) for one in events if one.event == "Given"]
    assert given.count((agent, "tools/staging.md")) == 1
    assert given.count(("", "tools/staging.md")) == 1
