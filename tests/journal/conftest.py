"""A made home, and a way to put payloads into its spool as hooks do."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memwiki.capture.spool import spool
from memwiki.config import Config, Home, find_home

SESSION = "5a0c0000-0000-4000-8000-0000000000aa"


@pytest.fixture
def store() -> Home:
    """The home with all its rooms."""
    made = find_home()
    made.make()
    return made


@pytest.fixture
def config(store: Home) -> Config:
    """Its settings: all default."""
    return Config(store)


@pytest.fixture
def put(store: Home) -> Callable[..., Path]:
    """A file in the spool as a hook leaves it, a second after the one before; its path. A payload may be bytes."""
    clock = [1_790_000_000.0]
    written: list[Path] = []

    def spooled(
        payload: dict[str, Any] | bytes,
        native: str = "",
        host: str = "claude",
        at: float = 0.0,
        folder: str = "",
        name: str = "",
    ) -> Path:
        clock[0] = at or clock[0] + 1.0
        if isinstance(payload, dict):
            payload = {"session_id": SESSION, "cwd": "/home/dev/shop", **payload}
            native = native or payload.get("hook_event_name", "UserPromptSubmit")
            payload = json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogatepass")
        path = store.spool / spool(str(store.path), host, native or "UserPromptSubmit", folder, payload)
        path = path.rename(path.with_name(name or f"{path.name}.{len(written)}"))
        written.append(path)
        moment = int(clock[0] * 1e9)
        os.utime(path, ns=(moment, moment))
        return path

    return spooled
