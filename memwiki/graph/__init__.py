"""The graph beside the files: kept in step with journal, vault and git, and asked what only a graph answers well."""

from .asking import cypher, events, facts, impact, neo4j, picture, search
from .keeping import BUDGET, findings, keep, status

__all__ = [
    "BUDGET",
    "cypher",
    "events",
    "facts",
    "findings",
    "impact",
    "keep",
    "neo4j",
    "picture",
    "search",
    "status",
]
