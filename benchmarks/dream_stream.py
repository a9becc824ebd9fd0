"""The offline engine behind the yardstick's protocol: a JSON line a session in, a JSON line of proposals out.

    python3 evaluate.py --stream 'python benchmarks/dream_stream.py'

Events reach the engine as in a dream: as journal events of Claude Code, cut down by `dream.excerpt`.
"""

import json
import sys
from typing import Any

from memwiki.dream.edits import Batch, Conversation, Excerpt
from memwiki.dream.engines.rules import Rules
from memwiki.dream.excerpt import excerpt
from memwiki.journal.event import Event


def seen(place: int, given: dict[str, Any]) -> Excerpt | None:
    """The protocol's event at `place` as a distiller sees it."""
    name = given["event"]
    return excerpt(Event(place, "", name, name, "claude", "s", cwd=given.get("cwd", ""), payload=given))


def proposals(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the engine would propose for one session."""
    excerpts = tuple(found for place, given in enumerate(events) if (found := seen(place, given)))
    slug = next((given["cwd"].rsplit("/", 1)[-1] for given in events if given.get("cwd")), "")
    folder = f"project/{slug}" if slug else ""
    answer = Rules().distil(Batch((Conversation("claude/s", "claude", slug, folder, "main", excerpts),)))
    return [
        {
            "type": edit.type,
            "scope": edit.path.split("/")[0],
            "path": edit.path,
            "text": edit.text,
            "evidence": sorted({int(quote.event.rpartition("#")[2]) for quote in edit.quotes}),
        }
        for edit in answer.edits
    ]


def main() -> None:
    """Answer line by line until stdin ends."""
    for line in sys.stdin:
        session = json.loads(line)
        answer = {"id": session["id"], "proposals": proposals(session["events"])}
        print(json.dumps(answer, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
