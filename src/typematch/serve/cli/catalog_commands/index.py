"""``typematch index``: read packages, projects and files, and end with counts."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict

from typematch.search.present.wire_format import index_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_lines
from typematch.serve.cli.progress import progress_on

if TYPE_CHECKING:
    from typematch.ingest.run import IndexReport

_MORE = """\
examples:
  typematch index .                        my project, and the typings of its dependencies
  typematch index node_modules/rxjs src    packages, folders or files
  typematch index npm:date-fns@4           fetched with npm pack; no install script is run
  typematch index specs/                   OpenAPI documents, Postman collections, catalogs

What did not change since the last run is not read again, what vanished is removed, and each
package is complete in the database once it is written.  .gitignore and .typematchignore count.

exit codes: 0 indexed, 2 a path is missing or holds nothing to index, 3 database or npm"""

_LISTED = 10


def run(words: Sequence[str]) -> int:
    made = parser(
        "index",
        "PATH ... [--model MODEL | --no-vectors] [--keep SORT,...] [--json] [--db FILE]",
        "Read packages, projects, documents, folders into the database; only what changed is read.",
        lambda: _MORE,
    )
    made.add_argument(
        "paths", nargs="+", metavar="PATH", help="a folder, a file, or npm:NAME@VERSION"
    )
    add_indexing_options(made)
    arguments = read(made, words)
    options = indexing_options(arguments)
    with open_catalog(arguments.db, create=True) as catalog, progress_on(sys.stderr) as progress:
        report = catalog.add(*arguments.paths, progress=progress, **options)
        path = catalog.path
    if arguments.json:
        print_document(index_document(report))
    else:
        print_lines(report_lines(report, str(path)))
    return OK


def add_indexing_options(made: ArgumentParser) -> None:
    """Add what says how texts are indexed; ``indexing_options`` reads it."""
    vectors = made.add_mutually_exclusive_group()
    vectors.add_argument(
        "--model",
        default="",
        metavar="MODEL",
        help="embeds texts: a fastembed model, a folder, MODEL@URL; else the bundled one",
    )
    vectors.add_argument(
        "--no-vectors", action="store_true", help="make none; search compares words and types"
    )
    made.add_argument(
        "--keep",
        default="",
        metavar="SORT,...",
        help="stays in the texts of documents: blobs html marks links headers errors examples",
    )


class IndexingOptions(TypedDict):
    """Arguments of ``Catalog.add``."""

    model: str | None
    keep: Sequence[str]


def indexing_options(arguments: Namespace) -> IndexingOptions:
    keep = [sort.strip() for sort in arguments.keep.split(",") if sort.strip()]
    return {"model": None if arguments.no_vectors else arguments.model, "keep": keep}


def report_lines(report: IndexReport, path: str) -> Iterator[str]:
    """Yield the counts that every run ends with."""
    skipped = sum(count for _, _, count in report.skipped)
    indexed = report.files - report.unchanged
    yield (
        f"{path}: {_counted(report.entries, 'entry', 'entries')} in "
        f"{_counted(report.files, 'file', 'files')} of "
        f"{_counted(report.packages, 'package', 'packages')}"
    )
    yield f"{indexed:>8,}  indexed"
    yield f"{report.unchanged:>8,}  unchanged"
    yield f"{report.removed:>8,}  removed"
    yield f"{skipped:>8,}  skipped" + (":" if skipped else "")
    yield from (
        f"          {count:,}  {_why(what, why)}" for what, why, count in _top(report.skipped)
    )
    yield f"{len(report.failed):>8,}  failed" + (":" if report.failed else "")
    yield from (f"          {file}: {reason}" for file, reason in report.failed[:_LISTED])
    yield from _more(len(report.failed))
    if report.with_errors:
        yield f"{report.with_errors:>8,}  read only in part (syntax that could not be read)"
    yield from _unresolved(report.unresolved)
    if report.problems:
        yield f"{len(report.problems):>8,}  problems in documents:"
        yield from (f"          {file}: {what}" for file, what in report.problems[:_LISTED])
        yield from _more(len(report.problems))
    for notice in report.notices:
        yield f"Note: {notice}"


def _unresolved(unresolved: Sequence[tuple[str, int]]) -> Iterator[str]:
    yield f"{len(unresolved):>8,}  unresolved imports" + (":" if unresolved else "")
    for specifier, files in unresolved[:_LISTED]:
        yield f"          {specifier} ({_counted(files, 'file', 'files')})"
    yield from _more(len(unresolved))


def _top(skipped: Sequence[tuple[str, str, int]]) -> Sequence[tuple[str, str, int]]:
    return sorted(skipped, key=lambda item: (-item[2], item[0], item[1]))[:_LISTED]


def _why(what: str, why: str) -> str:
    return f"{what}: {why}" if what else why


def _more(count: int) -> Iterator[str]:
    if count > _LISTED:
        yield f"          and {count - _LISTED:,} more"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
