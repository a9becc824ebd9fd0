"""A part of the graph as a picture: Mermaid or DOT text, and the Cypher that shows it in Neo4j Browser."""

from collections.abc import Iterable
from dataclasses import dataclass

from .questions import Facts

MOST = 60  # nodes of a picture; more cannot be read
# Mermaid takes a label for HTML, drops tags that it does not know, and reads `#name;` as a character.
_ENTITIES = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "#": "#35;", "`": "#96;", "\n": " "})
_SHAPES = {"note": ("[{}]", "box"), "session": ("([{}])", "ellipse"), "candidate": ("{{{{{}}}}}", "hexagon")}


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in a picture; `kind` is "note", "session" or "candidate"."""

    kind: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow between two nodes, by kind and key; `words` stand on it."""

    source: tuple[str, str]
    target: tuple[str, str]
    words: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Nodes and arrows, the Cypher that shows the same, and how many nodes were left out."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    cypher: str
    left_out: int

    def mermaid(self) -> str:
        """As Mermaid's flowchart."""
        names = {(node.kind, node.key): f"n{number}" for number, node in enumerate(self.nodes)}
        lines = ["graph LR"]
        for node in self.nodes:
            label = node.label.translate(_ENTITIES)
            lines.append(f"  {names[node.kind, node.key]}{_SHAPES[node.kind][0].format(chr(34) + label + chr(34))}")
        lines += [f"  {names[edge.source]} -->|{edge.words}| {names[edge.target]}" for edge in self.edges]
        return "\n".join(lines) + "\n"

    def dot(self) -> str:
        """As Graphviz's DOT."""
        lines = ["digraph memwiki {", "  rankdir=LR;"]
        lines += [
            f"  {_quoted(f'{node.kind} {node.key}')} [label={_quoted(node.label)}, shape={_SHAPES[node.kind][1]}];"
            for node in self.nodes
        ]
        lines += [
            f"  {_quoted(' '.join(edge.source))} -> {_quoted(' '.join(edge.target))} [label={_quoted(edge.words)}];"
            for edge in self.edges
        ]
        return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def of_note(facts: Facts, path: str) -> Picture:
    """A note with its links, the sessions it was given to or learnt in, and its candidates."""
    me = ("note", path)
    edges = [Edge(("note", a), ("note", b), "links to") for a, b in facts.linked([path])]
    edges += [Edge(("session", gift.session), me, "was given") for gift in facts.given_of([path])]
    rests = facts.rests_of([path])
    edges += [Edge(("candidate", rest.candidate), me, "changes") for rest in rests]
    edges += [Edge(("candidate", rest.candidate), ("session", rest.session), "rests on") for rest in rests]
    cypher = (
        f"MATCH p = (m:Memory {{path: {_literal(path)}}})-[*1..2]-() WHERE none(x IN nodes(p) WHERE x:Tag) RETURN p"
    )
    return _picture(facts, edges, [me], cypher)


def of_session(facts: Facts, session: str) -> Picture:
    """A session with the notes it was given, and what rests on its words."""
    me = ("session", session)
    edges = [Edge(me, ("note", gift.path), "was given") for gift in facts.given_to([session])]
    for rest in facts.resting_on([session]):
        edges.append(Edge(("candidate", rest.candidate), me, "rests on"))
        edges.append(Edge(("candidate", rest.candidate), ("note", rest.path), "changes"))
    kinds = "WAS_GIVEN|DERIVED_FROM|IN_PROJECT|SUBAGENT_OF"
    cypher = f"MATCH p = (:Session {{key: {_literal(session)}}})-[:{kinds}]-() RETURN p"
    return _picture(facts, edges, [me], cypher)


def of_all(facts: Facts) -> Picture:
    """The notes that have the most to do with each other: links, and what was learnt in sessions that others shaped."""
    paths = facts.cards().keys()
    edges = [Edge(("note", a), ("note", b), "links to") for a, b in facts.linked(paths)]
    edges += [
        Edge(("note", rest.path), ("session", rest.session), "learnt in")
        for rest in facts.rests_of(paths)
        if rest.landed
    ]
    learnt = {edge.target[1] for edge in edges if edge.target[0] == "session"}
    edges += [
        Edge(("session", gift.session), ("note", gift.path), "was given")
        for gift in facts.given_to(learnt)
        if gift.path in paths
    ]
    cypher = "MATCH p = (:Memory)-[:LINKS_TO|DERIVED_FROM|WAS_GIVEN]-() RETURN p LIMIT 200"
    return _picture(facts, edges, [("note", path) for path in paths], cypher)


def _picture(facts: Facts, edges: Iterable[Edge], first: list[tuple[str, str]], cypher: str) -> Picture:
    """Those with the most arrows, `first` of all when there are few of them."""
    edges = list(dict.fromkeys(edges))
    weight: dict[tuple[str, str], int] = dict.fromkeys(first, 0)
    for edge in edges:
        for end in (edge.source, edge.target):
            weight[end] = weight.get(end, 0) + 1
    rank = {node: place for place, node in enumerate(first)} if len(first) == 1 else {}
    chosen = sorted(weight, key=lambda node: (node not in rank, -weight[node], node))[:MOST]
    shown = set(chosen)
    cards = facts.cards({key for kind, key in chosen if kind == "note"})
    nodes = [
        Node(kind, key, (f"{cards[key].title} ({key})" if key in cards else f"{key} (gone)") if kind == "note" else key)
        for kind, key in sorted(chosen)
    ]
    kept = sorted(
        (edge for edge in edges if edge.source in shown and edge.target in shown),
        key=lambda edge: (edge.source, edge.target, edge.words),
    )
    return Picture(tuple(nodes), tuple(kept), cypher, len(weight) - len(chosen))


def _literal(text: str) -> str:
    """A Cypher string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
