"""Words are words: nothing in a query is ever an operator, and every script is found."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.index.words import match, snippet, spaced

TEXTS = {
    1: "Run pnpm install in src/app.ts, please",
    2: "使用 pnpm 管理依赖，不要用 npm。",
    3: "パッケージマネージャーはpnpmです",
    4: "빌드가 실패했습니다",
    5: "Wir prüfen die Größe der Datei",
    6: "การติดตั้งแพ็กเกจ",
    7: "say \"hello\" OR NOT this AND that; 'quoted'",
    8: "the file note-8.md has foo_bar and v1.2.3",
}


@pytest.fixture(scope="module")
def table() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='porter unicode61 remove_diacritics 2')"
    )
    db.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", [(n, spaced(text)) for n, text in TEXTS.items()])
    return db


def found(table: sqlite3.Connection, query: str) -> set[int]:
    wanted = match(query, " AND ")
    return (
        {row for (row,) in table.execute("SELECT rowid FROM words WHERE words MATCH ?", (wanted,))} if wanted else set()
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("pnpm", {1, 2, 3}),
        ("installing", {1}),
        ("src/app.ts", {1}),
        ("app/src", set()),
        ("依赖", {2}),
        ("管理依", {2}),
        ("赖", {2}),
        ("マネージャー", {3}),
        ("はpnpmです", {3}),
        ("실패", {4}),
        ("grosse", {5}),
        ("groesse", set()),
        ("GRÖSSE", {5}),
        ("größe", {5}),
        ("prufen", {5}),
        ("ติดตั้ง", {6}),
        ("NOT this", {7}),
        ("OR", {7}),
        ("body:pnpm", set()),
        ('"hello', {7}),
        ("note-8.md", {8}),
        ("foo_bar v1.2.3", {8}),
        ("pn*", set()),
        ("NEAR(pnpm install)", set()),
        ("^Run", {1}),
        ("", set()),
        ("--- ??? *", set()),
        ("pnpm !!!", {1, 2, 3}),
        ("' ; DROP TABLE words", set()),
    ],
)
def test_a_query_is_its_words(table: sqlite3.Connection, query: str, expected: set[int]) -> None:
    assert found(table, query) == expected


@given(st.text(max_size=80))
def test_no_text_is_an_error(table: sqlite3.Connection, query: str) -> None:
    for joined in (" AND ", " OR "):
        wanted = match(query, joined)
        if wanted:
            table.execute("SELECT rowid FROM words WHERE words MATCH ?", (wanted,)).fetchall()


def test_a_query_of_thousands_of_words_is_cut() -> None:
    assert match(" ".join(f"w{n}" for n in range(5000)), " OR ").count('"') == 2 * 64


def test_a_snippet_is_one_line_around_the_first_word() -> None:
    text = "first line\n" + "filler " * 80 + "the NEEDLE here\n" + "tail " * 80
    shown = snippet(text, "needle")
    assert "NEEDLE" in shown and "\n" not in shown and len(shown) <= 162
    assert snippet("short", "nothing") == "short"
