"""What the drain costs: events of real sizes, against reading, parsing and writing the same bytes in the same run.

    python benchmarks/drain.py [EVENTS]

Prints one JSON object: milliseconds an event and as a multiple of the baseline, for small, usual and huge payloads, and
what redaction takes of it.
"""

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from memwiki.capture.spool import header
from memwiki.config import Config, Home
from memwiki.files import locked
from memwiki.journal.drain import drain
from memwiki.journal.redaction import redact

KINDS = {"small (0.5 KB)": 4, "usual (6 KB)": 100, "huge (1 MB)": 16_000}  # lines of a tool's output
WORDS = (
    *("the", "build", "of", "shop", "passed", "its", "tests", "and", "wrote", "report.json", "for", "key", "metrics"),
    *("session", "tokens", "4096"),
)


def payload(chance: random.Random, lines: int) -> bytes:
    """A tool event with that many lines of output."""
    text = "\n".join(" ".join(chance.choice(WORDS) for _ in range(10)) for _ in range(lines))
    return json.dumps(
        {
            "session_id": "5a0c0000-0000-4000-8000-000000000001",
            "cwd": "/home/dev/shop",
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "make test"},
            "tool_response": {"stdout": text, "stderr": ""},
        }
    ).encode()


def baseline(raws: list[bytes], folder: Path) -> float:
    """Seconds to write, read and parse the payloads and append them to one file, synced once."""
    for number, raw in enumerate(raws):
        (folder / str(number)).write_bytes(raw)
    started = time.perf_counter()
    with (folder / "out").open("ab") as out:
        for number in range(len(raws)):
            value = json.loads((folder / str(number)).read_bytes())
            out.write(json.dumps(value).encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())
    for number in range(len(raws)):
        (folder / str(number)).unlink()
    return time.perf_counter() - started


def measure(events: int, lines: int) -> dict[str, float]:
    """One kind of payload."""
    chance = random.Random(lines)
    raws = [payload(chance, lines) for _ in range(events)]
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        home.make()
        (Path(folder) / "plain").mkdir()
        plain = baseline(raws, Path(folder) / "plain")
        for number, raw in enumerate(raws):
            (home.spool / str(number)).write_bytes(header("claude", "PostToolUse", "") + raw)
        started = time.perf_counter()
        with locked(home.locks / "sync"):
            done = drain(home, Config(home))
        took = time.perf_counter() - started
    assert done.events == events
    values = [json.loads(raw) for raw in raws]
    started = time.perf_counter()
    for value in values:
        redact(value)
    redaction = time.perf_counter() - started
    return {
        "ms_an_event": round(1000 * took / events, 3),
        "times_baseline": round(took / plain, 1),
        "redaction_ms_an_event": round(1000 * redaction / events, 3),
    }


def main(events: int) -> None:
    """Measure all kinds; of huge payloads a twentieth as many."""
    found = {kind: measure(max(5, events // (20 if lines > 1000 else 1)), lines) for kind, lines in KINDS.items()}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
