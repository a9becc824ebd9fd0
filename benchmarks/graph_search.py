"""Whether SQLite and Neo4j find the same notes: the queries of the retrieval yardstick beside this checkout, on both.

    python benchmarks/graph_search.py [SET...]

Starts a server of its own (Java and Maven needed). Prints one JSON object: for each set the mean overlap of the five
best, and R@5 (the share of a query's relevant notes among them) of both.
"""

# ruff: noqa: E402 - the server of the tests is found by the path set below
import json
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "neo4j")]
from graph_load import Bare
from server import PASSWORD, Server

from memwiki.app import open_memory
from memwiki.graph import neo4j
from memwiki.index.neo4j.search import search as search_neo4j
from memwiki.init import init
from memwiki.recall.explain import search as search_sqlite

DATA = HERE.parents[1] / "shared" / "eval" / "data"
SETS = ("locomo-facts", "locomo-summaries", "locomo-sessions", "commands", "pyfaq", "howto-multilingual")


def rows(name: str) -> dict[str, list[dict[str, Any]]]:
    """The lines of a file by their space."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        found[one["space"]].append(one)
    return found


def measured(name: str, server: Server) -> dict[str, float]:
    """One set: every space of it is a vault of its own."""
    notes, queries = rows(f"{name}.notes"), rows(f"{name}.queries")
    overlaps: list[float] = []
    recalls: dict[str, list[float]] = {"sqlite": [], "neo4j": []}
    for space, asked in queries.items():
        with tempfile.TemporaryDirectory(prefix="memwiki-graph-") as folder:
            home = Path(folder) / "home"
            os.environ |= {"MEMWIKI_HOME": str(home), "HOME": folder}
            (Path(folder) / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
            started = init(None, home)
            ids = {}
            for number, note in enumerate(notes[space]):
                ids[f"n/{number:05}.md"] = note["id"]
                file = started.vault / f"n/{number:05}.md"
                file.parent.mkdir(exist_ok=True)
                title = json.dumps(note["title"], ensure_ascii=False)
                file.write_text(f"---\ntitle: {title}\n---\n{note['text']}\n", "utf-8")
            with open_memory() as memory:
                memory.sync()
                index = neo4j(memory.config)
                for query in asked:
                    one = [ids.get(hit.path) for hit in search_sqlite(memory.home, query["query"], limit=5)]
                    other = [
                        ids.get(hit.path)
                        for hit in search_neo4j(memory.home, index.connection, query["query"], limit=5)
                    ]
                    longest = max(len(one), len(other))
                    overlaps.append(len({*one} & {*other}) / longest if longest else 1.0)
                    for key, found in (("sqlite", one), ("neo4j", other)):
                        wanted = set(query["relevant"])
                        recalls[key].append(len(wanted & {*found}) / len(wanted) if wanted else 1.0)
                index.close()
                Bare(memory, server.uri).empty()
    mean = {f"R@5 {key}": sum(values) / len(values) for key, values in recalls.items()}
    return {"queries": len(overlaps), "overlap of the top 5": sum(overlaps) / len(overlaps), **mean}


def main(sets: list[str]) -> None:
    """Each set in turn."""
    with tempfile.TemporaryDirectory(prefix="memwiki-server-") as folder:
        server = Server(Path(folder))
        server.start()
        os.environ |= {"MEMWIKI_NEO4J_URI": server.uri, "MEMWIKI_NEO4J_PASSWORD": PASSWORD}
        try:
            found = {name: measured(name, server) for name in sets}
        finally:
            server.stop()
    print(json.dumps({name: {k: round(v, 4) for k, v in one.items()} for name, one in found.items()}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:] or list(SETS))
