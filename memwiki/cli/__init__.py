"""The command line: a thin skin over `memwiki.open()`, one file a verb, loaded when called."""

import importlib
import io
import keyword
import os
import sys
import traceback
from typing import Any

import click

from ..errors import MemwikiError
from ..text import utc
from .output import as_json_text, echo

# What a person wants to do -> verb -> one line. The file of a verb is cli/<verb>.py and holds `command`.
VERBS: dict[str, dict[str, str]] = {
    "Set up": {
        "init": "make the home and the vault, or adopt a folder of notes",
        "link": "register memwiki in your coding agents",
        "unlink": "take the registration back",
        "uninstall": "unlink everything and say what remains where",
        "config": "read and change settings",
        "doctor": "find what is wrong and say how to mend it",
    },
    "Use the memory": {
        "search": "find notes",
        "list": "list notes by namespace",
        "show": "show a note with its links and history",
        "recall": "what a prompt would be given, and why",
        "mv": "rename a note and rewrite the links to it",
        "forget": "remove a note",
    },
    "Learn and review": {
        "dream": "distil events into candidates",
        "review": "approve, edit or reject candidates",
        "why": "trace a line of a note to the words it rests on",
        "impact": "what a note has led to",
        "related": "what belongs to a note",
        "given": "what a session was given",
        "revert": "undo an approved candidate",
    },
    "See what happens": {
        "status": "the whole pipeline on one screen",
        "recap": "the last sessions of a project, in a few lines",
        "log": "sessions and their events",
        "sync": "drain the spool and index what changed",
        "watch": "sync whenever something changes",
        "graph": "a part of the graph as a picture",
        "cypher": "ask Neo4j anything",
        "import": "take in transcripts of finished sessions",
        "pause": "stop capture and recall",
        "resume": "start them again",
    },
    "For hosts": {
        "hook": "one hook call from stdin",
        "mcp": "serve the memory to an agent over MCP",
    },
}


class Verbs(click.Group):
    """Looks a verb up in VERBS and imports its file only then; help is printed by section."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the table."""
        return [verb for section in VERBS.values() for verb in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command object of `cmd_name`, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name  # `import` is a word of Python's
        module = importlib.import_module(f".{name}", __name__)
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Sections of verbs, without importing any of them."""
        for section, verbs in VERBS.items():
            with formatter.section(section):
                formatter.write_dl(list(verbs.items()))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="memwiki", message="memwiki %(version)s")
def cli() -> None:
    """One memory under all your coding agents: markdown notes in git that you review, own and edit.

    \b
    Shell completion:  eval "$(_MEMWIKI_COMPLETE=bash_source memwiki)"   (zsh_source, fish_source)
    """


def main(args: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 expected failure, 2 usage, 3 a bug, 130 interrupted."""
    try:
        code = cli.main(args, prog_name="memwiki", standalone_mode=False)
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(file=shown)
        echo(shown.getvalue(), err=True, nl=False)
        code = error.exit_code
    except MemwikiError as error:
        _say(error)
        code = 1
    except BrokenPipeError:  # `memwiki log | head` is no failure
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception:
        _bug()
        code = 3
    sys.exit(code if isinstance(code, int) else 0)


def _say(error: MemwikiError) -> None:
    """One sentence and what to do: on stderr, or as one JSON object on stdout when `--json` was asked for."""
    if not _as_json(error.message, error.remedy):
        echo(f"memwiki: {error.message}\n{error.remedy}".rstrip(), err=True)


def _as_json(message: str, remedy: str) -> bool:
    """The failure as one JSON object on stdout, if `--json` was asked for; whether it was."""
    if "--json" not in sys.argv:
        return False
    echo(as_json_text({"error": message, "remedy": remedy}))
    return True


def _bug() -> None:
    """Keep the traceback in `log/bugs.log`, redacted of nothing: it stays on this machine."""
    from ..config import find_home

    trace: Any = traceback.format_exc()
    log = find_home().log / "bugs.log"
    try:
        with log.open("a", encoding="utf-8") as out:
            out.write(f"{utc()} memwiki {' '.join(sys.argv[1:2])}\n{trace}\n")
    except OSError:
        echo(trace, err=True)
        return
    if not _as_json("This is a bug in memwiki.", f"Its trace is in {log}."):
        echo(f"memwiki: this is a bug in memwiki; its trace is in {log}.", err=True)
