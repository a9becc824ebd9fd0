"""A child process that does one piece of work, which may be killed at any moment: the parent sees where it was.

The child is a fork, so that it costs a few milliseconds. The kernel ends it where a step takes more processor time than
it may, also inside a regular expression; memory beyond its bound is a MemoryError in the child.
"""

import fcntl
import json
import mmap
import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from ..errors import MemwikiError

_WIDTH = 1024  # bytes of the memory that parent and child share
_LOOK = 0.5  # seconds between two looks of the parent


@dataclass(slots=True)
class Step:
    """The name of the step that the child is at, in memory that parent and child share; "" between steps."""

    _memory: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, _WIDTH))
    _number: int = 0

    def begin(self, name: str, seconds: float) -> None:
        """In the child: work on `name` for at most `seconds` of processor time, else SIGPROF ends the process."""
        self._write(name)
        signal.setitimer(signal.ITIMER_PROF, seconds)

    def end(self) -> None:
        """In the child: no step is under way."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._write("")

    def _write(self, name: str) -> None:
        self._number += 1
        line = f"{self._number} {name}\n".encode("utf-8", "surrogateescape")
        self._memory[: len(line)] = line

    def look(self) -> tuple[str, str]:
        """(a number that grows with each step, the step's name)."""
        line = self._memory[:].partition(b"\n")[0].decode("utf-8", "surrogateescape")
        number, _, name = line.partition(" ")
        return number, name


@dataclass(slots=True)
class Child:
    """A running child. Once `reports` is through, `done` says whether it ended by itself, else `killed_by` a signal."""

    step: Step
    pid: int
    pipe: int
    life: int  # kept open by the parent while it lives
    done: bool = False
    killed_by: int = 0

    @classmethod
    def start(cls, work: Callable[[Step, Callable[[Any], None]], None], memory: int) -> Self:
        """Fork, and let the child do `work(step, report)` with at most `memory` bytes more than it has now.

        `report` sends a JSON value to the parent.
        """
        step = Step()
        (reading, writing), (dying, life) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid:
            os.close(writing)
            os.close(dying)
            return cls(step, pid, reading, life)
        try:
            os.close(reading)
            os.close(life)
            _die_with_parent(dying)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent has it too, and ends the child
            _send(writing, _outcome(lambda: work(step, lambda value: _send(writing, {"report": value})), memory))
        finally:
            os._exit(1)  # nothing of the parent's may be flushed or closed twice

    def reports(self, slow: Callable[[str], None], limit: float) -> Iterator[Any]:
        """What the child reports, until it has ended. MemwikiError and OSError of the child are raised here.

        `slow` is called with the name of each step that is under way for a second; after `limit` seconds by the clock
        without a tenth of processor time the child is killed.
        """
        rest, number, called, ended = b"", "", False, False
        begun = idle = time.monotonic()
        worked = 0.0
        try:
            while not ended:
                if _readable(self.pipe, _LOOK):
                    data = os.read(self.pipe, 1 << 16)
                    ended = not data
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        yield from self._received(json.loads(line))
                step, name = self.step.look()
                now = time.monotonic()
                processor = _processor(self.pid)
                if step != number:
                    number = step
                    begun = idle = now
                    worked = processor
                    called = False
                if processor - worked >= 0.1:
                    idle = now
                    worked = processor
                if now - idle > limit:
                    os.kill(self.pid, signal.SIGKILL)
                elif name and not called and now - begun >= 1:
                    called = True
                    slow(name)
        finally:
            if not ended:
                os.kill(self.pid, signal.SIGKILL)
            os.close(self.pipe)
            status = os.waitpid(self.pid, 0)[1]
            os.close(self.life)
            self.killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0

    def _received(self, message: dict[str, Any]) -> Iterator[Any]:
        if "report" in message:
            yield message["report"]
        elif "error" in message:
            raise MemwikiError(*message["error"])
        elif "system" in message:
            raise OSError(*message["system"])
        elif "bug" in message:
            raise RuntimeError(message["bug"])
        else:
            self.done = True


def _die_with_parent(pipe: int) -> None:
    """Have the system end this process once the other end of `pipe` is closed. Linux does; others ignore SIGIO."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if _readable(pipe, 0):  # it was closed already
        os._exit(1)


def _readable(fd: int, seconds: float) -> bool:
    """Whether there is something to read, or the end, within `seconds`; `select` would not take a number over 1,023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _processor(pid: int) -> float:
    """Seconds of processor time that a process has taken, where the system tells (Linux); else 0."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # its CPU clock, as in clock_getcpuclockid(3)
    except OSError:
        return 0.0


def _bound(memory: int) -> None:
    """Bound the address space, where the system says how large it is (Linux)."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except OSError:
        return
    most, hard = pages * resource.getpagesize() + memory, resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _outcome(work: Callable[[], None], memory: int) -> dict[str, Any]:
    try:
        _bound(memory)
        work()
    except MemwikiError as error:
        return {"error": [error.message, error.remedy]}
    except OSError as error:
        return {"system": [error.errno, error.strerror, error.filename and str(error.filename)]}
    except MemoryError:
        raise
    except BaseException:
        return {"bug": traceback.format_exc()}
    return {"done": True}


def _send(pipe: int, message: dict[str, Any]) -> None:
    left = memoryview(json.dumps(message).encode() + b"\n")
    while left:
        left = left[os.write(pipe, left) :]
