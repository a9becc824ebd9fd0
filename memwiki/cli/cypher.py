"""`memwiki cypher`: ask the graph anything."""

import json
from typing import Any

import click

from .output import echo, emit, json_option, memory, table


@click.command()
@click.argument("query")
@json_option
def command(query: str, as_json: bool) -> None:
    """Run one Cypher query in Neo4j and print its rows.

    The query can only read: the server refuses one that writes.

    \b
    Example:
      memwiki cypher "MATCH (m:Memory)<-[g:WAS_GIVEN]-() RETURN m.path, count(g) AS times ORDER BY times DESC LIMIT 5"
    """
    rows = memory().cypher(query)
    if as_json:
        emit({"rows": rows})
    elif rows:
        table(list(rows[0]), [[_cell(value) for value in row.values()] for row in rows])
    else:
        echo("No rows.")


def _cell(value: Any) -> str:
    """A value on one line."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
