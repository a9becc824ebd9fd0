"""Terminals, pipes and locales of any encoding, streams that are closed or full, and a shell without a home."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
TEXT = "Größe: nutze immer pnpm 日本語 für den Laden → nie npm.\n"
MEMWIKI = f"{sys.executable} -m memwiki"


@pytest.fixture
def started(run: Run, home: Path, git: Callable[..., str]) -> Run:
    """A vault with a note whose name and text are not ASCII."""
    run("init")
    vault = home / ".memwiki" / "vault"
    (vault / "tools").mkdir(exist_ok=True)
    (vault / "tools" / "größe.md").write_text(TEXT, "utf-8")
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "notes")
    run("sync")
    return run


@pytest.mark.parametrize("encoding", ["cp1252", "iso-8859-1", "gbk", "ascii"])
def test_case_71_an_output_of_any_encoding(started: Run, encoding: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}

    def said(*args: str) -> str:
        command = [sys.executable, "-m", "memwiki", *args]
        done = subprocess.run(command, env=env, capture_output=True, timeout=60)
        assert done.returncode == 0, (args, done.stdout, done.stderr)
        return done.stdout.decode(encoding)

    assert "tools/" in said("list")
    shown = said("show", "tools/größe")
    assert "pnpm" in shown
    assert ("日本語" in shown) == (encoding == "gbk")
    assert ("\\u65e5" in shown) == (encoding != "gbk")
    listed = said("list", "--json")
    assert listed.isascii()
    assert json.loads(listed)["notes"][-1]["path"] == "tools/größe.md"


@pytest.mark.parametrize(("name", "charset"), [("de_DE", "ISO-8859-1"), ("zh_CN", "GBK")])
def test_case_71_a_locale_of_another_encoding(
    started: Run, home: Path, tmp_path: Path, git: Callable[..., str], name: str, charset: str
) -> None:
    if shutil.which("localedef") is None:
        pytest.skip("no localedef")
    made = tmp_path / f"{name}.{charset}"
    done = subprocess.run(["localedef", "-i", name, "-f", charset, str(made)], capture_output=True)
    if done.returncode > 1:  # 1: with warnings
        pytest.skip("this system has no sources of locales")
    other = {"LOCPATH": str(tmp_path), "LC_ALL": made.name}
    vault = home / ".memwiki" / "vault"
    (vault / "tools" / "größe-日本.md").write_text(TEXT, "utf-8")
    (vault / "tools" / "ключ.md").write_text("Nie npm.\n", "utf-8")
    started("sync", env=other)
    paths = [one["path"] for one in json.loads(started("list", "--json").stdout)["notes"]]
    assert {"tools/größe.md", "tools/größe-日本.md"} <= set(paths)
    (vault / "tools" / "größe.md").write_text("Nie yarn.\n", "utf-8")
    started("sync", "--full", env=other)
    env = {**os.environ, **other}
    payload = json.dumps({"session_id": "s", "cwd": str(home), "prompt": "nie yarn bitte"}).encode()
    hook = [str(home / ".memwiki" / "bin" / "hook"), "claude", "UserPromptSubmit"]
    answer = subprocess.run(hook, input=payload, env=env, capture_output=True, timeout=60).stdout.decode("utf-8")
    assert "Nie yarn." in json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    git(vault, "add", "-A")
    git(vault, "commit", "-qm", "more")
    shown = "tools/größe" if charset == "ISO-8859-1" else "tools/ключ"
    for args in (["show", shown], ["why", f"{shown}:1"], ["forget", shown]):
        words = [sys.executable.encode(), b"-m", b"memwiki", *(word.encode(charset, "replace") for word in args)]
        done = subprocess.run(words, env=env, capture_output=True, timeout=60)
        assert done.returncode == 0, (args, done.stdout, done.stderr)
    assert not (vault / f"{shown}.md").exists()


@pytest.mark.parametrize(
    ("redirection", "code", "words"),
    [
        (">&-", 0, ""),
        (">&- 2>&- <&-", 0, ""),
        (">/dev/full", 1, "memwiki: The output cannot be written: No space left on device.\n"),
        ("| true", 0, ""),
        ("--json >/dev/full", 1, "memwiki: The output cannot be written: No space left on device.\n"),
    ],
)
def test_an_output_that_takes_nothing(started: Run, redirection: str, code: int, words: str) -> None:
    for verb in ("list", "status", "link"):
        shell = ["bash", "-c", f"set -o pipefail; {MEMWIKI} {verb} {redirection}"]
        done = subprocess.run(shell, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (code, words), verb


@pytest.mark.parametrize("value", [None, "", "relative/home"])
def test_without_a_home_the_accounts_own_is_used(started: Run, home: Path, value: str | None) -> None:
    from memwiki.files import user_folder

    words = f"export MEMWIKI_HOME={home}/.memwiki; unset HOME; {'' if value is None else f'export HOME={value!r};'}"
    done = subprocess.run(
        ["sh", "-c", f"{words} {MEMWIKI} list && {MEMWIKI} link && {MEMWIKI} doctor"],
        capture_output=True,
        text=True,
        cwd=home,
        timeout=120,
    )
    assert "tools/größe" in done.stdout, done.stderr
    assert done.returncode in (0, 1)
    assert "bug in memwiki" not in done.stderr
    assert not (home / "relative").exists()
    assert user_folder() == home


def test_a_working_directory_that_is_gone(started: Run, tmp_path: Path) -> None:
    for verb in ("list", "doctor", "status", "recap", "recall pnpm", "search pnpm", "link claude --project .", "sync"):
        shell = f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && {MEMWIKI} {verb}"
        done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1), (verb, done.stderr)
        assert len(done.stderr.splitlines()) <= 2, verb
