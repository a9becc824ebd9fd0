"""What holds for every verb: help with an example, exit codes, JSON errors, completion, documentation."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from memwiki.cli import VERBS, cli

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


def test_help_lists_the_verbs_by_what_a_person_wants(run: Run) -> None:
    text = run("--help").stdout
    assert all(f"{section}:" in text for section in VERBS)
    assert all(f"  {verb} " in text for verb in ALL)


@pytest.mark.parametrize("verb", ALL)
def test_a_verbs_help_has_an_example(verb: str) -> None:
    with click.Context(cli) as ctx:
        command = cli.get_command(ctx, verb)
    assert command is not None and command.help is not None
    assert "Example:" in command.help
    assert f"memwiki {verb}" in command.help.split("Example:")[1]


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


def test_a_bug_exits_with_3_and_leaves_its_trace(run: Run, home: Path) -> None:
    run("init")
    (home / ".memwiki" / "journal").rmdir()
    (home / ".memwiki" / "journal").touch()
    failed = run("given", "claude/x", check=False)
    assert failed.returncode == 3
    assert "Traceback" not in failed.stderr
    assert "NotADirectoryError" in (home / ".memwiki" / "log" / "bugs.log").read_text("utf-8")


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
