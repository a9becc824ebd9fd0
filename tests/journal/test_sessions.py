"""The journal as it is listed, resolved and deleted."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.config import Config, Home
from memwiki.errors import MemwikiError
from memwiki.journal.drain import drain
from memwiki.journal.sessions import Journal
from memwiki.recall.deliver import Ledger

Put = Callable[..., Path]


@pytest.fixture
def journal(store: Home, config: Config, put: Put) -> Journal:
    """Three sessions, the second spoken in last."""
    for at, session, host in ((1000.0, "aaa-1", "claude"), (2000.0, "aaa-2", "codex"), (3000.0, "bbb", "claude")):
        put({"session_id": session, "prompt": "hi"}, host=host, at=at)
    put({"session_id": "aaa-2", "hook_event_name": "Stop"}, host="codex", at=4000.0)
    drain(store, config)
    return Journal(store.journal)


def test_sessions_are_listed_latest_first(journal: Journal) -> None:
    assert [(one.key, one.host, one.id, one.events) for one in journal.sessions()] == [
        ("codex/aaa-2", "codex", "aaa-2", 2),
        ("claude/bbb", "claude", "bbb", 1),
        ("claude/aaa-1", "claude", "aaa-1", 1),
    ]
    latest = journal.sessions()[0]
    assert (latest.first_at, latest.last_at) == ("1970-01-01T00:33:20.000Z", "1970-01-01T01:06:40.000Z")
    assert sum(one.bytes for one in journal.sessions()) == journal.size() > 0


def test_an_empty_journal(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "nowhere")
    assert (journal.sessions(), journal.size(), journal.count("claude/x"), journal.damage("claude/x")) == ([], 0, 0, [])
    assert list(journal.events("claude/x")) == []


def test_events_by_number(journal: Journal) -> None:
    assert [event.n for event in journal.events("codex/aaa-2", first=2)] == [2]
    assert [event.id for event in journal.events("codex/aaa-2", last=1)] == ["codex/aaa-2#1"]
    assert journal.count("codex/aaa-2") == 2


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("codex/aaa-2", "codex/aaa-2"),
        ("codex", "codex/aaa-2"),
        ("aaa-1", "claude/aaa-1"),
        ("b", "claude/bbb"),
        ("claude/b", "claude/bbb"),
    ],
)
def test_a_unique_beginning_is_enough(journal: Journal, given: str, key: str) -> None:
    assert journal.resolve(given) == key


@pytest.mark.parametrize(("given", "message"), [("aaa", "fits 2"), ("zzz", "no session"), ("", "no session")])
def test_what_is_not_unique_is_refused(journal: Journal, given: str, message: str) -> None:
    with pytest.raises(MemwikiError, match=message):
        journal.resolve(given)


@pytest.mark.parametrize("key", ["", "claude", "claude/", "claude/../x", "../x", "claude/.deleted", "a/b/c", "/etc"])
def test_no_key_leads_out_of_the_journal(journal: Journal, key: str) -> None:
    with pytest.raises(MemwikiError, match="no session"):
        journal.path(key)


def test_deleting_leaves_no_word_and_numbers_go_on(store: Home, config: Config, put: Put, journal: Journal) -> None:
    Ledger(str(store.path), "codex", "aaa-2").add("SessionStart", "", [("profile/me.md", "1" * 64)], [])
    put({"session_id": "aaa-2", "prompt": "to be forgotten"}, host="codex", at=5000.0)
    drain(store, config)
    path = journal.path("codex/aaa-2")
    Path(f"{path}.torn").write_bytes(b"to be forgot\n")
    journal.delete("codex/aaa-2", store)
    kept = b"".join(file.read_bytes() for file in store.path.rglob("*") if file.is_file())
    assert b"forgot" not in kept and b"aaa-2" not in kept
    assert [one.key for one in journal.sessions()] == ["claude/bbb", "claude/aaa-1"]
    put({"session_id": "aaa-2", "prompt": "it goes on"}, host="codex", at=6000.0)
    drain(store, config)
    assert [event.n for event in journal.events("codex/aaa-2")] == [5]
    journal.delete("codex/aaa-2", store)
    journal.delete("codex/aaa-2", store)
    assert list(json.loads((store.journal / "codex" / ".deleted").read_bytes()).values()) == [5]
