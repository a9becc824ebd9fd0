"""What a sync costs, as ratios against a baseline of the same run: full, no-op, and ten changed notes.

    python benchmarks/sync.py [NOTES]

Prints one JSON object. Times are the best of several, for the machine is never quiet.
"""

import json
import os
import random
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


def best(times: int, action: Callable[[], object]) -> float:
    """The shortest of `times` runs, in seconds."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        action()
        found.append(time.perf_counter() - started)
    return min(found)


def main(most: int) -> None:
    """Measure at a tenth of `most` notes and at `most`."""
    result: dict[str, float] = {}
    changed: dict[int, float] = {}
    for notes in (most // 10, most):
        with tempfile.TemporaryDirectory(prefix="memwiki-sync-") as folder:
            home = Path(folder) / "home"
            os.environ |= {"MEMWIKI_HOME": str(home), "HOME": folder}
            (Path(folder) / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.com\n")
            vault = vault_of(home, notes)
            if notes == most:
                result |= _full(home, vault)
            _memwiki()
            if notes == most:
                bare = best(10, lambda: _python("import click, git"))
                result["no-op process / import click, git"] = best(10, _memwiki) / bare
            changed[notes] = _ten(vault)
            result[f"10 changed of {notes}, process / import click, git"] = changed[notes] / best(
                5, lambda: _python("import click, git")
            )
    result[f"10 changed of {most} / 10 changed of {most // 10}"] = changed[most] / changed[most // 10]
    print(json.dumps({key: round(value, 3) for key, value in result.items()}, indent=1))


def _full(home: Path, vault: Path) -> dict[str, float]:
    """A full sync against the analysis alone: text to note, links, secrets and words, without storing anything."""
    files = [(str(file.relative_to(vault)), file.read_bytes()) for file in vault.rglob("note-*.md")]
    alone = best(2, lambda: [row_of(*one) for one in files])
    with open_memory(home=home) as memory:
        full = best(2, lambda: memory.sync(full=True))
    return {"full sync / analysis of the same notes": full / alone, "full sync, seconds": full}


def _ten(vault: Path) -> float:
    """A sync process after ten notes were edited; edits are not counted."""
    found = []
    for turn in range(6):
        for number in range(10):
            with (vault / f"project/p{number}/note-{number}.md").open("a") as out:
                out.write(f"- Another line {turn}.\n")
        found.append(best(1, _memwiki))
    return min(found)


def _memwiki() -> None:
    subprocess.run([sys.executable, "-m", "memwiki", "sync"], check=True, stdout=subprocess.DEVNULL)


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def _git(top: Path, *args: str) -> None:
    subprocess.run(["git", "-C", str(top), *args], check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
