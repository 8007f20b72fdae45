"""``typematch stats``: what the database holds, and what is missing from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from typematch.search.present.wire_format import stats_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_pages

if TYPE_CHECKING:
    from typematch.index.store import Stats

_MORE = """\
examples:
  typematch stats
  typematch stats --db shipped.db --json

exit codes: 0 always, 3 database"""

_UNRESOLVED_SHOWN = 10
_DOCUMENTS_SHOWN = 10


def run(words: Sequence[str]) -> int:
    made = parser(
        "stats",
        "[--json] [--db FILE]",
        "Say what the database holds: packages, entries by kind, types, unresolved imports.",
        lambda: _MORE,
    )
    arguments = read(made, words)
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
        (stats.files_with_errors, "of them could be read only in part"),
        (stats.entries, "entries"),
        (stats.signatures, "signatures"),
        (stats.types, "distinct types"),
        (stats.declarations, "declarations"),
        (stats.irreducible, "types that could not be reduced"),
    ):
        yield f"{count:>8,}  {noun}"
    yield ""
    if stats.model:
        yield f"{stats.texts - stats.waiting:>8,}  vectors of {stats.model}, by {stats.scored_by}"
    else:
        yield "     no  vectors: search compares words and types only"
    if stats.enriched:
        yield f"{stats.enriched:>8,}  entries that a model has said something of"
    if stats.waiting and stats.model:
        yield f"{stats.waiting:>8,}  texts without a vector yet; typematch index goes on with them"
    yield from _table("entries by kind", stats.kinds.items())
    if stats.by_package:
        yield ""
        yield "packages (files, entries)"
        for name, version, files, entries in stats.by_package:
            yield f"{files:>8,}  {entries:>8,}  {name} {version}".rstrip()
    yield from _documents(stats)
    yield from _table(
        "unresolved imports, by files that name them", stats.unresolved[:_UNRESOLVED_SHOWN]
    )
    yield from _table("skipped files, by reason", stats.skipped)


def _documents(stats: Stats) -> Iterator[str]:
    """Yield what the texts of documents came to: words and signs before and after cleaning."""
    if not stats.documents:
        return
    before = sum(tokens for _, tokens, _ in stats.documents)
    after = sum(indexed for _, _, indexed in stats.documents)
    yield ""
    yield "documents (tokens as written, tokens indexed)"
    yield f"{before:>10,}  {after:>10,}  all {len(stats.documents):,}"
    for file, tokens, indexed in stats.documents[:_DOCUMENTS_SHOWN]:
        yield f"{tokens:>10,}  {indexed:>10,}  {file}"
    if len(stats.documents) > _DOCUMENTS_SHOWN:
        yield f"{'':>24}and {len(stats.documents) - _DOCUMENTS_SHOWN:,} smaller ones"
    if stats.removed:
        yield ""
        yield "taken out of their texts (times, characters)"
        for sort, times, characters in stats.removed:
            yield f"{times:>10,}  {characters:>10,}  {sort}"


def _table(title: str, rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    counted = list(rows)
    if not counted:
        return
    yield ""
    yield title
    for name, count in counted:
        yield f"{count:>8,}  {name}"
