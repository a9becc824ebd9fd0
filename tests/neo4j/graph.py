"""What tests ask of a database: its content in a form to compare, and whether its chains are whole."""

from typing import Any

from memwiki.index.neo4j.connection import Connection
from memwiki.index.neo4j.target import Target

CHAINS = """
MATCH (s:Session) OPTIONAL MATCH (s)-[f:FIRST_EVENT]->(first:Event) OPTIONAL MATCH (s)-[l:LATEST_EVENT]->(last:Event)
RETURN s.key AS key, count(DISTINCT f) AS firsts, count(DISTINCT l) AS lasts, collect(first.id)[0] AS first,
collect(last.id)[0] AS last
"""


class Graph:
    """A database, asked by the driver alone."""

    def __init__(self, target: Target) -> None:
        from neo4j import GraphDatabase

        self.target = target
        self.driver = GraphDatabase.driver(
            target.uri, auth=(target.user, target.password), notifications_min_severity="OFF"
        )

    @property
    def variables(self) -> dict[str, str]:
        """The environment that makes memwiki use it."""
        return {
            "MEMWIKI_NEO4J_URI": self.target.uri,
            "MEMWIKI_NEO4J_USER": self.target.user,
            "MEMWIKI_NEO4J_PASSWORD": self.target.password,
        }

    def close(self) -> None:
        """Let go of it."""
        self.driver.close()

    def connection(self) -> Connection:
        """memwiki's own connection to it."""
        return Connection(self.target)

    def answers(self) -> bool:
        """Whether it can be talked to."""
        from neo4j import GraphDatabase

        try:
            with GraphDatabase.driver(
                self.target.uri, auth=(self.target.user, self.target.password), connection_timeout=2
            ) as one:
                one.verify_connectivity()
        except Exception:
            return False
        return True

    def rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        """The rows of a query."""
        return [row.data() for row in self.driver.execute_query(query, values).records]

    def value(self, query: str, **values: Any) -> Any:
        """The one value that a query returns."""
        return next(iter(self.rows(query, **values)[0].values()))

    def empty(self) -> None:
        """Take everything out; memwiki's own schema, whose statements may be repeated, stays and saves seconds."""
        while self.value("MATCH (n) WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)"):
            pass
        for row in self.rows("SHOW CONSTRAINTS YIELD name WHERE NOT name STARTS WITH 'memwiki_'"):
            self.rows(f"DROP CONSTRAINT {row['name']}")
        for row in self.rows(
            "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' AND NOT name STARTS WITH 'memwiki_'"
        ):
            self.rows(f"DROP INDEX {row['name']}")

    def everything(self) -> tuple[list[str], list[str]]:
        """Every node and every relationship, by keys, in a form to compare."""
        keys = "coalesce(x.key, x.id, x.path, x.name, x.place)"
        name = keys.replace("x.", "{0}.")
        nodes = self.rows(f"MATCH (x) RETURN labels(x) AS labels, properties(x) AS p, {keys} AS key")
        ties = self.rows(
            f"MATCH (a)-[r]->(b) RETURN type(r) AS type, properties(r) AS p, {name.format('a')} AS a, "
            f"{name.format('b')} AS b"
        )
        return (
            sorted(f"{row['key']} {sorted(row['labels'])} {sorted(row['p'].items())}" for row in nodes),
            sorted(f"{row['a']} {row['type']} {sorted(row['p'].items())} {row['b']}" for row in ties),
        )

    def chain(self, key: str) -> list[str]:
        """The ids of a session's events in the order of its chain."""
        found = self.rows(
            "MATCH (:Session {key: $key})-[:FIRST_EVENT]->(f) MATCH p = (f)-[:NEXT*0..]->(e) "
            "RETURN e.id AS id ORDER BY length(p)",
            key=key,
        )
        return [row["id"] for row in found]

    def faults(self) -> list[str]:
        """What is wrong with the sessions' chains: each is one list from FIRST to LATEST, in order, without a fork."""
        found = [
            f"{row['id']} has {row['outs']} next and {row['ins']} before"
            for row in self.rows(
                "MATCH (e:Event) WITH e, count{(e)-[:NEXT]->()} AS outs, count{()-[:NEXT]->(e)} AS ins "
                "WHERE outs > 1 OR ins > 1 RETURN e.id AS id, outs, ins"
            )
        ]
        total = 0
        for row in self.rows(CHAINS):
            chain = self.chain(row["key"])
            total += len(chain)
            if not chain:
                if row["firsts"] or row["lasts"]:
                    found.append(f"{row['key']} has ends and no chain")
                continue
            if (row["firsts"], row["lasts"], row["first"], row["last"]) != (1, 1, chain[0], chain[-1]):
                found.append(f"{row['key']} has the ends {row} of {chain[:3]}...{chain[-3:]}")
            numbers = [int(one.rpartition("#")[2]) for one in chain]
            if numbers != sorted(set(numbers)):
                found.append(f"{row['key']} is out of order: {numbers}")
        events = self.value("MATCH (e:Event) RETURN count(e)")
        if total != events:
            found.append(f"{events} events, {total} of them in a chain")
        if self.value("MATCH (s:Session) WHERE s.lock IS NOT NULL RETURN count(s)"):
            found.append("a session is still locked")
        return found
