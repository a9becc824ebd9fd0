"""Reading notes and finding their links, as a multiple of bare YAML and a bare search for links in the same run.

    python benchmarks/notes.py [NOTES]

Prints one line of JSON for notes that memwiki would make (frontmatter, a dozen statements, a link). CPU seconds, the
best of five runs each.
"""

import json
import re
import sys
import time
from collections.abc import Callable

import yaml

from memwiki.vault.frontmatter import parse
from memwiki.vault.links import links_of

LINK = re.compile(r"\[\[([^\]]+)\]\]|\]\(([^)]+)\)")


def made(number: int, of: int) -> tuple[str, bytes]:
    """Path and bytes of one note."""
    head = (
        f"---\ntitle: Note {number}\ndescription: what number {number} is about and why it matters\ntype: fact\n"
        f"tags: [a, b{number % 7}, c]\ncreated: 2026-11-{number % 28 + 1:02d}\n---\n"
    )
    lines = [f"- Statement {line} of the note says something about `thing {line}`.\n" for line in range(12)]
    return f"tools/n{number}.md", (head + "".join(lines) + f"- See [[tools/n{number * 7 % of}]].\n").encode()


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of five runs."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    files = [made(number, count) for number in range(count)]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def bare() -> None:
        for _, data in files:
            text = data.decode()
            yaml.load(text[4 : text.index("\n---\n", 4)], Loader=loader)
            LINK.findall(text)

    def ours() -> None:
        for path, data in files:
            links_of(parse(path, data))

    base, whole = seconds(bare), seconds(ours)
    print(
        json.dumps(
            {"notes": count, "bare_ms": round(base * 1e3), "ms": round(whole * 1e3), "ratio": round(whole / base, 2)}
        )
    )


if __name__ == "__main__":
    main()
