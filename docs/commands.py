"""Writes docs/commands.md from the command line's own help: `python docs/commands.py`. A test compares the two."""

import inspect
from pathlib import Path

import click

from memwiki.cli import VERBS, cli

HEAD = """# Commands

Written by `python docs/commands.py` from `--help`. Every verb takes `--help`; most take `--json`, which prints one
object on stdout. Exit codes: 0 done (no result is done too), 1 an expected failure (one sentence and what to do),
2 wrong usage, 3 a bug (its trace is in `~/.memwiki/log/bugs.log`), 130 interrupted. `doctor` exits with 1 when it found
something.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    with click.Context(cli, info_name="memwiki") as top:
        for section, verbs in VERBS.items():
            parts.append(f"\n## {section}\n")
            for verb in verbs:
                command = cli.get_command(top, verb)
                assert command is not None
                parts.append(described(command, f"memwiki {verb}", top))
    return "".join(parts)


def described(command: click.Command, name: str, parent: click.Context) -> str:
    """One command and its subcommands: usage, description, options, examples."""
    with click.Context(command, info_name=name.split()[-1], parent=parent) as ctx:
        usage = command.get_usage(ctx).removeprefix("Usage: ").replace("\n", " ")
        words = inspect.cleandoc(command.help or "").replace("\b\n", "")
        prose, _, example = words.partition("Example:\n")
        text = f"\n### `{' '.join(usage.split())}`\n\n{prose.strip()}\n"
        options = [param for param in command.params if isinstance(param, click.Option)]
        rows = [record for one in options if (record := one.get_help_record(ctx)) and record[0] != "--help"]
        if rows:
            text += "\n| option | |\n| --- | --- |\n"
            text += "".join(f"| `{option}` | {' '.join(what.split())} |\n" for option, what in rows).replace("|N|", "N")
        if example:
            text += "\n```sh\n" + inspect.cleandoc("\n" + example) + "\n```\n"
        if isinstance(command, click.Group):
            for sub in command.list_commands(ctx):
                child = command.get_command(ctx, sub)
                assert child is not None
                text += described(child, f"{name} {sub}", ctx)
    return text


if __name__ == "__main__":
    (Path(__file__).parent / "commands.md").write_text(page(), "utf-8")
