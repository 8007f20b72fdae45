"""``typematch index``: indexes packages, projects and files, and prints a report."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from typematch.config import Location, database_path
from typematch.errors import TypematchError
from typematch.search.present.wire_format import index_document
from typematch.serve.cli.arguments import command_parser, parse_arguments, positive_integer
from typematch.serve.cli.exit_codes import OK
from typematch.serve.cli.open_catalog import open_catalog
from typematch.serve.cli.printing import print_document, print_lines
from typematch.serve.cli.progress import progress_on

if TYPE_CHECKING:
    from typematch.index.store import Stats
    from typematch.ingest.run import IndexReport

_EPILOG = """\
examples:
  typematch index .                        this project and the typings of its dependencies
  typematch index node_modules/rxjs src    packages, folders or files
  typematch index npm:date-fns@4           download with npm pack; runs no install scripts
  typematch index specs/                   OpenAPI documents, Postman collections, catalogs

Only changed files are parsed, and those that depend on a changed declaration; deleted files are
removed from the database.  Packages are written one by one, each in one transaction.  Files in
.gitignore and .typematchignore are skipped.

exit codes: 0 indexed, also if files failed, 2 a path is missing or contains nothing to index,
3 database or npm"""

_MAX_LISTED = 10


def run(argv: Sequence[str]) -> int:
    parser = command_parser(
        "index",
        "PATH ... [--jobs N] [--model MODEL | --no-vectors] [--keep KIND,...] ...",
        "Index packages, projects, API documents and folders; only changed files are parsed.",
        lambda: _EPILOG,
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="folder, file, or npm:NAME@VERSION"
    )
    add_indexing_options(parser)
    parser.add_argument(
        "--infer",
        choices=("off", "auto", "tsc"),
        default="off",
        metavar="MODE",
        help="off, auto, tsc: let the project's own tsc infer types that code does not annotate",
    )
    parser.add_argument(
        "--jobs",
        type=positive_integer,
        default=1,
        metavar="N",
        help="processes to work in, at most (default: 1)",
    )
    arguments = parse_arguments(parser, argv)
    options = indexing_options(arguments)
    with (
        new_database_removed_on_error(arguments.db),
        open_catalog(arguments.db, create=True) as catalog,
        progress_on(sys.stderr) as progress,
    ):
        report = catalog.add(
            *arguments.paths,
            progress=progress,
            infer=arguments.infer,
            jobs=arguments.jobs,
            **options,
        )
        path, stats = catalog.path, catalog.stats()
    if arguments.json:
        print_document(index_document(report))
    else:
        print_lines(report_lines(report, str(path), stats))
    return OK


@contextmanager
def new_database_removed_on_error(database: str | None) -> Iterator[None]:
    """Remove the file of ``--db`` if it is new and nothing could be indexed."""
    path = database_path(database, os.environ, Path.cwd())
    is_new = isinstance(path, Path) and not path.exists()
    try:
        yield
    except TypematchError:
        if is_new and _is_empty(path):
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)
        raise


def _is_empty(path: Location) -> bool:
    """Return whether this is a database without packages."""
    from typematch.catalog import Catalog

    with suppress(TypematchError), Catalog(path, create=False) as catalog:
        return catalog.stats().packages == 0
    return False


def add_indexing_options(parser: ArgumentParser) -> None:
    """Add the options that ``indexing_options`` reads."""
    vectors = parser.add_mutually_exclusive_group()
    vectors.add_argument(
        "--model",
        default="",
        metavar="MODEL",
        help="embedding model: a fastembed name, a folder, or MODEL@URL (default: that of the "
        "database, else $TYPEMATCH_EMBEDDING_MODEL, else the bundled one)",
    )
    vectors.add_argument(
        "--no-vectors", action="store_true", help="no embeddings; search uses words and types only"
    )
    parser.add_argument(
        "--keep",
        default="",
        metavar="KIND,...",
        help="keep in document texts: blobs, html, markup, links, headers, errors, examples",
    )


class IndexingOptions(TypedDict):
    """Arguments of ``Catalog.add``."""

    model: str | None
    keep: Sequence[str]


def indexing_options(arguments: Namespace) -> IndexingOptions:
    keep = [name.strip() for name in arguments.keep.split(",") if name.strip()]
    return {"model": None if arguments.no_vectors else arguments.model, "keep": keep}


def report_lines(report: IndexReport, path: str, stats: Stats | None = None) -> Iterator[str]:
    """Yield the report of a run: counts, failures, unresolved imports, problems, notices.

    Args:
        stats: of the whole database, named if this run is only a part of it.
    """
    skipped = sum(count for _, _, count in report.skipped)
    indexed = report.files - report.unchanged
    yield (
        f"{path}: {_counted(report.entries, 'entry', 'entries')} in "
        f"{_counted(report.files, 'file', 'files')} of "
        f"{_counted(report.packages, 'package', 'packages')}"
    )
    if stats is not None and stats.files != report.files:
        yield (
            f"          with earlier runs: {_counted(stats.entries, 'entry', 'entries')} in "
            f"{_counted(stats.files, 'file', 'files')} of "
            f"{_counted(stats.packages, 'package', 'packages')}"
        )
    yield f"{indexed:>8,}  indexed"
    yield f"{report.unchanged:>8,}  unchanged"
    yield f"{report.removed:>8,}  removed"
    yield f"{skipped:>8,}  skipped" + (":" if skipped else "")
    yield from (
        f"          {count:,}  {_skip_reason(what, reason)}"
        for what, reason, count in _most_frequent(report.skipped)
    )
    yield f"{len(report.failed):>8,}  failed" + (":" if report.failed else "")
    yield from (f"          {file}: {reason}" for file, reason in report.failed[:_MAX_LISTED])
    yield from _omitted(len(report.failed))
    if report.with_errors:
        yield f"{report.with_errors:>8,}  parsed in part (syntax errors)"
    yield from _unresolved(report.unresolved)
    if report.problems:
        yield f"{len(report.problems):>8,}  problems in documents:"
        yield from (f"          {file}: {what}" for file, what in report.problems[:_MAX_LISTED])
        yield from _omitted(len(report.problems))
    for notice in report.notices:
        yield f"Note: {notice}"


def _unresolved(unresolved: Sequence[tuple[str, int]]) -> Iterator[str]:
    yield f"{len(unresolved):>8,}  unresolved imports" + (":" if unresolved else "")
    for specifier, files in unresolved[:_MAX_LISTED]:
        yield f"          {specifier} ({_counted(files, 'file', 'files')})"
    yield from _omitted(len(unresolved))


def _most_frequent(skipped: Sequence[tuple[str, str, int]]) -> Sequence[tuple[str, str, int]]:
    return sorted(skipped, key=lambda item: (-item[2], item[0], item[1]))[:_MAX_LISTED]


def _skip_reason(what: str, reason: str) -> str:
    return f"{what}: {reason}" if what else reason


def _omitted(count: int) -> Iterator[str]:
    if count > _MAX_LISTED:
        yield f"          and {count - _MAX_LISTED:,} more"


def _counted(count: int, singular: str, plural: str) -> str:
    return f"{count:,} {singular if count == 1 else plural}"
