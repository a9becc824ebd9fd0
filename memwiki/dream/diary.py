"""What a dream leaves in the home's log folder: how the last one went, and what a model said that could not be used."""

import json
import time
from typing import Any

from ..config import Home
from ..errors import MemwikiError
from ..files import read, write_atomic
from ..text import utc
from .engines.failure import Failed

STATE = "dream.json"
KEPT = 20  # files with a model's own words


def state(home: Home) -> dict[str, Any]:
    """`last_success` (UTC), `last_run`, `last_failure` (at, kind, message, remedy; or None), `waiting`; {} at first."""
    try:
        found = json.loads(read(home.log / STATE))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def note_success(home: Home, run: str, waiting: int) -> None:
    """A run that ended well: the last failure is over."""
    before = state(home)
    _write(
        home,
        {
            "last_success": utc(),
            "last_run": run or before.get("last_run", ""),
            "last_failure": None,
            "waiting": waiting,
        },
    )


def note_failure(home: Home, error: MemwikiError, waiting: int | None) -> None:
    """A run that failed, and how many events wait (None: not known, as before)."""
    before = state(home)
    kind = error.kind if isinstance(error, Failed) else "stopped"
    failure = {"at": utc(), "kind": kind, "message": error.message, "remedy": error.remedy}
    kept = {key: before.get(key, "") for key in ("last_success", "last_run")}
    _write(home, {**kept, "last_failure": failure, "waiting": before.get("waiting", 0) if waiting is None else waiting})


def keep_words(home: Home, run: str, words: str) -> str:
    """Keep a model's own words for a person to look at; the file's path. Nothing ever reads it back."""
    path = home.log / f"dream-{run}.txt"
    with path.open("a", encoding="utf-8", errors="replace") as out:
        out.write(f"--- {time.strftime('%Y-%m-%d %H:%M:%S')}\n{words}\n")
    path.chmod(0o600)
    for old in sorted(home.log.glob("dream-*.txt"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return str(path)


def _write(home: Home, value: dict[str, Any]) -> None:
    write_atomic(home.log / STATE, (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8"))
