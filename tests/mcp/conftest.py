"""A memory with a few notes, and the SDK's own client talking to `memwiki mcp` as a real process."""

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

import memwiki
from memwiki.init import init

SECRET = "AK" + "IA" + "Q3EGRIN7PLXW5TZC"
NOTES = {
    "tools/staging.md": "---\ntitle: Staging database\ndescription: The staging database is called heron\ntype: fact\n"
    "---\n- The staging database is called heron.\n- It listens on port 6543.\n",
    "profile/language.md": "---\ntitle: Language\ntype: preference\n---\n- Answer in British English.\n",
    "tools/deploy.md": f"---\ntitle: Deploys\ntype: fact\n---\n- Deploy with the staging key {SECRET}.\n",
    "tools/party.md": "---\ntitle: Party\n---\n- The staging party is in May.\n"
    "<private>\nthe staging surprise is a boat\n</private>\n",
}


@pytest.fixture
def memory(home: Path, git: Callable[..., str]) -> memwiki.Memory:
    """A home whose vault has NOTES, committed and synced."""
    vault = init().vault
    for path, text in NOTES.items():
        (vault / path).parent.mkdir(exist_ok=True)
        (vault / path).write_text(text, "utf-8")
    git(vault, "add", ".")
    git(vault, "commit", "-q", "-m", "notes")
    opened = memwiki.open()
    opened.sync()
    return opened


@pytest.fixture
def project(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A repository with a remote, for an agent to work in."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


Asked = Callable[[Client], Awaitable[None]]


@pytest.fixture
def serve(project: Path) -> Callable[..., None]:
    """`serve(work)`: start `memwiki mcp` in the project, run the coroutine `work(client)`, and stop it by EOF.

    With `host`, the server is that agent's.
    """

    def served(work: Asked, host: str = "") -> None:
        args = ["-m", "memwiki", "mcp", *(["--host", host] if host else [])]
        start = StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ), cwd=project)

        async def main() -> None:
            async with Client(start) as client:
                await work(client)

        anyio.run(main)

    return served


@pytest.fixture
def ask(serve: Callable[..., None]) -> Callable[..., list[tuple[str, bool]]]:
    """`ask(("search", {...}), ...)`: call tools one after the other in one session; (text, whether it is an error)."""

    def asked(*calls: tuple[str, dict[str, object]], host: str = "") -> list[tuple[str, bool]]:
        answers: list[tuple[str, bool]] = []

        async def work(client: Client) -> None:
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                answers.append((result.content[0].text, bool(result.is_error)))

        serve(work, host)
        return answers

    return asked
