"""Which links a note has, where they stand, and which note each one means."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.vault.code import _by_blocks, _by_lines
from memwiki.vault.frontmatter import parse
from memwiki.vault.links import Link, Resolver, links_of
from memwiki.vault.paths import is_note


def found(text: str, path: str = "a/n.md") -> list[Link]:
    note = parse(path, text.encode())
    links = list(links_of(note))
    assert all(note.text[link.start : link.end] == link.target for link in links)
    assert all(link.line == note.text.count("\n", 0, link.start) + 1 for link in links)
    return links


@pytest.mark.parametrize(
    ("text", "kind", "target", "words"),
    [
        ("see [[a]]", "wiki", "a", ""),
        ("see [[ tools/a | the text ]]", "wiki", "tools/a", "the text"),
        ("see [[a#Head|x]]", "wiki", "a", "x"),
        ("see [[a#^block]]", "wiki", "a", ""),
        ("![[a.md]]", "embed", "a.md", ""),
        ("| [[a\\|x]] | b |", "wiki", "a", "x"),
        ("[x](b.md)", "markdown", "b.md", "x"),
        ("[x](../b%20c.md#head)", "markdown", "../b%20c.md", "x"),
        ("[x](<b c.md> 'title')", "markdown", "b c.md", "x"),
        ("[x](b_(c).md)", "markdown", "b_(c).md", "x"),
        ("[x]: b.md\n\n[x]", "markdown", "b.md", ""),
        ("[a [b] c](d.md)", "markdown", "d.md", "b] c"),
        ("`code` then [[a]]", "wiki", "a", ""),
        ("``a ` b`` [[a]] `", "wiki", "a", ""),
        ("- list\n\n    [[a]] in the item", "wiki", "a", ""),
        ("> quote\n> [[a]]", "wiki", "a", ""),
        ("```\ncode\n```\n\n[[a]]", "wiki", "a", ""),
        ("```\r\ncode\r\n```\r\n\r\n[[a]]\r\n", "wiki", "a", ""),
        ("---\nup: '[[a]]'\n---\ntext", "wiki", "a", ""),
        ("one ` tick\n\n[[a]] ` other", "wiki", "a", ""),
        ("- one ` tick\n- [[a]] ` other", "wiki", "a", ""),
        ("[[日本語 ノート]]", "wiki", "日本語 ノート", ""),
    ],
)
def test_links(text: str, kind: str, target: str, words: str) -> None:
    (link,) = found(text)
    assert (link.kind, link.target, link.text) == (kind, target, words)


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]`",
        "``x ` [[a]]``",
        "```\n[[a]]\n```",
        "~~~\n[x](b.md)\n~~~\n",
        "```\r\n[[a]]\r\n",
        "text\n\n    [[a]] indented code\n",
        "<div>\n[[a]]\n</div>",
        "[[#own heading]]",
        "[[]] [[ ]] [[|x]]",
        "\\[[a]]",
        "[[a\nb]]",
        "[x](https://e.org/b.md) [x](mailto:b.md) [x](//e.org/b.md)",
        "[x](b.png) [x](#head) [x](b)",
        "if a[b](c.md",
        "](b.md)"[1:],
    ],
)
def test_no_links(text: str) -> None:
    assert [link for link in found(text) if link.target != "c.md"] == []


PATHS = ["tools/pnpm.md", "tools/npm.md", "project/shop/npm.md", "Résumé.md", "a/b c.md", "a/n.md", "v1.2.md"]


@pytest.mark.parametrize(
    ("text", "source", "meant"),
    [
        ("[[tools/pnpm]]", "a/n.md", "tools/pnpm.md"),
        ("[[/tools/pnpm.md]]", "a/n.md", "tools/pnpm.md"),
        ("[[PNPM]]", "a/n.md", "tools/pnpm.md"),
        ("[[npm]]", "a/n.md", None),
        ("[[npm]]", "tools/x.md", "tools/npm.md"),
        ("[[shop/npm]]", "project/x.md", "project/shop/npm.md"),
        ("[[shop/npm]]", "a/n.md", None),
        ("[[./b c]]", "a/n.md", "a/b c.md"),
        ("[[../tools/npm]]", "a/n.md", "tools/npm.md"),
        ("[[../../x]]", "a/n.md", None),
        ("[[re\u0301sume\u0301]]", "a/n.md", "Résumé.md"),
        ("[[v1.2]]", "a/n.md", "v1.2.md"),
        ("[x](b%20c.md)", "a/n.md", "a/b c.md"),
        ("[x](../tools/NPM.md)", "a/n.md", "tools/npm.md"),
        ("[x](tools/npm.md)", "a/n.md", None),
        ("[x](/tools/npm.md)", "a/n.md", "tools/npm.md"),
        ("[x](../../../etc/passwd.md)", "a/n.md", None),
    ],
)
def test_which_note_a_link_means(text: str, source: str, meant: str | None) -> None:
    (link,) = found(text)
    assert Resolver(PATHS).resolve(link, source) == meant


def test_case_25_a_link_in_one_normal_form_finds_a_file_in_the_other() -> None:
    (link,) = found("see [[r\u00e9sum\u00e9]]")
    assert Resolver(["tools/re\u0301sume\u0301.md"]).resolve(link, "tools/link.md") == "tools/re\u0301sume\u0301.md"
    both = ["tools/re\u0301sume\u0301.md", "tools/r\u00e9sum\u00e9.md"]
    assert Resolver(both).resolve(link, "tools/link.md") == both[1]  # to the byte
    assert Resolver(both).resolve(found("[[RÉSUMÉ]]")[0], "tools/link.md") is None


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[[tools/pnpm]]", False),
        ("[[nowhere]]", True),
        ("[[nowhere.md]]", True),
        ("[[npm]]", True),
        ("[[plan.pdf]]", False),
        ("![[photo.png]]", False),
        ("[x](nowhere.md)", True),
        ("[x](../README.md)", False),
        ("[x](../../outside.md)", False),
        ("[x](../.hidden/x.md)", False),
    ],
)
def test_broken_links(text: str, broken: bool) -> None:
    (link,) = found(text)
    assert Resolver(PATHS).is_broken(link, "a/n.md") is broken


PIECES = st.one_of(
    st.sampled_from(["[[a]]", "![[b|c]]", "[x](c.md)", "[r]: d.md", "[", "](", "\\", "|", "text ", "é\u2028"]),
    st.sampled_from(["`", "```", "~~~", "\n", "\r\n", "    ", "\t", "> ", "- ", "<div>", "---"]),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_links_stand_where_they_say_and_resolving_never_fails(text: str) -> None:
    resolver = Resolver(PATHS)
    links = found(text)
    assert [link.start for link in links] == sorted({link.start for link in links})
    for link in links:
        meant = resolver.resolve(link, "a/n.md")
        assert meant is None or (meant in PATHS and is_note(meant))
        assert not (meant and resolver.is_broken(link, "a/n.md"))


CODE = st.one_of(
    st.sampled_from(
        ["`", "``", "```", "~~~", "```\n", "\n```\n", "\n~~~~\n", "    ", "\t", "\\", "<div>", "<!--", "-->"]
    ),
    st.sampled_from(
        ["\n", "\n\n", "\r\n", "\r", "> ", "- ", "1. ", "# ", "x", "word ", "[[a]]", "`[[a]]`", "| ", "---\n"]
    ),
)


@settings(max_examples=1500, deadline=None)
@given(st.lists(CODE, max_size=16).map("".join))
def test_what_lines_settle_is_what_the_markdown_parser_says(body: str) -> None:
    places = [found.start() for found in re.finditer(r"\[\[", body)]
    quick = _by_lines(body, places)
    assert not quick or quick == _by_blocks(body, places)
