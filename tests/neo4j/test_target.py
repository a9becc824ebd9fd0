"""Which Neo4j is meant: a password in an address is refused, and shown by nothing that is said of it."""

from pathlib import Path

import pytest

from memwiki.config import Config, Home
from memwiki.errors import MemwikiError
from memwiki.index.neo4j.target import foreign, target

ODD = [
    "bolt://neo4j:hidden@localhost",
    "bolt://neo4j:hidden@localhost:port",
    "bolt://neo4j:hidden/1@localhost",
    "bolt://neo4j:hidden#1@localhost",
    "bolt://neo4j:hid@hidden@localhost",
    "bolt://neo4j:hidden@[localhost",
    "http://neo4j:hidden@localhost",
    "neo4j:hidden@localhost",
]


@pytest.mark.parametrize("uri", ODD)
def test_no_password_in_an_address_is_shown(home: Path, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_NEO4J_URI", uri)
    with pytest.raises(MemwikiError, match="holds a user or a password") as error:
        target(Config(Home(home)))
    assert "hidden" not in str(error.value)
    (found,) = foreign({"HOOKS_NEO4J_URI": uri, "MEMWIKI_NEO4J_URI": uri})
    assert "hidden" not in found.message + found.remedy and "localhost" in found.remedy


@pytest.mark.parametrize("uri", ["bolt://[::1", "x", "bolt://", "bolt://localhost:0", "bolt://localhost/neo4j"])
def test_what_is_no_address_is_said(home: Path, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_NEO4J_URI", uri)
    with pytest.raises(MemwikiError, match="is not the address"):
        target(Config(Home(home)))
    assert len(foreign({"NEO4J_URI": uri})) == 1


@pytest.mark.parametrize(
    "uri", ["bolt://neo4j:hidden%40localhost", "neo4j://neo4j:hidden", "bolt://localhost:7687?password=hidden"]
)
def test_no_password_in_a_broken_address_is_shown(home: Path, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWIKI_NEO4J_URI", uri)
    with pytest.raises(MemwikiError, match="is not the address") as error:
        target(Config(Home(home)))
    assert "hidden" not in str(error.value)
    (found,) = foreign({"NEO4J_URI": uri})
    assert "hidden" not in found.message + found.remedy
