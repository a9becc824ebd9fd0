"""What the documentation shows is run: console blocks line by line, Python blocks of the API page in one go."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "docs" / "demo" / "claude.jsonl"
PAGES = sorted(page for page in (ROOT / "docs").glob("**/*.md") if "```console" in page.read_text("utf-8"))
Run = Callable[..., "subprocess.CompletedProcess[str]"]
Git = Callable[..., str]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def lived_in(run: Run, git: Git, home: Path, tmp_path: Path) -> dict[str, str]:
    """A home as a week of use leaves it: three notes, an approved candidate, pending ones; the shell's variables."""
    run("init")
    vault = home / ".memwiki" / "vault"
    (vault / "tools" / "pnpm.md").write_text("# pnpm\n\n- Use pnpm for everything; see [[money]].\n", "utf-8")
    (vault / "project" / "acme-shop").mkdir()
    (vault / "project" / "acme-shop" / "money.md").write_text("# Money\n\n- Amounts are integer cents.\n", "utf-8")
    (vault / "profile" / "answers.md").write_text("# Answers\n\n- Short, without a summary.\n", "utf-8")
    git(vault, "add", ".")
    git(vault, "commit", "-qm", "Write down what I know")
    project = tmp_path / "shop"
    project.mkdir()
    git(project, "init", "-q")
    git(project, "remote", "add", "origin", "https://github.com/acme/shop.git")
    for line in DEMO.read_text("utf-8").replace("@PROJECT@", str(project)).splitlines():
        payload = json.loads(line)
        event = payload.pop("event")
        payload |= {"session_id": "b1f0c0de", "cwd": str(project), "hook_event_name": event}
        run("hook", "claude", event, input=json.dumps(payload), cwd=project)
    run("dream", "--engine", "rules", cwd=project)
    pending = json.loads(run("review", "list", "--json").stdout)["candidates"]
    assert len(pending) >= 3, "the demo's session must leave something to review"
    run("review", "approve", pending[0]["id"])
    words = {"ID": pending[1]["id"], "OTHER": pending[2]["id"], "APPROVED": pending[0]["id"]}
    words |= {"RUN": pending[0]["run"], "SESSION": "claude/b1f0c0de", "NOTE": "tools/pnpm"}
    return {**words, "VAULT": str(vault), "PROJECT": str(project)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_in_a_console_block_works(
    page: Path, lived_in: dict[str, str], tmp_path: Path, home: Path, run: Run
) -> None:
    """Lines that begin with `$ ` are run in order, in the project; a capital word such as ID stands for a real one."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "memwiki").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memwiki "$@"\n', "utf-8")
    (tools / "memwiki").chmod(0o755)
    env = {**os.environ, **lived_in, "PATH": f"{tools}:{os.environ['PATH']}", "EDITOR": "sed -i.orig -e 's/$/ /'"}
    lines = [line for block in blocks(page, "console") for line in block.splitlines()]
    assert any(line.startswith("$ ") for line in lines)
    for line in lines:
        if not line.startswith("$ "):
            continue
        command = re.sub(r"(?<![\w$/-])(ID|OTHER|APPROVED|RUN|SESSION|NOTE)(?!\w)", lambda m: lived_in[m[1]], line[2:])
        done = subprocess.run(
            ["sh", "-c", command], cwd=lived_in["PROJECT"], env=env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, f"{page.name}: {line}\n{done.stdout}\n{done.stderr}"


def test_the_api_page_runs_from_top_to_bottom(home: Path, tmp_path: Path) -> None:
    code = "\n".join(blocks(ROOT / "docs" / "api.md", "python"))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "tools/pnpm.md" in done.stdout


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`\n]+`", "", page.read_text("utf-8")))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_every_dependency_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8").lower()
    names = [re.split(r"[<>=\[ ]", one)[0].lower() for one in project["dependencies"]]
    assert [name for name in names if name not in reasons] == []
