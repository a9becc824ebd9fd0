"""What a prompt hook and a tool's hook cost: whole processes against a bare interpreter, in a vault of 10,000 notes.

    python benchmarks/prompt_hook.py [NOTES] [CALLS]

Each call is a fresh process and a fresh session. Also with the snapshot gone, garbage, and being written all the time.
A hundred of the notes belong to paths; the tool touches the path of one of them, or a path of none.
Prints one JSON object: medians, as multiples of `python -I -S -c pass` (and the baseline's own in ms).
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from memwiki.config import Config, Home
from memwiki.hosts.programs import install, interpreter
from memwiki.index.analysis import analyse_note
from memwiki.index.snapshot import Meta, Stored, settings_of, write
from memwiki.text import sha256
from memwiki.vault.frontmatter import parse
from memwiki.vault.paths import namespace

_CONSONANTS, _VOWELS = "bcdfghklmnprstvwz", "aeiou"
_PLAIN = ["how", "do", "we", "the", "a", "of", "in", "for", "with", "when", "is", "and", "our"]


def words_of(dice: random.Random, count: int) -> list[str]:
    """Made-up words; `pick` draws the early ones most."""
    return [
        "".join(dice.choice(_CONSONANTS) + dice.choice(_VOWELS) for _ in range(dice.randint(2, 5)))
        for _ in range(count)
    ]


def pick(dice: random.Random, words: list[str], count: int) -> list[str]:
    """`count` words, a third of them plain English ones."""
    return [
        dice.choice(_PLAIN) if dice.random() < 0.3 else words[int(len(words) * dice.random() ** 3)]
        for _ in range(count)
    ]


def vault_of(home: Home, notes: int) -> list[str]:
    """Fill the home's vault and snapshot; prompts that ask for some of its notes."""
    dice = random.Random(11)
    words, prompts, stored = words_of(dice, 20_000), [], []
    vault = home.path / "vault"
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(vault)], check=True)
    for number in range(notes):
        path = ("tools", "profile/work", "topics", f"project/p{number % 40}")[number % 4] + f"/note-{number}.md"
        title, lines = pick(dice, words, 5), [pick(dice, words, 12) for _ in range(6)]
        body = "\n".join("- " + " ".join(line) + "." for line in lines)
        belongs = f"applies_to: [src/n{number}/**, '*.n{number}']\n" if number % 100 == 2 else ""
        text = f"---\ntitle: {' '.join(title)}\ntype: fact\n{belongs}---\n{body}\n"
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        note, state = parse(path, text.encode()), file.stat()
        stored.append(
            Stored(
                path=path,
                title=note.title,
                description=note.description,
                type=note.type,
                pin=False,
                namespace=namespace(path),
                hash=sha256(text),
                text=text,
                mtime_ns=state.st_mtime_ns,
                size=state.st_size,
                analysis=analyse_note(note),
            )
        )
        if number % 50 == 0:
            prompts.append("how do we " + " ".join(dice.sample(lines[2], 4) + title[:3]) + " again?")
    meta = Meta(str(vault), str(vault / ".git"), "main", "0" * 40, settings=settings_of(Config(home)))
    write(home.snapshot, stored, meta)
    return prompts


def timed(command: list[str], payload: bytes) -> tuple[float, bytes]:
    """Milliseconds and output of one process."""
    started = time.perf_counter()
    done = subprocess.run(command, input=payload, capture_output=True, check=True)
    return (time.perf_counter() - started) * 1e3, done.stdout


def measure(
    home: Home, said: list[dict[str, object]], calls: int, name: str, between: Callable[[], object]
) -> dict[str, float]:
    """Medians of hook and baseline, in turn; the share of calls that injected something."""
    event = str(said[0]["hook_event_name"])
    bare, hook = [interpreter(), "-I", "-S", "-c", "pass"], [interpreter(), "-I", "-S", str(home.bin / "launch")]
    times: dict[str, list[float]] = {"bare": [], "hook": []}
    answered = 0
    for call in range(calls):
        between()
        more = said[call % len(said)]
        payload = json.dumps({"session_id": f"{name}-{call}", "cwd": str(home.path), **more}).encode()
        times["bare"].append(timed(bare, payload)[0])
        spent, output = timed([*hook, "claude", event], payload)
        times["hook"].append(spent)
        answered += bool(output)
    p50 = {key: statistics.median(values) for key, values in times.items()}
    return {
        "ratio": round(p50["hook"] / p50["bare"], 3),
        "bare_ms": round(p50["bare"], 2),
        "injected": answered / calls,
    }


@contextmanager
def rewriting(path: Path):  # type: ignore[no-untyped-def]
    """Another process replaces the snapshot ten times a second, as syncs do."""
    code = (
        "import sys, time, pathlib, os\npath = pathlib.Path(sys.argv[1])\ndata = path.read_bytes()\n"
        "while True:\n new = path.with_suffix('.new')\n new.write_bytes(data)\n new.replace(path)\n time.sleep(0.1)\n"
    )
    writer = subprocess.Popen([interpreter(), "-I", "-S", "-c", code, str(path)])
    try:
        yield
    finally:
        writer.kill()
        writer.wait()


def main(notes: int, calls: int) -> None:
    """Measure each state and print."""
    with tempfile.TemporaryDirectory(prefix="memwiki-hook-") as folder:
        home = Home(Path(folder) / "home")
        home.make()
        prompts: list[dict[str, object]] = [
            {"hook_event_name": "UserPromptSubmit", "prompt": prompt} for prompt in vault_of(home, notes)
        ]
        install(home)
        whole = home.snapshot.read_bytes()
        result: dict[str, object] = {"notes": notes, "calls": calls, "snapshot_mb": round(len(whole) / 1e6, 1)}
        nothing = lambda: None  # noqa: E731
        measure(home, prompts, 5, "warm", nothing)
        result["whole"] = measure(home, prompts, calls, "whole", nothing)
        for name, path in (("a tool and a path of a note", "src/n2/a.py"), ("a tool and another path", "src/x/a.py")):
            tool: dict[str, object] = {
                "hook_event_name": "PostToolUse",
                "tool_name": "Read",
                "tool_input": {"file_path": path},
            }
            result[name] = measure(home, [tool], calls, path.replace("/", "."), nothing)
        with rewriting(home.snapshot):
            result["being written"] = measure(home, prompts, calls, "written", nothing)
        home.snapshot.write_bytes(random.Random(5).randbytes(len(whole)))
        result["garbage"] = measure(home, prompts, calls, "garbage", nothing)
        home.snapshot.write_bytes(whole[: len(whole) // 2])
        result["cut"] = measure(home, prompts, calls, "cut", nothing)
        home.snapshot.unlink()
        result["gone"] = measure(home, prompts, calls, "gone", nothing)
        print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(*(int(x) for x in [*sys.argv[1:], *("10000", "200")[len(sys.argv) - 1 :]]))
