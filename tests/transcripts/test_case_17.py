"""Damaged transcripts: everything readable is taken in once, every damaged place is named, the source is untouched."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from tests.conftest import CASES
from tests.transcripts.conftest import KEY

FILES = CASES / "17-transcript-damaged-files" / "files"
RIGHT = {  # file -> events, damaged lines
    "torn": (4, [5]),
    "nulpad": (4, [3]),
    "welded": (5, [2]),
    "nonobject": (3, [2, 3, 4, 5]),
    "stub": (0, []),
    "pretty": (0, [1]),
    "unknown": (2, []),
    "empty": (0, []),
}


def test_every_file_of_the_case_is_expected() -> None:
    assert {path.stem for path in FILES.iterdir()} == set(RIGHT)


@pytest.mark.parametrize("name", RIGHT)
def test_case_17_damaged(name: str, memory: memwiki.Memory, ended: Callable[..., None], tmp_path: Path) -> None:
    path = Path(shutil.copy(FILES / f"{name}.jsonl", tmp_path))
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    events, lines = RIGHT[name]
    for new, seconds in ((events, 3600), (0, 3700)):
        ended(path, seconds)
        (done,) = memory.import_queue().transcripts
        assert (done.new, done.why) == (new, "")
        assert [damage.line for damage in done.damage] == lines
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_case_17_unknown_kinds_are_counted(memory: memwiki.Memory, ended: Callable[..., None], tmp_path: Path) -> None:
    ended(shutil.copy(FILES / "unknown.jsonl", tmp_path))
    (done,) = memory.import_queue().transcripts
    assert done.left_out == {"file-history-snapshot": 1, "brand-new-type": 1}


def test_case_17_torn_line_is_taken_in_when_its_owner_has_finished_it(
    memory: memwiki.Memory, ended: Callable[..., None], tmp_path: Path
) -> None:
    path = Path(shutil.copy(FILES / "torn.jsonl", tmp_path))
    ended(path)
    assert memory.import_queue().new == 4
    lines = path.read_bytes().split(b"\n")
    whole = json.loads(lines[3]) | {"uuid": "u4", "timestamp": "2026-02-01T10:04:00.000Z"}
    whole["message"]["content"] = "good line 4"
    rest = json.dumps(whole).encode()
    assert rest.startswith(lines[4])
    with path.open("ab") as owner:
        owner.write(rest[len(lines[4]) :] + b"\n")
    ended(path, 3700)
    assert memory.import_queue().new == 1
    prompts = [event.payload["prompt"] for event in memory.events(KEY) if event.event == "UserPromptSubmit"]
    assert prompts == [f"good line {n}" for n in range(5)]


def test_case_17_a_document_is_geminis_old_form(
    memory: memwiki.Memory, ended: Callable[..., None], tmp_path: Path
) -> None:
    ended(shutil.copy(FILES / "pretty.jsonl", tmp_path), host="gemini")
    assert memory.import_queue().new == 1
