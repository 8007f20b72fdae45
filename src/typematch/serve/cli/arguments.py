"""How the verbs read arguments: the same options by the same names, help that looks alike."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence

# A word that takes a facet away (`-pkg:lodash`) looks like an option to argparse.
_NEGATED = re.compile(r"-[a-z]+:")


class _Help(RawDescriptionHelpFormatter):
    """A fixed width, so that the help is the same text on every terminal."""

    def __init__(self, prog: str, **_: object) -> None:
        super().__init__(prog, max_help_position=24, width=100)


class _Parser(ArgumentParser):
    """Takes the epilog as a function, so that what is long to make is made for --help only."""

    def __init__(self, verb: str, usage: str, what: str, more: Callable[[], str]) -> None:
        super().__init__(
            prog=f"typematch {verb}",
            usage=f"typematch {verb} {usage}",
            description=what,
            formatter_class=_Help,
            allow_abbrev=False,
        )
        self._more = more

    def format_help(self) -> str:
        self.epilog = self._more()
        return super().format_help()


def parser(
    verb: str,
    usage: str,
    what: str,
    more: Callable[[], str],
    *,
    database: bool = True,
    document: bool = True,
) -> ArgumentParser:
    """Return a parser that knows ``--json`` (``document``) and ``--db`` (``database``)."""
    made = _Parser(verb, usage, what, more)
    if database:
        made.add_argument(
            "--db",
            metavar="FILE",
            help="the database (else $TYPEMATCH_DB, else the nearest typematch.db upward)",
        )
    if document:
        made.add_argument("--json", action="store_true", help="print the wire format, for programs")
    return made


def cache_option(made: ArgumentParser) -> None:
    """Add ``--cache``: where what Claude answered and did cost is kept."""
    made.add_argument(
        "--cache",
        metavar="FILE",
        help="what Claude answered and did cost (else in your cache folder)",
    )


def add_watch_option(made: ArgumentParser) -> None:
    """Add ``--watch``, for servers: a list of paths, empty without it."""
    made.add_argument(
        "--watch",
        nargs="?",
        const=".",
        action="append",
        default=[],
        metavar="PATH",
        help="index this folder, and keep the database true to it; again",
    )


def read(made: ArgumentParser, words: Sequence[str]) -> Namespace:
    """Return the arguments; words and options may come in any order."""
    if "_ARGCOMPLETE" in os.environ:
        from typematch.serve.cli.shell_completion import complete_arguments

        complete_arguments(made)
    # A leading space makes argparse take a word as it is; queries do not mind the space.
    return made.parse_intermixed_args([f" {w}" if _NEGATED.match(w) else w for w in words])


def count(text: str) -> int | None:
    """Read a number of results: a whole number from 1 on, or "all" (None)."""
    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected a whole number from 1 on, or all; not {text!r}")
    return int(text)
