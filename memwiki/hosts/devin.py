"""Devin CLI, from its documentation and reports: Claude's names, without a folder in the payload."""

from . import Host

TABLE = Host()
