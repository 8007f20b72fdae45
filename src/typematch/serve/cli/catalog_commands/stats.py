"""``typematch stats``: contents of the database, and what is missing from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.present.wire_format import stats_document
from typematch.serve.cli.arguments import command_parser, parse_arguments
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages

if TYPE_CHECKING:
    from typematch.index.store import Stats

_EPILOG = """\
examples:
  typematch stats
  typematch stats --db shipped.db --json

exit codes: 0 success, 3 database"""

_MAX_UNRESOLVED = 10
_MAX_DOCUMENTS = 10


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "stats",
        "[--json] [--db FILE]",
        "Print the contents of the database: packages, entries by kind, types, unresolved imports.",
        lambda: _EPILOG,
    )
    arguments = parse_arguments(parser, argv)
    with open_catalog(arguments.db) as catalog:
        stats = catalog.stats()
        path = catalog.path
    if arguments.json:
        print_document(stats_document(stats))
    else:
        print_pages(stats_lines(stats, str(path)))
    return OK


def stats_lines(stats: Stats, path: str) -> Iterator[str]:
    yield f"{path}: {stats.size_bytes / 1e6:.1f} MB"
    yield ""
    for count, noun in (
        (stats.packages, "packages"),
        (stats.files, "files"),
        (stats.files_with_errors, "files parsed in part (syntax errors)"),
        (stats.entries, "entries"),
        (stats.signatures, "signatures"),
        (stats.types, "distinct types"),
        (stats.declarations, "declarations"),
        (stats.irreducible, "types that could not be reduced"),
    ):
        yield f"{count:>8,}  {noun}"
    yield ""
    without_vector = stats.texts_without_vector
    if stats.model:
        yield f"{stats.texts - without_vector:>8,}  vectors of {stats.model}, by {stats.scored_by}"
    else:
        yield "     no  vectors: search uses words and types only"
    if stats.enriched:
        yield f"{stats.enriched:>8,}  entries described by a model"
    if without_vector and stats.model:
        yield f"{without_vector:>8,}  texts without a vector yet; typematch index creates them"
    yield from _table("entries by kind", stats.kinds.items())
    if stats.package_counts:
        yield ""
        yield "packages (files, entries)"
        for name, version, files, entries in stats.package_counts:
            yield f"{files:>8,}  {entries:>8,}  {name} {version}".rstrip()
    yield from _documents(stats)
    yield from _table("unresolved imports (importing files)", stats.unresolved[:_MAX_UNRESOLVED])
    yield from _table("skipped files by reason", stats.skipped)


def _documents(stats: Stats) -> Iterator[str]:
    """Yield token counts of API documents before and after cleaning, and what was removed."""
    if not stats.documents:
        return
    before = sum(tokens for _, tokens, _ in stats.documents)
    after = sum(indexed for _, _, indexed in stats.documents)
    yield ""
    yield "documents (tokens as written, tokens indexed)"
    yield f"{before:>10,}  {after:>10,}  total of {len(stats.documents):,}"
    for file, tokens, indexed in stats.documents[:_MAX_DOCUMENTS]:
        yield f"{tokens:>10,}  {indexed:>10,}  {file}"
    if len(stats.documents) > _MAX_DOCUMENTS:
        yield f"{'':>24}and {len(stats.documents) - _MAX_DOCUMENTS:,} smaller documents"
    if stats.removed:
        yield ""
        yield "removed from their texts (occurrences, characters)"
        for cleaner, times, characters in stats.removed:
            yield f"{times:>10,}  {characters:>10,}  {cleaner}"


def _table(title: str, rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    counted = list(rows)
    if not counted:
        return
    yield ""
    yield title
    for name, count in counted:
        yield f"{count:>8,}  {name}"
