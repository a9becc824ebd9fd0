"""Talking to a server that may be down, silent, slow or not ours: every request ends, and every failure has a remedy.

The driver's own limits do not cover a server that accepts and then says nothing, so its asynchronous half is used,
whose requests can be given up at any moment.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...errors import MemwikiError
from .failure import GraphError, failure
from .shapes import parameters, taken
from .target import Target

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, Record

    Transaction = AsyncManagedTransaction
    Work = Callable[[AsyncManagedTransaction], Awaitable[Any]]

T = TypeVar("T")
CONNECT = 6.0  # seconds until the server must have greeted us
ANSWER = 9.0  # seconds that one transaction may take, its retries included, where it is no batch
_RETRY = 5.0  # seconds in which a transaction that met a lock or a leader's change is tried again
_PATIENCE = 4.0  # seconds that a server has to say by itself that a query took too long: it looks every two
_CLASHES = 3  # times that a transaction is tried again after two writers made the same node at once


class Connection:
    """One database, connected to when first used. Every method raises GraphError, never the driver's errors."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._runner: asyncio.Runner | None = None
        self._driver: AsyncDriver | None = None
        self._bookmarks: Any = None

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the server; the next request connects again."""
        driver, runner, self._driver, self._runner = self._driver, self._runner, None, None
        if runner is not None:
            try:
                if driver is not None:
                    runner.run(_within(2.0, driver.close()))
            except Exception:  # noqa: S110 - a server that is gone needs no goodbye
                pass
            finally:
                runner.close()

    def write(self, work: "Work", limit: float = ANSWER) -> Any:
        """What the coroutine function `work` returns, run in one write transaction, again where that can help."""
        return self._run("execute_write", work, limit)

    def read(self, work: "Work", limit: float = ANSWER) -> Any:
        """The same in a read transaction: the server refuses to write in it."""
        return self._run("execute_read", work, limit)

    def rows(self, query: str, **values: Any) -> "list[Record]":
        """All rows of one reading query."""

        async def work(tx: "Transaction") -> "list[Record]":
            return [row async for row in await tx.run(query, values)]

        found: list[Record] = self.read(work)
        return found

    def ask(self, query: str, limit: float, most: int) -> "list[Record]":
        """All rows of a query that somebody typed; refused when they are more than `most`, or take over `limit` s."""

        async def work(tx: "Transaction") -> "list[Record]":
            found: list[Record] = []
            async for row in await tx.run(query):
                if len(found) == most:
                    raise GraphError(f"The query has more than {most:,} rows.", "Add a LIMIT to it.", "query")
                found.append(row)
            return found

        rows: list[Record] = self._run("execute_read", work, limit, patience=_PATIENCE)
        return rows

    def execute(self, query: str, limit: float = ANSWER, **values: Any) -> "list[Record]":
        """All rows of one writing query."""

        async def work(tx: "Transaction") -> "list[Record]":
            return [row async for row in await tx.run(query, values)]

        found: list[Record] = self.write(work, limit)
        return found

    def _run(self, how: str, work: "Work", limit: float, patience: float = 0.0) -> Any:
        try:
            if self._runner is None:
                self._runner = asyncio.Runner()
            if self._driver is None:
                self._runner.run(_within(CONNECT + 2, self._open()))
            for clash in range(_CLASHES):
                try:
                    return self._runner.run(_within(limit + patience, self._transaction(how, work, limit)))
                except Exception as error:
                    if not _is_clash(error) or clash == _CLASHES - 1:
                        raise
        except MemwikiError:
            raise
        except Exception as error:
            self.close()
            raise failure(self.target, error) from error

    async def _open(self) -> None:
        from neo4j import AsyncGraphDatabase

        # What the driver logs is in the errors it raises too; without a handler Python would print it.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        driver = AsyncGraphDatabase.driver(
            self.target.uri,
            auth=(self.target.user, self.target.password) if self.target.password else None,
            connection_timeout=CONNECT - 1,
            connection_acquisition_timeout=CONNECT,
            max_transaction_retry_time=_RETRY,
            max_connection_pool_size=4,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
            user_agent="memwiki",
        )
        self._driver = driver
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        # Without this a closed port would be tried again and again for the whole retry time.
        await driver.verify_connectivity()

    async def _transaction(self, how: str, work: "Work", limit: float) -> Any:
        from neo4j import unit_of_work

        assert self._driver is not None

        # The server is told the limit too: what a lost client has locked does not stay locked.
        @unit_of_work(timeout=limit)
        async def checked(tx: "AsyncManagedTransaction") -> Any:
            return await work(cast("Transaction", _Checked(tx)))

        database = self.target.database or None
        async with self._driver.session(database=database, bookmark_manager=self._bookmarks) as session:
            return await getattr(session, how)(checked)


class _Checked:
    """A transaction whose queries hold only text that Neo4j takes, whoever wrote it."""

    def __init__(self, tx: "AsyncManagedTransaction") -> None:
        self._tx = tx

    async def run(self, query: str, values: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """As the driver's."""
        return await self._tx.run(taken(query), parameters({**(values or {}), **more}))


async def _within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    async with asyncio.timeout(seconds):
        return await work


def _is_clash(error: Exception) -> bool:
    """Two writers made the same node at once: the driver does not count it among what may be tried again."""
    return str(getattr(error, "code", "")) == "Neo.ClientError.Schema.ConstraintValidationFailed"
