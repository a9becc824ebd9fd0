"""Search for notes in the graph: its full-text index names candidates by our own stems, the one ranking weighs them."""

from typing import TYPE_CHECKING, Any, cast

from ...config import Home
from ...recall.analysis import runs
from ...recall.explain import Hit, hit, opened
from ...recall.rank import Query, Ranked
from ...recall.snapshot import SECRET
from .schema import NOTES

if TYPE_CHECKING:
    from ...recall.snapshot import Note
    from .connection import Connection

_CANDIDATES = 200  # notes that are weighed for one query
_FAR = 0.6  # how much a stem that is only like an unknown word of the query counts, as in the ranking


class _Found:
    """A note of the graph in the shape that the ranking weighs."""

    def __init__(self, row: Any) -> None:
        self.path: str = row["path"]
        self.flags = SECRET if row["secret"] else 0
        self.head, self.fold = _terms(row["head"]), row["fold"] or ""
        self.stems = _terms(row["stems"]) + _terms(row["stops"])
        self.sizes = tuple(row["sizes"])
        self._fields = {4: row["title"], 5: row["description"], 6: row["type"], 8: row["text"]}

    def field(self, place: int) -> str:
        """One of the snapshot's fields."""
        return self._fields[place] or ""


def search(
    home: Home, connection: "Connection", query: str, *, within: str = "", type: str = "", limit: int = 10
) -> list[Hit]:
    """The `limit` best notes, best first, scored as the embedded index scores them; [] when no word is known.

    How rare a word is comes from this machine's snapshot. Raises GraphError, and MemwikiError without a snapshot.
    """
    with opened(home) as snapshot:
        asked = Query(snapshot, query)
        terms = dict.fromkeys((*asked.stems, *asked.found), 1.0)
        unknown = [stem for stem in terms if stem not in asked.found and len(stem) > 3 and not runs(stem[0])]
        for stem in unknown[:3]:
            near = {word: dice for dice, word in snapshot.near(stem) if snapshot.term(word)[0] > 0}
            terms = {word: round(_FAR * dice, 2) for word, dice in near.items()} | terms
        if not terms:
            return []
        rows = connection.rows(
            "CALL db.index.fulltext.queryNodes($index, $words) YIELD node AS m "
            "WHERE m.path STARTS WITH $within AND $type IN ['', m.type] RETURN m.path AS path, m.head AS head, "
            "m.stems AS stems, m.stops AS stops, m.fold AS fold, m.sizes AS sizes, m.title AS title, "
            "m.description AS description, m.type AS type, m.text AS text, m.secret AS secret LIMIT $most",
            index=NOTES,
            # Inside quotes nothing is an operator, and a stem has neither quotes nor backslashes.
            words=" OR ".join(f'"{term}"^{weight}' for term, weight in list(terms.items())[:96]),
            within=within,
            type=type,
            most=max(_CANDIDATES, limit),
        )
        ranked = [Ranked(asked, cast("Note", _Found(row)), snapshot.average) for row in rows]
        ranked.sort(key=lambda one: (-one.score, one.note.path))
        return [hit(one) for one in ranked[:limit]]


def _terms(words: str | None) -> str:
    """Words as the snapshot keeps them: ` word;` each."""
    return "".join(f" {word};" for word in (words or "").split(" ") if word)
