"""Member names in the spelling of ``ir.types.Property``."""

from __future__ import annotations

from tree_sitter import Node

from typematch.ir.literals import number_text, string_value
from typematch.sources.typescript.lower import dotted_path
from typematch.sources.typescript.parse_context import ParseContext


def member_name(context: ParseContext, node: Node, kind: str) -> str | None:
    """Return a member's name as ``ir.types.Property`` spells it; None for a computed expression."""
    if kind == "string":
        return string_value(context.source(node))
    if kind == "number":
        return number_text(context.source(node))
    if kind != "computed_property_name":
        return context.name(node)
    parts = context.named_children(node)
    inner = context.kinds[parts[0].kind_id] if parts else ""
    if inner in ("string", "number"):
        return member_name(context, parts[0], inner)
    if inner not in ("identifier", "member_expression"):
        return None
    path = dotted_path(context, parts[0])
    return f"@@{path[1]}" if path[0] == "Symbol" and len(path) == 2 else f"@?{'.'.join(path)}"
