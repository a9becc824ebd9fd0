"""What every verb owes: `--json`, an example in its help, one sentence and a remedy when something is missing."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from memwiki.cli import cli

Run = Callable[..., subprocess.CompletedProcess[str]]
SPEAKS_OTHERWISE = {"hook", "mcp", "web"}  # a host, an agent, a browser is on the other side


def verbs(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield (*path, name), found
        if isinstance(found, click.Group):
            yield from verbs(found, (*path, name))


VERBS = dict(verbs(cli))


@pytest.mark.parametrize("path", VERBS, ids=" ".join)
def test_every_verb_has_json_and_an_example(path: tuple[str, ...]) -> None:
    verb = VERBS[path]
    names = {option for parameter in verb.params for option in parameter.opts}
    alone = not isinstance(verb, click.Group) or verb.invoke_without_command
    assert "--json" in names or path[0] in SPEAKS_OTHERWISE or not alone
    assert len(path) > 1 or "Example:" in (verb.help or "")


def test_settings_are_for_hosts_that_there_are_and_may_begin_with_a_minus(run: Run) -> None:
    run("init")
    assert run("config", "set", "recall.max_bytes", "500", "--host", "nobody", check=False).returncode == 2
    refused = run("config", "set", "recall.max_bytes", "-5", check=False)
    assert refused.returncode == 1 and "not valid" in refused.stderr
    shown = json.loads(run("config", "set", "recall.max_bytes", "500", "--host", "codex", "--json").stdout)
    assert shown == {"key": "recall.max_bytes", "value": 500}
    assert json.loads(run("config", "unset", "recall.max_bytes", "--host", "codex", "--json").stdout)["value"] == 9500


def test_review_answers_in_json_without_asking(run: Run) -> None:
    run("init")
    made = json.loads(run("review", "add", "tools/uv", "--text", "-", "--json", input="# uv\n\n- use uv\n").stdout)
    assert [one["id"] for one in json.loads(run("review", "--json").stdout)["candidates"]] == [made["id"]]
    edited = json.loads(run("review", "edit", made["id"], "--json", env={"EDITOR": "sed -i s/use/take/"}).stdout)
    assert [one["id"] for one in edited["approved"]] == [made["id"]]


@pytest.mark.parametrize("words", [("status",), ("review", "approve", "x"), ("recall", "x"), ("sync",), ("log",)])
def test_without_a_home_one_sentence_and_what_to_do(run: Run, words: tuple[str, ...], home: Path) -> None:
    said = run(*words, check=False)
    assert said.returncode == 1 and said.stderr.endswith("Run `memwiki init`.\n")
    as_json = run(*words, "--json", check=False)
    assert as_json.returncode == 1 and json.loads(as_json.stdout)["remedy"] == "Run `memwiki init`."
    assert not (home / ".memwiki").exists()
