"""Talking to a server that may be down, silent, slow or not ours: every request ends, and every failure has a remedy.

The driver's own limits do not cover a server that accepts and then says nothing, so its asynchronous half is used,
whose requests can be given up at any moment.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import MemwikiError
from .target import Target

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, Record

    Transaction = AsyncManagedTransaction
    Work = Callable[[AsyncManagedTransaction], Awaitable[Any]]

T = TypeVar("T")
CONNECT = 6.0  # seconds until the server must have greeted us
ANSWER = 9.0  # seconds that one transaction may take, its retries included; a batch takes one or two
_RETRY = 5.0  # seconds in which a transaction that met a lock or a leader's change is tried again
_PATIENCE = 4.0  # seconds that a server has to say by itself that a query took too long: it looks every two
_CLASHES = 3  # times that a transaction is tried again after two writers made the same node at once


class GraphError(MemwikiError):
    """A failure of the graph alone; `kind` is "authentication", "away", "vault", "refused" or "query"."""

    def __init__(self, message: str, remedy: str, kind: str) -> None:
        super().__init__(message, remedy)
        self.kind = kind


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
        work = unit_of_work(timeout=limit)(work)
        database = self.target.database or None
        async with self._driver.session(database=database, bookmark_manager=self._bookmarks) as session:
            return await getattr(session, how)(work)


async def _within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    async with asyncio.timeout(seconds):
        return await work


def _is_clash(error: Exception) -> bool:
    """Two writers made the same node at once: the driver does not count it among what may be tried again."""
    return str(getattr(error, "code", "")) == "Neo.ClientError.Schema.ConstraintValidationFailed"


_ROOM = "See its debug.log, free disk space there if it has none, and restart it; then `memwiki sync` goes on."

# The server's code, or a word of the message -> kind, what is the matter, what to do.
_CAUSES = (
    (
        "Security.AuthenticationRateLimit",
        "authentication",
        "refuses to be asked again after too many wrong passwords",
        "Wait a minute, correct neo4j.user and neo4j.password, then run `memwiki sync`.",
    ),
    (
        "Security.Unauthorized",
        "authentication",
        "does not accept the user or the password",
        "Correct neo4j.user and neo4j.password (or MEMWIKI_NEO4J_PASSWORD), then run `memwiki sync`.",
    ),
    (
        "Security.CredentialsExpired",
        "authentication",
        "wants a new password for this user",
        "Change the password in Neo4j, set neo4j.password, then run `memwiki sync`.",
    ),
    (
        "Database.DatabaseNotFound",
        "refused",
        "has no such database",
        "Correct neo4j.database, or unset it to use the user's home database.",
    ),
    (
        "ReadOnly",
        "refused",
        "lets nothing be written",
        "Make the database writable, or name another one in neo4j.database.",
    ),
    (
        "Security.Forbidden",
        "refused",
        "does not let this user do that",
        "Give the user the right to write and to make indexes, or name another in neo4j.user.",
    ),
    (
        "AccessMode",
        "query",
        "does not write in a reading query",
        "Leave out CREATE, MERGE, SET, DELETE and the like.",
    ),
    # What a full disk comes to: only the server's own log names the disk. It then stays so until it is restarted.
    ("TransactionLogError", "refused", "could not store a batch, as when its disk is full", _ROOM),
    ("TransactionCommitFailed", "refused", "could not store a batch, as when its disk is full", _ROOM),
    ("critical error", "refused", "has stopped its database, as when its disk was full", _ROOM),
    (
        "Schema.",
        "refused",
        "holds data that is not memwiki's",
        "Name a database of memwiki's own in neo4j.database.",
    ),
    (
        "OutOfMemory",
        "refused",
        "has too little memory for a batch",
        "Give the server more memory, then run `memwiki sync`.",
    ),
    (
        "TransactionTimedOut",
        "away",
        "takes too long over it",
        "Ask for less at once, or wait until it is less busy; the next `memwiki sync` goes on from here.",
    ),
    (
        "unsupported clauses",
        "refused",
        "keeps no data in that database",
        "Correct neo4j.database, or unset it to use the user's home database.",
    ),
    ("no such fulltext", "refused", "holds no graph of memwiki's", "Run `memwiki sync --index neo4j --full`."),
    ("Procedure.", "query", "cannot call that", "Correct the query."),
    ("Statement.", "query", "does not understand the query", "Correct the query."),
)
_CLOSED = "closed the connection"
_UNTRUSTED = (
    "Name a file with the certificate of its authority in SSL_CERT_FILE, or write +ssc instead of +s in neo4j.uri, "
    "which trusts any certificate."
)


def failure(target: Target, error: Exception) -> GraphError:
    """A driver's error as one sentence that names the address and the cause, and the remedy. No password is in it."""
    code = str(getattr(error, "code", "") or "")
    text = _plain(target, str(getattr(error, "message", "") or error))
    for mark, kind, words, remedy in _CAUSES:
        if mark in code or mark in text:
            detail = f": {_first_line(text)}" if kind == "query" or mark in ("Schema.", "Security.Forbidden") else ""
            return GraphError(f"Neo4j at {target.name} {words}{detail}.", remedy, kind)
    for one in _behind(error):
        if isinstance(one, ssl.SSLCertVerificationError):
            words = f"has a certificate that is not trusted here: {_first_line(one.verify_message)}"
            return GraphError(f"Neo4j at {target.name} {words}.", _UNTRUSTED, "refused")
    words = f"could not do it: {_first_line(text)}" if code else _away(error)
    remedy = "Start it or correct neo4j.uri; the next `memwiki sync` catches up by itself."
    if words == _CLOSED and "+" in target.uri.partition(":")[0]:
        words = f"{_CLOSED}, as one does that speaks no TLS"
    elif words == _CLOSED:
        words, remedy = f"{_CLOSED}, as one does that wants TLS", f"Write +s after the scheme, or {remedy.lower()}"
    return GraphError(f"Neo4j at {target.name} {words}.", remedy, "away")


def _away(error: Exception) -> str:
    """Why nothing could be asked, from the first of the errors behind an error that says so."""
    for one in _behind(error):
        if isinstance(one, TimeoutError):
            return "does not answer"
        if isinstance(one, socket.gaierror):
            return "cannot be reached: its name is not known"
        if isinstance(one, ConnectionRefusedError):
            return "cannot be reached: nothing listens there"
        if isinstance(one, ssl.SSLError):
            return f"cannot be reached safely: {_first_line(str(one))}"
        if isinstance(one, OSError) and one.strerror:
            return f"cannot be reached: {one.strerror}"
        if "Bolt" in str(one) and "defunct" not in str(one):
            return "does not speak Neo4j's protocol there"
    return _CLOSED


def _behind(error: BaseException) -> Iterator[BaseException]:
    """An error and what led to it, the causes first."""
    inner = [error.__cause__ or error.__context__, *(error.exceptions if isinstance(error, BaseExceptionGroup) else ())]
    for one in inner:
        if one is not None:
            yield from _behind(one)
    yield error


def _plain(target: Target, text: str) -> str:
    return text.replace(target.password, "***") if target.password else text


def _first_line(text: str) -> str:
    """The first line of an error, short and without its full stop."""
    from ...text import one_line

    return one_line(next((line for line in text.splitlines() if line.strip()), ""), 200).rstrip(".")
