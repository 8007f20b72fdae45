"""Pipes output through a pager if it does not fit on the screen, like git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TextIO

from typematch.serve.escaped_output import escape_foreign, underlying_stream


def pager_command(environment: Mapping[str, str]) -> str:
    """Return the pager's shell command; empty for none.

    TYPEMATCH_PAGER takes precedence over PAGER; the default is ``less`` if it is installed.  An
    empty value or ``cat`` turns paging off.
    """
    for name in ("TYPEMATCH_PAGER", "PAGER"):
        if name in environment:
            command = environment[name].strip()
            return "" if command == "cat" else command
    return "less" if shutil.which("less") else ""


def page(lines: Iterable[str], stream: TextIO, environment: Mapping[str, str]) -> None:
    """Write ``lines`` to ``stream``, through a pager if it is a terminal and they do not fit.

    Lines are written as they are produced; quitting the pager early is not an error.
    """
    if underlying_stream(stream) is not stream:
        stream, lines = underlying_stream(stream), map(escape_foreign, lines)
    command = pager_command(environment) if stream.isatty() and os.isatty(0) else ""
    if not command:
        stream.writelines(f"{line}\n" for line in lines)
        return
    remaining = iter(lines)
    first, is_all = _screenful(remaining, os.get_terminal_size(stream.fileno()))
    if is_all:
        stream.writelines(f"{line}\n" for line in first)
        return
    import subprocess

    # The same defaults as git: pass colours through, leave the text on the screen.
    pager_environment = {"LESS": "FRX", "LV": "-c", **environment}
    stream.flush()
    with subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=pager_environment,
    ) as pager:
        assert pager.stdin is not None
        with suppress(BrokenPipeError, KeyboardInterrupt):
            pager.stdin.writelines(f"{line}\n" for line in chain(first, remaining))
        with suppress(BrokenPipeError):
            pager.stdin.close()
        while pager.poll() is None:
            with suppress(KeyboardInterrupt):  # the pager handles Ctrl-C
                pager.wait()


def _screenful(lines: Iterator[str], size: os.terminal_size) -> tuple[list[str], bool]:
    """Return the lines that fill a screen, and whether there are no others."""
    screen: list[str] = []
    rows = 0
    for line in lines:
        screen.append(line)
        rows += 1 + max(0, len(line) - 1) // max(1, size.columns)
        if rows >= size.lines:
            return screen, False
    return screen, True
