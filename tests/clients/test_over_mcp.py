"""Real agents ask `memwiki mcp` for notes and propose one; what they were served is never evidence."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.hosts.link import link
from tests.clients.drive import Claude, Codex, settled
from tests.clients.model import model

pytestmark = pytest.mark.clients
ASKED = {"path": "tools/pnpm", "text": "Use pnpm, never npm.", "why": "The person said so.", "type": "preference"}


def answered(memory: memwiki.Memory, client: str, found: str, proposed: str) -> None:
    """The client was told a note and made a candidate, in one session that is no evidence for more."""
    assert "tools/staging.md" in found and "<memwiki " in found
    (candidate,) = memory.candidates()
    assert candidate.id in proposed and client in candidate.why
    settled(memory.home.spool)
    memory.sync()
    (session,) = memory.sessions()
    tools = [event.payload["tool_name"] for event in memory.events(session.key) if event.event == "PostToolUse"]
    assert tools == ["mcp__memwiki__search", "mcp__memwiki__remember"]
    assert memory.dream(engine="rules").candidates == ()


def test_claude_searches_and_proposes(
    binary: Callable[[str], Path], linked: Callable[[str], memwiki.Memory], home: Path, project: Path
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"allow": ["mcp__memwiki"]}}))
    memory = linked("claude")
    start = {"type": "stdio", "command": sys.executable, "args": ["-m", "memwiki", "mcp", "--host", "claude"]}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"memwiki": start}}))
    script = [("mcp__memwiki__search", {"query": "staging port, British English"}), ("mcp__memwiki__remember", ASKED)]
    with model(script) as server:
        Claude(binary("claude"), home, project, server).say("please look around")
    results = [
        block["content"]
        for message in server.requests[-1]["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]
    found, proposed = (json.dumps(one) for one in results[-2:])
    answered(memory, "claude-code", found, proposed)


def test_codex_searches_and_proposes_by_the_server_that_link_registers(
    binary: Callable[[str], Path], memory: memwiki.Memory, home: Path, project: Path
) -> None:
    script = [
        ("tool_search", {"query": "memwiki search remember"}),
        ("mcp__memwiki__search", {"query": "staging port"}),
        ("mcp__memwiki__remember", ASKED),
    ]
    with model(script) as server:
        codex = Codex(binary("codex"), home, project, server)
        codex.configure()
        assert link(memory.home, "codex", mcp=True).changed
        with codex.serve() as client:
            client.trust(project)
            thread = client.start(project)
            while client.wait("mcpServer/startupStatus/updated")["status"] != "ready":
                pass  # it does not wait for a server before the first turn
            assert client.say(thread, "please look around") == "completed"
    heard = [json.dumps(one) for one in server.requests[-1]["input"] if one.get("type") == "function_call_output"]
    found, proposed = heard
    answered(memory, "codex", found, proposed)
