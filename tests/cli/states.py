"""Runs many commands in one process, a fork each: `python states.py HOME < JSON`, for the test beside it.

stdin holds `{"commands": [[...]], "user": 0, "bytes": 0}`: the arguments of each command, the user to become, and the
largest file that may be written (0: any). stdout gets a line a command: its exit code and what it said.
"""

import importlib
import io
import json
import os
import pkgutil
import resource
import signal
import sys

import memwiki
from memwiki.cli import main

SECONDS = 60
LATE = [
    "encodings.ascii",
    "encodings.latin_1",
    "encodings.idna",
    "git",
    "getpass",
    "frontmatter",
    "tomlkit",
    "rich.table",
    "rich.text",
    "mcp.server.stdio",
    "sqlite3",
    "yaml",
]


def modules() -> None:
    """Import everything now: another user may not be able to."""
    names = [found.name for found in pkgutil.walk_packages(memwiki.__path__, "memwiki.")]
    for name in [one for one in names if one != "memwiki.__main__"] + LATE:
        importlib.import_module(name)


def child(args: list[str], output: int, user: int, most: int) -> None:
    """Become the command; does not return."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if most:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    signal.alarm(SECONDS)
    sys.argv = ["memwiki", *args]
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", write_through=True)
    try:
        main(args)
    except SystemExit as error:
        os._exit(error.code if isinstance(error.code, int) else 99)
    except BaseException as error:
        sys.stderr.write(f"it ended with {error!r}\n")
    os._exit(98)


def run() -> None:
    task = json.load(sys.stdin)
    modules()
    for args in task["commands"]:
        ours, theirs = os.pipe()  # not a file, whose size is limited, too
        pid = os.fork()
        if not pid:
            child(args, theirs, task["user"], task["bytes"])
        os.close(theirs)
        with os.fdopen(ours, "rb") as output:
            said = output.read().decode("utf-8", "replace")
        _, status = os.waitpid(pid, 0)
        print(json.dumps([os.waitstatus_to_exitcode(status), said]), flush=True)


if __name__ == "__main__":
    run()
