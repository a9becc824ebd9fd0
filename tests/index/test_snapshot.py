"""What `recall.bin` counts is what a plain recount of the notes' words says, whoever counted and after any delta."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from memwiki.index import crew, grams, snapshot
from memwiki.index.analysis import analyse_note
from memwiki.recall.analysis import analyse
from memwiki.recall.analysis import grams as grams_of
from memwiki.recall.snapshot import Snapshot
from memwiki.text import sha256
from memwiki.vault.frontmatter import parse
from memwiki.vault.paths import namespace

WORDS = (
    "deploy",
    "deploys",
    "the",
    "of",
    "Über",
    "naïve",
    "x",
    "42",
    "日本語",
    "を",
    "東京",
    "한국어",
    "ไทย",
    "builds",
)


def stored(number: int, text: str) -> snapshot.Stored:
    path = f"tools/n{number}.md"
    note = parse(path, text.encode())
    return snapshot.Stored(
        path=path,
        title=note.title,
        description=note.description,
        type=note.type,
        pin=False,
        namespace=namespace(path),
        hash=sha256(text),
        text=text,
        mtime_ns=1,
        size=len(text),
        analysis=analyse_note(note),
    )


def made(dice: random.Random, number: int) -> snapshot.Stored:
    joined = dice.choice((" ", "", "\n"))  # runs that touch words and each other too
    body = joined.join(dice.choice(WORDS) for _ in range(dice.randrange(40)))
    return stored(number, f"# {dice.choice(WORDS)}\n{body}\n")


def recount(notes: Iterable[snapshot.Stored]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How many notes hold each stem, have it in the head, hold each gram or stop word; word by word."""
    stems, heads, small = Counter[str](), Counter[str](), Counter[str]()
    for note in notes:
        one = note.analysis
        words = [word.strip() for word in one.stems.split(";") if word.strip()]
        stems.update(set(words[: one.sizes[0]]))
        small.update({"~" + word for word in words[one.sizes[0] :]})
        heads.update({word.strip() for word in one.head.split(";") if word.strip()})
        _, _, pieces = analyse(f"{note.title}\n{note.path}\n{note.text}")
        small.update({"g" + gram for gram in grams_of([piece for piece in pieces if piece in one.fold])})
    return stems, heads, small


def agree(path: Path, notes: list[snapshot.Stored]) -> None:
    read = Snapshot(str(path))
    try:
        stems, heads, small = recount(notes)
        assert {stem: read.term(stem)[0] for stem in stems} == stems
        assert {stem: read.term(stem)[1] for stem in stems} == {stem: heads[stem] for stem in stems}
        assert {key: read.count(key) for key in small} == small
        assert read.live == len(notes)
    finally:
        read.close()


@pytest.mark.parametrize("processors", [1, 3])
def test_counts_are_those_of_a_plain_recount(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, processors: int) -> None:
    monkeypatch.setattr(grams, "_AT_ONCE", 7)
    monkeypatch.setattr(grams, "processors", lambda: processors)
    given = []
    monkeypatch.setattr(grams, "Crew", lambda size: given.append(size) or crew.Crew(size))  # type: ignore[func-returns-value]
    dice = random.Random(processors)
    notes = [made(dice, number) for number in range(150)]
    path, meta = tmp_path / "recall.bin", snapshot.Meta("/v", "/v/.git", "main", "")
    snapshot.write(path, notes, meta)
    assert given == [processors - 1] * (processors > 1)
    agree(path, notes)
    for _ in range(2):  # the second delta starts from the first
        changed = [made(dice, number) for number in dice.sample(range(160), 12)]
        gone = {f"tools/n{number}.md" for number in dice.sample(range(150), 5)} - {note.path for note in changed}
        assert snapshot.update(path, changed, gone, meta)
        now = {note.path: note for note in [*notes, *changed]}
        notes = [note for name, note in now.items() if name not in gone]
        agree(path, notes)


def test_postings_stand_best_first_and_then_by_number(tmp_path: Path) -> None:
    texts = ["build", "build " * 9, "build other words stand here", "build " * 2, "build"]
    notes = [stored(number, text + "\n") for number, text in enumerate(texts)]
    notes = [replace(note, analysis=replace(note.analysis, head="")) for note in notes]
    path = tmp_path / "recall.bin"
    snapshot.write(path, notes, snapshot.Meta("/v", "/v/.git", "main", ""))
    read = Snapshot(str(path))
    [(_, postings)] = read.term("build")[2]
    pairs = [(entry >> 8, entry & 255) for entry in postings]
    read.close()
    assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    assert pairs[0][0] == 1 and sorted(number for number, _ in pairs) == [0, 1, 2, 3, 4]
    for number, impact in pairs:
        times, length = notes[number].analysis.stems.count(" build;"), notes[number].analysis.sizes[0]
        assert impact == round(255 * times / (times + 1.6 * (0.25 + 0.75 * length / 100)))
