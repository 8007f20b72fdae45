"""Entry point of the command line: dispatch to one module per command, print errors.

Only the module of the requested command is imported, and it imports its dependencies late: a search
from a cold shell takes about a second.  ``exit_codes`` lists the exit codes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from typematch.serve.cli.exit_codes import INTERRUPTED, OK, USAGE


@dataclass(frozen=True, slots=True)
class Command:
    """A command of ``typematch``.

    Attributes:
        name: the first word of the command line, and the name of its module.
        summary: its line in ``typematch --help``.
        package: the package beside this module that holds its module.
    """

    name: str
    summary: str
    package: str


COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        Command("index", "index packages, projects, files and API documents", "catalog_commands"),
        Command("watch", "index, then update the database while files change", "catalog_commands"),
        Command(
            "search", "find functions and types by signature, name and facets", "query_commands"
        ),
        Command("adapt", "print the code that calls an entry with a signature", "query_commands"),
        Command("compose", "find calls in a row that have a signature", "query_commands"),
        Command("show", "print one entry: declaration, documentation, import", "query_commands"),
        Command("stats", "print what the database contains", "catalog_commands"),
        Command("relate", "check whether one type is assignable to another", "query_commands"),
        Command("match", "find implementations of the interfaces in a file", "query_commands"),
        Command("facets", "count the hits of a query by facet value", "query_commands"),
        Command("entries", "list all entries, sorted by id", "query_commands"),
        Command("remove", "remove a package from the database", "catalog_commands"),
        Command("discover", "let Claude plan the calls that serve a request", "query_commands"),
        Command("enrich", "let Claude describe entries, and index the text", "catalog_commands"),
        Command("costs", "print what requests to Claude cost", "catalog_commands"),
        Command("export", "write a compact copy of the database", "catalog_commands"),
        Command("completion", "print a completion script for a shell", "integration_commands"),
        Command("serve", "serve searches and a search page over HTTP", "integration_commands"),
        Command("doctor", "check the installation and the database file", "catalog_commands"),
        Command("browse", "start a server and open its page in a browser", "integration_commands"),
        Command("mcp", "serve coding agents (Model Context Protocol)", "integration_commands"),
    )
}

_EXAMPLES = """\
examples:
  typematch index .                          this project and the typings of its dependencies
  typematch search '(items: T[], size: number) => T[][]'
  typematch search 'debounce :: (f: (...) => _, ms: number) => _  pkg:lodash'
  typematch show lodash#_.chunk

The database is --db FILE, else $TYPEMATCH_DB, else typematch.db in this folder or a parent.
Run `typematch COMMAND --help` for the options and examples of a command."""


def help_text() -> str:
    """Return what ``typematch --help`` prints."""
    commands = "\n".join(f"  {name:<10} {command.summary}" for name, command in COMMANDS.items())
    return (
        "usage: typematch COMMAND ...\n\n"
        "Find an API by its type: structural type search for TypeScript, in one SQLite file.\n\n"
        f"commands:\n{commands}\n\n{_EXAMPLES}\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code.  A ``TypematchError`` is printed, not raised."""
    from typematch.serve.escaped_output import escaped_output

    # A caller may have closed the streams; then Python has none.
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    with escaped_output():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    from typematch.errors import TypematchError
    from typematch.serve.cli.error_document import print_error_document

    words = list(sys.argv[1:] if argv is None else argv)
    if os.environ.get("TYPEMATCH_DEBUG"):
        _log_to_stderr()
    if "_ARGCOMPLETE" in os.environ:  # a shell requests completions
        from typematch.serve.cli.shell_completion import complete_line

        words = complete_line(os.environ)
    code = OK
    try:
        try:
            code = _run(words)
        except TypematchError as error:
            code = error.exit_code
            if "--json" in words:
                print_error_document(error)
            else:
                print(f"typematch: {error}", file=sys.stderr)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\ntypematch: interrupted; finished work is kept", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe (`| head`).
        _discard_output()
    except OSError as error:
        if error.filename:
            where = error.filename
        else:  # errors of reading name a file
            _discard_output()
            where = "the output cannot be written"
        print(f"typematch: {where}: {error.strerror or error}", file=sys.stderr)
        if os.environ.get("TYPEMATCH_DEBUG"):
            raise
        return TypematchError.exit_code
    except SystemExit as stop:  # argparse: --help
        return stop.code if isinstance(stop.code, int) else USAGE
    return code


def _discard_output() -> None:
    """Discard what is left of standard output; Python would report its error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _log_to_stderr() -> None:
    """Write what the package logs, such as the tracebacks of files that failed, to stderr."""
    import logging

    log = logging.getLogger("typematch")
    log.setLevel(logging.DEBUG)
    if not log.handlers:
        log.addHandler(logging.StreamHandler())


def _run(words: list[str]) -> int:
    name = words[0] if words else ""
    if name in ("-h", "--help", "help"):
        print(help_text(), end="")
        return OK
    if name in ("-V", "--version"):
        from typematch import __version__

        print(f"typematch {__version__}")
        return OK
    if name not in COMMANDS:
        # Options may stand before the command: `typematch --db FILE search x`.
        position = next((index for index, word in enumerate(words) if word in COMMANDS), 0)
        if name.startswith("-") and position:
            return _run([words[position], *words[:position], *words[position + 1 :]])
        return _unknown(words)
    module = import_module(f"typematch.serve.cli.{COMMANDS[name].package}.{name}")
    code: int = module.run(words[1:])
    return code


def _unknown(words: Sequence[str]) -> int:
    """Say that there is no command; the one that is meant may stand after options.

    Raises:
        UsageError: there are words.
    """
    from difflib import get_close_matches

    from typematch.errors import UsageError

    if not words:
        print(help_text(), end="", file=sys.stderr)
        return USAGE
    candidates = words if words[0].startswith("-") else words[:1]
    similar = {word: get_close_matches(word, COMMANDS, n=1) for word in candidates}
    name = next((word for word in candidates if similar[word]), words[0])
    hint = (
        f"Did you mean: typematch {similar[name][0]}"
        if similar[name]
        else f"The commands are {', '.join(COMMANDS)}."
    )
    is_option = name.startswith("-")
    problem = (
        "there is no command after the options" if is_option else f"there is no command {name!r}"
    )
    raise UsageError(problem, hint=hint)
