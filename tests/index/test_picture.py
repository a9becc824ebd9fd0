"""Pictures of the graph: any title comes through both languages as it was written."""

import html
import re

from memwiki.index.picture import Edge, Node, Picture

TITLES = (
    'The "best" <T> of List<T> & Co',
    "#quot; is no quote, PR #123",
    "`code` and \\n",
    "two\nlines",
    "依赖 [a](b) | {c}",
)
PICTURE = Picture(
    tuple(Node("note", f"tools/{n}.md", title) for n, title in enumerate(TITLES)),
    (Edge(("note", "tools/0.md"), ("note", "tools/1.md"), "links to"),),
    "MATCH (m) RETURN m",
    0,
)


def test_mermaid_shows_every_title_and_takes_none_for_markup() -> None:
    lines = PICTURE.mermaid().splitlines()
    assert lines[0] == "graph LR" and lines[-1] == "  n0 -->|links to| n1"
    labels = [re.fullmatch(r'  n\d+\["([^"<>&`\n]*)"\]', line)[1] for line in lines[1:-1]]  # type: ignore[index]
    # Mermaid reads `#name;` and `#35;` as HTML reads `&name;` and `&#35;`.
    plain = (re.sub(r"#(\d+|[a-z]+);", lambda found: f"&{'#' * found[1].isdigit()}{found[1]};", one) for one in labels)
    shown = [html.unescape(one) for one in plain]
    assert shown == [title.replace("\n", " ") for title in TITLES]


def test_dot_shows_every_title() -> None:
    labels = re.findall(r'\[label="((?:[^"\\]|\\.)*)", shape', PICTURE.dot())
    assert [re.sub(r"\\(.)", r"\1", one) for one in labels] == [title.replace("\n", " ") for title in TITLES]
