"""Child processes of a server: what they print is escaped."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

from typematch.child_processes import start_process
from typematch.serve.escaped_output import escaped_output


def spawn(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a daemon process that calls ``target``; ``arguments`` are pickled."""
    return start_process(_with_escaped_output, target, *arguments)


def _with_escaped_output(target: Callable[..., None], *arguments: Any) -> None:
    with escaped_output():
        target(*arguments)
