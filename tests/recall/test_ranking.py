"""Analysis, ranking and gate on small snapshots; a delta answers as a base written anew."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.index.analysis import Analysis, analyse_note
from memwiki.index.snapshot import Meta, Stored, update, write
from memwiki.recall.analysis import analyse, grams, stem, words
from memwiki.recall.gate import judge
from memwiki.recall.rank import Query, rank
from memwiki.recall.snapshot import Snapshot
from memwiki.recall.words import GENERIC, STOP
from memwiki.vault.frontmatter import parse
from memwiki.vault.paths import namespace

META = Meta("/nowhere", "/nowhere/.git", "main", "0" * 40, settings={("", "recall.notes"): "3"})


def stored(path: str, text: str, *, pin: bool = False, secret: bool = False) -> Stored:
    """A note as sync hands it over."""
    one = parse(path, text.encode())
    return Stored(
        path=path,
        title=one.title,
        description=one.description,
        type=one.type,
        pin=pin,
        namespace=namespace(path),
        hash=str(hash(text)),
        text=text,
        mtime_ns=len(text),
        size=len(text),
        analysis=analyse_note(one),
        secret=secret,
    )


def results(path: Path, query: str) -> list[tuple[str, float]]:
    """(path, score) of all notes but those with a secret."""
    snapshot = Snapshot(str(path))
    ranked = rank(snapshot, Query(snapshot, query), [(first, end) for _, first, end in snapshot.spans()])
    found = [(one.note.path, round(one.score, 9)) for one in ranked]
    snapshot.close()
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running tests, went to the children's parties", ["run", "test", "go", "child", "parti"]),
        ("classes boxes bus passes using cities played hopped telling", ["class", "box", "bu", "pass", "cit"]),
        ("Naïve café RÉSUMÉ ﬁle", ["naiv", "caf", "resum", "fil"]),
        ("конфигурациями сервера", ["конфигурац", "сервер"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("鎖 日本", ["鎖", "日本"]),
        ("서버를 재시작", ["서버", "버를", "재시", "시작"]),
        ("ｆｏｏ＿ｂａｒ foo_bar", ["foo_bar", "foo_bar"]),
        ("", []),
        ("… 👍 --- ///", []),
    ],
)
def test_words_become_stems(text: str, expected: list[str]) -> None:
    found = analyse(text)[0]
    assert found[: len(expected)] == expected if "classes" not in text else set(expected[:2]) <= set(found)


def test_stop_words_stand_apart_and_grams_come_from_whole_words() -> None:
    stems, stops, pieces = analyse("the proxy and 京")
    assert (stems, stops, pieces) == (["proxi", "京"], ["the", "and"], ["^proxy$", "京"])
    assert grams(pieces) == ["^pro", "prox", "roxy", "oxy$", "京"]
    assert grams(["^a$"]) == ["^a$"]


@given(st.text())
def test_any_text_is_analysed(text: str) -> None:
    stems, stops, pieces = analyse(text)
    assert all(stems) and all(stops) and all(pieces) and all(grams(pieces))
    assert not any(char in word for word in (*stems, *stops, *pieces) for char in "; \x1e\x1f\n")
    assert analyse(text.upper().lower()) == analyse(text.upper().lower())


@given(st.text(min_size=1).map(words).filter(bool))
def test_a_stem_is_never_empty(found: list[str]) -> None:
    assert all(stem(word) for word in found)


def test_word_tables_hold_whole_words() -> None:
    for table in (GENERIC, f" {STOP}"):
        assert table.startswith(" ") and table.endswith(" ") and "  " not in table
    for word in ("run", "fix", "test", "pleas", "dank", "merci", "gracia"):
        assert f" {word} " in GENERIC


def test_an_analysis_can_be_kept() -> None:
    one = analyse_note(parse("tools/pnpm.md", b"---\ntitle: Package manager\ntags: [node]\n---\nUse it, not npm.\n"))
    assert Analysis.unpack(one.pack()) == one
    assert " pnpm;" in one.head and " nod;" in one.head and " npm;" in one.stems
    with pytest.raises(ValueError):
        Analysis.unpack(b"something else")


WORDS = [
    f"{a}{b}" for a in ("kestrel", "osprey", "proxy", "lantern", "marzipan", "quartz") for b in ("", "s", "x", "yz")
]


def body(dice: random.Random) -> str:
    """A note's text of common and rare words, stop words and Japanese."""
    found = [WORDS[int(len(WORDS) * dice.random() ** 2)] for _ in range(dice.randint(1, 30))]
    return f"# {' '.join(found[:3])}\n\nThe {' and the '.join(found)}.\n設定{dice.choice('甲乙丙')}\n"


