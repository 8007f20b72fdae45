"""Tell which sort of document a text is, and read it: OpenAPI, or entries of a catalog."""

from __future__ import annotations

from typematch.ir.module import Module
from typematch.sources.openapi import Beside, DocumentError, read_openapi, unreadable
from typematch.sources.openapi.loading import decoded, load
from typematch.sources.services import from_markdown, from_values, read_entries
from typematch.sources.services.written import is_catalog

_MARKDOWN = (".md", ".markdown")


def read_document(text: bytes, *, path: str, beside: Beside) -> Module:
    """Return what a document declares; ``path`` gives the format and a name.  Never raises on text.

    ``beside`` has the files that it refers to.  The module's specifiers name those that were asked
    for, behind ``READS``.
    """
    try:
        if path.endswith(_MARKDOWN):
            return read_entries(from_markdown(decoded(text)), (), path)
        loaded = load(text, path)
        if is_catalog(loaded.value):
            entries, problems = from_values(loaded)
            return read_entries(entries, problems, path)
        return read_openapi(loaded, path=path, beside=beside)
    except DocumentError as error:
        return unreadable(str(error))
