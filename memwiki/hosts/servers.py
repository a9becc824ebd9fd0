"""memwiki's MCP server in a host's own list of servers: put there only when asked (`link --mcp`)."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import tomlkit

from ..config import Home
from ..files import expanded, user_folder
from .places import place
from .registration import settings_folder
from .splice import Broken, appended, as_object, cut, line_of, parse, replaced

NAME = "memwiki"


def server_file(name: str, project: Path | None = None, folder: Path | None = None) -> Path | None:
    """Where the host lists its MCP servers, for the user (`folder` as in `settings_file`) or in a project.

    None where there is no such file. A file beside the settings folder moves into it with the host's variable.
    """
    below = place(name).servers[project is not None]
    if not below:
        return None
    if project is not None:
        return project / below
    top = folder or settings_folder(name)
    if not below.startswith("~/"):
        return top / below
    return (user_folder() if top == user_folder() / place(name).folder else top) / below[2:]


def with_server(text: str, name: str, home: Home) -> str:
    """`text` with our server in its present form; somebody else's of that name stays. Raises Broken for no settings."""
    if place(name).servers[0].endswith(".toml"):
        document = _toml(text)
        servers = document.setdefault("mcp_servers", tomlkit.table(is_super_table=True))
        if not isinstance(servers, dict):
            raise Broken("`mcp_servers` is no table", line_of(text, text.find("mcp_servers")))
        mine = servers.get(NAME)
        if mine is not None and (mine == _entry(name, home) or not _ours(mine, home)):
            return text
        servers[NAME] = _entry(name, home)
        return tomlkit.dumps(document)
    key, comments = _key(name), place(name).comments
    if not text.strip(" \t\r\n\ufeff"):
        return json.dumps({key: {NAME: _entry(name, home)}}, indent=2) + "\n"
    root = parse(text, comments=comments)
    servers = as_object(root, text).get(key)
    if servers is None:
        return appended(text, root, {NAME: _entry(name, home)}, key, comments=comments)
    node = as_object(servers, text, "MCP servers").get(NAME)
    if node is None:
        return appended(text, servers, _entry(name, home), NAME, comments=comments)
    if node.value == _entry(name, home) or not _ours(node.value, home):
        return text
    return replaced(text, node, _entry(name, home))


def without_server(text: str, name: str, home: Home) -> str:
    """`text` without our server, and without a list that this empties; somebody else's of that name stays."""
    if not text.strip(" \t\r\n\ufeff"):
        return text
    if place(name).servers[0].endswith(".toml"):
        document = _toml(text)
        servers = document.get("mcp_servers")
        if not isinstance(servers, dict) or not _ours(servers.get(NAME), home):
            return text
        del servers[NAME]
        if not servers:
            del document["mcp_servers"]
        return tomlkit.dumps(document)
    key, comments = _key(name), place(name).comments
    root = parse(text, comments=comments)
    servers = root.get(key) if isinstance(root.value, dict) else None
    mine = servers.get(NAME) if servers is not None and isinstance(servers.value, dict) else None
    if servers is None or mine is None or not _ours(mine.value, home):
        return text
    holder, child = (root, key) if len(servers.items) == 1 else (servers, NAME)
    return cut(text, holder, holder.keys.index(child), comments=comments)


def _entry(name: str, home: Home) -> dict[str, Any]:
    """The server as that host writes it."""
    command = [sys.executable, "-m", "memwiki", "mcp", "--host", name]
    moved = {} if home.path == user_folder() / ".memwiki" else {"MEMWIKI_HOME": os.fspath(home.path)}
    if name == "opencode":
        return {"type": "local", "command": command, "enabled": True, **({"environment": moved} if moved else {})}
    entry: dict[str, Any] = {"command": command[0], "args": command[1:], **({"env": moved} if moved else {})}
    if name == "copilot":
        return {"type": "local", **entry, "tools": ["*"]}
    return entry


def _ours(value: object, home: Home) -> bool:
    """Whether an entry runs memwiki's server, of any installation, on this home or on one that is gone."""
    if not isinstance(value, dict):
        return False
    env = value.get("env") or value.get("environment")
    named = str(env.get("MEMWIKI_HOME", "")) if isinstance(env, dict) else ""
    of = expanded(named or "~/.memwiki")
    if of != home.path and of.exists():
        return False
    parts = (value.get("command"), value.get("args"))
    words = [str(word) for part in parts for word in (part if isinstance(part, list) else [part]) if word is not None]
    return (words[-5:-2] if words[-2:-1] == ["--host"] else words[-3:]) == ["-m", "memwiki", "mcp"]


def _key(name: str) -> str:
    return "mcp" if name == "opencode" else "mcpServers"


def _toml(text: str) -> Any:
    try:
        return tomlkit.parse(text)
    except (ValueError, RecursionError) as error:  # tomlkit's own errors are ValueErrors
        raise Broken(str(error), getattr(error, "line", 1)) from error
