"""Which Neo4j is meant: from settings, `MEMWIKI_NEO4J_*` variables, or the file that Neo4j Aura hands out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from ...config import Config
from ...errors import Finding, MemwikiError

LOCAL = "bolt://localhost:7687"
_HOST = re.compile(r"(?:[\w.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?/?")
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_AURA = {"NEO4J_URI": "uri", "NEO4J_USERNAME": "user", "NEO4J_PASSWORD": "password", "NEO4J_DATABASE": "database"}


@dataclass(frozen=True, slots=True)
class Target:
    """One database: `database` is "" for the user's home database. The password shows in no representation."""

    uri: str
    user: str
    password: str = field(repr=False)
    database: str = ""

    @property
    def name(self) -> str:
        """How messages call it."""
        address = self.uri.partition("?")[0]  # a parameter may be a password
        return f"{address}, database {self.database}" if self.database else address


def target(config: Config) -> Target | None:
    """The database that the settings name; None when none of address, password and credentials file is set.

    Raises MemwikiError when a file cannot be read or the address is none.
    """
    uri, password, database = (str(config.get(f"neo4j.{key}")) for key in ("uri", "password", "database"))
    user = str(config.get("neo4j.user"))
    given = str(config.get("neo4j.credentials"))
    secret = str(config.get("neo4j.password_file"))
    if not (uri or password or given or secret):
        return None
    if given:
        found = _aura(given)
        uri, password, database = uri or found["uri"], password or found["password"], database or found["database"]
        user = found["user"] if found["user"] and user in ("", "neo4j") else user
    if secret and not password:
        password = _text(secret, "neo4j.password_file").rstrip("\r\n")
    return Target(_checked(uri or LOCAL), user or "neo4j", password, database)


def _checked(uri: str) -> str:
    if "@" in uri:  # first of all: no other error may show it
        raise MemwikiError(
            "neo4j.uri holds a user or a password.", "Set neo4j.user and neo4j.password (or password_file) instead."
        )
    try:
        parts = urlsplit(uri)
        port = parts.port  # raises for what is no number
    except ValueError:
        parts, port = urlsplit(""), None
    more = parts.path.strip("/") or parts.fragment or (parts.query and parts.scheme.startswith("bolt"))
    if parts.scheme not in _SCHEMES or not parts.hostname or port == 0 or more:
        remedy = f"Give one such as {LOCAL}; a database is named in neo4j.database."
        raise MemwikiError("neo4j.uri is not the address of a Neo4j.", remedy)  # it may hold a password
    return uri


def _aura(file: str) -> dict[str, str]:
    """Aura's `NAME=value` lines; comments and other names are passed over."""
    found = dict.fromkeys(_AURA.values(), "")
    for line in _text(file, "neo4j.credentials").splitlines():
        name, separator, value = line.strip().partition("=")
        if separator and name.strip() in _AURA:
            found[_AURA[name.strip()]] = value.strip().strip("\"'")
    if not found["uri"]:
        raise MemwikiError(f"{file} names no NEO4J_URI.", "Set neo4j.credentials to the file that Aura handed out.")
    return found


def _text(file: str, key: str) -> str:
    try:
        return Path(file).expanduser().read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise MemwikiError(f"{key} cannot be read: {file}: {reason}.", f"Correct the file, or unset {key}.") from error


def foreign(environ: Mapping[str, str]) -> list[Finding]:
    """Other tools' variables that name a Neo4j: not read, but a person may take them to be."""
    found = []
    for name, value in sorted(environ.items()):
        ours = name.startswith("MEMWIKI_")
        if value and not ours and name.endswith(("NEO4J_URI", "NEO4J_URL")):
            scheme, separator, rest = value.partition("://") if "://" in value else ("", "", value)
            host = rest.rpartition("@")[2].partition("?")[0]  # without a password, also in what is no address
            plain = scheme + separator + host if _HOST.fullmatch(host) else LOCAL
            words = f"{name} is set, which memwiki does not read."
            found.append(Finding("neo4j", words, f"`memwiki config set neo4j.uri {plain}` uses that server.", "note"))
    return found
