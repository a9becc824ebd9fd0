"""One story over both agents: said in one, dreamed, approved, and given to the other; and back."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from tests.clients.drive import Claude, Codex, settled
from tests.clients.model import Model, model

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

Binary = Callable[[str], Path]


def learned(memory: memwiki.Memory) -> str:
    """Dream over what was said and approve all of it; the texts that are memory now."""
    settled(memory.home.spool)
    report = memory.dream(engine="rules")
    pending = memory.candidates()
    assert pending, report
    for one in pending:
        memory.approve(one.id)
    return "\n".join(memory.read(one.path).text for one in pending)


def given(server: Model, prompt: str) -> str:
    """What stood in memwiki's tags in the request that carried `prompt`."""
    body = next(json.dumps(one, ensure_ascii=False) for one in server.requests if prompt in json.dumps(one))
    return "".join(part.partition("</memwiki>")[0] for part in body.split("<memwiki")[1:])


def test_said_in_one_agent_and_given_to_the_other(
    binary: Binary, home: Path, project: Path, linked: Callable[[str], memwiki.Memory]
) -> None:
    linked("codex")
    memory = linked("claude")
    with model([]) as server:
        claude, codex = (
            Claude(binary("claude"), home, project, server),
            Codex(binary("codex"), home, project, server),
        )
        codex.configure()
        claude.say("In this project we always use pnpm, never npm.")
        assert "pnpm" in learned(memory)
        question = "which package manager installs the dependencies here, pnpm or npm?"
        with codex.serve() as editor:
            editor.trust(project)
            thread = editor.start(project)
            editor.say(thread, question)
            assert "pnpm" in given(server, question)
            editor.say(thread, "Always run the tests with pytest -x before you commit.")
        assert "pytest -x" in learned(memory)
        question = "how should I run the tests with pytest before a commit?"
        claude.say(question)
        assert "pytest -x" in given(server, question)
