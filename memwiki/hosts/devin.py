"""Devin CLI, from its documentation and reports: Claude's names, without a folder in the payload."""

from . import Host

TABLE = Host(
    settings=("", ".config/devin", "config.json", ".devin/config.local.json"),
    comments=True,
    words="Devin also runs hooks that it finds in a project's .claude folder: link one of the two there.",
    untested=True,
)
