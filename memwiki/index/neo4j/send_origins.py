"""Sends runs and candidates whenever branches or ledgers have moved."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...vault.git import Git
from ..origins import Origins
from . import notes, origins
from .rows import digest_of
from .turn import Turn

if TYPE_CHECKING:
    from .connection import Transaction

_OTHERS = 500  # runs or candidates of one transaction


def refs_of(git: Git) -> str:
    """Tells one state of branches and ledgers from another."""
    return digest_of(git.run("for-each-ref", "--format=%(refname) %(objectname)").text.splitlines())


def send_origins(one: Turn, told: Callable[[], Origins], moved: bool) -> None:
    """Send runs and candidates that are new or changed; `told` is asked when refs or (`moved`) notes came or went."""
    refs = refs_of(one.git)
    if not moved and one.index.state("graph_refs") == refs:
        return
    found = told()
    there = {path for (path,) in one.index.rows("SELECT path FROM notes")}
    runs = {run.id: origins.run_node(run) for run in found.runs}
    candidates = {row.id: origins.candidate_node(row, row.path in there) for row in found.candidates}
    for kind, nodes, store in (
        ("run", runs, origins.store_runs),
        ("candidate", candidates, origins.store_candidates),
    ):
        known = one.sent.items(kind)
        fresh: list[Any] = [node for id, node in nodes.items() if known.get(id) != node.digest]
        for start in range(0, len(fresh), _OTHERS):
            some = fresh[start : start + _OTHERS]

            async def work(tx: "Transaction", some: Any = some, store: Any = store) -> None:
                await store(tx, some)

            one.transact(work, {(kind, node.properties["id"]): node.digest for node in some})
        gone = [id for id in known if id not in nodes]
        if gone:

            async def out(tx: "Transaction", kind: str = kind, gone: Any = gone) -> None:
                await origins.remove(tx, kind, gone)

            one.transact(out, {(kind, id): None for id in gone})
        if kind == "candidate":
            one.candidates = len(fresh) + len(gone)
            if fresh or gone:
                one.connection.write(notes.tidy)
    one.index.remember("graph_refs", refs)
