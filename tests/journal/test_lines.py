"""Journal files as real disks have them; what is readable is read, what is not is named."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Home
from memwiki.journal.event import Event, line_of
from memwiki.journal.lines import Damage, Record, backwards, records
from memwiki.journal.sessions import Journal

FILES = Path(__file__).parent.parent / "cases" / "17-transcript-damaged-files" / "files"


@pytest.mark.parametrize(
    ("name", "readable", "damaged"),
    [
        ("torn", 4, {5}),
        ("nulpad", 4, {3}),
        ("welded", 5, {2}),
        ("nonobject", 3, {2, 3, 4, 5}),
        ("stub", 1, set()),
        ("pretty", 0, {1}),
        ("unknown", 4, set()),
        ("empty", 0, set()),
    ],
)
def test_case_17_reader_rules(name: str, readable: int, damaged: set[int]) -> None:
    path = FILES / f"{name}.jsonl"
    before = path.read_bytes()
    with path.open("rb") as file:
        found = list(records(file))
    assert sum(isinstance(one, Record) for one in found) == readable
    assert {one.line for one in found if isinstance(one, Damage)} == damaged
    assert path.read_bytes() == before


def test_case_17_records_of_other_programs_are_reported_as_unknown(store: Home) -> None:
    folder = store.journal / "claude"
    folder.mkdir()
    (folder / "s.jsonl").write_bytes((FILES / "unknown.jsonl").read_bytes())
    journal = Journal(store.journal)
    assert [damage.line for damage in journal.damage("claude/s")] == [1, 2, 3, 4]
    assert "brand-new-type" in journal.damage("claude/s")[2].reason
    assert list(journal.events("claude/s")) == []
    assert journal.sessions() == []


def test_case_17_a_damaged_journal_gives_every_readable_event(store: Home) -> None:
    lines = [line_of(Event(n, "2026-11-30T10:00:00.000Z", "Stop", "Stop", "claude", "s")) for n in range(1, 8)]
    data = (
        lines[0]
        + lines[1].rstrip(b"\n")
        + lines[2]  # welded
        + b"\0" * 300
        + b"\n"
        + lines[4][:40]
        + lines[5]  # a torn record with a whole one after it
        + b'"text"\n'
        + lines[6]
        + lines[0][:30]  # torn end
    )
    (store.journal / "claude").mkdir()
    (store.journal / "claude" / "s.jsonl").write_bytes(data)
    journal = Journal(store.journal)
    assert [event.n for event in journal.events("claude/s")] == [1, 2, 3, 6, 7]
    assert [event.n for event in journal.events("claude/s", first=3, last=6)] == [3, 6]
    assert {damage.line for damage in journal.damage("claude/s")} == {2, 3, 4, 5, 7}
    (session,) = journal.sessions()
    assert (session.events, session.bytes) == (7, len(data))


@given(st.lists(st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b"")), max_size=12), st.booleans())
def test_backwards_gives_the_lines_of_the_file_in_reverse(lines: list[bytes], finished: bool) -> None:
    data = b"\n".join(lines) + (b"\n" if finished else b"")
    forwards = data.split(b"\n")
    if forwards[-1] == b"":
        forwards.pop()
    found = list(backwards(io.BytesIO(data), len(data)))
    assert [line for _, line in found] == forwards[::-1]
    assert all(data[place : place + len(line)] == line for place, line in found)


def test_backwards_over_lines_longer_than_a_block() -> None:
    lines = [bytes([65 + n]) * (70_000 + n) for n in range(5)]
    data = b"\n".join(lines) + b"\n"
    assert [line for _, line in backwards(io.BytesIO(data), len(data))] == lines[::-1]


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail(data: bytes) -> None:
    assert all(isinstance(one, Record | Damage) for one in records(io.BytesIO(data)))


def test_a_torn_line_of_megabytes_is_read() -> None:
    """Looking for whole records in it must not copy the rest of the line at each object: that takes for ever."""
    inner = b'{"a":1},' * 400_000
    assert [found.line for found in records([b'{"x":[' + inner, b'{"b":2}\n'])] == [1, 2]
