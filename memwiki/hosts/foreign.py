"""Programs of others that `doctor` starts: apart from the terminal, and ended with all that they started."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_GRACE = 1.0  # seconds


@contextmanager
def started(
    command: Sequence[str], folder: Path, env: Mapping[str, str], stderr: int = subprocess.PIPE
) -> Iterator["subprocess.Popen[bytes]"]:
    """The program, running in `folder` with pipes on its streams; what does not end by itself is killed.

    It has a session of its own, so that nothing in it can ask at the person's terminal. What leaves that session (a
    sync that a hook started) goes on. Raises OSError when it cannot be started.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, bufsize=0, cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=stderr, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.stdin is not None:
                process.stdin.close()  # by which the most end, with their files in order
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
            with suppress(ProcessLookupError, PermissionError):  # none is left; macOS refuses where they are zombies
                os.killpg(process.pid, signal.SIGKILL)
