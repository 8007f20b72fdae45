"""``typematch facets``: counts the hits of a query by facet value."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from typematch.query.read_as import quoted
from typematch.search.present.wire_format import facets_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages

_EXAMPLES = """\
examples:
  typematch facets
  typematch facets 'returns:Promise<_> -is:deprecated'
  typematch facets read a file as text

"""


def _epilog() -> str:
    from typematch.serve.cli.facet_table import facet_table

    return (
        _EXAMPLES + facet_table() + "\n\nexit codes: 0 hits, 1 no hits, 2 invalid query, 3 database"
    )


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "facets",
        "[QUERY ...] [--json] [--db FILE]",
        "Count the hits of a query by kind, package, service, arity, result type, flag and tag.",
        _epilog,
    )
    parser.add_argument(
        "query", nargs="*", metavar="QUERY", help="as for search (default: all entries)"
    )
    arguments = parse_arguments(parser, argv)
    query = " ".join(arguments.query).strip()
    with open_catalog(arguments.db) as catalog:
        counts = catalog.facets(query)
    if arguments.json:
        print_document(facets_document(query, counts))
    elif any(counts.values()):
        print_pages(facet_lines(counts))
    else:
        print("typematch: no hits", file=sys.stderr)
    return OK if any(counts.values()) else NONE


def facet_lines(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for facet, values in counts.items():
        for value, count in values.items():
            yield f"{count:>8,}  {facet}:{value if facet == 'returns' else quoted(value)}"
