"""Processes in which calls are answered: each can be ended whatever it does, in C code or waiting for a lock.

One process imports all that answers need, and forks for each call: a call costs no import, and ending it costs the
next one nothing.
"""

import importlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import MemwikiError
from ..recall.explain import refusal

if TYPE_CHECKING:
    from ..app import Memory

SECONDS = 3.0  # that a call may take before it is answered without a result
_CLEANING = 0.2  # seconds for a git to remove its lock files
_CODE = f"from {__name__} import fork_calls; fork_calls()"
_NEEDED = (  # by what answers call; each is otherwise imported when it is first used
    "git",
    "memwiki.app",
    "memwiki.hosts.programs",
    "memwiki.hosts.survey",
    "memwiki.index.sqlite",
    "memwiki.journal.recap",
    "memwiki.journal.sessions",
    "memwiki.mcp.answers",
    "memwiki.review.request",
    "memwiki.status",
    "memwiki.vault.git",
    "memwiki.vault.links",
    "memwiki.vault.tree",
)


class Forker:
    """The process that forks for calls. It is gone when this process is."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            command, pipe = [sys.executable, "-P", "-c", _CODE], theirs.fileno()
            self.process = subprocess.Popen(command, stdin=pipe, stdout=subprocess.DEVNULL, start_new_session=True)

    def wait(self) -> None:
        """Return when the process is ready, or has ended."""
        self.control.recv(1, socket.MSG_PEEK)

    def call(self) -> "Call":
        """A process for one call; OSError when the forking process has ended."""
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.control, [b"."], [theirs.fileno()])
        return Call(ours)


class Call:
    """One call, answered at the other end of `channel`."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel, self.pid = channel, 0

    def ask(self, work: "Callable[[Memory], str]", host: str | None, folder: str) -> str:
        """What `work` says about memory, in its own time.

        Where `host` is not None, a memory that is paused or off for it in `folder` says only that. MemwikiError for an
        expected failure, and where the process ended.
        """
        with self.channel, self.channel.makefile("rwb") as file:
            try:
                self.pid = pickle.load(file)  # noqa: S301 - a child of ours
                pickle.dump((work, host, folder), file)
                file.flush()
                failed, text = pickle.load(file)  # noqa: S301 - a child of ours
            except (OSError, EOFError, pickle.UnpicklingError) as error:
                raise MemwikiError("The process of this call ended before its answer.", "Go on without it.") from error
        if failed:
            raise MemwikiError(text)
        return str(text)

    def end(self) -> None:
        """End the call's process and what it has started; a git may remove its lock files first."""
        with suppress(OSError):
            self.channel.shutdown(socket.SHUT_RDWR)
        if self.pid:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGTERM)
                time.sleep(_CLEANING)
                os.killpg(self.pid, signal.SIGKILL)


def fork_calls() -> None:
    """What the forking process does, until its standard input, a socket, ends: a process for each call."""
    with socket.socket(fileno=os.dup(0)) as control:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # nothing that is started here reads from the socket
        for name in _NEEDED:
            importlib.import_module(name)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no child is waited for
        # The other end was closed, with something unread or before this process was ready.
        with suppress(ConnectionResetError, BrokenPipeError):
            control.send(b".")
            while channels := socket.recv_fds(control, 1, 1)[1]:
                if os.fork() == 0:
                    control.close()
                    _answer(channels[0])
                os.close(channels[0])


def _answer(channel: int) -> None:
    """Answer one call and exit. The system ends this process after its limit, too: its server may be gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SECONDS + _CLEANING)
    os.setsid()
    try:
        with socket.socket(fileno=channel) as own, own.makefile("rwb") as file:
            pickle.dump(os.getpid(), file)
            file.flush()
            work, host, folder = pickle.load(file)  # noqa: S301 - from the process that started this one
            pickle.dump(_answered(work, host, folder), file)
    finally:
        os._exit(0)


def _answered(work: "Callable[[Memory], str]", host: str | None, folder: str) -> tuple[bool, str]:
    """(whether it failed, the answer or one sentence on what happened and one on what to do)."""
    from ..app import open_memory

    try:
        with open_memory() as memory:
            refused = "" if host is None else refusal(memory.config, host=host, folder=folder)
            return False, refused or work(memory)
    except MemwikiError as error:
        return True, f"{error.message} {error.remedy}".strip()
    except Exception as error:
        traceback.print_exc()  # on stderr, which hosts keep
        return True, f"This is a bug in memwiki ({type(error).__name__}). Go on without an answer."
