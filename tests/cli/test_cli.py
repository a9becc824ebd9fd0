"""What holds for every verb: help with an example, exit codes, JSON errors, completion, documentation."""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from memwiki.cli import EVERY_DAY, VERBS, cli

ROOT = Path(__file__).parent.parent.parent
ALL = [verb for section in VERBS.values() for verb in section]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def commands(command: click.Command, name: str) -> list[tuple[str, click.Command]]:
    found = [(name, command)]
    if isinstance(command, click.Group):
        found += [pair for sub, child in command.commands.items() for pair in commands(child, f"{name} {sub}")]
    return found


def every_command() -> list[tuple[str, click.Command]]:
    with click.Context(cli) as ctx:
        return [pair for verb in ALL for pair in commands(cli.get_command(ctx, verb), verb)]  # type: ignore[arg-type]


def test_help_is_one_screen_with_the_commands_of_every_day_first(run: Run) -> None:
    text = run("--help", env={"COLUMNS": "80"}).stdout
    assert run(check=False, env={"COLUMNS": "80"}).stderr.strip() == text.strip()
    lines = text.splitlines()
    assert len(lines) < 24, "the shell's prompt takes the last row"
    assert max(map(len, lines)) <= 80
    at = [next(i for i, line in enumerate(lines) if line.strip().startswith(name)) for name in VERBS]
    assert at == sorted(at)
    for row, verb in enumerate(VERBS[EVERY_DAY], at[0] + 1):
        assert re.fullmatch(rf"  {verb} +[A-Z].+\.", lines[row])
    assert all(re.search(rf"\b{verb}\b", text) for verb in ALL)


@pytest.mark.parametrize("name, command", every_command())
def test_a_commands_help_begins_with_a_short_sentence_and_has_an_example(name: str, command: click.Command) -> None:
    assert command.help is not None
    summary = inspect.cleandoc(command.help).partition("\n\n")[0]
    assert re.fullmatch(r"[A-Z][^.;:\n]{10,68}\.", summary), "one sentence on one line"
    assert f"memwiki {name}" in command.help.partition("Example:")[2]


@pytest.mark.parametrize("name, command", every_command())
def test_no_option_is_wider_than_its_column(name: str, command: click.Command) -> None:
    with click.Context(command) as ctx:
        records = [param.get_help_record(ctx) for param in command.params if isinstance(param, click.Option)]
    assert [record[0] for record in records if record and len(record[0]) > 28] == []


@pytest.mark.parametrize(
    "words, suggestion",
    [(["serach", "x"], "search"), (["review", "aprove", "x"], "approve"), (["config", "gte"], "get")],
)
def test_a_mistyped_command_gets_a_suggestion(run: Run, words: list[str], suggestion: str) -> None:
    failed = run(*words, check=False)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert f"Did you mean '{suggestion}'?" in failed.stderr
    assert "Did you mean" not in run("zzzzzz", check=False).stderr


def test_every_option_says_what_it_is_for() -> None:
    silent = [
        f"{name} {option.opts[0]}"
        for name, command in every_command()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_the_page_of_commands_is_what_help_says() -> None:
    made = subprocess.run(
        [sys.executable, "-c", "import sys; sys.path[:0] = ['docs']; import commands; print(commands.page(), end='')"],
        cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8",
    ).stdout  # fmt: skip
    assert made == (ROOT / "docs" / "commands.md").read_text("utf-8"), "run `python docs/commands.py`"


def test_without_a_home_every_reading_verb_says_to_init(run: Run) -> None:
    failed = run("search", "anything", check=False)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "memwiki init" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_with_json_an_expected_failure_is_an_object(run: Run) -> None:
    failed = run("search", "anything", "--json", check=False)
    assert failed.returncode == 1
    assert set(json.loads(failed.stdout)) == {"error", "remedy"}


def test_wrong_usage_exits_with_2(run: Run) -> None:
    assert run("serach", check=False).returncode == 2
    assert run("search", "--limit", "many", "x", check=False).returncode == 2


def test_a_bug_exits_with_3_and_leaves_its_trace(run: Run, home: Path, tmp_path: Path) -> None:
    run("init")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "sqlite3.py").write_text("raise RuntimeError('this module is broken')\n", "utf-8")
    failed = run("given", "claude/x", check=False, env={"PYTHONPATH": str(broken)})
    assert failed.returncode == 3
    assert "Traceback" not in failed.stderr
    assert "this module is broken" in (home / ".memwiki" / "log" / "bugs.log").read_text("utf-8")


def test_shells_can_complete_verbs(run: Run) -> None:
    done = run(env={"_MEMWIKI_COMPLETE": "bash_source"})
    assert "_memwiki_completion" in done.stdout
    words = run(env={"_MEMWIKI_COMPLETE": "bash_complete", "COMP_WORDS": "memwiki rev", "COMP_CWORD": "1"}).stdout
    assert {"plain,review", "plain,revert"} <= set(words.split())


def test_the_package_is_light_to_import() -> None:
    heavy = {"re", "json", "pathlib", "click", "typing", "git", "anthropic"}
    code = f"import memwiki; print(sorted({heavy!r} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
                         capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert out.strip() == "[]"
