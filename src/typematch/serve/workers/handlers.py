"""The requests that a worker process answers with JSON documents."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from typematch.catalog import Catalog
from typematch.errors import SourceError, UsageError
from typematch.search.present.wire_format import (
    Document,
    completions_document,
    compose_document,
    facets_document,
    match_document,
    references_document,
    relate_document,
    search_document,
    stats_document,
)
from typematch.search.score.deadline import TimeLimit
from typematch.serve.show_entry import show_entry
from typematch.serve.workers.agent_handlers import (
    agent_search,
    producers_and_consumers,
    read_entries,
)
from typematch.serve.workers.limits import MAX_BYTES, MAX_HITS

_SUFFIX = re.compile(r"\.[a-z0-9]{1,20}", re.IGNORECASE)


def first_page(
    catalog: Catalog,
    query: str,
    limit: int,
    services: int | None,
    facets: bool,
    max_ids: int,
    seconds: TimeLimit = None,
) -> tuple[Document, tuple[str, ...]]:
    """Return the first page of a search, and the ids of its best ``max_ids`` hits."""
    result = catalog.search(
        query,
        limit=limit,
        max_limit=MAX_HITS,
        services=services,
        count_facets=facets,
        seconds=seconds,
    )
    return _bounded(search_document(result)), result.ids[:max_ids]


def page(
    catalog: Catalog,
    query: str,
    limit: int,
    services: int | None,
    ids: Sequence[str],
    seconds: TimeLimit = None,
) -> tuple[Document, int]:
    """Return a further page of a search: the hits with these ids, in this order.

    The number is that of the ids whose hits are in the document or no longer exist; the hits of the
    others do not fit.  Those that were not compared in time have no cost.
    """
    result = catalog.search(
        query, limit=limit, max_limit=limit, services=services, only=ids, seconds=seconds
    )
    document = _bounded(search_document(result))
    hits = document["hits"]
    if len(hits) == len(result.hits):
        return document, len(ids)
    return document, ids.index(hits[-1]["entry"]["id"]) + 1


def _bounded(document: Document, key: str = "hits") -> Document:
    """Return a document with the first items of a list, which have ``MAX_BYTES`` together."""
    left = MAX_BYTES
    for index, item in enumerate(document[key]):
        left -= len(json.dumps(item, ensure_ascii=False).encode())
        if left < 0 and index:
            return {**document, key: document[key][:index]}
    return document


def entry(catalog: Catalog, name: str) -> Document:
    return show_entry(catalog, catalog.get(name))


def references(catalog: Catalog, name: str, depth: int, max_tokens: int) -> Document:
    entry = catalog.get(name)
    graph = catalog.references(entry.id, depth=depth, max_tokens=max_tokens)
    return references_document(entry.id, graph)


def compose(catalog: Catalog, query: str, depth: int, limit: int) -> Document:
    return _bounded(compose_document(catalog.compose(query, depth=depth, limit=limit)), "pipelines")


def facets(catalog: Catalog, query: str, seconds: TimeLimit = None) -> Document:
    return facets_document(query, catalog.facets(query, seconds=seconds))


def complete(catalog: Catalog, query: str, limit: int) -> Document:
    return completions_document(query, catalog.complete(query, limit=limit))


def stats(catalog: Catalog) -> Document:
    return stats_document(catalog.stats())


def match(catalog: Catalog, name: str, content: bytes, limit: int) -> Document:
    """``name``: a file name; its last suffix determines the kind of document."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix
    if not _SUFFIX.fullmatch(suffix):
        raise UsageError("the name has no suffix of a known kind of document", name, "Try: api.ts")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"document{suffix}"
        file.write_bytes(content)
        try:
            matches = catalog.match(file, limit=limit)
        except SourceError as error:  # name the document of the client, not the temporary file
            raise SourceError(error.what, name, error.hint) from error
        return match_document(name, matches)


def relate(catalog: Catalog, source: str, target: str, declarations: str) -> Document:
    return relate_document(source, target, catalog.relate(source, target, declarations))


# Requests with a partial result when their time is over; they have a parameter ``seconds``.
INTERRUPTIBLE = frozenset(
    ("first_page", "page", "facets", "agent_search", "producers_and_consumers")
)
HANDLERS: Mapping[str, Callable[..., Any]] = {
    "first_page": first_page,
    "page": page,
    "entry": entry,
    "references": references,
    "agent_search": agent_search,
    "read_entries": read_entries,
    "producers_and_consumers": producers_and_consumers,
    "compose": compose,
    "facets": facets,
    "complete": complete,
    "stats": stats,
    "match": match,
    "relate": relate,
}
