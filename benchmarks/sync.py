"""What a sync costs, as ratios against a baseline of the same run: full, no-op, and ten changed notes.

    python benchmarks/sync.py [NOTES]

Prints one JSON object. Both sides of a ratio run in turn, and the median of the turns' ratios counts: what else the
machine does meets both.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memwiki import open as open_memory
from memwiki.index.row import row_of
from memwiki.init import init

_VOWELS, _CONSONANTS = "aeiou", "bcdfghklmnprstvwz"


def vault_of(home: Path, notes: int, seed: int = 7) -> Path:
    """A committed vault of `notes` notes of about 1.2 KB each: 190 words of a long-tailed vocabulary, a link, tags."""
    dice = random.Random(seed)
    words = [
        "".join(dice.choice(_CONSONANTS) + dice.choice(_VOWELS) for _ in range(dice.randint(1, 4))) for _ in range(8000)
    ]
    started = init(None, home)
    for number in range(notes):
        body = [words[int(len(words) * dice.random() ** 3)] for _ in range(190)]
        text = "\n".join("- " + " ".join(body[start : start + 12]) + "." for start in range(0, len(body), 12))
        path = started.vault / f"project/p{number % 40}/note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\ntitle: {' '.join(body[:4])}\ndescription: {' '.join(body[4:12])}\ntype: fact\n"
            f"tags: [{body[0]}, {body[1]}]\n---\n{text}\n\nSee [[note-{number * 7 % notes}]] and `{body[2]}`.\n",
            "utf-8",
        )
    _git(started.vault, "add", "--all")
    _git(started.vault, "commit", "--quiet", "-m", "notes")
    return started.vault


def ratio(times: int, one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """`one` against `other`, run in turn: by the clock and by processor time, each the median of `times` ratios."""
    found = [(_cost(one), _cost(other)) for _ in range(times)]
    clock, processor = (statistics.median(a[k] / b[k] for a, b in found) for k in (0, 1))
    return clock, processor


def _cost(action: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of this process and its children on a processor."""
    before, started = os.times(), time.perf_counter()
    action()
    clock, after = time.perf_counter() - started, os.times()
    return clock, sum(after[:4]) - sum(before[:4])


def main(most: int) -> None:
    """Measure at a tenth of `most` notes and at `most`."""
    result: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory(prefix="memwiki-sync-") as folder:
        os.environ["HOME"] = folder
        (Path(folder) / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
        small, large = Path(folder) / "small", Path(folder) / "large"
        few, many = vault_of(small, most // 10), vault_of(large, most)
        files = [(str(file.relative_to(many)), file.read_bytes()) for file in many.rglob("note-*.md")]
        with open_memory(home=large) as memory:
            result[f"full sync of {most} / analysis alone"] = ratio(
                3, lambda: memory.sync(full=True), lambda: [row_of(*one) for one in files]
            )
        _memwiki(small)
        result["no-op process / import click, git"] = ratio(15, lambda: _memwiki(large), _imports)
        turn = [0]

        def ten(home: Path, vault: Path) -> None:
            turn[0] += 1
            for number in range(10):
                with (vault / f"project/p{number}/note-{number}.md").open("a") as out:
                    out.write(f"- Another line {turn[0]}.\n")
            _memwiki(home)

        result["10 changed, process / import click, git"] = ratio(7, lambda: ten(large, many), _imports)
        result[f"10 changed of {most} / of {most // 10}"] = ratio(7, lambda: ten(large, many), lambda: ten(small, few))
    named = {key: {"clock": round(a, 2), "processor": round(b, 2)} for key, (a, b) in result.items()}
    print(json.dumps(named, indent=1))


def _memwiki(home: Path) -> None:
    command = [sys.executable, "-m", "memwiki", "sync"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "MEMWIKI_HOME": str(home)})


def _imports() -> None:
    subprocess.run([sys.executable, "-c", "import click, git"], check=True)


def _git(top: Path, *args: str) -> None:
    subprocess.run(["git", "-C", str(top), *args], check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
