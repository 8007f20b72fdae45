"""Printing of results to standard output, as text or JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping

from typematch.serve.cli.pager import page
from typematch.serve.cli.terminal import Terminal, terminal
from typematch.serve.escaped_output import one_line


def print_document(document: Mapping[str, object]) -> None:
    import json

    print(json.dumps(document, ensure_ascii=False, indent=2))


def print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(one_line(line))


def print_pages(lines: Iterable[str]) -> None:
    """Print lines, through a pager if they do not fit on the terminal."""
    page(map(one_line, lines), sys.stdout, os.environ)


def standard_output() -> Terminal:
    return terminal(sys.stdout, os.environ)
