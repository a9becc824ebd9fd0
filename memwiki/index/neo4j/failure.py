"""What goes wrong between memwiki and a Neo4j: one sentence, one remedy, and a kind that says who can do something."""

import socket
import ssl
from collections.abc import Iterator

from ...errors import MemwikiError
from ...text import one_line
from .target import Target


class GraphError(MemwikiError):
    """A failure of the graph alone; `kind` is "authentication", "away", "vault", "refused" or "query"."""

    def __init__(self, message: str, remedy: str, kind: str) -> None:
        super().__init__(message, remedy)
        self.kind = kind


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
    return one_line(next((line for line in text.splitlines() if line.strip()), ""), 200).rstrip(".")
