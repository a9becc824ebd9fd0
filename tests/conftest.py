"""What every test stands on: a throw-away HOME and MEMWIKI_HOME, a scrubbed environment, real git."""

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from memwiki.hosts.shells import MARKS

HERE = Path(__file__).parent
CASES = HERE / "cases"
PAYLOADS = HERE / "payloads"
REPOSITORY = HERE.parent
SHARED = REPOSITORY.parent / "shared"
AGENTS = tuple(variable for variables in MARKS.values() for variable in variables)
FOREIGN = (*AGENTS, "GIT_", "MEMWIKI_", "ANTHROPIC_", "CLAUDE", "CLINE_", "CODEX_", "CURSOR_", "GEMINI_", "XDG_")


def pytest_configure() -> None:
    """Drop whatever the caller's shell exports before any test module is imported."""
    for name in list(os.environ):
        if name.startswith(FOREIGN) and not name.startswith("MEMWIKI_TEST_"):
            del os.environ[name]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty HOME below tmp_path with a git identity; MEMWIKI_HOME points to `HOME/.memwiki` (not made yet)."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("MEMWIKI_HOME", str(folder / ".memwiki"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    (folder / ".gitconfig").write_text(
        "[user]\n\tname = Ada Example\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n", "utf-8"
    )
    yield folder


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `memwiki ARGS` as a real process; `check=True` fails the test on a non-zero exit and shows the output."""

    def memwiki(
        *args: str,
        check: bool = True,
        input: str | None = None,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        timeout: float = 120,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "memwiki", *args],
            input=input,
            cwd=cwd or tmp_path,
            timeout=timeout,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert not check or done.returncode == 0, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return memwiki


@pytest.fixture
def git() -> Callable[..., str]:
    """`git(folder, *args)`: plain git as a person would run it; its stdout."""

    def plain(folder: Path, *args: str, check: bool = True, input: str | None = None) -> str:
        done = subprocess.run(["git", "-C", str(folder), *args], input=input, capture_output=True, text=True)
        assert not check or done.returncode == 0, f"git {args}: {done.stderr}"
        return done.stdout

    return plain


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI nothing is skipped, but what rests on material beside the checkout: a missing tool is a failure there."""
    report = yield
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if "beside the checkout" not in reason:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} was skipped in CI: {reason}"
    return report
