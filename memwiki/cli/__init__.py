"""The command line: a thin skin over `memwiki.open()`, one file a verb, loaded when called."""

import errno
import importlib
import io
import keyword
import os
import sys
import traceback
from contextlib import suppress
from typing import Any

import click

from ..errors import MemwikiError
from ..text import utc
from .output import OutputError, as_json_text, echo, written

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
        "alias": "keep a project's notes when its key has changed",
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
    _open_streams()
    code = 0
    try:
        code = _run(args)
        with written():
            sys.stdout.flush()
    except OutputError as error:
        code = code or _lost(error)
    sys.exit(code)


def _run(args: list[str] | None) -> int:
    """Run one command; its exit code, when what there is to say has been said."""
    try:
        code = cli.main(args, prog_name="memwiki", standalone_mode=False)
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        _show_usage(error)
        return error.exit_code
    except MemwikiError as error:
        _say(error)
        return 1
    except OutputError:
        raise
    except SystemExit:  # click's way where its own help meets a closed pipe
        return _lost(None)
    except OSError as error:
        _say(_of_the_system(error))
        return 1
    except Exception:
        _bug()
        return 3
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """Let standard streams take any text: what their encoding lacks is escaped. A closed one becomes /dev/null."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # closed; else the next file that is opened would get its number
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _lost(error: OutputError | None) -> int:
    """Give up stdout, with the reason on stderr; the exit code. A reader that has gone (`| head`) is no failure."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if error is None or error.errno == errno.EPIPE:
        return 0
    with suppress(OutputError):  # stderr is full, too
        echo(f"memwiki: The output cannot be written: {error}.", err=True)
    return 1


def _of_the_system(error: OSError) -> MemwikiError:
    """What the disk, its permissions or its limits did not allow, with what to do about it."""
    file = f"{os.fsdecode(error.filename)!r}: " if isinstance(error.filename, str | bytes) else ""
    remedy = _REMEDIES.get(error.errno or 0, "Run `memwiki doctor`, which looks for what is wrong.")
    return MemwikiError(f"The system refused {file}{error.strerror or error}.", remedy)


_PERMISSIONS = "Change its permissions, or run memwiki as the user that owns it."
_REMEDIES = {
    errno.EACCES: _PERMISSIONS,
    errno.EPERM: _PERMISSIONS,
    errno.EROFS: "Make the file system writable.",
    errno.ENOSPC: "Free some space.",
    errno.EDQUOT: "Free some space.",
    errno.EFBIG: "Raise the limit of a file's size.",
    errno.EMFILE: "Raise the limit of open files.",
    errno.ENAMETOOLONG: "Give a shorter name.",
    errno.ELOOP: "Remove the symbolic link that leads back to itself.",
}


def _show_usage(error: click.ClickException) -> None:
    """Wrong usage: click's lines on stderr, or one JSON object on stdout when `--json` was asked for."""
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "memwiki"
    if not _as_json(error.format_message(), f"`{command} --help` shows how to call it."):
        shown = io.StringIO()
        error.show(file=shown)
        echo(shown.getvalue(), err=True, nl=False)


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
