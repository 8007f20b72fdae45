"""Spell the names of members as ``ir.types.Property`` does."""

from __future__ import annotations

from tree_sitter import Node

from typematch.ir.literals import number_text, string_value
from typematch.sources.typescript.lower import dotted
from typematch.sources.typescript.parse_context import ParseContext


def member_name(reading: ParseContext, node: Node, kind: str) -> str | None:
    """Return a member's name as ``ir.types.Property`` spells it; None if it is computed."""
    if kind == "string":
        return string_value(reading.slice(node))
    if kind == "number":
        return number_text(reading.slice(node))
    if kind != "computed_property_name":
        return reading.slice(node)
    parts = reading.parts(node)
    inner = reading.kinds[parts[0].kind_id] if parts else ""
    if inner in ("string", "number"):
        return member_name(reading, parts[0], inner)
    if inner not in ("identifier", "member_expression"):
        return None
    path = dotted(reading, parts[0])
    return f"@@{path[1]}" if path[0] == "Symbol" and len(path) == 2 else f"@?{'.'.join(path)}"
