"""Argument parsing shared by all commands: common options and uniform help."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from typing import NoReturn

from typematch.errors import UsageError

# argparse would take a negated facet (`-pkg:lodash`) for an option.
_NEGATED_FACET = re.compile(r"-[a-z]+:")


class _Help(RawDescriptionHelpFormatter):
    """Formats help at a fixed width, so that it is the same on every terminal."""

    def __init__(self, prog: str, **_: object) -> None:
        super().__init__(prog, max_help_position=24, width=100)


class _Parser(ArgumentParser):
    """Builds the epilog only when ``--help`` is printed; raises ``UsageError``."""

    def __init__(
        self, command: str, usage: str, description: str, epilog: Callable[[], str]
    ) -> None:
        super().__init__(
            prog=f"typematch {command}",
            usage=f"typematch {command} {usage}",
            description=description,
            formatter_class=_Help,
            allow_abbrev=False,
        )
        self.color = False  # Python 3.14 would add escape sequences, which are not ours
        self._epilog = epilog

    def format_help(self) -> str:
        self.epilog = self._epilog()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=self.format_usage().rstrip())


def command_parser(
    command: str,
    usage: str,
    description: str,
    epilog: Callable[[], str],
    *,
    database: bool = True,
    json_output: bool = True,
) -> ArgumentParser:
    """Return the parser of a command, with ``--db`` (``database``) and ``--json``.

    Args:
        usage: the arguments, as in the usage line.
        epilog: returns the text below the options: examples and exit codes.
    """
    parser = _Parser(command, usage, description, epilog)
    if database:
        parser.add_argument(
            "--db",
            metavar="FILE",
            help="file, or postgresql://USER@HOST/DATABASE of a server (default: $TYPEMATCH_DB, or "
            "typematch.db here or in a parent)",
        )
    if json_output:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def add_cache_option(parser: ArgumentParser) -> None:
    """Add ``--cache``: the file of the usage ledger and response cache."""
    parser.add_argument(
        "--cache",
        metavar="FILE",
        help="file of Claude's costs and cached answers (default: in your cache folder)",
    )


def add_watch_option(parser: ArgumentParser) -> None:
    """Add ``--watch``, for servers: a list of paths, empty if the option is absent."""
    parser.add_argument(
        "--watch",
        nargs="?",
        const=".",
        action="append",
        default=[],
        metavar="PATH",
        help="index this folder, and update the database on changes; repeatable",
    )


def parse_arguments(parser: ArgumentParser, words: Sequence[str]) -> Namespace:
    """Parse the command line; words and options may come in any order.

    Raises:
        UsageError: the words are not those of the command.
    """
    if "_ARGCOMPLETE" in os.environ:
        from typematch.serve.cli.shell_completion import complete_arguments

        complete_arguments(parser)
    # A leading space keeps argparse from reading a word as an option; queries ignore the space.
    words = [f" {word}" if _NEGATED_FACET.match(word) else word for word in words]
    arguments, unknown = parser.parse_known_intermixed_args(words)
    if unknown:
        what = f"unrecognized arguments: {' '.join(unknown)}"
        if any(word[1:2].isalpha() for word in unknown) and hasattr(arguments, "query"):
            hint = "Put a query with excluded words in quotes: 'read file -sync'"
            raise UsageError(what, hint=hint)
        parser.error(what)
    return arguments


def positive_integer(text: str, expected: str = "a positive integer") -> int:
    """Parse a positive integer; an error says what was ``expected``."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"expected {expected}, not {text!r}")
    return int(text)


def result_count(text: str) -> int | None:
    """Parse a positive integer, or "all" (None)."""
    return None if text == "all" else positive_integer(text, "a positive integer or all")


def port_number(text: str) -> int:
    """Parse the number of a port; 0 means any free port."""
    if not (text.isascii() and text.isdigit() and int(text) < 65_536):
        raise ArgumentTypeError(f"expected a number from 0 to 65535, not {text!r}")
    return int(text)
