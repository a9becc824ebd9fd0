"""An installed home, and its hook run as a host runs it."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memwiki.capture.spool import split
from memwiki.config import Home
from memwiki.hosts.programs import install

Hook = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def place(home: Path) -> Home:
    """A home with `bin/` written, and no sync at the end of a turn (those who want one ask for `synced`)."""
    made = Home(home / ".memwiki")
    made.make()
    install(made)
    return made


@pytest.fixture
def hook(place: Home) -> Hook:
    """`hook(host, event, raw)`: one call of the installed script; stderr and exit code are checked always."""

    def call(host: str, event: str, raw: bytes = b"{}", **env: str) -> subprocess.CompletedProcess[bytes]:
        done = subprocess.run(
            [str(place.bin / "hook"), host, event],
            input=raw,
            capture_output=True,
            timeout=30,
            env={**os.environ, **env},
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done

    return call


def spooled(place: Home) -> list[tuple[str, str, str, bytes]]:
    """The finished payloads in the spool, oldest first; fails where anything else lies there."""
    files = sorted(place.spool.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    return [split(file.read_bytes()) for file in files]