@pytest.mark.parametrize("seed", range(8))
def test_a_delta_answers_as_a_base_written_anew(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    notes = {}
    for number in range(60):
        path = f"{dice.choice(['tools', 'profile', 'project/shop', 'topics'])}/n{number}.md"
        notes[path] = stored(path, body(dice), pin=dice.random() < 0.1, secret=dice.random() < 0.1)
    base, anew = tmp_path / "recall.bin", tmp_path / "anew.bin"
    write(base, notes.values(), META)
    for step in range(4):
        gone = set(dice.sample(sorted(notes), 3))
        changed = [
            stored(path, body(dice), pin=dice.random() < 0.2, secret=dice.random() < 0.2)
            for path in [*dice.sample(sorted(notes.keys() - gone), 4), f"tools/new-{step}.md"]
        ]
        for path in gone:
            del notes[path]
        notes |= {note.path: note for note in changed}
        assert update(base, changed, gone, META)
        write(anew, notes.values(), META)
        for query in ("kestrels and ospreyx", "the proxyyz lantern", "設定甲 quartz", "marzipann kestrel", "ospre"):
            assert results(base, query)[:10] == results(anew, query)[:10]
        one, other = Snapshot(str(base)), Snapshot(str(anew))
        for part in ("pin", "secret"):
            shown = [
                sorted(x[0] if part == "secret" else snapshot.note(int(x[0])).path for x in snapshot.rows(part))
                for snapshot in (one, other)
            ]
            assert shown[0] == shown[1]
        assert (one.live, one.average) == (other.live, other.average)


def test_a_delta_is_refused_without_a_base_or_when_too_much_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    assert not update(path, [], [], META)
    path.write_bytes(b"garbage")
    assert not update(path, [], [], META)
    write(path, [], META)
    many = [stored(f"n{n}.md", f"note {n} kestrel") for n in range(101)]
    assert not update(path, many, [], META)
    assert update(path, many[:100], [], META)
    assert not update(path, many[100:], [], META)


def test_a_new_base_makes_an_older_delta_void(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    write(path, [stored("a.md", "The kestrel gateway.")], META)
    update(path, [stored("b.md", "The kestrel proxy.")], [], META)
    stale = path.with_suffix(".delta").read_bytes()
    write(path, [stored("c.md", "The kestrel lantern.")], META)
    assert not path.with_suffix(".delta").exists()
    path.with_suffix(".delta").write_bytes(stale)
    assert [found for found, _ in results(path, "kestrel")] == ["c.md"]


def test_an_unknown_word_finds_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    write(path, [stored("a.md", "Kubernetes probes fail."), stored("b.md", "The lantern is dark.")], META)
    assert [found for found, _ in results(path, "kubernetis")] == ["a.md"]
    assert results(path, "xylophone") == []


def test_a_project_is_not_crowded_out_by_the_others(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    many = [stored(f"project/p{n}/proxy.md", "proxy proxy proxy") for n in range(3000)]
    write(path, [*many, stored("project/zz/proxy.md", "The long way to the proxy " + "word " * 300)], META)
    snapshot = Snapshot(str(path))
    mine = [(first, end) for name, first, end in snapshot.spans() if name == "project/zz"]
    assert [one.note.path for one in rank(snapshot, Query(snapshot, "proxy"), mine)] == ["project/zz/proxy.md"]


def test_the_gate_stops_at_the_first_note_that_is_out(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    notes = [stored(f"n{n}.md", f"The staging proxy number{n} listens on port {n}.") for n in range(3)]
    write(path, [*notes, *(stored(f"x{n}.md", f"Something about the port of topic{n}.") for n in range(30))], META)
    snapshot = Snapshot(str(path))
    query = Query(snapshot, "which port does the staging proxy number1 use?")
    ranked = rank(snapshot, query, [(0, snapshot.numbers)])
    verdicts = judge(query, ranked, 10)
    assert ranked[0].note.path == "n1.md" and verdicts[0][0] == ""
    first_out = next(place for place, said in enumerate(verdicts) if said[0])
    assert all(said[0] for said in verdicts[first_out:])
    assert judge(query, [], 3) == []


def test_a_capitalised_name_that_no_note_knows_counts_against(tmp_path: Path) -> None:
    path = tmp_path / "recall.bin"
    write(path, [stored("a.md", "The staging proxy listens on port 8443."), stored("b.md", "Nothing.")], META)
    snapshot = Snapshot(str(path))

    def likelihood(prompt: str) -> float:
        query = Query(snapshot, prompt)
        said = judge(query, rank(snapshot, query, [(0, snapshot.numbers)]), 1)[0][1]
        assert said is not None
        return said

    known, unknown = "which port has the staging proxy in berlin?", "which port has the staging proxy in Berlin?"
    assert likelihood(known) - likelihood(unknown) == pytest.approx(2.163)
    german = "ist das der staging proxy port in Berlin oder in Hamburg?"  # every noun has a capital there
    assert likelihood(german) == pytest.approx(likelihood(german.lower()))
    assert likelihood("Berlin: which port has the staging proxy?") > likelihood(unknown)
