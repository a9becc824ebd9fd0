"""The graph's constraints and full-text indexes, made by one step that may be repeated, and whose vault this is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...vault.git import Git
from .connection import Connection
from .failure import GraphError

if TYPE_CHECKING:
    from .connection import Transaction

VERSION = 1  # of the graph's shape; a graph of an older one is made anew
KEYS = {
    "Session": "key",
    "Event": "id",
    "Memory": "path",
    "Project": "key",
    "Tag": "name",
    "DreamRun": "id",
    "Candidate": "id",
    "Machine": "id",
    "Vault": "place",
}
NOTES, EVENTS = "memwiki_notes", "memwiki_events"  # full-text indexes
# Words come cut and stemmed by ourselves, the same as in `index.db` and `recall.bin`: blanks alone separate them.
_ANALYZER = "unicode_whitespace"


@dataclass(frozen=True, slots=True)
class State:
    """What the graph says of itself: the commit its notes are at and that commit's time, and this machine's mark."""

    commit: str = ""
    committed_at: int = 0
    mark: str = ""


def vault_id(git: Git) -> str:
    """The root commit of memory's branch by first parents: the same in all clones. GraphError where it is unknown."""
    if git.run("rev-parse", "--is-shallow-repository").line == "true":
        raise GraphError(
            "The vault is a shallow clone, so Neo4j cannot be told which vault it is.",
            f"Run `git -C {git.top} fetch --unshallow`.",
            "vault",
        )
    tip = git.tip()
    if not tip:
        raise GraphError("The vault has no commit yet, so Neo4j waits.", "Commit a note.", "vault")
    return git.run("rev-list", "--first-parent", "--max-parents=0", tip, "--").line


def prepared(connection: Connection, vault: str, machine: str) -> State:
    """Make sure that the database holds this vault's graph in this version's shape; what it says of itself.

    One round trip where all is as it was. Raises GraphError for another vault's graph and for a newer memwiki's.
    """
    found = _look(connection, machine)
    if found is not None and found["vault"] != vault:
        raise _foreign(connection)
    if found is not None and found["version"] > VERSION:
        raise GraphError(
            f"Neo4j at {connection.target.name} holds the graph of a newer memwiki.", "Update memwiki.", "vault"
        )
    if found is not None and found["version"] < VERSION:
        wipe(connection)
        found = None
    if found is None:
        _make(connection)
        connection.execute(
            "MERGE (v:Vault {place: 'here'}) ON CREATE SET v.id = $vault SET v.schema = $version",
            vault=vault,
            version=VERSION,
        )
        return prepared(connection, vault, machine)
    return State(found["commit"] or "", found["committed_at"] or 0, found["mark"] or "")


def belongs(connection: Connection, vault: str) -> None:
    """Make sure that what is going to answer is this vault's graph. Raises GraphError where it is not, or is not there.

    One round trip, and nothing is written.
    """
    found = connection.rows("MATCH (v:Vault {place: 'here'}) RETURN v.id AS vault")
    if not found:
        words = f"Neo4j at {connection.target.name} holds no graph of memwiki's."
        raise GraphError(words, "Run `memwiki sync`, which makes it.", "vault")
    if found[0]["vault"] != vault:
        raise _foreign(connection)


def _foreign(connection: Connection) -> GraphError:
    return GraphError(
        f"Neo4j at {connection.target.name} holds the graph of another vault.",
        "Name another database in neo4j.database, or empty that one if it is no longer wanted.",
        "vault",
    )


def _look(connection: Connection, machine: str) -> Any:
    """In a write transaction: a cluster's leader answers, not a follower that may be behind."""
    query = (
        "MATCH (v:Vault {place: 'here'}) OPTIONAL MATCH (m:Machine {id: $machine}) RETURN v.id AS vault, "
        "coalesce(v.schema, 0) AS version, v.commit AS commit, v.committed_at AS committed_at, m.mark AS mark"
    )
    return next(iter(connection.execute(query, machine=machine)), None)


def _make(connection: Connection) -> None:
    for label, key in KEYS.items():
        name = f"memwiki_{label.lower()}_{key}"
        connection.execute(
            f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (x:{label}) REQUIRE x.{key} IS UNIQUE", limit=30
        )
    for name, label, key in ((NOTES, "Memory", "stems"), (EVENTS, "Event", "words")):
        connection.execute(
            f"CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (x:{label}) ON EACH [x.{key}] "
            f"OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{_ANALYZER}'}}}}",
            limit=30,
        )
    connection.execute("CALL db.awaitIndexes(25)", limit=30)


def wipe(connection: Connection) -> None:
    """Take everything of memwiki's out, in many small transactions; another program's nodes stay."""
    for label in ("Machine", *KEYS):  # the marks first: from then on nobody takes what is left for whole
        while connection.execute(f"MATCH (x:{label}) WITH x LIMIT 5000 DETACH DELETE x RETURN count(*) AS gone")[0][
            "gone"
        ]:
            pass
    for name in (NOTES, EVENTS):
        connection.execute(f"DROP INDEX {name} IF EXISTS")


async def counted(tx: "Transaction", query: str, **values: Any) -> list[Any]:
    """The rows of a query inside a transaction."""
    return [row async for row in await tx.run(query, values)]
