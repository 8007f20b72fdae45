"""What a server may be asked, each a document of ``search.documents``; runs inside a worker."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from typematch.catalog import Catalog
from typematch.errors import UsageError
from typematch.search.present.wire_format import (
    Document,
    facets_document,
    match_document,
    references_document,
    relate_document,
    search_document,
    show_document,
    stats_document,
)
from typematch.search.score.deadline import Seconds
from typematch.type_api import relate


def search(catalog: Catalog, query: str, limit: int, seconds: Seconds = None) -> Document:
    return search_document(catalog.search(query, limit=limit, seconds=seconds))


def first_page(
    catalog: Catalog,
    query: str,
    limit: int,
    services: int | None,
    facets: bool,
    most_ids: int,
    seconds: Seconds = None,
) -> tuple[Document, tuple[str, ...]]:
    """Return what a search finds, and the ids of its best ``most_ids`` hits."""
    found = catalog.search(
        query, limit=limit, services=services, count_facets=facets, seconds=seconds
    )
    return search_document(found), found.ids[:most_ids]


def page(
    catalog: Catalog, query: str, limit: int, services: int | None, ids: Sequence[str]
) -> Document:
    """Return a further page of a search: the hits with these ids, in this order."""
    return search_document(catalog.search(query, limit=limit, services=services, only=ids))


def entry(catalog: Catalog, name: str) -> Document:
    found = catalog.get(name)
    return show_document(found, catalog.declaration(found), catalog.told(found))


def references(catalog: Catalog, name: str, depth: int, max_tokens: int) -> Document:
    found = catalog.get(name)
    followed = catalog.references(found.id, depth=depth, max_tokens=max_tokens)
    return {"format": "typematch.references/1", "id": found.id, **references_document(followed)}


def read(catalog: Catalog, name: str, depth: int, max_tokens: int) -> Document:
    """An entry and what its types refer to, in one document."""
    found = catalog.get(name)
    followed = catalog.references(found.id, depth=depth, max_tokens=max_tokens)
    return show_document(found, catalog.declaration(found), catalog.told(found), followed)


def facets(catalog: Catalog, query: str) -> Document:
    return facets_document(query, catalog.facets(query))


def stats(catalog: Catalog) -> Document:
    return stats_document(catalog.stats())


def match(catalog: Catalog, name: str, content: bytes, limit: int) -> Document:
    """``name`` says what kind of document it is; only its ending counts."""
    kind = "".join(PurePosixPath(name.replace("\\", "/")).suffixes[-2:])
    if not kind.replace(".", "").isalnum():
        raise UsageError(
            "this name does not say what kind of document it is", name, "Try: needed.ts"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"needed{kind}"
        file.write_bytes(content)
        return match_document(name, catalog.match(file, limit=limit))


def related(_: Catalog, source: str, target: str, declarations: str) -> Document:
    return relate_document(source, target, relate(source, target, declarations))


# Those that can end early with a part of the answer: they take ``seconds``.
ENDING = frozenset(("search", "first_page"))
QUESTIONS: Mapping[str, Callable[..., Any]] = {
    "search": search,
    "first_page": first_page,
    "page": page,
    "entry": entry,
    "references": references,
    "read": read,
    "facets": facets,
    "stats": stats,
    "match": match,
    "relate": related,
}
