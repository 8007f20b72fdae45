"""Reads a document by its format: OpenAPI, Postman collection, or service catalog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from typematch.ir.module import CleaningStats, Module, Scope
from typematch.sources.cleaning import Cleaner
from typematch.sources.openapi.loading import DocumentError, decode, load
from typematch.sources.openapi.pointers import SiblingDocuments
from typematch.sources.openapi.postman import is_postman, read_postman
from typematch.sources.openapi.read import read_openapi
from typematch.sources.packages.documents import is_markdown
from typematch.sources.services import from_markdown, from_values, read_entries
from typematch.sources.services.catalog_entries import is_catalog
from typematch.token_count import count_tokens


def read_document(
    text: bytes, *, path: str, siblings: SiblingDocuments, keep: frozenset[str] = frozenset()
) -> Module:
    """Return the declarations of a document.  Never raises on bad text: the module is unreadable.

    Args:
        path: gives the format and a fallback name.
        siblings: reads the files that the document refers to.  The module's specifiers name those
            that were read, behind ``TEXT_SPECIFIER``.
        keep: names of ``cleaning.CLEANERS`` that are not applied.
    """
    cleaner = Cleaner(keep)
    try:
        decoded = decode(text)
        module = _read(text, decoded, path, siblings, cleaner)
    except DocumentError as error:
        return Module(Scope("file"), is_module=True, unreadable=str(error))
    removed = tuple((sort, *counts) for sort, counts in sorted(cleaner.removed.items()))
    left = sum(map(count_tokens, _texts(module.scope)))
    return replace(module, cleaned=CleaningStats(count_tokens(decoded), left, removed))


def _read(
    text: bytes, decoded: str, path: str, beside: SiblingDocuments, cleaner: Cleaner
) -> Module:
    if is_markdown(path):
        return read_entries(from_markdown(decoded), (), path, cleaner)
    loaded = load(text, path)
    if is_catalog(loaded.value):
        entries, problems = from_values(loaded)
        return read_entries(entries, problems, path, cleaner)
    if is_postman(loaded.value):
        return read_postman(loaded, path=path, siblings=beside, cleaner=cleaner)
    return read_openapi(loaded, path=path, siblings=beside, cleaner=cleaner)


def _texts(scope: Scope) -> Iterator[str]:
    """Yield the searchable texts of a document: names, signatures, documentation."""
    for declaration in scope.declarations:
        docs = [declaration.doc, *(member.doc for member in declaration.members)]
        yield from (declaration.name, declaration.text)
        for member in declaration.members:
            yield member.name
            yield from (overload.text for overload in member.overloads)
            yield "" if member.endpoint is None else member.endpoint.path
        for doc in docs:
            if doc is not None:
                yield doc.text
                yield from (text for _, text in doc.tags)
        if declaration.body is not None:
            yield from _texts(declaration.body)
