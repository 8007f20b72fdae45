"""Find an API by its type: structural type search for code and services, in one SQLite file.

A guided tour::

    import typematch

    with typematch.open("typematch.db") as catalog:           # made if it does not exist
        report = catalog.add("node_modules/date-fns", "src")  # only what changed is read again
        print(report.entries, report.unchanged, report.failed)

        result = catalog.search("(d: Date, n: number) => Date", limit=10)
        print(result.read_as)                                 # how the query was understood
        for hit in result:                                    # best first
            print(hit.cost, hit.entry.id, hit.entry.signature)
            print(*(edit.sentence for edit in hit.edits))     # why it fits, and what it lacks

        result = catalog.search("list my playlists, then add a song")  # operations of services
        for hit in result:
            print(hit.clause, hit.entry.http, hit.supplies)   # which part it serves, what it is for

        for likeness in catalog.match("needed.ts"):           # who implements these interfaces?
            print([(one.id, one.covered, one.missing) for one in likeness.found])

        entry = catalog.get("addDays")                        # any unambiguous suffix of an id
        print(entry.import_statement, entry.path, entry.line)

    typematch.relate("string[]", "Iterable<string>")          # Fit, Misfit or Undecided
    typematch.assignable("string", "string | number")         # a bool: what tsc says under `strict`

Everything in ``__all__`` is public and stable; everything else is private.  Names are looked up
when they are first used, so that ``import typematch`` costs next to nothing.

The map, in the order in which a text becomes a hit:

- ``sources``: what does this text declare?  (TypeScript; packages and projects; the globals;
  OpenAPI documents, Postman collections and catalogs of services; cleaning of their texts)
- ``program``: which declaration does this name mean, what does this type reduce to?
- ``ir``: what is a type, a declaration, an entry?  The values that all rooms share.
- ``index``: what is stored, and which entries can be left out of a search unseen?
- ``ingest``: what changed since the last run, and what depends on it?
- ``query``: what does the user ask?
- ``match``: does this type fit that one, at what price, and why?
- ``search``: from a question to ranked hits; from a request to the operations that serve its
  clauses; from a needed interface to who implements it; what the types of an entry refer to.
- ``llm``: what Claude may do, where it is wanted: say a request in other words, choose
  packages, judge hits, plan several calls; say of entries what they are for.
- ``relating``: two types as texts, related; what a document of interfaces asks for.
- ``catalog``: the one place where the parts are wired together.
- ``serve``: the command line over it, a server with the page that it serves (``serve/web``), and
  tools for coding agents.
- ``evaluate``: are we right?  Its own door: ``python -m typematch.evaluate``.
- ``errors``: everything that can go wrong, cut by who must act.
- ``garbage``: fewer pauses of the collector while millions of types are made.
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
    from typematch.search.results import Hit, SearchResult
    from typematch.type_api import assignable, relate

_HOMES = {
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
    "open",
    "relate",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'typematch' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
