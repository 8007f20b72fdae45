"""Find an API by its type: structural type search for code and services, in one SQLite file.

A guided tour::

    import typematch

    with typematch.open("typematch.db") as catalog:           # created if it does not exist
        report = catalog.add("node_modules/date-fns", "src")  # parses only changed files
        print(report.entries, report.unchanged, report.failed)

        result = catalog.search("(d: Date, n: number) => Date", limit=10)
        print(result.read_as)                                 # how the query was parsed
        for hit in result:                                    # best first
            print(hit.cost, hit.entry.id, hit.entry.signature)
            print(*(edit.sentence for edit in hit.edits))     # how it differs from the query

        result = catalog.search("list my playlists, then add a song")  # operations of services
        for hit in result:
            print(hit.clause, hit.entry.http, hit.provides_for)

        for interface in catalog.match("needed.ts"):          # implementations of interfaces
            for implementation in interface.implementations:
                print(implementation.id, implementation.covered, implementation.missing)

        for pipeline in catalog.compose("(path: string) => Promise<User[]>"):
            print(pipeline.cost, [step.entry.id for step in pipeline.steps])

        entry = catalog.get("addDays")                        # any unambiguous suffix of an id
        print(entry.import_statement, entry.path, entry.line)

    typematch.relate("string[]", "Iterable<string>")          # Fit, Misfit or Undecided
    typematch.assignable("string", "string | number")         # bool, as tsc with `strict`

The names in ``__all__`` are public; everything else is private.  They are imported on first use, so
that ``import typematch`` is cheap.

The packages, in the order of the data flow, and the question that each answers:

- ``sources``: what does a text declare?  (TypeScript, packages, OpenAPI, Postman, catalogs)
- ``program``: which declaration does a name refer to, and what does a type reduce to?
- ``ir``: what is a type, a declaration, an entry?  The values shared by all packages.
- ``index``: what is stored, and which entries can a query skip?
- ``ingest``: what changed since the last run, and what depends on it?
- ``query``: what does a query ask for?
- ``match``: is one type assignable to another, at what cost, with which edits?
- ``search``: which entries answer a query, in which order, and how are they presented?
- ``adapt``: which code calls an entry with the types of a query?
- ``compose``: which calls in a row have the type of a query?
- ``llm``: optional features of Claude: search stages, call plans, enrichment.
- ``type_api``: how do two types, given as text, relate?
- ``catalog``: the public interface, which connects the other packages.
- ``serve``: the command line, the HTTP server with its page, the MCP server, watching.
- ``evaluate``: is it correct and good?  Run as ``python -m typematch.evaluate``.
- ``config``, ``errors``, ``gc_tuning``, ``token_count``: locations, error classes, small helpers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typematch.catalog import Catalog, open  # noqa: A004
    from typematch.errors import TypematchError
    from typematch.ingest.run import IndexReport
    from typematch.ir.entry import Entry, EntryParameter, EntrySignature
    from typematch.match.edit_kinds import Edit
    from typematch.match.verdict import Fit, Misfit, Undecided
    from typematch.search.fuse.shards import merge_results
    from typematch.search.results import Hit, SearchResult
    from typematch.type_api import assignable, relate

_MODULES = {
    "Catalog": "typematch.catalog",
    "Edit": "typematch.match.edit_kinds",
    "Entry": "typematch.ir.entry",
    "EntryParameter": "typematch.ir.entry",
    "EntrySignature": "typematch.ir.entry",
    "Fit": "typematch.match.verdict",
    "Hit": "typematch.search.results",
    "IndexReport": "typematch.ingest.run",
    "Misfit": "typematch.match.verdict",
    "SearchResult": "typematch.search.results",
    "TypematchError": "typematch.errors",
    "Undecided": "typematch.match.verdict",
    "assignable": "typematch.type_api",
    "merge_results": "typematch.search.fuse.shards",
    "open": "typematch.catalog",
    "relate": "typematch.type_api",
}

__all__ = [
    "Catalog",
    "Edit",
    "Entry",
    "EntryParameter",
    "EntrySignature",
    "Fit",
    "Hit",
    "IndexReport",
    "Misfit",
    "SearchResult",
    "TypematchError",
    "Undecided",
    "__version__",
    "assignable",
    "merge_results",
    "open",
    "relate",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'typematch' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
