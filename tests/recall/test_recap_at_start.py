"""`recall.recap = start`: a session begins with what the last ones in this project were about."""

import json
import subprocess
from pathlib import Path

import pytest

import memwiki


def start(home: Path, folder: Path, session: str, source: str) -> str:
    payload = {"session_id": session, "cwd": str(folder), "hook_event_name": "SessionStart", "source": source}
    hook = home / ".memwiki" / "bin" / "hook"
    done = subprocess.run([hook, "codex", "SessionStart"], input=json.dumps(payload), capture_output=True, text=True)
    assert done.returncode == 0
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout.strip("{}\n") else ""


@pytest.fixture
def project(home: Path, tmp_path: Path) -> Path:
    memwiki.setup()
    folder = tmp_path / "shop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    with memwiki.open() as m:
        (m.config.vault / "profile" / "me.md").write_text("- Short answers.\n", "utf-8")
        m.append("claude", "UserPromptSubmit", {"session_id": "s1", "cwd": str(folder), "prompt": "mend the checkout"})
        m.append("claude", "Stop", {"session_id": "s1", "cwd": str(folder), "last_assistant_message": "Mended."})
        m.sync()
    return folder


def test_it_is_off_unless_asked_for(project: Path, home: Path) -> None:
    assert "checkout" not in start(home, project, "c1", "startup")


def test_a_start_gives_it_inside_our_tag_and_a_resume_does_not(project: Path, home: Path) -> None:
    with memwiki.open() as m:
        m.set("recall.recap", "start")
    text = start(home, project, "c1", "startup")
    assert "mend the checkout" in text and "Mended." in text
    assert text.startswith("<memwiki ") and text.rstrip().endswith("</memwiki>")
    assert "Short answers" in text
    assert "checkout" not in start(home, project, "c1", "resume")
    assert "checkout" in start(home, project, "c2", "startup")


def test_another_project_is_not_told(project: Path, home: Path, tmp_path: Path) -> None:
    with memwiki.open() as m:
        m.set("recall.recap", "start")
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    assert "checkout" not in start(home, other, "c1", "startup")
