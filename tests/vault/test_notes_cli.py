"""list, show and mv as a person runs them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Plain = Callable[..., str]


@pytest.fixture
def vault(home: Path, run: Run, git: Plain) -> Path:
    run("init")
    top = home / ".memwiki" / "vault"
    notes = {
        "tools/pnpm.md": "---\ntitle: pnpm\ndescription: use pnpm\ntype: preference\ntags: [js]\n---\n- See [[npm]].\n",
        "tools/npm.md": "---\ntype: fact\n---\nReplaced by [[tools/pnpm]] and [gone](gone.md).\n",
        "project/acme-shop/tests.md": "# Tests\n\nRun them by [pnpm](../../tools/pnpm.md).\n",
    }
    for path, text in notes.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Write down what I know")
    run("sync")
    return top


def test_list_by_namespace_prefix_and_type(vault: Path, run: Run) -> None:
    lines = run("list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [
        "NOTE", "project/acme-shop/tests.md", "tools/npm.md", "tools/pnpm.md"
    ]  # fmt: skip
    assert lines[-1].split(maxsplit=2)[1:] == ["preference", "use pnpm"]
    rows = json.loads(run("list", "--in", "tools", "--type", "fact", "--json").stdout)["notes"]
    assert [row["path"] for row in rows] == ["tools/npm.md"]
    assert rows[0]["namespace"] == "tools" and rows[0]["type"] == "fact"
    assert "No such notes" in run("list", "--type", "nothing").stdout


def test_show_a_note_with_links_tags_and_commits(vault: Path, run: Run) -> None:
    text = run("show", "pnpm").stdout
    assert text.startswith("tools/pnpm.md\n") and "- See [[npm]]." in text
    for line in (
        "tags      js",
        "links     tools/npm.md",
        "linked by project/acme-shop/tests.md",
        "linked by tools/npm.md",
    ):
        assert line in text.splitlines()
    assert "Write down what I know" in text
    shown = json.loads(run("show", "tools/npm", "--json").stdout)
    assert shown["broken"] == [{"line": 4, "target": "gone.md"}]
    assert shown["links"] == ["tools/pnpm.md"] == shown["backlinks"]
    assert [commit["subject"] for commit in shown["commits"]] == ["Write down what I know"]


def test_an_agent_is_not_shown_a_note_with_a_secret(vault: Path, run: Run) -> None:
    (vault / "tools/key.md").write_text("The key is AK" + "IA" + "Q3EGRIN7PLXW5TZC.\n")
    assert "AKIA" in run("show", "tools/key").stdout
    refused = run("show", "tools/key", "--host", "codex", check=False)
    assert refused.returncode == 1 and "holds what looks like a secret" in refused.stderr
    assert "AKIA" not in refused.stdout + refused.stderr


def test_show_a_note_as_it_was(vault: Path, run: Run, git: Plain) -> None:
    (vault / "tools" / "pnpm.md").write_text("now\n")
    git(vault, "commit", "-qam", "Change")
    assert "use pnpm" in run("show", "tools/pnpm@HEAD~1").stdout
    assert "now" in run("show", "tools/pnpm.md").stdout
    done = run("show", "tools/pnpm@nowhere", check=False)
    assert done.returncode == 1 and "nowhere names no commit" in done.stderr
    done = run("show", "tools/pnp", check=False)
    assert done.returncode == 1 and "Did you mean tools/pnpm.md" in done.stderr


def test_show_names_the_line_of_broken_frontmatter(vault: Path, run: Run) -> None:
    (vault / "bad.md").write_text("---\ntitle: a: b\n---\nbody\n")
    assert "line 2: mapping values are not allowed" in run("show", "bad").stdout


def test_mv_rewrites_links_in_one_commit(vault: Path, run: Run, git: Plain) -> None:
    commit = json.loads(run("mv", "pnpm", "project/acme-shop/", "--json").stdout)["commit"]
    assert commit == git(vault, "rev-parse", "HEAD").strip()
    assert git(vault, "status", "--porcelain") == ""
    assert (
        (vault / "tools" / "npm.md")
        .read_text()
        .endswith("Replaced by [[project/acme-shop/pnpm]] and [gone](gone.md).\n")
    )
    assert "[pnpm](pnpm.md)" in (vault / "project" / "acme-shop" / "tests.md").read_text()
    shown = json.loads(run("show", "pnpm", "--json").stdout)
    assert shown["backlinks"] == ["project/acme-shop/tests.md", "tools/npm.md"]
    assert [one["subject"] for one in shown["commits"]][-1] == "Write down what I know"
    done = run("mv", "pnpm", "tools/npm", check=False)
    assert done.returncode == 1 and "already" in done.stderr and done.stdout == ""
