"""Find the JSDoc comment that stands before a declaration or member."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from typematch.ir.module import Doc
from typematch.sources.typescript.jsdoc import read_doc
from typematch.sources.typescript.parse_context import ParseContext


def documented(reading: ParseContext, nodes: Iterable[Node]) -> Iterable[tuple[Node, Node | None]]:
    """Yield each node that is no comment, with the ``/** */`` comment that stands before it."""
    comment: Node | None = None
    end = 0
    kinds = reading.kinds
    for node in nodes:
        if kinds[node.kind_id] == "comment":
            start = node.start_byte
            if reading.text[start : start + 3] == b"/**" and not _trails(reading, end, node):
                comment = node
            continue
        if node.is_named:
            yield node, comment
            comment = None
        end = node.end_byte


def _trails(reading: ParseContext, end: int, comment: Node) -> bool:
    """Whether a comment belongs to what stands before it on its line."""
    if not end or b"\n" in reading.text[end : comment.start_byte]:
        return False
    rest = reading.text[comment.end_byte : comment.end_byte + 80].lstrip(b" \t\r")
    return rest[:1] == b"\n"


def doc_of(reading: ParseContext, comment: Node | None) -> Doc | None:
    return None if comment is None else read_doc(reading.slice(comment))
