"""One entry as a document, for the command ``show`` and the servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.search.present.wire_format import Document, show_document

if TYPE_CHECKING:
    from typematch.catalog import Catalog
    from typematch.ir.entry import Entry
    from typematch.search.present.references import References
    from typematch.search.present.wire_schema import AdaptDocument


def show_entry(
    catalog: Catalog,
    entry: Entry,
    references: References | None = None,
    adapted: AdaptDocument | None = None,
) -> Document:
    """Return the ``show_document`` of an entry with what the catalog knows about it.

    Args:
        references: what its types refer to, if the document is to have that.
        adapted: the ``adapt_document`` of a query, if there is one.
    """
    return show_document(
        entry,
        catalog.declaration(entry),
        catalog.enrichment(entry),
        catalog.doc_links(entry),
        catalog.type_ids(entry),
        references,
        adapted,
    )
