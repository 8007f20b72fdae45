"""Finds the JSDoc comment of a declaration or member."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from typematch.ir.module import Doc
from typematch.sources.typescript.jsdoc import read_doc
from typematch.sources.typescript.parse_context import ParseContext


def with_doc_comments(
    context: ParseContext, nodes: Iterable[Node]
) -> Iterable[tuple[Node, Node | None]]:
    """Yield each node except comments, with the ``/** */`` comment right before it, or None."""
    comment: Node | None = None
    end = 0
    kinds = context.kinds
    for node in nodes:
        if kinds[node.kind_id] == "comment":
            start = node.start_byte
            if context.text[start : start + 3] == b"/**" and not _trails(context, end, node):
                comment = node
            continue
        if node.is_named:
            yield node, comment
            comment = None
        end = node.end_byte


def _trails(context: ParseContext, end: int, comment: Node) -> bool:
    """Whether a comment trails the code before it on the same line."""
    if not end or b"\n" in context.text[end : comment.start_byte]:
        return False
    rest = context.text[comment.end_byte : comment.end_byte + 80].lstrip(b" \t\r")
    return rest[:1] == b"\n"


def doc_comment(context: ParseContext, comment: Node | None) -> Doc | None:
    return None if comment is None else read_doc(context.source(comment))
