"""Runs commands in forked copies of this process and kills them.  Linux only.

A copy has everything imported, so a run takes what its work takes.  The commands are those of the
command line; SIGKILL ends a copy as it ends any process: its memory is lost, its locks are freed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from typematch.serve.cli.main import main

_POLL_SECONDS = 0.0005
_LINE_SECONDS = 0.01


class Run:
    """A command line that runs in a copy of this process.

    Args:
        arguments: those of ``typematch``.

    Attributes:
        pid: the process.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self._output, writing = os.pipe()
        self.pid = _fork(lambda: _command(arguments, writing))
        os.close(writing)
        self._ended = False
        self._lines = b""

    def cpu_seconds(self) -> float:
        """Return the CPU time used so far; 0 if the process has ended."""
        try:
            # The clock of another process, as clock_getcpuclockid(3) computes it.
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    def lines(self) -> int:
        """Return the number of lines printed so far."""
        while select.select([self._output], [], [], 0)[0]:
            read = os.read(self._output, 1 << 16)
            if not read:
                break
            self._lines += read
        return self._lines.count(b"\n")

    def ended(self) -> bool:
        if not self._ended:
            pid, _ = os.waitpid(self.pid, os.WNOHANG)
            self._ended = pid != 0
        return self._ended

    def kill(self) -> None:
        """Kill the process if it runs; wait until it is gone."""
        if not self._ended:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self._ended = True
        os.close(self._output)

    def killed_at(
        self, cpu_seconds: float, steps: Sequence[Callable[[], None]] = (), *, lines: int = 0
    ) -> tuple[bool, float, int]:
        """Kill the run after so much CPU time.

        Return whether it still ran, its CPU time, and how many steps had begun.

        Args:
            steps: actions during the run; the nth is done when n lines have been printed.
            lines: the run counts as over when it has printed so many; 0: when it ends.
        """
        done, used, next_look = 0, 0.0, 0.0
        try:
            while True:
                used = self.cpu_seconds() or used
                if used >= cpu_seconds:
                    return not self.ended(), used, done
                if self.ended():
                    return False, used, done
                if (steps or lines) and time.monotonic() > next_look:
                    next_look = time.monotonic() + _LINE_SECONDS
                    printed = self.lines()
                    while done < min(printed, len(steps)):
                        done += 1
                        steps[done - 1]()
                    if lines and printed >= lines:
                        return False, used, done
                time.sleep(_POLL_SECONDS)
        finally:
            self.kill()


def in_copy(function: Callable[[], Any]) -> Any:
    """Return what ``function`` returns (as JSON) in a copy of this process.

    Raises:
        ChildProcessError: it raised an exception, whose message is on standard error.
    """
    reading, writing = os.pipe()

    def answer() -> int:
        with os.fdopen(writing, "w") as out:
            json.dump(function(), out)
        return 0

    pid = _fork(answer)
    os.close(writing)
    with os.fdopen(reading) as answers:
        text = answers.read()
    _, status = os.waitpid(pid, 0)
    if status:
        raise ChildProcessError(f"the copy ended with {os.waitstatus_to_exitcode(status)}")
    return json.loads(text)


def quiet(arguments: Sequence[str]) -> int:
    """Run a command line in this process without its output; return its exit code."""
    with (
        Path(os.devnull).open("w") as nothing,
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        return main(list(arguments))


def _command(arguments: Sequence[str], output: int) -> int:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(nothing, 2)
    return main(list(arguments))


def _fork(function: Callable[[], int]) -> int:
    """Run ``function`` in a copy of this process; return the process id."""
    if threading.active_count() > 1:
        raise RuntimeError("only a process without threads can be copied")
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        code = function()
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else 1
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(code)
