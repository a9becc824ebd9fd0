"""`memwiki revert` and `memwiki forget` as a person runs them."""

import json
from pathlib import Path


def test_revert_and_forget(run, git, home: Path) -> None:
    run("init")
    vault = home / ".memwiki/vault"
    note = "---\ntitle: pnpm\ntype: preference\n---\n- Use pnpm.\n"
    run("review", "add", "tools/pnpm.md", "--text", "-", "--why", "agreed", input=note)
    (one,) = json.loads(run("review", "list", "--json").stdout)["candidates"]
    failed = run("revert", one["id"], check=False)
    assert failed.returncode == 1 and "is pending" in failed.stderr
    run("review", "approve", one["id"])
    assert (vault / "tools/pnpm.md").read_text() == note
    done = json.loads(run("revert", one["id"][:6], "--json").stdout)
    assert done["commit"] == git(vault, "rev-parse", "main").strip()
    assert not (vault / "tools/pnpm.md").exists()
    (one,) = json.loads(run("review", "list", "--state", "reverted", "--json").stdout)["candidates"]
    run("review", "approve", one["id"])
    said = run("forget", "pnpm", "--why", "we moved on").stdout
    assert not (vault / "tools/pnpm.md").exists() and "`git revert " in said
    git(vault, "revert", "--no-edit", "HEAD")
    assert (vault / "tools/pnpm.md").read_text() == note
    missing = run("forget", "nothing", "--json", check=False)
    assert missing.returncode == 1 and json.loads(missing.stdout)["error"]
    assert git(vault, "status", "--porcelain") == ""
