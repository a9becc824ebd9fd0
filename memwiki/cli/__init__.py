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
from .group import Group
from .output import OutputError, as_json_text, echo, say, written

# Section -> its commands. The file of a command is cli/<name>.py and holds `command`.
EVERY_DAY = "Every day"
VERBS: dict[str, tuple[str, ...]] = {
    EVERY_DAY: ("status", "dream", "review", "search", "recall"),
    "Set up": ("init", "link", "unlink", "uninstall", "config", "doctor"),
    "Notes": ("list", "show", "why", "related", "impact", "mv", "alias", "forget", "revert"),
    "Sessions": ("recap", "log", "given", "import", "pause", "resume"),
    "Index and graph": ("sync", "watch", "graph", "cypher"),
    "For agents": ("hook", "mcp"),
}


class Verbs(Group):
    """Looks a command up in VERBS and imports its file only then; help fits one screen of 24 rows."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the table."""
        return [verb for section in VERBS.values() for verb in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command object of `cmd_name`, or None."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module_name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name  # such as `import`
        module = importlib.import_module(f".{module_name}", __name__)
        command: click.Command = module.command
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands come first, then the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One sentence for each command of every day, and only the names of the others."""
        everyday = [(verb, self.get_command(ctx, verb)) for verb in VERBS[EVERY_DAY]]
        rows = [(verb, command.get_short_help_str(70)) for verb, command in everyday if command]
        with formatter.section(EVERY_DAY):
            formatter.write_dl(rows)
        others = [(name, ", ".join(verbs)) for name, verbs in VERBS.items() if name != EVERY_DAY]
        with formatter.section("Other commands"):
            formatter.write_dl(others)


_EPILOG = """`memwiki COMMAND --help` describes a command and gives an example."""


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EPILOG)
@click.version_option(package_name="memwiki", message="memwiki %(version)s")
def cli() -> None:
    """One memory under all your coding agents: notes that you review and own."""


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
    """Give up stdout, with the reason on stderr; the exit code. A reader that has gone (`| head`) is not a failure."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if error is None or error.errno == errno.EPIPE:
        return 0
    with suppress(OutputError):  # stderr is full, too
        echo(f"memwiki: The output cannot be written: {error}.", err=True)
    return 1


def _of_the_system(error: OSError) -> MemwikiError:
    """What the disk, its permissions or its limits did not allow, with what to do about it."""
    file = f"{os.fsdecode(error.filename)!r}: " if isinstance(error.filename, str | bytes) else ""
    remedy = _REMEDIES.get(error.errno or 0, "Run `memwiki doctor`, which looks for the cause.")
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
    """Show wrong usage: click's lines on stderr, or one JSON object on stdout when `--json` was asked for."""
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "memwiki"
    if not _as_json(error.format_message(), f"`{command} --help` shows how to call it."):
        shown = io.StringIO()
        error.show(file=shown)
        echo(shown.getvalue(), err=True, nl=False)


def _say(error: MemwikiError) -> None:
    """One sentence and what to do: on stderr, or as one JSON object on stdout when `--json` was asked for."""
    if not _as_json(error.message, error.remedy):
        say(f"memwiki: {error.message}", err=True)
        if error.remedy:
            say(error.remedy, err=True)


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
        echo(f"memwiki: This is a bug in memwiki. Its trace is in {log}.", err=True)
