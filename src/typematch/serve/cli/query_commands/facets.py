"""``typematch facets``: how what a query finds spreads over the facets' values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from typematch.search.present.wire_format import facets_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages

_EXAMPLES = """\
examples:
  typematch facets
  typematch facets 'returns:Promise<_> -is:deprecated'
  typematch facets read a file as text

"""


def _more() -> str:
    from typematch.serve.cli.facet_table import facet_table

    return _EXAMPLES + facet_table() + "\n\nexit codes: 0 some, 1 none, 2 bad query, 3 database"


def run(words: Sequence[str]) -> int:
    made = parser(
        "facets",
        "[QUERY ...] [--json] [--db FILE]",
        "Count what a query finds: by kind, package, service, arity, result, flag, tag.",
        _more,
    )
    made.add_argument("query", nargs="*", metavar="QUERY", help="as for search; all without")
    arguments = read(made, words)
    query = " ".join(arguments.query).strip()
    with open_catalog(arguments.db) as catalog:
        counts = catalog.facets(query)
    if arguments.json:
        print_document(facets_document(query, counts))
    else:
        print_pages(facet_lines(counts))
    return OK if any(counts.values()) else NONE


def facet_lines(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for facet, values in counts.items():
        for value, count in values.items():
            shown = f'"{value}"' if " " in value and facet != "returns" else value
            yield f"{count:>8,}  {facet}:{shown}"
