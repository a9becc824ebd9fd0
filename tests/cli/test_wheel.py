"""The built wheel works outside the checkout: hooks and the vault's template are inside, byte-compiled or not."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


def test_hooks_template_and_types_are_inside_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("data/hooks/hook", "data/hooks/launch", "data/hooks/claude.json", "data/vault-template/README.md",
                   "data/vault-template/.gitattributes", "py.typed"):  # fmt: skip
        assert f"memwiki/{wanted}" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "benchmarks"))]


@pytest.mark.parametrize("compiled", ["--compile", "--no-compile"])
def test_the_loop_runs_from_an_installed_wheel(wheel: Path, compiled: str, home: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", compiled]
    subprocess.run([*pip, "--target", str(place), str(wheel)], check=True, capture_output=True)
    env = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}

    def memwiki(*args: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "memwiki", *args], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = [sys.executable, "-c", "import memwiki; print(memwiki.__file__)"]
    assert str(place) in subprocess.run(where, env=env, cwd=tmp_path, capture_output=True, text=True).stdout
    memwiki("init")
    memwiki("link", "claude")
    note = home / ".memwiki" / "vault" / "tools" / "pnpm.md"
    note.write_text("# pnpm\n\n- Use pnpm for dependencies, never npm.\n", "utf-8")
    memwiki("sync")
    registered = json.loads((home / ".claude" / "settings.json").read_text("utf-8"))["hooks"]["UserPromptSubmit"]
    prompt = {"session_id": "s1", "cwd": str(tmp_path), "hook_event_name": "UserPromptSubmit",
              "prompt": "install the dependencies with pnpm or npm please"}  # fmt: skip
    plain = {name: value for name, value in env.items() if name != "PYTHONPATH"}
    answer = subprocess.run(
        ["sh", "-c", registered[0]["hooks"][0]["command"]], input=json.dumps(prompt), env=plain, cwd=tmp_path,
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "never npm" in json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    memwiki("sync")
    said = json.loads(memwiki("log", "claude/s1", "--json"))["events"]
    assert said[0]["event"] == "UserPromptSubmit"
