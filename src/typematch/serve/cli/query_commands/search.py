"""``typematch search``: the hits for a query, best first."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from typematch.config import DATABASE_NAME
from typematch.errors import UsageError
from typematch.search.present.wire_format import Document, search_document
from typematch.search.results import SearchResult
from typematch.serve.cli.arguments import cache_option, count, parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.format_hits import answer_lines
from typematch.serve.cli.open_catalog import locator, open_catalog
from typematch.serve.cli.printing import print_document, print_pages, standard_output
from typematch.serve.cli.server_options import token

_EXAMPLES = """\
examples:
  typematch search '(items: T[], size: number) => T[][]'        by signature; T is a variable
  typematch search 'chunk :: (_, number) => _'                  words before :: are a name
  typematch search ':: {id: string}'                            types assignable to a shape
  typematch search 'kind:method returns:Promise<_> arity:1..2 -is:deprecated'
  typematch search '(string) => number  pkg:lodash,ramda  is:assignable' --limit all
  typematch search 'list my playlists, then add a song' --services 1
  typematch search 'retry a promise with backoff' --rerank      asks Claude; costs money
  typematch search 'debounce' --at http://127.0.0.1:8737        asks a server, which is quicker

signatures:
  TypeScript's own syntax; a single capital letter or ?x is a variable, _ any one type, ... any
  further parameters; (string) => is completed with _; a lone name is a type.

"""


def _more() -> str:
    from typematch.serve.cli.facet_table import facet_table

    return _EXAMPLES + facet_table() + "\n\nexit codes: 0 hits, 1 none, 2 bad query, 3 database"


def run(words: Sequence[str]) -> int:
    made = parser(
        "search",
        "QUERY ... [--limit N] [--services N] [--select] [--expand] [--rerank] [--explain] ...",
        "Find functions and types by signature, name and facets; best first, with the reason.",
        _more,
    )
    made.add_argument(
        "query", nargs="*", metavar="QUERY", help="signature, words, facets, or a mix"
    )
    made.add_argument("--limit", type=count, default=20, metavar="N", help="how many hits, or all")
    made.add_argument(
        "--services", type=count, metavar="N", help="choose so many services first, show no others"
    )
    made.add_argument(
        "--select", action="store_true", help="have Claude choose the packages that are searched"
    )
    made.add_argument(
        "--expand", action="store_true", help="have Claude say the request in other words too"
    )
    made.add_argument("--rerank", action="store_true", help="have Claude judge the first hits")
    cache_option(made)
    made.add_argument("--explain", action="store_true", help="print each edit with its price")
    made.add_argument("--at", metavar="URL", help="ask this server (typematch serve), not a file")
    arguments = read(made, words)
    query = " ".join(arguments.query)
    result, document, near = _asked(query, arguments)
    if arguments.json:
        print_document(document())
    else:
        shown = standard_output()
        lines = answer_lines(
            result,
            shown,
            locator(shown, near),
            explain=arguments.explain,
            services=arguments.services is not None,
        )
        print_pages(lines)
    return OK if result.hits else NONE


def _asked(query: str, arguments: Namespace) -> tuple[SearchResult, Callable[[], Document], Path]:
    """Return the result, what makes a document of it, and a path near the files it names."""
    how = {"limit": arguments.limit, "services": arguments.services}
    if arguments.at is None:
        with open_catalog(arguments.db, cache=arguments.cache) as catalog:
            result = catalog.search(
                query,
                **how,
                select=arguments.select,
                expand=arguments.expand,
                rerank=arguments.rerank,
            )
        return result, lambda: search_document(result), catalog.path
    if arguments.db:
        raise UsageError("--at asks a server, and --db opens a file", hint="Leave one of them out.")
    for stage in ("select", "expand", "rerank"):
        if getattr(arguments, stage):
            raise UsageError(
                f"--{stage} has Claude asked from here, and --at asks a server",
                hint=f"Leave out --{stage}, or --at.",
            )
    # Not above: who opens a file needs nothing that sends.
    from typematch.serve.cli.remote_client import ask_server, result_of

    document = ask_server(arguments.at, query, token=token(), **how)
    return result_of(document, arguments.at), lambda: document, Path.cwd() / DATABASE_NAME
