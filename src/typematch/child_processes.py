"""Child processes: they end with their parent, and Ctrl-C goes to the parent alone."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from typematch.errors import TypematchError, WorkerError
from typematch.gc_tuning import relaxed_gc

# Not fork: threads of this process may hold locks.
SPAWN_CONTEXT = multiprocessing.get_context("spawn")

_SECONDS_TO_END = 5.0


def start_process(
    target: Callable[..., None], *arguments: Any, context: BaseContext = SPAWN_CONTEXT
) -> BaseProcess:
    """Start a daemon process that calls ``target``; ``arguments`` are pickled.

    A terminal sends SIGINT to its whole process group.  It is blocked in the child from the start,
    before the child can install SIG_IGN.
    """
    process: BaseProcess = context.Process(  # type: ignore[attr-defined]
        target=_ignore_sigint, args=(target, *arguments), daemon=True
    )
    if sys.platform == "win32":
        process.start()
        return process
    # Otherwise the first ``start`` would start the tracker, which unblocks the signal.
    resource_tracker.ensure_running()
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
    return process


def _ignore_sigint(target: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Windows nothing was blocked
    target(*arguments)


# Workers ------------------------------------------------------------------------------------------


class Workers:
    """Processes that answer tasks; each has one task at a time."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def map(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """Yield the answers to the tasks, in their order; tasks are taken when they are sent.

        Raises:
            WorkerError: a process ended: it was killed, or had no memory left.
            TypematchError: raised by a process for a task.
        """
        remaining = iter(tasks)
        working = 0
        for pipe in self._pipes:
            working += _send_next(pipe, remaining)
        for pipe in cycle(self._pipes):
            if not working:
                return
            answer = _receive(pipe)
            # Before the caller uses the answer, so that the process need not wait.
            working -= not _send_next(pipe, remaining)
            yield answer


@contextmanager
def workers(
    count: int,
    prepare: Callable[..., Callable[[Any], Any]],
    *arguments: Any,
    context: BaseContext = SPAWN_CONTEXT,
) -> Iterator[Workers]:
    """Start ``count`` processes; they end with the context.

    Args:
        prepare: called once in each process with ``arguments``; what it returns answers the tasks.
            Both are pickled, like tasks and answers.
    """
    processes: list[BaseProcess] = []
    pipes: list[Connection] = []
    level = logging.getLogger("typematch").getEffectiveLevel()
    try:
        for _ in range(count):
            ours, theirs = context.Pipe()
            pipes.append(ours)
            task = (theirs, level, prepare, arguments)
            processes.append(start_process(_answer_tasks, *task, context=context))
            theirs.close()  # so that the end of the process closes the pipe
        yield Workers(pipes)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(_SECONDS_TO_END)
        for pipe in pipes:
            pipe.close()


def _send_next(pipe: Connection, tasks: Iterator[Any]) -> bool:
    """Send the next task; return whether there was one."""
    for task in tasks:
        try:
            pipe.send(task)
        except OSError as error:
            raise WorkerError from error
        return True
    return False


def _receive(pipe: Connection) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, OSError) as error:
        raise WorkerError from error
    if isinstance(answer, TypematchError):
        raise answer
    return answer


def _answer_tasks(
    pipe: Connection,
    level: int,
    prepare: Callable[..., Callable[[Any], Any]],
    arguments: Sequence[Any],
) -> None:
    """Answer tasks until the parent ends."""
    parent = parent_process()
    assert parent is not None
    if level <= logging.DEBUG:
        logging.basicConfig(level=level)
    with relaxed_gc():
        try:
            answer = prepare(*arguments)
            while pipe in wait([pipe, parent.sentinel]):
                pipe.send(answer(pipe.recv()))
        except TypematchError as error:
            pipe.send(error)
        except (EOFError, OSError):
            return
