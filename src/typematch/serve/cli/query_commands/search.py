"""``typematch search``: prints the hits of a query, best first."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from typematch.config import DATABASE_NAME, Location
from typematch.errors import UsageError
from typematch.search.present.wire_format import Document, search_document
from typematch.search.results import SearchResult
from typematch.serve.cli.arguments import (
    add_cache_option,
    command_parser,
    parse_arguments,
    positive_integer,
    result_count,
)
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import result_lines
from typematch.serve.cli.open_catalog import open_catalog, source_linker
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.server_options import token

_EXAMPLES = """\
examples:
  typematch search '(items: T[], size: number) => T[][]'        by signature; T is a type variable
  typematch search 'chunk :: (_, number) => _'                  by name (before ::) and signature
  typematch search ':: {id: string}'                            types assignable to this type
  typematch search 'kind:method returns:Promise<_> arity:1..2 -is:deprecated'
  typematch search '(string) => number  pkg:lodash,ramda  is:assignable' --limit all
  typematch search 'list my playlists, then add a song' --services 1
  typematch search 'retry a promise with backoff' --rerank      uses Claude; costs money
  typematch search 'debounce' --at http://127.0.0.1:8737        through a running server; faster

signatures:
  TypeScript syntax.  A single capital letter or ?x is a type variable, _ is any type, ... stands
  for any further parameters.  (string) => means (string) => _.  A single name is a type.

"""


_EXIT_CODES = """

exit codes: 0 hits, 1 no hits, or only without a facet or the name of the query, 2 invalid query,
3 database"""


def _epilog() -> str:
    from typematch.serve.cli.facet_table import facet_table

    return _EXAMPLES + facet_table() + _EXIT_CODES


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "search",
        "QUERY ... [--limit N] [--services N] [--select] [--expand] [--rerank] [--strict] ...",
        "Find functions and types by signature, name and facets; print the best first.",
        _epilog,
    )
    parser.add_argument(
        "query", nargs="*", metavar="QUERY", help="signature, words, facets, or a mix"
    )
    parser.add_argument(
        "--limit",
        type=result_count,
        default=20,
        metavar="N",
        help="number of hits, or all (default: 20)",
    )
    parser.add_argument(
        "--services",
        type=positive_integer,
        metavar="N",
        help="only operations of the N best services",
    )
    parser.add_argument(
        "--select", action="store_true", help="let Claude select the packages to search"
    )
    parser.add_argument(
        "--expand", action="store_true", help="let Claude add paraphrases of the query"
    )
    parser.add_argument(
        "--rerank", action="store_true", help="let Claude grade and reorder the first hits"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="give up no part of the query when there are few hits (strict:yes)",
    )
    add_cache_option(parser)
    parser.add_argument("--explain", action="store_true", help="print each edit with its cost")
    parser.add_argument(
        "--adapt", action="store_true", help="print the code that calls each hit as the query says"
    )
    parser.add_argument("--at", metavar="URL", help="search through this server (typematch serve)")
    arguments = parse_arguments(parser, argv)
    query = " ".join([*arguments.query, *(["strict:yes"] if arguments.strict else [])])
    result, document, base_path = _execute(query, arguments)
    if arguments.json:
        print_document(document())
    else:
        terminal = standard_output()
        lines = result_lines(
            result,
            terminal,
            source_linker(base_path),
            explain=arguments.explain,
            adapt=arguments.adapt,
            services=arguments.services is not None,
        )
        print_pages(lines)
    return OK if result.hits and not result.left_out else NONE


def _execute(
    query: str, arguments: Namespace
) -> tuple[SearchResult, Callable[[], Document], Location]:
    """Run the search, locally or through a server.

    Returns:
        The result, a function that makes its document, and a path near which its files are.
    """
    limits = {"limit": arguments.limit, "services": arguments.services}
    if arguments.at is None:
        with open_catalog(arguments.db, cache=arguments.cache) as catalog:
            result = catalog.search(
                query,
                **limits,
                select=arguments.select,
                expand=arguments.expand,
                rerank=arguments.rerank,
            )
        return result, lambda: search_document(result), catalog.path
    if arguments.db:
        raise UsageError("--at and --db exclude each other", hint="Use only one of them.")
    for stage in ("select", "expand", "rerank"):
        if getattr(arguments, stage):
            raise UsageError(
                f"--{stage} and --at exclude each other: a server does not use Claude",
                hint="Use only one of them.",
            )
    # Imported late: a local search does not need the HTTP client.
    from typematch.serve.cli.remote_client import decode_result, query_server

    document = query_server(arguments.at, query, token=token(), **limits)
    return decode_result(document, arguments.at), lambda: document, Path.cwd() / DATABASE_NAME
