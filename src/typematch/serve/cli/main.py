"""The command line: one file per verb; this door picks it and turns errors into sentences.

Only the module of the verb that was asked for is imported, and that one imports late what it needs:
a search from a cold shell has a second in all.  Exit codes: 0 hits, 1 none, 2 a bad query or
usage, 3 the database or the world outside, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from typematch.serve.cli.exit_codes import INTERRUPTED, OK, USAGE

VERBS = {
    "index": "read packages, projects and files into the database",
    "watch": "index, and keep the database true while files change",
    "search": "find functions and types by signature, name and facets",
    "show": "print one entry: declaration, overloads, doc, import",
    "stats": "say what the database holds",
    "relate": "ask whether one type is assignable to another, and why not",
    "match": "find who implements the interfaces of a file, method by method",
    "facets": "count the values that a query's hits have",
    "entries": "list every entry, in a stable order",
    "remove": "take a package out of the database",
    "discover": "have Claude plan which calls serve a request together",
    "enrich": "have Claude say what entries are for, and index that",
    "costs": "say what asking Claude did cost",
    "export": "write a copy of the database to ship",
    "completion": "print what makes a shell complete commands, facets, packages and ids",
    "serve": "answer over HTTP, on this machine unless told otherwise",
    "doctor": "say whether everything is there that is needed, and whether the file is sound",
    "browse": "start a server and open its page in a browser",
    "mcp": "answer coding agents over the Model Context Protocol",
}

_FOLDERS = {
    "query_commands": ("search", "show", "match", "relate", "entries", "facets", "discover"),
    "catalog_commands": (
        "index",
        "remove",
        "export",
        "stats",
        "doctor",
        "watch",
        "enrich",
        "costs",
    ),
    "integration_commands": ("serve", "browse", "mcp", "completion"),
}

_EXAMPLES = """\
examples:
  typematch index .                          my project and the typings of its dependencies
  typematch search '(items: T[], size: number) => T[][]'
  typematch search 'debounce :: (f: (...) => _, ms: number) => _  pkg:lodash'
  typematch show lodash#_.chunk

The database is --db FILE, else $TYPEMATCH_DB, else the nearest typematch.db upward.
`typematch VERB --help` says more about each."""


def usage() -> str:
    """Return what `typematch --help` prints."""
    verbs = "\n".join(f"  {verb:<10} {what}" for verb, what in VERBS.items())
    return (
        "usage: typematch VERB ...\n\n"
        "Find an API by its type: structural type search for TypeScript, in one SQLite file.\n\n"
        f"verbs:\n{verbs}\n\n{_EXAMPLES}\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code.  Errors of ours are printed, never raised."""
    from typematch.errors import TypematchError

    words = list(sys.argv[1:] if argv is None else argv)
    if "_ARGCOMPLETE" in os.environ:  # a shell asks how the line may go on
        from typematch.serve.cli.shell_completion import complete_line

        words = complete_line(os.environ)
    try:
        code = _run(words)
        sys.stdout.flush()
    except TypematchError as error:
        print(f"typematch: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("\ntypematch: interrupted; nothing that was finished is lost", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough (`| head`).  Python would complain once more while closing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except SystemExit as stop:  # argparse: --help and wrong usage
        return stop.code if isinstance(stop.code, int) else USAGE
    return code


def _run(words: list[str]) -> int:
    verb = words[0] if words else ""
    if verb in ("-h", "--help", "help"):
        print(usage(), end="")
        return OK
    if verb in ("-V", "--version"):
        from typematch import __version__

        print(f"typematch {__version__}")
        return OK
    if verb not in VERBS:
        # `typematch --db FILE search x` is clear enough.
        at = next((index for index, word in enumerate(words) if word in VERBS), 0)
        if verb.startswith("-") and at:
            return _run([words[at], *words[:at], *words[at + 1 :]])
        return _unknown(verb)
    folder = next(folder for folder, verbs in _FOLDERS.items() if verb in verbs)
    module = import_module(f"typematch.serve.cli.{folder}.{verb}")
    code: int = module.run(words[1:])
    return code


def _unknown(verb: str) -> int:
    from difflib import get_close_matches

    if not verb:
        print(usage(), end="", file=sys.stderr)
        return USAGE
    near = get_close_matches(verb, VERBS, n=1)
    hint = f"Did you mean: typematch {near[0]}" if near else "The verbs are " + ", ".join(VERBS)
    print(f"typematch: there is no verb {verb!r}\n{hint}", file=sys.stderr)
    return USAGE
