"""Show what is longer than the screen in a pager, as git does: one page at a time, then back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TextIO


def pager_command(environment: Mapping[str, str]) -> str:
    """Return the command that pages, for a shell; empty where none is wanted or there.

    TYPEMATCH_PAGER goes before PAGER; either may be empty or ``cat``, which is none.
    """
    for name in ("TYPEMATCH_PAGER", "PAGER"):
        if name in environment:
            named = environment[name].strip()
            return "" if named == "cat" else named
    return "less" if shutil.which("less") else ""


def page(lines: Iterable[str], stream: TextIO, environment: Mapping[str, str]) -> None:
    """Write ``lines`` to ``stream``, through a pager if it is a terminal that they do not fit on.

    Lines are taken as they come.  Whoever leaves the pager early has seen enough.
    """
    command = pager_command(environment) if stream.isatty() and os.isatty(0) else ""
    if not command:
        stream.writelines(f"{line}\n" for line in lines)
        return
    coming = iter(lines)
    first, is_all = _screenful(coming, os.get_terminal_size(stream.fileno()))
    if is_all:
        stream.writelines(f"{line}\n" for line in first)
        return
    import subprocess

    # As git has it: colours are shown, and the text stays on the screen.
    around = {"LESS": "FRX", "LV": "-c", **environment}
    stream.flush()
    with subprocess.Popen(
        command, shell=True, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=around
    ) as pager:
        assert pager.stdin is not None
        with suppress(BrokenPipeError, KeyboardInterrupt):
            pager.stdin.writelines(f"{line}\n" for line in chain(first, coming))
        with suppress(BrokenPipeError):
            pager.stdin.close()
        while pager.poll() is None:
            with suppress(KeyboardInterrupt):  # Ctrl-C is the pager's to read
                pager.wait()


def _screenful(lines: Iterator[str], size: os.terminal_size) -> tuple[list[str], bool]:
    """Return lines until a screen is full, and whether these are all."""
    taken: list[str] = []
    rows = 0
    for line in lines:
        taken.append(line)
        rows += 1 + max(0, len(line) - 1) // max(1, size.columns)
        if rows >= size.lines:
            return taken, False
    return taken, True
