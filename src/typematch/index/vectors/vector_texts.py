"""The text of an entry, a package or an enrichment to embed; equal texts share a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typematch.index.compression import digest_of
from typematch.index.text.text_fields import display_name, doc_after_summary
from typematch.index.text.words import split_identifier
from typematch.index.vectors.embedding import entry_text
from typematch.package_names import imported_name

if TYPE_CHECKING:
    from typematch.ir.entry import Entry

MAX_PROSE = 300  # characters of an operation's description after the summary


def embedding_text(entry: Entry) -> str:
    """Return the text of an entry to embed; equal texts share a vector."""
    if entry.kind == "operation":
        return _text_of_operation(entry)
    return entry_text(
        display_name(entry),
        entry.container,
        entry.signature,
        entry.doc.summary if entry.doc is not None else "",
    )


def _text_of_operation(entry: Entry) -> str:
    """Return the path in the place of the name, and summary and description as prose.

    Compared with summary and parameters in these lines, recall@20 is .968 instead of .958 over all
    operations of an instance of SOCBench-D, and .955 instead of .925 on RestBench.
    """
    if entry.endpoint is None:
        name = entry.name
    else:
        parts = [part for part in entry.endpoint.path.split("/") if not part.startswith("{")]
        name = " ".join(word for part in parts for word in split_identifier(part))
    summary = entry.doc.summary if entry.doc else ""
    return entry_text(name, prose=f"{summary}. {doc_after_summary(entry)[:MAX_PROSE]}")


def package_text(name: str, purpose: str) -> str:
    """Return the text of a package to embed: the words of its name, and what it is for."""
    return entry_text(" ".join(split_identifier(imported_name(name))), prose=purpose)


def enrichment_text(sentence: str) -> str:
    """Return the text to embed for a sentence of an enrichment."""
    return entry_text("", prose=sentence)


def is_embedded(entry: Entry) -> bool:
    """Whether an entry has a vector; data properties are found by words and types only.

    Generated typings have ten times as many fields as functions.
    """
    return entry.kind != "property" or bool(entry.signatures)


def text_digest(text: str) -> bytes:
    return digest_of(text.encode("utf-8", "replace"))
