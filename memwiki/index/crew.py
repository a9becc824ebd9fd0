"""Many notes at once: workers do on all processors what takes long, while the sync goes on with what is ready.

A worker is a process of its own that reads batches from its stdin and is gone when that ends, so one whose sync was
killed never outlives it, and none of them holds the sync's lock.
"""

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .row import Row

Batch = list[tuple[str, bytes] | None]
Part = TypeVar("Part")
Answer = TypeVar("Answer")


def processors() -> int:
    """How many processors this process may use, at most 8: more would wait for the one that stores."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)


def in_turn(batches: Iterable[Batch]) -> "Iterator[list[Row | None]]":
    """The rows of each batch of (path, data), in order; None stays None. Workers do it when there are two batches."""
    most, rest = processors(), iter(batches)
    first = list(islice(rest, 2))
    if most < 2 or len(first) < 2:
        yield from map(_rows, chain(first, rest))
        return
    under_way: deque[Future[list[Row | None]]] = deque()
    with Crew(most) as crew:
        for batch in chain(first, rest):
            under_way.append(crew.give(_rows, batch))
            if len(under_way) > most:
                yield under_way.popleft().result()
        for future in under_way:
            yield future.result()


def _rows(batch: Batch) -> "list[Row | None]":
    from .row import row_of  # parsers cost 80 ms, and most syncs find nothing to parse

    return [row_of(*one) if one else None for one in batch]


class Crew:
    """So many workers, each started when it first has something to do."""

    def __init__(self, size: int) -> None:
        from concurrent.futures import ThreadPoolExecutor  # 10 ms that small syncs do not pay

        self.threads = ThreadPoolExecutor(size)
        self.idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        self.started: list[subprocess.Popen[bytes]] = []
        for _ in range(size):
            self.idle.put(None)

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(cancel_futures=True)
        for worker in self.started:
            worker.communicate()

    def give(self, function: Callable[[Part], Answer], part: Part) -> "Future[Answer]":
        """Have one worker do `part` by `function`, which it imports by its name."""
        return self.threads.submit(self._ask, function, part)

    def _ask(self, function: Callable[[Part], Answer], part: Part) -> Answer:
        worker = self.idle.get() or self._start()
        try:
            assert worker.stdin is not None and worker.stdout is not None
            pickle.dump((function, part), worker.stdin)
            worker.stdin.flush()
            answer: Answer = pickle.load(worker.stdout)  # noqa: S301 - a child of ours
        finally:
            self.idle.put(worker)
        return answer

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-I", "-c", f"from {__name__} import work; work()"]
        worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self.started.append(worker)
        return worker


def work(asked: IO[bytes] | None = None, answers: IO[bytes] | None = None) -> None:
    """What a worker does: answer parts until there are no more."""
    asked, answers = asked or sys.stdin.buffer, answers or sys.stdout.buffer
    while True:
        try:
            function, part = pickle.load(asked)  # noqa: S301 - from the process that started this one
        except EOFError:
            return
        pickle.dump(function(part), answers)
        answers.flush()
