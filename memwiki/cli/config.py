"""`memwiki config`: read and change settings."""

import sys

import click

from ..settings import SECRET_KEYS, SETTINGS
from .decision import ask_person
from .group import Group
from .output import ask, echo, emit, host_option, json_option, memory, table

_GUARDED = ("review.agents",)  # settings that let an agent take the user's decisions


@click.group(cls=Group)
def command() -> None:
    """Read and change settings.

    They are in `config.toml` in the home. An environment variable named MEMWIKI_... wins over the file.

    \b
    Example:
      memwiki config set recall.max_bytes 4000 --host codex
    """


_host = host_option("Only for this agent.")
_project = click.option(
    "--project", default="", metavar="KEY", help="Only for this project, named by its key as in `memwiki log`."
)


@command.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List every setting with its value and its meaning.

    \b
    Example:
      memwiki config list
    """
    config = memory().config
    shown = {key: "(set)" if key in SECRET_KEYS and config.get(key) else config.get(key) for key in SETTINGS}
    if as_json:
        emit({"settings": shown})
    else:
        table(("setting", "value", "meaning"), ((key, shown[key], SETTINGS[key].help) for key in SETTINGS))


@command.command()
@click.argument("key")
@_host
@_project
@json_option
def get(key: str, host: str | None, project: str, as_json: bool) -> None:
    """Print one setting.

    \b
    Example:
      memwiki config get recall.max_bytes --host codex
    """
    _show(key, host or "", project, as_json)


@command.command("set", context_settings={"ignore_unknown_options": True})  # a VALUE may begin with a minus
@click.argument("key")
@click.argument("value")
@_host
@_project
@json_option
def set_(key: str, value: str, host: str | None, project: str, as_json: bool) -> None:
    """Change one setting and keep the comments in the file.

    Give `-` for a password or a key: memwiki then asks for it, or reads it from standard input, so that it is in no
    list of processes and no history.

    \b
    Example:
      memwiki config set recall.max_bytes 4000 --host codex
    """
    if key in _GUARDED:
        ask_person()
    secret = key in SECRET_KEYS
    if secret and value == "-":
        value = _asked(key)
    memory().set(key, value, host=host or "", project=project)
    if as_json and secret:
        emit({"key": key, "value": "(set)"})
    elif as_json:
        _show(key, host or "", project, as_json)


def _asked(key: str) -> str:
    """A secret that was typed unseen on a terminal, or is the first line of standard input."""
    if sys.stdin.isatty():
        return ask(key, secret=True)
    value = sys.stdin.readline().rstrip("\r\n")
    if not value:
        raise click.UsageError(f"Standard input has no value for {key}.")
    return value


@command.command()
@click.argument("key")
@_host
@_project
@json_option
def unset(key: str, host: str | None, project: str, as_json: bool) -> None:
    """Set one setting back to its default.

    \b
    Example:
      memwiki config unset recall.max_bytes --host codex
    """
    memory().set(key, None, host=host or "", project=project)
    if as_json:
        _show(key, host or "", project, as_json)


def _show(key: str, host: str, project: str, as_json: bool) -> None:
    """One setting as it is now."""
    value = memory().config.get(key, host=host, project=project)
    if as_json:
        emit({"key": key, "value": value})
    else:
        echo(str(value).lower() if isinstance(value, bool) else value)
